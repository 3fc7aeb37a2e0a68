"""The stiff solver in the compiled FMU: exact Jacobians, order, work, failures, advice, loops."""

from __future__ import annotations

import ctypes
import json
import re

import numpy as np
import pytest

from mbd_fmu.export.c_code import model_sources
from mbd_fmu.export.compile import compile_library, host_platform
from mbd_fmu.export.runtime import runtime_sources
from mbd_fmu.export.symbols import symbols_of
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.reference.run import Run
from mbd_fmu.system.system import system_of
from tests.fmu import mechanisms, timed
from tests.fmu.ctypes_fmu import ERROR, OK
from tests.random_loops import random_loops, wander
from tests.random_trees import random_tree

# --- The Jacobian, by a back door of the library ---

PROBE = """
#include "inputs.h"
#include "motions.h"
#include <stdlib.h>
#include <string.h>
#define OPEN __attribute__((visibility("default")))
static const Model *const model = &this_model;
static Workspace work;

static void lay_out(void)
{
    Block block = {NULL, 0};
    if (work.x_trial) return;
    lay_out_workspace(&block, model, &work);
    block.base = calloc(1, block.used);
    block.used = 0;
    lay_out_workspace(&block, model, &work);
}

/* A step from w: motions in full, and what acts is given, too. */
static Problem problem_of_probe(const double *u, const double *du, const double *p, int rank)
{
    static double memory[3];
    Problem problem;
    lay_out();
    memset(&problem, 0, sizeof problem);
    LAY_COURSES
    problem.model = model;
    problem.w = u;
    problem.du = du;
    problem.is_inside = 1;
    problem.course = work.course;
    problem.p = p;
    problem.h = memory;
    problem.strain = memory + 1;
    problem.tolerance = 1e-6;
    problem.generic_rank.holonomic = problem.generic_rank.all = rank;
    return problem;
}

OPEN void probe_jacobian(double t, const double *x, const double *u, const double *du,
                         const double *p, int rank, double *jacobian)
{
    Problem problem = problem_of_probe(u, du, p, rank);
    Outcome out;
    memset(&out, 0, sizeof out);
    inputs_at(&problem, t, work.u);
    input_rates_at(&problem, t, work.du);
    model->mechanism->jacobian(&problem, &work, x, &out);
    memcpy(jacobian, work.jacobian, sizeof(double) * model->n_x * (model->n_x + 1));
}

/* With the rows chosen when the Jacobian was asked for. */
OPEN void probe_rate(double t, const double *x, const double *u, const double *du, const double *p,
                     int rank, double *xd)
{
    Problem problem = problem_of_probe(u, du, p, rank);
    model->mechanism->hold_rows(&work, 1);
    evaluate(&problem, &work, t, x, xd);
}
"""
# Where there are prescribed motions.
LAY_COURSES = """
    for (int k = 0; k < n_tracks(model); ++k) {
        Levels levels;
        pick(model, k, model->track[k].w, u, &levels);
        lay_course(&work.course[k], PRESCRIBED_FULL, turns(model, k), &levels, &levels,
                   du + model->track[k].u[2], 1.0, 1.0);
    }
"""


class Probe:
    """The equations of a system as the compiled FMU has them."""

    def __init__(self, system, folder):
        self.system, self.n = system, system.nx
        sources = runtime_sources(system) | model_sources(system, symbols_of(system))
        sources["probe.c"] = PROBE.replace("LAY_COURSES", LAY_COURSES if system.table.told else "")
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
    # five points 1e-4 apart: 1e-16 times the fifth derivative, and rounding of 1e-12
    assert np.abs(exact - found).max() < 1e-8 * max(1.0, np.abs(exact).max())


def stiff(table, **fmu):
    return {**table, "fmu": {**table.get("fmu", {}), "solver": "stiff", **fmu}}


@pytest.mark.parametrize("n", [1, 4])
def test_the_jacobian_of_a_tree_is_exact(n, tmp_path):
    spec = random_tree(n, n)
    system = system_of(spec_of_table(stiff(json.loads(spec.text)), "test"))
    rng = np.random.default_rng(n)
    x = rng.normal(size=system.nx)
    for k in system.states.quaternions:
        x[k : k + 4] /= np.linalg.norm(x[k : k + 4])
    assert_exact(Probe(system, tmp_path), x, rng.normal(size=system.table.n_inputs))


