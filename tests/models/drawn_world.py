"""Mechanisms from the assembled world descriptions of the reference cases, and comparison."""

import numpy as np

from mbd_fmu.model.builder import Mechanism
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.comparison import compare
from mbd_fmu.validate.runner import Fmu

OUTPUTS = ("poses", "velocities", "joints", "reactions", "energy", "quality")


def mechanism(name, world, *, pins="point_on_line", drives=()):
    """A model from an assembled world description, line by line.

    A planar pin that closes a loop holds two directions; as a hinge (``pins="revolute"``) it holds
    three more, and the mechanism is redundant.
    """
    it = Mechanism(name, gravity=world["gravity"])
    extra = world.get("extra_1d_inertia")
    turned = {
        j["b"]: np.array(j["axis"])
        for j in world["joints"]
        if extra and j["name"] == extra["joint"]
    }
    for body, data in world["bodies"].items():
        velocity = {"linear": data["v"], "angular": data["w"]}
        keys = {key: data[key] for key in ("mass", "com", "inertia")}
        if body in turned:  # a wheel on a fixed axis: no other moment of it is felt
            keys["inertia"] = np.array(data["inertia"]) + extra["J"] * np.outer(
                turned[body], turned[body]
            )
        it.body(body, **keys, velocity=velocity)
    springs = {e["joint"]: e for e in world.get("applied", []) if "joint" in e}
    dampers = {f["joint"]: f["d"] for f in world.get("forces", []) if f["type"] == "rot_damper"}
    for joint in world["joints"]:
        kind = joint["type"]
        if kind in ("planar_revolute_cut", "distance", "revsph", "point_plane"):
            if kind == "planar_revolute_cut" and pins == "revolute":
                kind = "revolute"
            else:
                restrict(it, joint)
                continue
        keys = {key: joint[key] for key in ("point", "axis", "axis2") if key in joint}
        if joint["name"] in springs:
            spring = springs[joint["name"]]
            keys |= {"stiffness": spring["rot_spring_k"], "damping": spring["rot_damper_c"]}
        if joint["name"] in dampers:
            keys["damping"] = dampers[joint["name"]]
        keys["drive"] = "torque" if joint["name"] in drives else "none"
        it.joint(joint["name"], kind, joint["a"], joint["b"], **keys)
    pulls = [force for force in world.get("forces", []) if force["type"] == "spring"]
    for k, force in enumerate(pulls):
        ends = {"point": force["pa"], "point2": force["pb"]}
        keys = {"stiffness": force["k"], "length": force["l0"], "damping": force.get("c", 0.0)}
        it.spring(f"spring{k}", force["a"], force["b"], **ends, **keys)
    return it.output(*OUTPUTS)


def restrict(it, joint):
    """A joint of the description that is a constraint of ours."""
    name, kind = joint["name"], joint["type"]
    ends = {"parent": joint["a"], "child": joint["b"], "point": joint["point"]}
    ends["point2"] = joint.get("point_b", joint["point"])
    if kind in ("distance", "revsph"):
        it.constraint(name, "distance", **ends)
    if kind == "revsph":  # a rod on a hinge: its end stays in the plane of the hinge, too
        it.constraint(f"{name}_plane", "point_in_plane", axis=joint["axis"], **ends)
    if kind == "planar_revolute_cut":
        it.constraint(name, "point_on_line", axis=joint["axis"], **ends)
    if kind == "point_plane":
        it.constraint(name, "point_in_plane", axis=joint["axis"], **ends)


def vectors(table, name):
    return np.stack([table.column(f"{name}{c}") for c in "xyz"], axis=1)


def quaternions(table, name):
    return np.stack([table.column(f"{name}{c}") for c in "wxyz"], axis=1)


def run(fmu_of, spec, times, tolerance=1e-9, **keys):
    with Fmu(fmu_of(spec)) as fmu:
        return fmu.run(times, tolerance=tolerance, **keys).trajectory


def assert_close(time, pairs, tolerance):
    """Compare named vectors: ours with theirs, each against its own range."""
    ours, theirs, names = [], [], []
    for name, (one, other) in pairs.items():
        letters = "xyz" if one.shape[1] == 3 else "wxyz"
        names += [f"{name}.{c}" for c in letters]
        ours.append(one)
        theirs.append(other)
    result = Trajectory(time, tuple(names), np.hstack(ours))
    reference = Trajectory(time, tuple(names), np.hstack(theirs))
    for error in compare(result, reference):
        # what is zero but for the tilt of some 1e-9 in the data is compared in units
        assert error.max_relative <= tolerance or error.max < 1e-9, error
