"""The fast way of loops in the compiled FMU: what it finds, and when it is left."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from mbd_fmu.export.c_code import model_sources
from mbd_fmu.export.compile import compile_library, host_platform
from mbd_fmu.export.runtime import runtime_sources
from mbd_fmu.export.symbols import symbols_of
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.reference.manifold import Manifold
from mbd_fmu.reference.run import Run
from mbd_fmu.simulation import simulate
from mbd_fmu.system.system import system_of
from mbd_fmu.validate.runner import Fmu
from tests.chains import chain_beside_a_loop, held_chain
from tests.fmu import mechanisms
from tests.fmu.ctypes_fmu import OK
from tests.fmu.exchange import Exchange, directional
from tests.random_loops import random_loops, wander

PROBE = """
#include "manifold.h"
#include <stdlib.h>
#define OPEN __attribute__((visibility("default")))

/* Derivatives at x by the fast way, then x moved and brought back by it; 0 where it does not do. */
OPEN int probe(double *x, const double *moved, const double *u, const double *p, int rank,
               double *xd)
{
    static Workspace work;
    Block block = {NULL, 0};
    Manifold it = {&this_model, u, p, {rank, rank, 1}, NULL, NULL};
    int found;
    lay_out_workspace(&block, it.model, &work);
    block.base = calloc(1, block.used);
    block.used = 0;
    lay_out_workspace(&block, it.model, &work);
    it.scratch = work.scratch;
    it.memory = work.memory;
    found = sparse_derivatives(&it, x, xd);
    for (int i = 0; i < it.model->n_x; ++i) x[i] += moved[i];
    found = found && project_sparsely(&it, x);
    free(block.base);
    return found;
}
"""


WAYS = {  # the first three by their joints, the others along their bodies
    "in space": lambda: spec_of_table(random_loops(2, planar=False, forces=False), "test"),
    "in a plane": lambda: spec_of_table(random_loops(3, planar=True, forces=False), "test"),
    "coupled cut joint": lambda: spec_of_table(
        random_loops(15, planar=True, extra="coupling", forces=False), "test"
    ),
    "held chain": lambda: held_chain(15),
    "chain beside a loop": lambda: chain_beside_a_loop(15),
}


@pytest.mark.parametrize("name", WAYS)
def test_c_finds_the_motion_and_the_way_back_that_numpy_finds_densely(name, tmp_path):
    seed, system = 2, system_of(WAYS[name]())
    run = wander(Run(system), seed, 0.1)
    sources = runtime_sources(system) | model_sources(system, symbols_of(system))
    sources["probe.c"] = PROBE
    path = tmp_path / "probe.so"
    path.write_bytes(compile_library(sources, host_platform()))
    n, x0 = len(system.state_q) + len(system.state_v), run.x.copy()
    away = np.zeros(system.nx)
    free = len(system.state_q) - sum(
        len(cut.cut_coordinates()) for cut in run.plant.instant(run.x, run.u).cuts
    )
    away[:free] = np.random.default_rng(seed).normal(size=free) * 1e-7
    vectors = [(ctypes.c_double * max(len(a), 1))(*a) for a in (x0, away, run.u, run.plant.p)]
    xd = (ctypes.c_double * system.nx)()
    rank = run.assembled.generic_rank
    assert ctypes.CDLL(str(path)).probe(*vectors, rank.all, xd) == 1
    expected = run.plant.derivatives(x0, run.u, rank.all)
    # rounding, times the condition of a random mechanism
    assert np.abs(np.array(xd) - expected).max() <= 1e-10 * (1 + np.abs(expected).max())
    left = run.plant.closure(back := np.array(vectors[0]), run.u)
    assert np.abs(left.phi).max() < 1e-13 * (1 + np.abs(x0).max())
    assert np.abs(left.sigma).max() < 1e-12 * (1 + np.abs(x0).max())
    # both go the least way of mass; inertia and rows differ by some of what they were moved by,
    # and what rows miss at a speed by some of both
    nearest = Manifold(run.plant, run.u).project(x0 + away, rank)
    assert np.abs(back - nearest)[:n].max() <= 1e-3 * np.abs(away).max() * (1 + np.abs(x0).max())


def told(instance):
    return [t for t in instance.recorder.texts("logEvaluations") if "solved densely" in t]


def rotating_four_bar(crank_mass=1.0, **fmu):
    table = mechanisms.four_bar(**fmu)
    table["body"][0]["mass"] *= crank_mass
    table["joint"][0]["velocity"] = 10.0
    return table | {"output": [{"groups": ["joints", "quality"]}]}


@pytest.mark.parametrize(
    ("fmu", "step"),
    [({"solver": "rk4", "step": 0.02}, 0.02), ({"solver": "dopri5", "tolerance": 1e-3}, 0.02)],
    ids=["rk4", "dopri5"],
)
def test_long_steps_leave_positions_and_velocities_at_their_rounding(fmu, step, library_of, new):
    """A factor that grew too old is made anew: the crank turns by a fifth of a radian a step."""
    it = new(library_of(rotating_four_bar(**fmu)))
    it.start()
    for n in range(100):
        assert it.step(n * step, step) == OK
        # some roundings of speeds up to 50 rad/s
        assert it.one("constraint.velocity_error") < 1e-13
        assert it.one("constraint.position_error") < 1e-13


@pytest.mark.parametrize(("crank_mass", "says"), [(1e-3, 0), (1e-7, 1)])
def test_who_has_no_fast_way_at_all_is_told_so_once(crank_mass, says, library_of, new):
    """Masses may differ by thousands; where they differ by more, the dense way is taken, loudly."""
    it = new(library_of(rotating_four_bar(crank_mass)))
    it.start()
    assert it.step(0.0, 0.01) == OK
    assert it.debug([b"logEvaluations"]) == OK  # listens late, and hears it all the same
    for n in range(1, 4):
        assert it.step(n * 0.01, 0.01) == OK
    assert len(told(it)) == says
    assert all("when the FMU was built" in text for text in told(it))


@pytest.mark.parametrize("body", [0, 1, 2])
def test_a_body_without_mass_that_a_loop_holds_takes_the_fast_way(body, library_of, new):
    table = mechanisms.four_bar()
    table["body"][body] |= {"mass": 0.0, "inertia": np.zeros((3, 3)).tolist()}
    it = new(library_of(table))
    assert it.debug([b"logEvaluations"]) == OK
    it.start()
    for n in range(50):
        assert it.step(n * 0.01, 0.01) == OK
        assert (
            told(it) == [] or n > 30
        )  # that it comes near to a singular position is another thing
    theirs = simulate(system_of(spec_of_table(table, "test")), stop=0.5, step=0.01)
    for name in theirs.names:
        # the same steps with other factorisations; reactions are shared densely in both
        other = theirs.column(name)[-1]
        assert it.one(name) == pytest.approx(other, rel=1e-7, abs=1e-7), name


def test_it_is_left_at_a_singular_position_which_is_told_once(library_of, new):
    """The parallelogram lies flat at a quarter turn, where the cosine is its share of a pivot."""
    for table, times in ((mechanisms.four_bar(), 0), (mechanisms.parallelogram(), 1)):
        it = new(library_of(table))
        assert it.debug([b"logEvaluations"]) == OK
        it.start()
        heard: list[str] = []
        for n in range(200):
            assert it.step(n * 0.01, 0.01) == OK
            if not heard and told(it):
                assert abs(np.cos(it.one("a.q"))) < 0.2  # a step of 0.01 s turns it by 0.1 rad
            heard = told(it)
        assert len(heard) == times
        assert it.one("constraint.position_error") < 1e-12


# --- Where the importer integrates ---


MECHANISMS = {
    "bricard": mechanisms.bricard,
    "four_bar": mechanisms.four_bar,
    "parallelogram": mechanisms.parallelogram,
    "held chain": lambda: held_chain(15),
}


@pytest.mark.parametrize("shape", MECHANISMS)
def test_derivatives_beside_the_constraints_are_those_of_what_is_evaluated(shape, library_of):
    """One smooth function of the states, whatever the rows miss there."""
    rng, h = np.random.default_rng(5), 1e-6
    it = Exchange(library_of(MECHANISMS[shape]())).run()
    x = it.x + 1e-3 * rng.normal(size=it.n)
    for _ in range(3):
        d = rng.normal(size=it.n)
        it.x = x
        found = directional(it, it.rates, dict(zip(it.states, d, strict=True)))
        sides = []
        for sign in (1.0, -1.0):
            it.x = x + sign * h * d
            sides.append(it.derivatives())
        expected = (sides[0] - sides[1]) / (2 * h)
        # what central differences of numbers of that size are good for
        assert np.abs(found - expected).max() <= 1e-7 * (1 + np.abs(expected).max())
    it.free()


def test_model_exchange_too_leaves_it_at_singular_positions_only(library_of):
    it = Exchange(library_of(mechanisms.parallelogram())).run()
    assert it.debug([b"logEvaluations"]) == OK
    x, turned = it.x, np.pi / 2 - 0.01
    it.derivatives()
    assert told(it) == []
    start = it.one("a.q")
    for _ in range(3):
        it.x = flat(it, x, turned - start)
        it.derivatives()
    assert it.one("constraint.position_error") < 1e-12
    assert len(told(it)) == 1
    it.free()


def flat(it, x, turn):
    """Turn the links, and the bar against them."""
    by = {"state.a.q": turn, "state.b.q": -turn, "state.c.q": turn, "state.d.q": turn}
    return x + np.array([by.get(name, 0.0) for name in it.states])


def body_on_rods(offset: float) -> dict:
    """A body in a plane on two rods, side by side at a distance that is a parameter."""
    rod = {"type": "distance", "parent": "ground", "child": "body", "length": 1.0}
    box = {"shape": "box", "size": [1, 1, 1]}
    return {
        "model": {"name": "rods", "gravity": [0, -9.81, 0]},
        "parameters": {"offset": {"value": offset, "unit": "m", "min": 0}},
        "body": [{"name": "body", "mass": 2.0, "com": [1.2, 0.3, 0], "inertia": box}],
        "joint": [
            {"name": "plane", "type": "planar", "parent": "ground", "child": "body"}
            | {"axis": [0, 0, 1], "axis2": [1, 0, 0], "point": [0, 0, 0]}
        ],
        "constraint": [
            {"name": "one", **rod, "point": [0, 0, 0], "point2": [1, 0, 0]},
            {"name": "two", **rod, "point": [0, "offset", 0], "point2": [1, "offset", 0]},
        ],
        "output": [{"groups": ["poses", "joints", "quality"]}],
    }


@pytest.mark.parametrize(("drawn", "set_to"), [(0.3, 0.0), (0.0, 0.3), (0.3, 0.4), (0.0, 0.0)])
def test_parameters_that_make_rows_redundant_or_take_that_away_are_heard(drawn, set_to, fmu_of):
    """Where both rods are one, two freedoms are left; the rows were chosen for another case."""
    table = body_on_rods(drawn)
    with Fmu(fmu_of(table)) as fmu:
        ours = fmu.run(np.linspace(0, 0.4, 21), settings={"offset": set_to}).trajectory
    system = system_of(spec_of_table(table, "test"))
    theirs = simulate(system, stop=0.4, step=0.02, settings={"offset": set_to})
    assert ours.column("constraint.rank")[-1] == (1 if set_to == 0.0 else 2)
    for name in theirs.names:
        one, other = ours.column(name), theirs.column(name)
        # the same steps with other factorisations: rounding, times what the motion makes of it
        assert np.abs(one - other).max() <= 1e-9 * (1 + np.abs(other).max()), name
