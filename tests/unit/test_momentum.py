"""Momentum of what flies, from formulas: a thrown body, two bodies that push each other."""

import numpy as np
import pytest

from mbd_fmu.model.builder import Mechanism
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.momentum import Flight, flight_of, momentum_of

TIME = np.linspace(0.0, 2.0, 101)
BALL = {"shape": "sphere", "radius": 0.1}
LETTERS = {"com": "xyz", "v": "xyz", "w": "xyz", "quat": "wxyz"}


def motion(dot=".", **bodies):
    """Outputs of bodies: each a table of com, v, w, quat over time."""
    names, columns = [], []
    for body, parts in bodies.items():
        for key, letters in LETTERS.items():
            rest = np.tile([1.0, 0, 0, 0] if key == "quat" else [0.0, 0, 0], (len(TIME), 1))
            names += [f"{body}{dot}{key}{dot}{c}" for c in letters]
            columns.append(np.broadcast_to(parts.get(key, rest), rest.shape))
    return Trajectory(TIME, tuple(names), np.hstack(columns))


def thrown(g):
    """A body thrown along x under gravity -g along z."""
    o, one = 0 * TIME, 1 + 0 * TIME
    return {
        "com": np.stack([3 * TIME, o, -g / 2 * TIME**2], axis=1),
        "v": np.stack([3 * one, o, -g * TIME], axis=1),
    }


@pytest.mark.parametrize("dot", [".", "_"])
def test_a_thrown_body_gains_the_impulse_of_gravity_and_nothing_else(dot):
    flight = Flight(("a",), np.array([2.0]), np.eye(3)[None], np.array([0, 0, -10.0]))
    linear, angular = momentum_of(motion(dot, a=thrown(10.0)), flight, 1e-6)
    assert linear.passed
    assert angular.passed
    linear, angular = momentum_of(motion(dot, a=thrown(9.9)), flight, 1e-6)
    # 2 kg lack 0.1 m/s2 over 2 s, of 2 kg times the speed at the end
    assert linear.worst == pytest.approx(0.4 / (2 * np.hypot(3, 19.8)), rel=1e-9)
    assert not linear.passed


def test_bodies_that_turn_about_each_other_keep_their_angular_momentum():
    """1 kg and 3 kg on a rod, its ends 0.75 m and 0.25 m from the common centre, at 2 rad/s."""
    flight = Flight(("a", "b"), np.array([1.0, 3.0]), np.zeros((2, 3, 3)), np.zeros(3))
    turn = np.stack([np.cos(2 * TIME), np.sin(2 * TIME), 0 * TIME], axis=1)
    rate = 2 * np.stack([-np.sin(2 * TIME), np.cos(2 * TIME), 0 * TIME], axis=1)
    drift = np.array([5.0, 0, 0])
    a = {"com": 0.75 * turn + TIME[:, None] * drift, "v": 0.75 * rate + drift}
    b = {"com": -0.25 * turn + TIME[:, None] * drift, "v": -0.25 * rate + drift}
    assert all(law.passed for law in momentum_of(motion(a=a, b=b), flight, 1e-12))
    b["v"] = -0.25 * (1 + 0.01 * TIME[:, None]) * rate + drift  # it speeds up by itself
    assert [law.passed for law in momentum_of(motion(a=a, b=b), flight, 1e-6)] == [False, False]


def test_a_body_s_own_spin_is_seen_in_its_own_axes():
    """A symmetric top: L keeps its direction while w goes round it.

    With moments A across and C along the axis n: n turns about L at |L|/A, and
    w = L/A + (1/C - 1/A) (L . n) n.
    """
    A, C, L, tilt = 2.0, 3.0, 6.0, 0.4
    phi = L / A * TIME
    n = np.stack(
        [np.sin(tilt) * np.cos(phi), np.sin(tilt) * np.sin(phi), np.cos(tilt) + 0 * TIME], axis=1
    )
    w = np.array([0, 0, L / A]) + (1 / C - 1 / A) * L * np.cos(tilt) * n
    # the turn from z to n, about (-sin phi, cos phi, 0)
    s = np.sin(tilt / 2)
    quat = np.stack(
        [np.cos(tilt / 2) + 0 * TIME, -s * np.sin(phi), s * np.cos(phi), 0 * TIME], axis=1
    )
    result = motion(top={"w": w, "quat": quat})
    right = Flight(("top",), np.ones(1), np.diag([A, A, C])[None], np.zeros(3))
    assert momentum_of(result, right, 1e-12)[1].passed
    wrong = Flight(("top",), np.ones(1), np.diag([A, A, 1.01 * C])[None], np.zeros(3))
    assert not momentum_of(result, wrong, 1e-6)[1].passed


def test_without_velocities_nothing_is_judged():
    result = motion(a=thrown(10.0))
    flight = Flight(("a", "b"), np.ones(2), np.zeros((2, 3, 3)), np.zeros(3))
    assert momentum_of(result, flight, 1e-6) == []


def pair(**keys):
    it = Mechanism("pair", gravity=[0, 0, "-g"]).parameter("g", 9.0)
    for k, name in enumerate("ab"):
        it.body(name, mass=k + 1.0, com=[k, 0, 0], inertia=BALL)
    it.joint("hinge", "revolute", "a", "b", point=[0.5, 0, 0], axis=[0, 0, 1], **keys)
    return it


def test_what_nothing_ties_to_the_ground_flies():
    flight = flight_of(pair(stiffness=3.0, damping=1.0).spec())
    assert flight.bodies == ("a", "b")
    assert flight.masses.tolist() == [1.0, 2.0]
    assert flight.gravity.tolist() == [0, 0, -9.0]
    assert flight.inertias[1] == pytest.approx(0.4 * 2 * 0.01 * np.eye(3))
    rubber = pair().spring("rubber", "a", "b", point=[0, 0, 1], point2=[1, 0, 1], length=1)
    assert flight_of(rubber.spec()) is not None
    carried = pair().joint("fly", "free", "ground", "a", point=[0, 0, 0], drive="none")
    assert flight_of(carried.spec()) is not None


TIES = {
    "a joint": lambda it: it.joint("pin", "spherical", "ground", "a", point=[0, 0, 0]),
    "a drive on a free joint": lambda it: it.joint("fly", "free", "ground", "a", point=[0, 0, 0]),
    "a damped free joint": lambda it: it.joint(
        "fly", "free", "ground", "a", point=[0, 0, 0], drive="none", damping=[1] * 6
    ),
    "a free joint with a rotor": lambda it: it.joint(
        "fly", "free", "ground", "a", point=[0, 0, 0], drive="none", armature=[1] * 6
    ),
    "a spring": lambda it: it.spring(
        "rubber", "ground", "a", point=[0, 0, 1], point2=[0, 0, 0], length=1
    ),
    "a wrench": lambda it: it.force("push", "wrench", body="a", point=[0, 0, 0]),
    "a rod": lambda it: it.constraint(
        "rod", "distance", parent="ground", child="a", point=[0, 0, 1], point2=[0, 0, 0]
    ),
    "a blade": lambda it: it.constraint(
        "blade", "knife_edge", body="a", point=[0, 0, 0], axis=[0, 1, 0]
    ),
    "a moving base": lambda it: it.moving_base(),
}


@pytest.mark.parametrize("tie", TIES)
def test_what_is_tied_to_the_ground_does_not_fly(tie):
    assert flight_of(TIES[tie](pair()).spec()) is None


def test_a_motion_that_is_told_inside_is_not_judged():
    assert flight_of(pair(drive="motion").spec()) is None