def test_the_jacobian_of_a_prescribed_turning_base_is_exact_in_time_too(tmp_path):
    table = mechanisms.double_pendulum()
    system = system_of(spec_of_table(stiff(table) | {"base": {"motion": "prescribed"}}, "test"))
    rng = np.random.default_rng(3)
    u = rng.normal(size=system.table.n_inputs)
    turn = system.table.motions[0].turn[0].start
    u[turn : turn + 4] /= np.linalg.norm(u[turn : turn + 4])
    assert_exact(Probe(system, tmp_path), rng.normal(size=system.nx), u)


@pytest.mark.parametrize(
    ("seed", "planar", "fmu", "redundant"),
    [
        (1, False, {}, False),
        (3, True, {}, True),  # hinges across one plane: some rows say the same
        (4, True, {"stabilization": "baumgarte", "alpha": 7.0, "beta": 11.0}, True),
    ],
)
def test_the_jacobian_through_constraints_is_exact_on_and_beside_them(
    seed, planar, fmu, redundant, tmp_path
):
    table = random_loops(seed, planar=planar, motor=planar)
    run = Run(system_of(spec_of_table(stiff(table, **fmu), "test")))
    wander(run, seed)
    rank = run.assembled.generic_rank.all
    assert (rank < len(run.system.rows)) == redundant
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
    assert_exact(Probe(run.system, tmp_path), x, run.u, run.assembled.generic_rank.all)


def test_the_jacobian_is_exact_in_time_where_forces_and_motions_hang_on_it(tmp_path):
    system = system_of(spec_of_table(timed.timed(solver="stiff"), "test"))
    x = np.random.default_rng(7).normal(size=system.nx)
    assert_exact(Probe(system, tmp_path), x, system.nominal_inputs())


def test_the_jacobian_of_a_loop_that_the_time_leads_is_exact(tmp_path):
    run = Run(system_of(spec_of_table(timed.timed_crank(solver="stiff"), "test")))
    x = run.x + 0.02 * np.random.default_rng(6).normal(size=len(run.x))
    assert_exact(Probe(run.system, tmp_path), x, run.acting, run.assembled.generic_rank.all)


# --- Order, in the compiled FMU ---


def coordinates(library):
    return [name for name in library.names("output") if ".com." in name or ".r." in name]


def final(instance, n, length, rates=None):
    """Coordinates after n communication steps; inputs move on at their rates."""
    for k in range(n):
        assert instance.set_rates(rates or {}) == OK
        assert instance.step(k * length / n, length / n) == OK, instance.recorder.messages
    return np.array(instance.get(coordinates(instance.library)))


MOVED = {"base.w.x": 1.0, "base.w.z": 0.5, "base.alpha.y": 2.0, "base.a.x": 1.0, "base.v.y": 0.3}
JERK = {"base.a.x": -3.0, "base.alpha.z": 2.0, "elbow.tau": 3.0}


@pytest.mark.parametrize(
    ("table", "settings", "rates", "length"),
    [
        (mechanisms.double_pendulum(), {}, {"elbow.tau": 3.0, "shoulder.tau": -2.0}, 0.8),
        (mechanisms.flyer(), {}, {}, 0.8),
        (mechanisms.disc(), {}, {"push.force.x": 5.0}, 0.8),
        (mechanisms.four_bar(), {}, {"a.tau": 4.0}, 0.4),
        (mechanisms.double_pendulum() | {"base": {"motion": "prescribed"}}, MOVED, JERK, 0.8),
        (timed.timed(), {}, {}, 0.8),
    ],
    ids=["tree", "quaternion", "rolling", "redundant loop", "moving base", "time"],
)
def test_the_measured_order_is_four(table, settings, rates, length, library_of, new):
    """At the largest tolerance, a communication step is one internal step but for the first few."""
    library, explicit = library_of(stiff(table)), library_of(table)
    errors = []
    for n in (40, 80, 160):
        exact = final(new(explicit).start(settings, tolerance=1e-13), n, length, rates)
        found = final(new(library).start(settings, tolerance=1e-1), n, length, rates)
        errors.append(np.abs(found - exact).max())
    slopes = -np.diff(np.log2(errors))
    assert slopes.min() > 3.7, (errors, slopes)


# --- Stiff mechanisms ---


