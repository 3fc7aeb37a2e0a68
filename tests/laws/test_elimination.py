"""Elimination in a fixed order gives the motion of the dense solution, and knows where not."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from mbd_fmu import Mechanism
from mbd_fmu.export.sparse import reach_of
from mbd_fmu.mechanics.constrained import solve_constrained
from mbd_fmu.mechanics.elimination import (
    MOST_LOST,
    elimination_of,
    factorise,
    independent_rows,
)
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.reference.run import Run
from mbd_fmu.system.system import system_of
from tests.chains import held_chain
from tests.eliminated import library_and_random, rounding_of, share_of
from tests.fmu import mechanisms
from tests.random_loops import wander

SYSTEMS = library_and_random(4)


def elimination_at(run):
    """Rows and order by the numbers of the state that a mechanism is in."""
    eq = run.plant.equations(run.x, run.u)
    reach = reach_of(run.system)
    rows = independent_rows(eq.M, eq.J, reach, run.assembled.generic_rank.all)
    return elimination_of(eq.M, eq.J, reach, rows, (eq.M != 0.0, eq.J != 0.0))


def both_ways(run, chosen):
    """The dense solution, the accelerations of the sparse one, and the share it vouches by."""
    eq = run.plant.equations(run.x, run.u)
    dense = run.plant.accelerated(run.x, run.u, run.assembled.generic_rank.all)
    factor = factorise(chosen, eq.M, eq.J, reach_of(run.system))
    return dense, factor.solve(eq.f, eq.gamma)[0], factor, np.sqrt(np.diag(eq.M))


LOOPS = [name for name, system in SYSTEMS.items() if system.rows]


@pytest.mark.parametrize("name", LOOPS)
def test_the_motion_is_that_of_the_dense_solution_elsewhere_too(name):
    """Rows and order of one state, at others; errors of pivots are rounding over their shares."""
    system = SYSTEMS[name]
    chosen = elimination_at(wander(Run(system), 0, 0.1))
    for seed in (1, 2):
        run = wander(Run(system), seed)
        dense, vd, factor, scale = both_ways(run, chosen)
        share, size = share_of(factor), np.linalg.norm(scale * dense.v)
        assert 0.02 < share <= 5.0 * dense.share  # what is sound to one is so to the other
        assert np.linalg.norm(scale * (vd - dense.v)) <= rounding_of(factor) * size


REDUNDANT = [
    name
    for name in LOOPS
    if Run(SYSTEMS[name]).assembled.generic_rank.all < len(SYSTEMS[name].rows)
]


@pytest.mark.parametrize("name", REDUNDANT)
def test_beside_the_constraints_rows_left_out_follow_those_that_are_kept(name):
    """On the constraints all rows vanish where the kept ones do: beside them phi_r = A phi_c.

    A = J_r J_c^-1 is at most the root of their number over the share of the pivots, but for the
    curvature. So the motion by the kept rows is that by all, within what the rows miss.
    """
    system, rng, away = SYSTEMS[name], np.random.default_rng(1), 1e-5
    run = wander(Run(system), 1)
    chosen, h = elimination_at(run), system.n_holonomic
    kept = [j for j in chosen.rows if j < h]
    left = [j for j in range(h) if j not in chosen.rows]
    n_q, n_v, on = len(system.state_q), len(system.state_v), run.x
    for _ in range(5):
        run.x = run.plant.retract(on, run.u, away * rng.normal(size=n_v))
        run.x[n_q : n_q + n_v] += away * rng.normal(size=n_v)
        dense, vd, factor, scale = both_ways(run, chosen)
        share = share_of(factor)
        phi = np.abs(system.row_weight[:h] * run.plant.closure(run.x, run.u).phi)
        bound = np.sqrt(len(kept)) / share * phi[kept].max(initial=0.0)
        assert phi[left].max(initial=0.0) <= bound + away**2 * system.length * n_v**2
        differ = np.linalg.norm(scale * (vd - dense.v)) / np.linalg.norm(scale * dense.v)
        assert differ <= away * np.sqrt(n_v) / share**3  # an offset over d is d^-3 of acceleration


def parallelograms(n):
    """In a row, upright; at a quarter turn all links lie flat."""
    it = Mechanism("bars")
    for i in range(n + 1):
        rod = {"shape": "rod", "length": 1, "axis": [0, 1, 0]}
        it.body(f"link{i}", mass=1, com=[i, 0.5, 0], inertia=rod)
        it.joint(f"A{i}", "revolute", "ground", f"link{i}", point=[i, 0, 0], axis=[0, 0, 1])
    for i in range(n):
        rod = {"shape": "rod", "length": 1, "axis": [1, 0, 0]}
        it.body(f"bar{i}", mass=1, com=[i + 0.5, 1, 0], inertia=rod)
        for name, link in (("B", i), ("C", i + 1)):
            at = {"point": [link, 1, 0], "axis": [0, 0, 1]}
            it.joint(f"{name}{i}", "revolute", f"link{link}", f"bar{i}", **at, cut=name == "C")
    return Run(system_of(it.spec()))


@pytest.mark.parametrize("distance", [0.1, 0.01, 1e-4])
def test_beside_a_singular_position_it_vouches_for_no_more_than_the_distance(distance):
    """Links turn by q and bars by -q, and the smaller of two rows is as the cosine of q."""
    run = parallelograms(2)
    chosen = elimination_at(wander(run, 0, 0.1))
    names = run.system.states.names
    turned = np.pi / 2 - distance
    angle = {"A": turned, "B": -turned, "C": -turned}
    run.x = np.array([angle[name[0]] if name.endswith(".q") else 0.0 for name in names])
    assert np.abs(run.plant.closure(run.x, run.u).phi).max() < 1e-14
    assert share_of(both_ways(run, chosen)[2]) < 2.0 * distance


def test_the_factor_grows_with_the_number_of_loops_and_no_faster():
    def entries(n):
        return sum(map(len, elimination_at(wander(parallelograms(n), 0, 0.1)).below))

    few, more, most = map(entries, (3, 6, 9))
    # where two pivots are equal but for rounding, one order or the other has an entry less
    assert few < more < most
    assert most - more <= more - few + 1


def test_what_moves_no_mass_by_itself_is_eliminated_after_the_row_that_holds_it():
    """M = [1 1; 1 1] and v_1 = v_2 + g: (v_1 + v_2) = f_1 + f_2 over 2, as lam drops out."""
    M, J, reach = np.ones((2, 2)), np.array([[1.0, -1.0]]), np.ones(1)
    f, g = np.array([3.0, 4.0]), np.array([0.5])
    chosen = elimination_of(M, J, reach, (0,), (M != 0.0, J != 0.0))
    total = f.sum() / 2
    expected = [(total + g[0]) / 2, (total - g[0]) / 2]
    found, _ = factorise(chosen, M, J, reach).solve(f, g)
    assert found == pytest.approx(expected, rel=1e-14)
    weight = np.ones(1)
    assert found == pytest.approx(solve_constrained(M, f, J, g, weight).v, rel=1e-13)


def test_rows_that_say_the_same_have_no_sound_order_and_are_doubted():
    M, reach = np.eye(3), np.ones(2)
    good, bad = np.array([[1.0, 2, 0], [0, 1, 1]]), np.array([[1.0, 2, 1], [2, 4, 2]])
    there = M != 0.0, np.ones((2, 3), dtype=bool)
    assert elimination_of(M, bad, reach, (0, 1), there) is None
    chosen = elimination_of(M, good, reach, (0, 1), there)
    assert factorise(chosen, M, good, reach).doubt < 1e3
    with np.errstate(all="ignore"):
        assert not factorise(chosen, M, bad, reach).doubt < 1e20
    assert independent_rows(M, np.vstack([bad, good]), np.ones(4), 3)[1:] == (2, 3)


def unequal_four_bar(body, times):
    table = mechanisms.four_bar()
    table["body"][body]["mass"] *= times
    return spec_of_table(table, "test")


ILL_CONDITIONED = {
    "long": lambda: held_chain(25),
    **{
        f"body {k}, {times:g}": partial(unequal_four_bar, k, times)
        for k, times in ((0, 1e-3), (1, 1e3), (2, 1e-6), (2, 1e6))
    },
}


@pytest.mark.parametrize("name", ILL_CONDITIONED)
def test_long_chains_and_unequal_masses_are_eliminated_as_exactly_as_they_can_be(name):
    """Neither is a singular position: pivots are small there because M is ill-conditioned.

    The oracle solves the same equations in fractions, so conditioning is no excuse of its own.
    """
    run = Run(system_of(ILL_CONDITIONED[name]()))
    chosen = elimination_at(run)
    assert chosen is not None
    _, vd, factor, scale = both_ways(run, chosen)
    assert share_of(factor) > chosen.least_share
    assert factor.loss < MOST_LOST
    eq, rows = run.plant.equations(run.x, run.u), list(chosen.rows)
    exact = solved_in_fractions(eq.M, eq.f, eq.J[rows], eq.gamma[rows])
    assert np.linalg.norm(scale * (vd - exact)) <= rounding_of(factor) * np.linalg.norm(
        scale * exact
    )


def solved_in_fractions(M, f, J, g):
    """Velocities of (1), by Gauss' elimination without any rounding."""
    n, m = len(M), len(J)
    K = np.block([[M, J.T, f[:, None]], [J, np.zeros((m, m)), g[:, None]]])
    left = [[Fraction(float(entry)) for entry in row] for row in K]
    for c in range(n + m):
        pivot = next(r for r in range(c, n + m) if left[r][c])
        left[c], left[pivot] = left[pivot], left[c]
        for r in range(n + m):
            if r != c and left[r][c]:
                share = left[r][c] / left[c][c]
                left[r] = [a - share * b for a, b in zip(left[r], left[c], strict=True)]
    return np.array([float(left[i][-1] / left[i][i]) for i in range(n)])


def test_what_would_be_too_much_work_is_left_to_others():
    """An elimination of a chain takes a sixth of the cube of its links: along the bodies less."""
    run = Run(system_of(held_chain(12)))
    assert elimination_at(run).work == pytest.approx(12**3 / 6, rel=0.6)
    n = 70
    M, J = np.eye(n) + np.ones((n, n)), np.ones((1, n))
    there = M != 0.0, J != 0.0
    assert elimination_of(M, J, np.ones(1), (0,), there) is None
