"""The stiff solver in the compiled FMU: exact Jacobians, order, work, failures, advice."""

from __future__ import annotations

import ctypes
import math
import re

import numpy as np
import pytest

from mbd_fmu.export.c_code import config_header, model_source
from mbd_fmu.export.compile import compile_library, host_platform, runtime_sources
from mbd_fmu.export.symbols import symbols_of
from mbd_fmu.export.system import system_of
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.reference.manifold import Manifold
from mbd_fmu.reference.simulate import Run
from tests.fmu import mechanisms
from tests.fmu.ctypes_fmu import ERROR, OK
from tests.random_loops import random_loops, wander
from tests.random_trees import random_tree

# --- The Jacobian, by a back door of the library ---

PROBE = """
#include "method.h"
#include <string.h>
#define OPEN __attribute__((visibility("default")))
static Workspace work;

static Problem problem_of_probe(const double *u, const double *du, const double *p, int rank)
{
    static double memory[3];
    Problem problem;
    memset(&problem, 0, sizeof problem);
    problem.u = u;
    problem.du = du;
    problem.p = p;
    problem.h = memory;
    problem.strain = memory + 1;
    problem.tolerance = 1e-6;
#if N_ROWS
    problem.ceiling.holonomic = problem.ceiling.all = rank;
#else
    (void)rank;
#endif
    return problem;
}

OPEN void probe_jacobian(double t, const double *x, const double *u, const double *du, const double *p,
                         int rank, double *jacobian)
{
    Problem problem = problem_of_probe(u, du, p, rank);
    Outcome out;
    memset(&out, 0, sizeof out);
    prepare(&problem, &work, t, x, &out);
    memcpy(jacobian, work.jacobian, sizeof work.jacobian);
}

/* With the rows chosen when the Jacobian was asked for. */
OPEN void probe_rate(double t, const double *x, const double *u, const double *du, const double *p,
                     int rank, double *xd)
{
    Problem problem = problem_of_probe(u, du, p, rank);
#if N_ROWS
    work.scratch.few_rows = 1;
#endif
    evaluate(&problem, &work, t, x, xd);
}
"""


class Probe:
    """The equations of a system as the compiled FMU has them."""

    def __init__(self, system, folder):
        self.system, self.n = system, system.nx
        sources = runtime_sources() | {
            "model.c": model_source(system, symbols_of(system)),
            "config.h": config_header(system, "probe"),
            "probe.c": PROBE,
        }
        path = folder / "probe.so"
        path.write_bytes(compile_library(sources, host_platform()))
        self.c = ctypes.CDLL(str(path))

    def _call(self, function, t, x, u, du, p, rank, size):
        out = (ctypes.c_double * size)()
        vectors = [(ctypes.c_double * max(len(a), 1))(*a) for a in (x, u, du, p)]
        getattr(self.c, function)(ctypes.c_double(t), *vectors, rank, out)
        return np.array(out)

    def jacobian(self, *at):
        n = self.n
        return self._call("probe_jacobian", *at, n * (n + 1)).reshape(n, n + 1)

    def rate(self, *at):
        return self._call("probe_rate", *at, self.n)


def differences(probe, t, x, u, du, p, rank):
    """Central differences of fourth order: five points."""

    def slope(f, h):
        return (8.0 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12.0 * h)

    columns = [
        slope(lambda h, e=e: probe.rate(t, x + h * e, u, du, p, rank), 1e-4) for e in np.eye(len(x))
    ]
    columns.append(slope(lambda h: probe.rate(t + h, x, u, du, p, rank), 1e-4))
    return np.stack(columns, axis=1)


def assert_exact(probe, x, u, rank=0):
    rng = np.random.default_rng(0)
    at = 0.1, x, u, rng.normal(size=len(u)), probe.system.nominal_parameters(), rank
    exact = probe.jacobian(*at)
    found = differences(probe, *at)
    # a step of 1e-4 leaves 1e-16 of the digits of the last column's neighbours, and 1e-11 by rounding
    assert np.abs(exact - found).max() < 1e-8 * max(1.0, np.abs(exact).max())


def stiff(table, **fmu):
    return {**table, "fmu": {**table.get("fmu", {}), "solver": "stiff", **fmu}}


@pytest.mark.parametrize("n", [1, 4, 7])
def test_the_jacobian_of_a_tree_is_exact(n, tmp_path):
    import json

    spec = random_tree(n, n)
    system = system_of(spec_of_table(stiff(json.loads(spec.text)), "test"))
    rng = np.random.default_rng(n)
    x = rng.normal(size=system.nx)
    for k in system.quaternions:
        x[k : k + 4] /= np.linalg.norm(x[k : k + 4])
    assert_exact(Probe(system, tmp_path), x, rng.normal(size=system.table.n_inputs))


def test_the_jacobian_of_a_prescribed_turning_base_is_exact_in_time_too(tmp_path):
    table = mechanisms.double_pendulum()
    system = system_of(spec_of_table(stiff(table) | {"base": {"motion": "prescribed"}}, "test"))
    rng = np.random.default_rng(3)
    u = rng.normal(size=system.table.n_inputs)
    turn = system.table.motions[0].turn[0]
    u[turn : turn + 4] /= np.linalg.norm(u[turn : turn + 4])
    assert_exact(Probe(system, tmp_path), rng.normal(size=system.nx), u)


@pytest.mark.parametrize(
    ("seed", "planar", "fmu"),
    [
        (1, False, {}),
        (2, False, {}),
        (3, True, {}),  # hinges across one plane: some rows say the same
        (4, True, {"stabilization": "baumgarte", "alpha": 7.0, "beta": 11.0}),
    ],
)
def test_the_jacobian_through_constraints_is_exact_on_and_beside_them(seed, planar, fmu, tmp_path):
    run = Run(system_of(spec_of_table(stiff(random_loops(seed, planar=planar), **fmu), "test")))
    wander(run, seed)
    rank = run.assembled.ceiling.all
    assert (rank < len(run.system.rows)) == planar
    probe = Probe(run.system, tmp_path)
    for beside in (0.0, 0.02):
        x = run.x + beside * np.random.default_rng(seed).normal(size=len(run.x))
        assert_exact(probe, x, run.u, rank)


def test_the_jacobian_of_a_loop_that_follows_a_motion_is_exact(tmp_path):
    table = random_loops(5, planar=True)
    hinge = next(j for j in table["joint"] if j["type"] == "revolute")
    hinge["drive"] = "motion"
    hinge.pop("velocity", None)
    for key in ("damping", "friction", "friction_speed", "stiffness", "rest"):
        hinge.pop(key, None)
    run = Run(system_of(spec_of_table(stiff(table), "test")))
    x = run.x + 0.02 * np.random.default_rng(5).normal(size=len(run.x))
    assert_exact(Probe(run.system, tmp_path), x, run.u, run.assembled.ceiling.all)
