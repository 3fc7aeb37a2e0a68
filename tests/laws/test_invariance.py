"""The same mechanism described in another way moves the same way and carries the same forces."""

import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.mechanics.frames import Frames
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.spatial import rotation_matrix
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from tests.conftest import random_state
from tests.random_trees import random_tree

SEEDS = range(5)


def outputs(spec, x_by_name, u_by_name, *, frames=None):
    """All outputs by name, at a state given by the names of the coordinates."""
    system = system_of(spec)
    if frames:
        object.__setattr__(system, "frames", frames(system))
    x = np.array([x_by_name[name] for name in system.states.names])
    u = np.array([u_by_name[v.name] for v in system.table.inputs])
    values = plant_of(system, system.nominal_parameters()).all_outputs(x, u)
    return dict(zip((v.name for v in system.table.outputs), values, strict=True))


def a_state(spec, seed):
    system = system_of(spec)
    x, u = random_state(system, np.random.default_rng(seed))
    names = [v.name for v in system.table.inputs]
    return dict(zip(system.states.names, x, strict=True)), dict(zip(names, u, strict=True))


def assert_same(one, other, *, but=(), tolerance=1e-11):
    """Equal to rounding: some ten bodies, each a few operations on numbers of size 1 to 1000."""
    size = max(1.0, *(abs(v) for v in one.values()))
    assert one.keys() == other.keys()
    names = [name for name in one if not any(word in name for word in but)]
    assert names, "there is nothing to compare"
    for name in names:
        assert other[name] == pytest.approx(one[name], abs=tolerance * size), name


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_bodies_and_joints_does_not_matter(seed):
    spec = random_tree(7, seed)
    table = json.loads(spec.text)
    rng = np.random.default_rng(seed)
    rng.shuffle(table["body"])
    rng.shuffle(table["joint"])
    shuffled = spec_of_table(table, "test")
    assert_same(outputs(spec, *a_state(spec, seed)), outputs(shuffled, *a_state(spec, seed)))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_choice_of_internal_frames_does_not_matter(seed):
    spec = random_tree(7, seed)
    rng = np.random.default_rng(seed)

    def other_frames(system):
        n = len(system.forest)
        kinds = [spec.joints[k].type for k in system.forest.joint]
        can = ("revolute", "cylindrical")
        twist = tuple(rng.normal() if kind in can else 0.0 for kind in kinds)
        return Frames(system.frames.z_F, tuple(rng.normal(size=3) for _ in range(n)), twist)

    state = a_state(spec, seed)
    assert_same(outputs(spec, *state), outputs(spec, *state, frames=other_frames))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_joint_declared_the_other_way_round_is_the_same_joint(seed):
    """Reactions then act on the other body, at the point it carries: opposite force."""
    spec = random_tree(6, seed, types=("revolute", "prismatic", "rigid"), frame="world")
    table = json.loads(spec.text)
    for joint in table["joint"][1::2]:
        joint["parent"], joint["child"] = joint["child"], joint["parent"]
        if "axis" in joint:
            joint["axis"] = [-x for x in joint["axis"]]
    swapped = spec_of_table(table, "test")
    one, other = outputs(spec, *a_state(spec, seed)), outputs(swapped, *a_state(spec, seed))
    turned = [joint["name"] for joint in table["joint"][1::2]]
    assert_same(one, other, but=[f"{name}.{w}" for name in turned for w in ("force", "torque")])
    size = max(abs(v) for v in one.values())
    for joint in table["joint"][1::2]:
        # the two joint points of a slider are apart, so its torques refer to different points
        for key in ("force",) if joint["type"] == "prismatic" else ("force", "torque"):
            for name in (f"{joint['name']}.{key}.{c}" for c in "xyz"):
                assert other[name] == pytest.approx(-one[name], abs=1e-11 * size)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_mechanism_turned_and_moved_as_a_whole_moves_alike(seed):
    """Drawn in other world axes, with gravity turned along: vectors turn, joints do not care."""
    spec = random_tree(6, seed, frame="world", types=("revolute", "prismatic", "rigid"))
    R = Rotation.random(random_state=seed).as_matrix()
    shift = np.array([1.0, -2.0, 0.5])
    table = json.loads(spec.text)
    table["model"]["gravity"] = list(R @ table["model"]["gravity"])
    for body in table["body"]:
        body["com"] = list(R @ body["com"] + shift)
        body["origin"] = list(R @ body["origin"] + shift)
        body["inertia"] = (R @ np.array(body["inertia"]) @ R.T).tolist()
    for joint in table["joint"]:
        joint["point"] = list(R @ joint["point"] + shift)
        if "axis" in joint:
            joint["axis"] = list(R @ joint["axis"])
    turned = spec_of_table(table, "test")
    one, other = outputs(spec, *a_state(spec, seed)), outputs(turned, *a_state(spec, seed))
    size = max(abs(v) for v in one.values())
    for name, value in one.items():
        head, _, tail = name.rpartition(".")
        if tail == "x" and not head.endswith("quat"):
            old = np.array([one[f"{head}.{c}"] for c in "xyz"])
            new = np.array([other[f"{head}.{c}"] for c in "xyz"])
            moved = shift if head.endswith((".r", ".com")) else 0.0
            assert np.allclose(new, R @ old + moved, atol=1e-11 * size), head
        if tail in ("q", "qd", "qdd"):
            assert other[name] == pytest.approx(value, abs=1e-11 * size), name
    assert other["energy.kinetic"] == pytest.approx(one["energy.kinetic"], rel=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_world_and_local_drawings_describe_the_same_mechanism(seed):
    """A world drawing is a local one in which all frames coincide."""
    world = random_tree(6, seed, frame="world")
    table = json.loads(world.text)
    table["model"]["frame"] = "local"
    for joint in table["joint"]:
        joint["point2"] = joint["point"]
    local = spec_of_table(table, "test")
    state = a_state(world, seed)
    assert_same(outputs(world, *state), outputs(local, *state), tolerance=1e-13)


@pytest.mark.parametrize("seed", SEEDS)
def test_two_welded_halves_are_one_body(seed):
    """Splitting a body with a rigid joint changes no motion."""
    spec = random_tree(4, seed, types=("revolute", "prismatic"))
    table = json.loads(spec.text)
    whole = table["body"][1]
    half = {**whole, "name": "half", "mass": whole["mass"] / 2}
    half["inertia"] = (np.array(whole["inertia"]) / 2).tolist()
    whole["mass"] /= 2
    whole["inertia"] = half["inertia"]
    table["body"].append(half)
    table["joint"].append(
        {
            "name": "weld",
            "type": "rigid",
            "parent": whole["name"],
            "child": "half",
            "point": [0.1, 0.2, 0.3],
            "point2": [0.1, 0.2, 0.3],
        }
    )
    split = spec_of_table(table, "test")
    state = a_state(spec, seed)
    one, other = outputs(spec, *state), outputs(split, *state)
    assert_same(one, {name: other[name] for name in one})


@pytest.mark.parametrize("angle", [0.0, 0.3, np.pi / 2, 2.5])
def test_an_axis_that_is_a_parameter_may_be_turned_by_it(angle):
    """The axis by an expression, set away from its declared value, and the same one drawn so."""

    def arm(axis, **parameters):
        it = Mechanism("arm")
        for name, value in parameters.items():
            it.parameter(name, value)
        inertia = {"shape": "box", "size": [1, 2, 3]}
        it.body("link", mass=1.0, com=[0.3, 0.2, 0.1], inertia=inertia)
        it.joint("pin", "revolute", "ground", "link", point=[0, 0, 0], axis=axis)
        it.body("tip", mass=0.5, com=[0.6, 0.4, 0.5], inertia=inertia)
        it.joint("end", "revolute", "link", "tip", point=[0.5, 0.3, 0.2], axis=[0.2, 0.3, 1.0])
        return system_of(it.spec())

    told, drawn = arm(["cos(a)", "sin(a)", 0], a=0.0), arm([np.cos(angle), np.sin(angle), 0])
    p = told.nominal_parameters()
    p[0] = angle
    x = np.array([0.4, -0.3, 0.7, 0.2, 0.0, 0.0])
    u = np.array([0.5, -0.1])
    one = plant_of(told, p).all_outputs(x, u)
    other = plant_of(drawn, drawn.nominal_parameters()).all_outputs(x, u)
    assert np.abs(one - other).max() < 1e-12 * np.abs(one).max()


@pytest.mark.parametrize("kind", [k for k in JOINTS if k != "rigid"])
def test_a_pair_in_flight_may_be_carried_by_either_body(kind):
    """The same joint from its parent or, reversed, from its child: same motion, same reactions."""

    def pair(carried):
        it = Mechanism("pair", gravity=[0.5, -1.0, -9.0])
        for k, name in enumerate(("one", "two")):
            inertia = np.diag([0.3, 0.4, 0.5]) + 0.02 * (k + 1)
            it.body(name, mass=1.0 + k, com=[0.3 * k, 0.1, 0.2], inertia=inertia)
        keys = {"point": [0.2, -0.1, 0.3]}
        if JOINTS[kind].has_axis:
            keys["axis"] = [0.3, 0.5, 0.8]
        if kind in ("universal", "planar"):
            keys["axis2"] = [1.0, -0.2, 0.1]
        if kind == "helical":
            keys["pitch"] = 0.7
        it.joint("joint", kind, "one", "two", **keys)
        it.joint("flight", "free", "ground", carried, point=[0, 0, 0], drive="none")
        return it.output("poses", "velocities", "joints", "reactions", "energy").spec()

    spec = pair("one")
    state, inputs = a_state(spec, 3)
    one = outputs(spec, state, inputs)
    moved = {name: value for name, value in state.items() if name.startswith("joint.")}
    quat = np.array([one[f"two.quat.{c}"] for c in "wxyz"])
    R = rotation_matrix(quat)
    r, com, v, w = (np.array([one[f"two.{k}.{c}"] for c in "xyz"]) for k in ("r", "com", "v", "w"))
    moved |= {f"flight.q.{c}": value for c, value in zip("wxyz", quat, strict=True)}
    velocity = v + np.cross(w, r - com)
    for c, a, b, d in zip("xyz", r, R.T @ w, R.T @ velocity, strict=True):
        moved |= {f"flight.r.{c}": a, f"flight.w.{c}": b, f"flight.v.{c}": d}
    moved |= {name: value for name, value in state.items() if name.startswith("energy.")}
    other = outputs(pair("two"), moved, inputs)
    same = {name: value for name, value in one.items() if not name.startswith("flight.")}
    assert_same(same, {name: other[name] for name in same}, but=["quat"])
    for body in ("one", "two"):
        assert_one_rotation(one, other, body)


def assert_one_rotation(one, other, body):
    quats = [np.array([run[f"{body}.quat.{c}"] for c in "wxyz"]) for run in (one, other)]
    assert abs(quats[0] @ quats[1]) == pytest.approx(1.0, abs=1e-12)


def test_a_free_joint_may_be_declared_towards_the_ground():
    """Its coordinates then place the ground in the body; the body falls all the same."""
    it = Mechanism("it", gravity=[0, 0, -9.81])
    it.body("bird", mass=2.0, com=[0.1, 0.2, 0.3], inertia={"shape": "sphere", "radius": 1})
    it.joint("fly", "free", "bird", "ground", point=[1, 0, 0], drive="none")
    system = system_of(it.output("velocities").spec())
    plant = plant_of(system, system.nominal_parameters())
    x, u = random_state(system, np.random.default_rng(1))
    h = 1e-6
    xd = plant.derivatives(x, u)
    ahead, behind = (plant.all_outputs(x + s * h * xd, u) for s in (1, -1))
    # rounding over h
    assert (ahead - behind)[:3] / (2 * h) == pytest.approx([0, 0, -9.81], abs=1e-7)
