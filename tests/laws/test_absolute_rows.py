"""Constraint rows: residual, J and drift belong together, for every joint and constraint."""

from dataclasses import replace

import numpy as np
import pytest

from mbd_fmu.elements import constraints
from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.oracle.equations import AbsoluteRoad, quaternion_rates
from mbd_fmu.oracle.jets import State
from mbd_fmu.oracle.run import AbsoluteRun
from mbd_fmu.spatial import rotation_matrix
from tests.random_trees import random_inertia

FRAMES = ("fixed", "body")
POINTS = {"point": [0.1, -0.4, 0.2], "point2": [0.6, 0.2, -0.3]}
DISC = {"center": [0.1, 0.2, 0.3], "axis": [0.3, 1, 0.2], "radius": 0.4, "point": [0.1, 0, 0.2]}
ON_TWO = {"parent": "one", "child": "two", **POINTS}
CONSTRAINTS = {
    "distance": ON_TWO,
    "point_on_line": ON_TWO | {"axis": [1, 2, 3]},
    "point_in_plane": ON_TWO | {"axis": [1, 2, 3]},
    "knife_edge": {"body": "two", "point": [0.1, 0.2, 0.3], "axis": [1, -2, 1]},
    "rolling_disc": DISC | {"body": "two", "normal": [0.2, -0.1, 1]},
    "wheel_set": DISC | {"bodies": ["two", "three"], "center2": [0.5, 0.1, 0.2]},
}


def pair_of_bodies(rng):
    it = Mechanism("bodies", gravity=[0, 0, 0])
    for name in ("one", "two", "three"):
        com = rng.normal(size=3)
        it.body(name, mass=rng.uniform(1, 3), com=com, inertia=random_inertia(rng))
    return it


def on_a_moving_parent(spec):
    """Planes and edges, too, relative to a body: the model file has them on the ground."""
    tied = [replace(c, parent="one") if not c.joints else c for c in spec.constraints]
    return replace(spec, constraints=tuple(tied))


def random_motion(road, rng):
    """A state as a function of time, with constant accelerations."""
    n = len(road.bodies)
    p, v, w, a, alpha = (rng.normal(size=(n, 3)) for _ in range(5))
    quat = rng.normal(size=(n, 4))
    quat /= np.linalg.norm(quat, axis=1)[:, None]
    first = quaternion_rates(quat, w, road.frame)
    second = quaternion_rates(quat, alpha, road.frame) + quaternion_rates(first, w, road.frame)

    def at(t):
        turned = quat + t * first + t * t / 2 * second  # to the order that differences see
        turned /= np.linalg.norm(turned, axis=1)[:, None]
        return State(p + t * v + t * t / 2 * a, turned, v + t * a, w + t * alpha)

    return at, np.hstack([a, alpha]).ravel()


def check_along(road, at, u_rate, pick):
    h = 1e-4
    now, ahead, behind = (pick(road.moment(at(t))) for t in (0.0, h, -h))
    n = len(now.g)
    u = at(0.0).u
    assert now.rate.value == pytest.approx(now.rate.J @ u, abs=1e-12)
    # differences: h^2 of third derivatives, of size 10 to 1000 at these velocities
    rate = (ahead.g - behind.g) / (2 * h)
    assert now.rate.value[:n] == pytest.approx(rate, rel=1e-5, abs=2e-6)
    drift = (ahead.rate.value - behind.rate.value) / (2 * h)
    assert now.rate.J @ u_rate + now.rate.bias == pytest.approx(drift, rel=1e-5, abs=2e-5)


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", CONSTRAINTS)
def test_rows_of_constraints_follow_any_motion_of_the_bodies(kind, seed, frame):
    rng = np.random.default_rng(seed)
    it = pair_of_bodies(rng).constraint("tie", kind, **CONSTRAINTS[kind])
    road = AbsoluteRoad(on_a_moving_parent(it.spec()), frame=frame)
    at, u_rate = random_motion(road, rng)
    rows, own = road.moment(at(0.0)).elements[-1].rows, constraints.CONSTRAINTS[kind]
    assert (len(rows.g), len(rows.rate.value)) == (
        len(own.holonomic),
        len(own.holonomic + own.nonholonomic),
    )
    check_along(road, at, u_rate, lambda moment: moment.elements[-1].rows)