def pendulum_on_bushing(stiffness, damping, **fmu):
    """A rod held at one end; it may turn about y there."""
    return {
        "model": {"name": "pendulum"},
        "parameters": {"k": {"value": stiffness}, "d": {"value": damping}},
        "body": [
            {
                "name": "rod",
                "mass": 1.0,
                "com": [0.5, 0, 0],
                "inertia": [[0.01, 0, 0], [0, 1 / 12, 0], [0, 0, 1 / 12]],
            }
        ],
        "force": [
            {
                "name": "bushing",
                "type": "bushing",
                "parent": "ground",
                "child": "rod",
                "point": [0, 0, 0],
                "point2": [0, 0, 0],
                "stiffness": ["k", "k", "k", "k", 0, "k"],
                "damping": ["d", "d", "d", "d", 0, "d"],
            }
        ],
        "output": [{"groups": ["poses", "velocities", "joints", "energy"]}],
        "fmu": fmu,
    }


def pendulum_on_pin(**fmu):
    table = pendulum_on_bushing(1.0, 1.0, **fmu)
    del table["force"], table["parameters"]
    pin = {"name": "pin", "type": "revolute", "parent": "ground", "child": "rod"}
    table["joint"] = [pin | {"point": [0, 0, 0], "axis": [0, 1, 0]}]
    return table


def work(instance):
    """Internal steps, evaluations and Jacobians of all steps so far."""
    texts = [t for t in instance.recorder.texts("logEvaluations") if t.startswith("step")]
    found = [
        [int(n) for n in re.findall(r"(\d+) (?:internal|evaluations|Jacob)", t)] for t in texts
    ]
    return np.sum(found, axis=0)


def test_a_pendulum_on_a_bushing_moves_as_on_a_pin_for_a_small_part_of_the_work(library_of, new):
    table = pendulum_on_bushing(1e9, 1e5)
    held = new(library_of(stiff(table)), logging=True).start(tolerance=1e-6)
    explicit = new(library_of(table), logging=True).start(tolerance=1e-6)
    pinned = new(library_of(pendulum_on_pin())).start(tolerance=1e-10)
    places = [f"rod.com.{c}" for c in "xyz"]
    for k in range(100):
        for instance in (held, explicit, pinned):
            assert instance.step(k * 0.01, 0.01) == OK
        found, exact = np.array(held.get(places)), np.array(pinned.get(places))
        # the bushing gives way by 30 N / 1e9 N/m, and brakes by as little; the rest is tolerance
        assert np.abs(found - exact).max() < 2e-6
        assert np.abs(found - explicit.get(places)).max() < 2e-6
    _, evaluations, jacobians = work(held)
    # a Jacobian counted as one evaluation per state, though it takes the time of five
    assert work(explicit)[1] > 20 * (evaluations + 13 * jacobians)


def test_parameters_reach_the_jacobian(library_of, new):
    """Softer by 1e4 than built, and as soft as built so."""
    soft = {"k": 1e5, "d": 1e2}
    library = library_of(stiff(pendulum_on_bushing(1e9, 1e5)))
    changed = new(library, logging=True).start(soft, tolerance=1e-7)
    built = new(library_of(stiff(pendulum_on_bushing(1e5, 1e2))), logging=True)
    built.start(tolerance=1e-7)
    one, other = final(changed, 50, 0.5), final(built, 50, 0.5)
    assert one.tolist() == other.tolist()
    assert work(changed).tolist() == work(built).tolist()


def test_a_stiff_spring_in_a_loop_hardly_stretches_and_costs_little(library_of, new):
    """A mass on the rocker of a four-bar, held by a stiff damped spring."""
    table = mechanisms.four_bar()
    table["body"].append(
        {
            "name": "bob",
            "mass": 0.5,
            "com": [2.5, 0, 2],
            "inertia": {"shape": "box", "size": [0.1, 0.1, 0.1]},
        }
    )
    slide = {"name": "slide", "type": "prismatic", "parent": "rocker", "child": "bob"}
    slide |= {"point": [2.5, 0, 1.5], "axis": [0.5, 0, 1.5]}
    spring = {"stiffness": 1e8, "damping": 1e5, "position": 0.0, "velocity": 0.0}
    rigid = {**table, "joint": [*table["joint"], slide | {"type": "rigid"}]}
    del rigid["joint"][-1]["axis"]
    table["joint"] = [*table["joint"], slide | spring]
    held = new(library_of(stiff(table)), logging=True).start(tolerance=1e-7)
    explicit = new(library_of(table), logging=True).start(tolerance=1e-7)
    stuck = new(library_of(rigid)).start(tolerance=1e-10)
    places = ["bob.com.x", "bob.com.z", "crank.com.x"]
    for k in range(50):
        for instance in (held, explicit, stuck):
            assert instance.step(k * 0.01, 0.01) == OK
    # 10 N / 1e8 N/m, and the tolerance of a hundred steps
    assert np.abs(np.subtract(held.get(places), stuck.get(places))).max() < 3e-6
    assert np.abs(np.subtract(held.get(places), explicit.get(places))).max() < 3e-6
    assert abs(held.one("slide.q")) < 1e-6
    assert held.one("constraint.position_error") < 1e-9
    _, evaluations, jacobians = work(held)
    assert work(explicit)[1] > 20 * (evaluations + 15 * jacobians)


