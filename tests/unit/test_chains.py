"""Rings of couplings, which of them are closed kinematic chains, and which joints are cut."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mbd_fmu.elements.places import WORLD
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.system.system import system_of
from mbd_fmu.topology.chains import Coupling, closed_chains, couplings_of
from mbd_fmu.topology.connect import connected
from mbd_fmu.topology.forest import forest_of


def ring(*, spring):
    """Three bodies around the ground, closed by a joint or by a spring."""
    links = Mechanism("ring")
    for k in (1, 2, 3):
        links.body(f"link{k}", mass=1, com=[k, 0, 0], inertia={"shape": "point"})
    names = ["ground", "link1", "link2", "link3"]
    for k, (a, b) in enumerate(pairwise(names)):
        links.joint(f"pin{k}", "revolute", a, b, point=[k, 0, 0], axis=[0, 0, 1])
    if spring:
        keys = {"point": [3, 0, 0], "point2": [3, 1, 0], "stiffness": 1, "length": 1}
        links.spring("closing", "link3", "ground", **keys)
    else:
        links.joint("closing", "revolute", "link3", "ground", point=[3, 0, 0], axis=[0, 0, 1])
    return links.spec()


@pytest.mark.parametrize("spring", [False, True])
def test_a_ring_closed_by_a_spring_is_no_closed_kinematic_chain(spring):
    (chain,) = closed_chains(couplings_of(ring(spring=spring)))
    assert chain.kinematic is not spring
    assert set(chain.bodies) == {"ground", "link1", "link2", "link3"}
    assert set(chain.couplings) == {"pin0", "pin1", "pin2", "closing"}


def test_a_spring_in_the_ring_opens_it():
    assert system_of(ring(spring=True)).forest.nv == 3
    assert system_of(ring(spring=True)).rows == ()
    assert len(system_of(ring(spring=False)).rows) == 5


@st.composite
def graphs(draw):
    """Couplings between up to eight bodies and the ground, joints and springs mixed."""
    names = ["ground", *(f"b{k}" for k in range(draw(st.integers(1, 8))))]
    pairs = st.tuples(st.sampled_from(names), st.sampled_from(names)).filter(lambda p: p[0] != p[1])
    ends = draw(st.lists(pairs, max_size=14))
    return [Coupling(f"c{k}", a, b, is_joint=draw(st.booleans())) for k, (a, b) in enumerate(ends)]


def parts(couplings):
    """Number of connected parts among the bodies that couplings touch, by flooding."""
    left = {body for c in couplings for body in (c.parent, c.child)}
    n = 0
    while left:
        n += 1
        front = {left.pop()}
        while front:
            touched = {c.other(b) for b in front for c in couplings if b in (c.parent, c.child)}
            front = touched & left
            left -= front
    return n


@settings(derandomize=True, deadline=None)
@given(graphs())
def test_there_are_as_many_rings_as_the_cycle_rank_and_each_closes(couplings):
    chains = closed_chains(couplings)
    bodies = {body for c in couplings for body in (c.parent, c.child)}
    assert len(chains) == len(couplings) - len(bodies) + parts(couplings)
    by_name = {c.name: c for c in couplings}
    for chain in chains:
        walk = [by_name[name] for name in chain.couplings]
        assert len(set(chain.bodies)) == len(chain.bodies) == len(walk)
        for k, coupling in enumerate(walk):
            here, there = chain.bodies[k], chain.bodies[(k + 1) % len(walk)]
            assert {coupling.parent, coupling.child} == {here, there}
        assert chain.kinematic == all(c.is_joint for c in walk)


@settings(derandomize=True, deadline=None)
@given(graphs())
def test_kinematic_rings_are_as_many_as_the_joints_alone_have(couplings):
    joints = [c for c in couplings if c.is_joint]
    bodies = {body for c in joints for body in (c.parent, c.child)}
    rank = len(joints) - len(bodies) + parts(joints)
    assert sum(chain.kinematic for chain in closed_chains(couplings)) == rank


def mechanism_of(couplings, types):
    m = Mechanism("graph")
    names = sorted({b for c in couplings for b in (c.parent, c.child)} - {"ground"})
    for name in names:
        m.body(name, mass=1, com=[0, 0, 0], inertia={"shape": "sphere", "radius": 1})
    for k, c in enumerate(couplings):
        kind = types[k % len(types)]
        keys = {"axis": [0, 0, 1]} if kind != "rigid" else {}
        m.joint(c.name, kind, c.parent, c.child, point=[0, 0, 0], **keys)
    return m.spec()


@settings(derandomize=True, deadline=None)
@given(graphs().filter(lambda g: g != []))
def test_forest_and_cut_joints_are_all_joints_and_parents_come_first(couplings):
    spec = connected(mechanism_of(couplings, ("revolute", "rigid", "prismatic")))
    forest = forest_of(spec)
    assert sorted([*forest.joint, *forest.cut]) == list(range(len(spec.joints)))
    assert sorted(forest.body) == list(range(len(spec.bodies)))
    assert all(WORLD <= parent < i for i, parent in enumerate(forest.parent))
    assert len(forest.cut) == len(spec.joints) - len(spec.bodies)


def four_bar(**types):
    """Ground, crank, coupler and rocker with four joints a, b, c, d around."""
    m = Mechanism("four_bar")
    for name in ("crank", "coupler", "rocker"):
        m.body(name, mass=1, com=[0, 0, 0], inertia={"shape": "sphere", "radius": 1})
    around = ["ground", "crank", "coupler", "rocker", "ground"]
    for name, parent, child in zip("abcd", around[:-1], around[1:], strict=True):
        keys = {"point": [0, 0, 0], "axis": [0, 0, 1], "type": "revolute"} | types.get(name, {})
        m.joint(name, parent=parent, child=child, **keys)
    return m.spec()


def cuts(spec):
    forest = forest_of(connected(spec))
    return [spec.joints[k].name for k in forest.cut], forest


def test_the_cut_keeps_the_tree_shallow():
    """Cutting b or c leaves depths 1, 1, 2; cutting a or d leaves 1, 2, 3."""
    (name,), forest = cuts(four_bar())
    assert name in ("b", "c")
    assert sorted(forest.parent)[:2] == [-1, -1]


def test_the_user_decides_which_joint_is_cut():
    assert cuts(four_bar(a={"cut": True}))[0] == ["a"]


def test_a_joint_with_prescribed_motion_is_not_cut():
    for name in "bc":
        other = {"b": "c", "c": "b"}[name]
        assert cuts(four_bar(**{name: {"drive": "motion"}}))[0] == [other]


def test_the_joint_with_most_freedoms_is_cut():
    spec = four_bar()
    joints = (*spec.joints[:3], replace(spec.joints[3], type="free"))
    assert cuts(replace(spec, joints=joints))[0] == ["d"]