# the screw counts angles, which exist only where the axes are parallel: below
@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", sorted(set(JOINTS) - {"free", "helical"}))
def test_rows_of_joints_follow_any_motion_of_the_bodies(kind, seed, frame):
    rng = np.random.default_rng(seed)
    it = pair_of_bodies(rng)
    keys = {"axis": [1, 2, -1]} if JOINTS[kind].has_axis else {}
    if kind in ("universal", "planar"):
        keys["axis2"] = [1, 0, 2]
    it.joint("it", kind, "one", "two", point=[0.3, 0.1, 0.2], **keys)
    road = AbsoluteRoad(it.spec(), frame=frame)
    at, u_rate = random_motion(road, rng)
    rows = road.moment(at(0.0)).elements[0].rows
    assert len(rows.g) == len(rows.rate.value) == 6 - JOINTS[kind].nv
    check_along(road, at, u_rate, lambda moment: moment.elements[0].rows)


def joined(kind):
    """Mechanisms whose rows hold at the start, with velocities."""
    it = Mechanism("joined", gravity=[1, 2, -3])
    for k, name in enumerate(("one", "two")):
        it.body(name, mass=1 + k, com=[0.3, 0.1 * k, 0.2], inertia=np.diag([0.3, 0.4, 0.5]))
    for k, (parent, child) in enumerate((("ground", "one"), ("one", "two"))):
        keys = {"point": [0.1 * k, 0.2, 0], "axis": [1, 2 + k, 2], "velocity": 1.5 - k}
        pitch = {"pitch": 0.7} if kind[k] == "helical" else {}
        it.joint(f"joint{k}", kind[k], parent, child, reference=0.3, **keys, **pitch)
    return it


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(
    ("kinds", "constraint"),
    [
        (("helical", "helical"), None),
        (("revolute", "revolute"), "gear"),
        (("revolute", "prismatic"), "rack_pinion"),
        (("helical", "prismatic"), "gear"),
    ],
)
def test_rows_that_count_angles_stay_closed_without_projection(kinds, constraint, frame):
    """A wrong J or drift would let g and g' run away along the solved motion."""
    it = joined(kinds)
    if constraint == "gear":
        it.constraint("gear", "gear", joints=["joint0", "joint1"], ratio=-1.7, offset=0.2)
    if constraint == "rack_pinion":
        it.constraint("rack", "rack_pinion", joints=["joint0", "joint1"], radius=0.4)
    run = AbsoluteRun(it.spec(), 1e-6, frame=frame)
    x, h = run.x, 1e-3
    for _ in range(100):
        k1 = run.rate(x)
        k2 = run.rate(x + h / 2 * k1)
        k3 = run.rate(x + h / 2 * k2)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + run.rate(x + h * k3))
    moment = run.moment(x)
    assert np.abs(x - run.x).max() > 0.05  # it has moved
    # the method's own error: h^4 times a fifth derivative, over 0.1 s
    assert np.abs(moment.residuals).max() < 1e-9
    assert np.abs(moment.rows.value).max() < 1e-8


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", CONSTRAINTS)
def test_both_forms_of_angular_velocity_give_the_same_accelerations(kind, seed):
    """w' in the body, turned into the world, is w' in the world; multipliers are the same."""
    rng = np.random.default_rng(seed)
    it = pair_of_bodies(rng).constraint("tie", kind, **CONSTRAINTS[kind])
    it.joint("ball", "spherical", "ground", "one", point=[0.1, 0.2, 0.3])
    it.joint("cross", "universal", "one", "two", point=[0.5, 0, 0], axis=[1, 0, 0], axis2=[0, 1, 1])
    spec = on_a_moving_parent(it.spec())
    fixed, body = (AbsoluteRoad(spec, frame=frame) for frame in FRAMES)
    at, _ = random_motion(fixed, rng)
    state = at(0.0)
    turns = [rotation_matrix(quat) for quat in state.quat]
    w_body = np.array([R.T @ w for R, w in zip(turns, state.w, strict=True)])
    one, other = fixed.solve(state), body.solve(replace(state, w=w_body))
    linear, angular = np.split(other.acceleration, 2, axis=1)
    turned = np.array([R @ w for R, w in zip(turns, angular, strict=True)])
    # equations of condition some 100
    size = 1e-11 * (1 + np.abs(one.acceleration).max())
    assert np.hstack([linear, turned]) == pytest.approx(one.acceleration, abs=size)
    lam = one.reactions.lam["tie"]
    assert other.reactions.lam["tie"] == pytest.approx(lam, abs=1e-11 * (1 + np.abs(lam).max()))