def test_the_books_of_energy_balance(library_of, new):
    table = pendulum_on_bushing(1e6, 1e3)
    instance = new(library_of(stiff(table))).start(tolerance=1e-8)
    books = [f"energy.{part}" for part in ("kinetic", "potential", "dissipated")]
    start = sum(instance.get(books))
    final(instance, 50, 0.5)
    assert sum(instance.get(books)) == pytest.approx(start, abs=1e-5)  # some thousand steps


# --- Failures ---


def test_a_step_that_fails_leaves_the_state_untouched(library_of, new):
    instance = new(library_of(stiff(mechanisms.double_pendulum()))).start()
    final(instance, 3, 0.03)
    before = instance.everything()
    assert instance.set({"elbow.tau": 1e300}) == OK
    assert instance.step(0.03, 0.01) == ERROR
    assert "cannot be followed" in instance.recorder.messages[-1].text
    assert instance.set({"elbow.tau": 0.0}) == OK
    assert instance.everything() == before
    assert instance.step(0.03, 0.01) == OK


def test_two_runs_give_the_same_bits(library_of, new):
    library = library_of(stiff(pendulum_on_bushing(1e9, 1e5)))
    one, other = new(library).start(), new(library).start()
    final(one, 20, 0.2)
    final(other, 20, 0.2)
    assert one.everything() == other.everything()


# --- Advice ---

ADVICE = (
    "the motion is stiff: stability, not accuracy, keeps the steps of dopri5 short; "
    'build the FMU with solver = "stiff" in [fmu]'
)


def test_dopri5_says_once_per_run_that_a_motion_is_stiff(library_of, new):
    instance = new(library_of(pendulum_on_bushing(1e9, 1e5))).start()
    for _ in range(2):
        final(instance, 10, 0.1)
        (message,) = instance.recorder.messages
        assert (message.status, message.category) == (OK, "logStatusWarning")
        assert re.fullmatch(rf"t = \S+: {re.escape(ADVICE)}", message.text)
        instance.recorder.messages.clear()
        assert instance.call("fmi2Reset") == OK
        instance.start()


def test_the_stiff_solver_gives_no_such_advice(library_of, new):
    instance = new(library_of(stiff(pendulum_on_bushing(1e9, 1e5)))).start()
    final(instance, 10, 0.1)
    assert instance.recorder.messages == []


@pytest.mark.parametrize("tolerance", [1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("spin", [30.0, 3000.0])
def test_fast_is_not_stiff(spin, tolerance, library_of, new):
    instance = new(library_of(mechanisms.flyer())).start(
        {"fly.w_start.x": spin / 10, "fly.w_start.y": spin, "fly.w_start.z": spin / 50},
        tolerance=tolerance,
    )
    final(instance, 100, 1.0)
    assert instance.recorder.messages == []


# --- Loops ---


@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-9, 1e-10])
def test_a_loop_goes_on_past_singular_positions(tolerance, library_of, new):
    """Both cranks stay parallel, and energy stays the same, as often as they pass the flat one."""
    it = new(library_of(mechanisms.parallelogram(solver="stiff"))).start(tolerance=tolerance)
    energy = sum(it.get(["energy.kinetic", "energy.potential"]))
    for k in range(40):
        assert it.step(0.1 * k, 0.1) == OK, it.recorder.texts()
    a, d = it.get(["a.q", "d.q"])
    assert abs(a) > 4 * np.pi
    assert a == pytest.approx(d, abs=1e-9)
    assert sum(it.get(["energy.kinetic", "energy.potential"])) == pytest.approx(
        energy, abs=1e4 * tolerance
    )
