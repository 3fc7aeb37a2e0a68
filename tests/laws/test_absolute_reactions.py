"""Redundant rows: the motion does not see them, and the rule shares out what they carry."""

import json

import numpy as np
import pytest

from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.oracle.equations import AbsoluteRoad
from mbd_fmu.oracle.run import AbsoluteRun
from tests.random_trees import random_tree

SOLID = {"shape": "box", "size": [0.3, 0.2, 0.1]}


def door():
    """Ten kilograms on two hinges, a metre above each other; mass centre 0.4 m beside them."""
    it = Mechanism("door").body("leaf", mass=10, com=[0.4, 0, 0], inertia=SOLID)
    for name, z in (("lower", -0.5), ("upper", 0.5)):
        it.joint(name, "revolute", "ground", "leaf", point=[0, 0, z], axis=[0, 0, 1], drive="none")
    return it.spec()


@pytest.mark.parametrize("length", [0.1, 1.0, 5.0])
@pytest.mark.parametrize("frame", ["fixed", "body"])
def test_two_hinges_share_a_moment_by_the_least_norm(length, frame):
    """Forces -+F at the distance h and torques T must give M = h F + 2 T.

    Least 2 F^2 + 2 (T / L)^2 under that: F = M h / (h^2 + 4 L^2), T = 2 M L^2 / (h^2 + 4 L^2).
    """
    road = AbsoluteRoad(door(), frame=frame)
    run = AbsoluteRun(door(), 1e-6, frame=frame)
    found = road.solve(run.state(run.x), length=length).reactions
    M, h = 10 * 9.81 * 0.4, 1.0
    F, T = M * h / (h**2 + 4 * length**2), 2 * M * length**2 / (h**2 + 4 * length**2)
    for name, side in (("lower", 1), ("upper", -1)):
        force, torque = found.wrench[name]
        assert force == pytest.approx([side * F, 0, 49.05], abs=1e-9)
        assert torque == pytest.approx([0, -T, 0], abs=1e-9)
        # nothing is unique but that hinges carry no torque about their axis
        assert found.unique[name].tolist() == [False] * 5 + [True]


def test_in_plane_forces_of_a_planar_four_bar_are_unique():
    it = Mechanism("four_bar")
    ends = {"crank": ([0, 0, 0], [0, 0, 1]), "rod": ([0, 0, 1], [2, 0, 1.5])}
    ends["rocker"] = ([2, 0, 1.5], [2, 0, 0])
    for name, (one, other) in ends.items():
        it.body(name, mass=1, com=(np.array(one) + other) / 2, inertia=SOLID)
    for name, parent, child, at in (
        ("A", "ground", "crank", [0, 0, 0]),
        ("B", "crank", "rod", [0, 0, 1]),
        ("C", "rod", "rocker", [2, 0, 1.5]),
        ("D", "ground", "rocker", [2, 0, 0]),
    ):
        it.joint(name, "revolute", parent, child, point=at, axis=[0, 1, 0], drive="none")
    run = AbsoluteRun(it.spec(), 1e-6)
    found = run.road.solve(run.state(run.x)).reactions
    for name in "ABCD":
        assert found.unique[name].tolist() == [True, False, True, False, True, False]


def doubled(n, seed):
    """A random tree, and the same with a second joint beside each."""
    spec = random_tree(n, seed)
    table = json.loads(spec.text)
    for joint in table["joint"]:
        if joint["type"] != "rigid":
            joint["drive"] = "none"
    single = spec_of_table(table, "test")
    table["joint"] += [joint | {"name": f"{joint['name']}_too"} for joint in table["joint"]]
    return single, spec_of_table(table, "test")


@pytest.mark.parametrize("frame", ["fixed", "body"])
@pytest.mark.parametrize("seed", range(5))
def test_a_second_joint_beside_each_takes_half_and_changes_no_motion(seed, frame):
    single, double = doubled(5, seed)
    rng = np.random.default_rng(seed)
    run = AbsoluteRun(single, 1e-6, frame=frame)
    n = run.n
    run.x[7 * n : 13 * n] += rng.normal(size=6 * n)
    run.x = run.project(run.x)
    state = run.state(run.x)
    state.near.update({f"{name}_too": q for name, q in list(state.near.items())})
    one = AbsoluteRoad(single, frame=frame).solve(state)
    other = AbsoluteRoad(double, frame=frame).solve(state)
    size = 1 + np.abs(one.acceleration).max()
    assert other.acceleration == pytest.approx(one.acceleration, abs=1e-10 * size)
    for name, (force, torque) in one.reactions.wrench.items():
        for each in (name, f"{name}_too"):
            half = np.concatenate(other.reactions.wrench[each])
            whole = np.concatenate([force, torque])
            assert half == pytest.approx(whole / 2, abs=1e-10 * (1 + np.abs(whole).max()) * size)


def test_two_gears_between_the_same_wheels_share_the_load():
    it = Mechanism("gears", gravity=[0, 0, 0])
    for k in range(2):
        it.body(f"wheel{k}", mass=1, com=[k, 0, 0], inertia=SOLID)
        keys = {"point": [k, 0, 0], "axis": [0, 0, 1]}
        it.joint(f"pin{k}", "revolute", "ground", f"wheel{k}", **keys)
    for name in ("near", "far"):
        it.constraint(name, "gear", joints=["pin0", "pin1"], ratio=-2.0)
    run = AbsoluteRun(it.spec(), 1e-6)
    run.set({"pin0.tau": 5.0})
    found = run.moment(run.x).solve().reactions
    I = 0.3**2 / 12 + 0.2**2 / 12
    each = I * -2 * 5 / (I + 4 * I) / 2
    for name in ("near", "far"):
        assert found.lam[name] == pytest.approx([each], rel=1e-9)
        assert found.unique[name].tolist() == [False]
    assert found.unique["pin0"].all()


def test_motors_that_say_the_same_share_the_drive():
    """Both ends of a door are turned: each takes half the torque of inertia times acceleration."""
    table = json.loads(door().text)
    for joint in table["joint"]:
        joint["drive"] = "motion"
    run = AbsoluteRun(spec_of_table(table, "test"), 1e-6)
    run.set({"lower.qdd": 2.0, "upper.qdd": 2.0})
    I = 10 * (0.3**2 / 12 + 0.2**2 / 12 + 0.4**2)
    found = run.outputs()
    assert found["lower.tau"] == pytest.approx(I, rel=1e-9)
    assert found["upper.tau"] == pytest.approx(I, rel=1e-9)
