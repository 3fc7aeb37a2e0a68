"""Elimination along the bodies gives the motion of the dense solution, and knows where not."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from mbd_fmu import Mechanism
from mbd_fmu.export.sparse import reach_of
from mbd_fmu.export.symbols import operation_count, symbols_of
from mbd_fmu.mechanics.body_elimination import body_elimination_of, factorise_along
from mbd_fmu.mechanics.constrained import EPSILON
from mbd_fmu.mechanics.elimination import independent_rows
from mbd_fmu.mechanics.kinematics import Configuration
from mbd_fmu.reference.run import Run
from mbd_fmu.spatial import Transform
from mbd_fmu.system.system import system_of
from tests.chains import chain_beside_a_loop, held_chain
from tests.eliminated import library_and_random, rounding_of, share_of
from tests.random_loops import wander


def machine_on_a_trunk(n, loops):
    """A trunk of n links, and parallelograms that stand on some of them."""
    it = Mechanism("trunk", gravity=[0, 0, -9.81])
    box, rod = {"shape": "box", "size": [0.1, 0.1, 0.3]}, {"shape": "rod", "length": 0.2}
    for i in range(n):
        carrier = f"link{i - 1}" if i else "ground"
        it.body(f"link{i}", mass=1, com=[0, 0, 0.3 * i + 0.15], inertia=box)
        at = {"point": [0, 0, 0.3 * i], "axis": [1 + i % 2, i % 3, 0.5], "position": 0.1}
        it.joint(f"hinge{i}", "revolute", carrier, f"link{i}", **at)
    for i in loops:
        z, hinge = 0.3 * i + 0.1, {"axis": [0, 1, 0]}
        for k in (0, 1):
            x, name = 0.1 + 0.2 * k, f"crank{i}_{k}"
            it.body(name, mass=0.5, com=[x, 0, z + 0.1], inertia={**rod, "axis": [0, 0, 1]})
            it.joint(f"A{i}_{k}", "revolute", f"link{i}", name, point=[x, 0, z], **hinge)
        bar = {"mass": 0.3, "inertia": {**rod, "axis": [1, 0, 0]}}
        it.body(f"bar{i}", com=[0.2, 0, z + 0.2], **bar)
        for k, cut in ((0, False), (1, True)):
            at = {"point": [0.1 + 0.2 * k, 0, z + 0.2], **hinge, "cut": cut}
            it.joint(f"B{i}_{k}", "revolute", f"crank{i}_{k}", f"bar{i}", **at)
    return it.spec()


SYSTEMS = library_and_random(6)
SYSTEMS |= {
    "held chain": system_of(held_chain(12)),
    "chain beside a loop": system_of(chain_beside_a_loop(10)),
    "trunk": system_of(machine_on_a_trunk(6, (1, 2, 5))),
}


def has_rotors_in_cuts(system):
    return any(system.spec.joints[k].armature for k in system.forest.cut)


LOOPS = [n for n, system in SYSTEMS.items() if system.rows and not has_rotors_in_cuts(system)]


def where(run):
    at = run.plant.instant(run.x, run.u)
    return at.tree, at.configuration, at.rows.acting


def chosen_at(run):
    eq, reach = run.plant.equations(run.x, run.u), reach_of(run.system)
    rows = independent_rows(eq.M, eq.J, reach, run.assembled.generic_rank.all)
    return body_elimination_of(*where(run), rows, reach)


def factor_at(run, chosen):
    return factorise_along(chosen, *where(run), reach_of(run.system))


@pytest.mark.parametrize("name", LOOPS)
def test_the_motion_is_that_of_the_dense_solution_elsewhere_too(name):
    system = SYSTEMS[name]
    chosen = chosen_at(wander(Run(system), 0, 0.1))
    for seed in (1, 2):
        run = wander(Run(system), seed)
        dense = run.plant.accelerated(run.x, run.u, run.assembled.generic_rank.all)
        eq, factor = run.plant.equations(run.x, run.u), factor_at(run, chosen)
        v, lam = factor.solve(eq.f, eq.gamma)
        scale, rows = np.sqrt(np.diag(eq.M)), list(chosen.rows)
        size = np.linalg.norm(scale * dense.v)
        assert share_of(factor) > chosen.least_share
        # the dense solution, and M itself, lose the digits of a long chain's inertia
        allowed = rounding_of(factor) + 10 * EPSILON * np.linalg.cond(eq.M / np.outer(scale, scale))
        assert np.linalg.norm(scale * (v - dense.v)) <= allowed * size
        # its own multipliers keep Newton's law
        left = eq.M @ v - eq.f - eq.J[rows].T @ lam
        assert np.linalg.norm(left / scale) <= allowed * max(size, np.linalg.norm(eq.f / scale))


@pytest.mark.parametrize("name", ["trunk", "excavator", "stewart_platform", "random 2"])
def test_any_right_hand_side_is_solved_with_the_numbers_of_the_factor_alone(name):
    """M v = f + J^T lam, J v = g; and entries that are handed over are those that are taken."""
    system, rng = SYSTEMS[name], np.random.default_rng(3)
    run = wander(Run(system), 1)
    factor = factor_at(run, chosen_at(run))
    eq, rows = run.plant.equations(run.x, run.u), list(factor.row)
    f, g = rng.normal(size=len(eq.f)), rng.normal(size=len(eq.gamma))
    v, lam = factor.with_entries([a.copy() for a in factor.entries]).solve(f, g)
    K = np.block([[eq.M, eq.J[rows].T], [eq.J[rows], np.zeros((len(rows),) * 2)]])
    order = np.argsort(np.argsort(rows))
    expected = np.linalg.solve(K, np.concatenate([f, g[rows]]))
    bound = 1e3 * EPSILON * np.linalg.cond(K)
    assert np.abs(v - expected[: len(f)]).max() <= bound * np.abs(expected).max()
    assert np.abs(lam[order] + expected[len(f) :]).max() <= bound * np.abs(expected).max()


def test_rows_of_a_loop_go_no_further_than_the_body_that_carries_it():
    system = SYSTEMS["trunk"]
    run = wander(Run(system), 0, 0.1)
    chosen, names = chosen_at(run), [system.spec.bodies[k].name for k in system.forest.body]
    assert {names[body]: len(rows) for body, rows in chosen.held.items()} == {
        "link1": 2,
        "link2": 2,
        "link5": 2,
    }
    through = factor_at(run, chosen).through
    assert not any(through[names.index(f"link{i}")] for i in range(6))


@pytest.mark.parametrize("distance", [0.1, 0.01, 1e-4])
def test_beside_a_singular_position_it_vouches_for_no_more_than_the_distance(distance):
    """The parallelogram lies flat at a quarter turn, where the smaller pivot is as the cosine."""
    run = Run(SYSTEMS["chain beside a loop"])
    chosen = chosen_at(wander(run, 0, 0.1))
    turned = np.pi / 2 - distance
    angle = {"A": turned, "B": -turned, "C": -turned}
    names = run.system.states.names
    run.x = np.array([angle.get(name[0], 0.0) if name.endswith(".q") else 0.0 for name in names])
    assert np.abs(run.plant.closure(run.x, run.u).phi).max() < 1e-13
    # rows are measured at the characteristic length, links are 1 m long
    assert share_of(factor_at(run, chosen)) < distance / run.system.length


@pytest.mark.parametrize("mechanism", [held_chain, chain_beside_a_loop])
def test_the_work_grows_with_the_bodies(mechanism):
    """Straight-line code of each further link costs the same, but for directions along axes."""

    def operations(n):
        return operation_count(symbols_of(system_of(mechanism(n))).routines)

    few, more, most = map(operations, (14, 17, 20))
    for routine in ("motion", "solution"):
        first, second = more[routine] - few[routine], most[routine] - more[routine]
        assert second == pytest.approx(first, rel=0.1)  # by the cube it would be 1.4 times


class Exact:
    """A fraction that floats turn into: what is computed with it has no rounding."""

    def __init__(self, value):
        self.value = value.value if isinstance(value, Exact) else Fraction(float(value))

    @classmethod
    def of(cls, value):
        made = cls(0.0)
        made.value = value
        return made

    def __add__(self, other):
        return self.of(self.value + Exact(other).value)

    def __sub__(self, other):
        return self.of(self.value - Exact(other).value)

    def __mul__(self, other):
        return self.of(self.value * Exact(other).value)

    def __truediv__(self, other):
        return self.of(self.value / Exact(other).value)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return Exact(other) - self

    def __rtruediv__(self, other):
        return Exact(other) / self

    def __neg__(self):
        return self.of(-self.value)

    def __pow__(self, power):
        return self.of(self.value**power)

    def __ne__(self, other):
        return self.value != Exact(other).value

    def __float__(self):
        return float(self.value)

    __hash__ = None


def exact(a):
    found = np.empty(np.shape(a), dtype=object)
    for place, entry in np.ndenumerate(a):
        found[place] = Exact(entry)
    return found


def test_a_long_chain_is_solved_to_its_rounding():
    """The same text in fractions has none. M of such a chain loses five digits; here it is not."""
    run = wander(Run(system_of(held_chain(25))), 1)
    chosen, eq = chosen_at(run), run.plant.equations(run.x, run.u)
    factor = factor_at(run, chosen)
    tree, at, acting = where(run)
    placed = tuple(Transform(tuple((exact(R), exact(p)) for R, p in X.factors)) for X in at.X_BP)
    without = Configuration(at.q, placed, tuple(exact(S) for S in at.S))
    expected = factorise_along(chosen, tree, without, acting, reach_of(run.system))
    v, _ = factor.solve(eq.f, eq.gamma)
    found = expected.solve(exact(eq.f), exact(eq.gamma))[0].astype(float)
    assert factor.loss < 1e3
    assert np.linalg.norm(v - found) <= rounding_of(factor) * np.linalg.norm(found)


def test_what_moves_no_mass_has_no_such_elimination():
    run = wander(Run(system_of(held_chain(4))), 0, 0.1)
    tree, *there = where(run)
    weightless = replace(tree, I_B=tuple(0.0 * I_B for I_B in tree.I_B))
    assert body_elimination_of(weightless, *there, (0, 1), reach_of(run.system)) is None
