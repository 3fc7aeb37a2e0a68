"""Newton's and Euler's laws for every body, from what is put out alone.

Forces of joints, springs, bushings and constraints act where the model draws them; with gravity
they make each body accelerate as it says. Nothing of the mechanics is used but its outputs.
"""

import json

import numpy as np
import pytest

from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.inertias import inertia_of
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.model.spec import OUTPUT_GROUPS
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import vector_of
from mbd_fmu.reference.run import Run
from mbd_fmu.system.system import system_of
from mbd_fmu.topology.connect import connected
from tests.laws.outputs_of import Seen
from tests.random_loops import named_outputs, random_loops, wander
from tests.random_trees import random_tree

AXES, WRENCH = ("world", "body"), ("force", "torque")


def with_forces(table, names, seed):
    """Springs and bushings between random bodies; nothing else drives."""
    rng = np.random.default_rng(seed)
    forces = []
    for k, kind in enumerate(("spring_damper", "inverse_square", "bushing", "wrench")):
        parent, child = rng.choice([*names, "ground"], size=2, replace=False)
        force = {"name": f"force{k}", "type": kind, "parent": str(parent), "child": str(child)}
        force |= {key: rng.normal(size=3).tolist() for key in ("point", "point2")}
        if kind == "spring_damper":
            force |= {"stiffness": 20.0, "damping": 2.0, "length": 0.3}
        if kind == "inverse_square":
            force["strength"] = 2.0
        if kind == "bushing":
            force |= {key: rng.uniform(0, 5, size=6).tolist() for key in ("stiffness", "damping")}
        if kind == "wrench":
            force = {"name": force["name"], "type": kind, "body": str(rng.choice(names))}
            force |= {"point": rng.normal(size=3).tolist(), "axes": str(rng.choice(AXES))}
            force |= {key: rng.normal(size=3).tolist() for key in ("force", "torque")}
        forces.append(force)
    return {**table, "force": forces, "output": [{"groups": list(OUTPUT_GROUPS)}]}


def loads(spec, now):
    """Yield forces with their torques and where they act, on bodies by name."""
    for joint in spec.joints:
        if f"{joint.name}.force.x" in now.values:
            force, torque = (now.vector(f"{joint.name}.{key}") for key in ("force", "torque"))
            at = now.point(joint.child, joint.point2)
            yield from ((joint.child, force, torque, at), (joint.parent, -force, -torque, at))
    for force in spec.forces:
        if force.type == "wrench" and not force.functions:
            continue  # from outside, and nothing acts from there
        if force.type == "wrench":
            turn = now.turn(force.child if force.axes == "body" else "ground")
            push, torque = (turn.apply(now.vector(f"{force.name}.{k}")) for k in WRENCH)
            yield force.child, push, torque, now.point(force.child, force.point2)
            continue
        ends = now.point(force.parent, force.point), now.point(force.child, force.point2)
        if force.type == "bushing":
            push, torque = (now.vector(f"{force.name}.{key}") for key in ("force", "torque"))
            yield from (
                (force.child, push, torque, ends[1]),
                (force.parent, -push, -torque, ends[1]),
            )
            continue
        pull = now[f"{force.name}.force"] * (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
        yield force.parent, pull, np.zeros(3), ends[0]
        yield force.child, -pull, np.zeros(3), ends[1]
    for constraint in spec.constraints:
        for number in ("", "2"):
            if f"{constraint.name}.force{number}.x" in now.values:
                yield from held(constraint, number, now)


def held(constraint, number, now):
    """Force and, where there is one, torque on a body that a constraint holds, and the opposite."""
    child, point = (constraint.child, constraint.point2)
    if number:
        child, point = constraint.child2, constraint.center2
    force, torque = now.vector(f"{constraint.name}.force{number}"), np.zeros(3)
    if f"{constraint.name}.torque{number}.x" in now.values:
        torque = now.vector(f"{constraint.name}.torque{number}")
    at = now.point(child, point)
    yield child, force, torque, at
    yield constraint.parent, -force, -torque, at


def assert_newton(run, tolerance):
    spec = connected(run.system.spec)
    now = Seen(named_outputs(run), spec)
    gravity = vector_of(spec.gravity, spec.nominal).astype(float)
    size = max(1.0, *(abs(x) for x in now.values.values()))
    all_loads = list(loads(spec, now))
    for body in spec.bodies:
        name, com = body.name, now.vector(f"{body.name}.com")
        mass = float(value_of(body.mass, spec.nominal))
        mine = [(f, t, at) for owner, f, t, at in all_loads if owner == name]
        force = sum((f for f, _, _ in mine), mass * gravity)
        torque = sum((t + np.cross(at - com, f) for f, t, at in mine), np.zeros(3))
        R = now.turn(name).as_matrix()
        inertia, w = R @ inertia_of(body, spec.nominal) @ R.T, now.vector(f"{name}.w")
        assert np.abs(force - mass * now.vector(f"{name}.a")).max() < tolerance * size
        spin = inertia @ now.vector(f"{name}.alpha") + np.cross(w, inertia @ w)
        assert np.abs(torque - spin).max() < tolerance * size


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("frame", ["local", "world"])
def test_bodies_of_a_tree_accelerate_by_the_forces_that_are_put_out(seed, frame):
    table = json.loads(random_tree(6, seed, frame=frame).text)
    spec = spec_of_table(with_forces(table, [f"body{k}" for k in range(6)], seed), "test")
    run = Run(system_of(spec))
    rng = np.random.default_rng(seed)
    run.x = run.stepper.normalized(rng.normal(size=len(run.x)))
    assert_newton(run, 1e-12)


@pytest.mark.parametrize("extra", ["distance", "point_in_plane"])
@pytest.mark.parametrize("seed", range(8))
def test_bodies_of_loops_accelerate_by_the_forces_that_are_put_out(seed, extra):
    """Whichever of several equally possible reactions the loop has."""
    table = random_loops(seed, forces=False, extra=extra)
    names = [body["name"] for body in table["body"]]
    run = wander(Run(system_of(spec_of_table(with_forces(table, names, seed), "test"))), seed)
    run.u = np.zeros_like(run.u)
    assert_newton(run, 1e-10)  # times the condition of a random mechanism: at most some 1e5


@pytest.mark.parametrize("name", ["rolling_disc", "wheel_set", "chaplygin_sleigh", "on a line"])
def test_what_rolls_and_glides_accelerates_by_the_forces_that_are_put_out(name):
    """After a while of its motion; drives stand still."""
    if name == "on a line":
        spec = bead()
    else:
        table = json.loads(read_model(library()[name]).text)
        spec = spec_of_table(table | {"output": [{"groups": list(OUTPUT_GROUPS)}]}, name)
    run = Run(system_of(spec))
    for _ in range(5):
        run.step(0.02)
    run.u = np.zeros_like(run.u)
    size = [abs(x) for key, x in named_outputs(run).items() if ".force" in key]
    assert max(size) > 0.1
    assert_newton(run, 1e-10)


def bead():
    """A body with a point on a slope, held from the body and from the ground."""
    it = Mechanism("bead")
    it.body("bead", mass=2.0, com=[0.1, 0, -0.3], inertia=np.diag([0.3, 0.4, 0.5]))
    it.body("other", mass=1.0, com=[0, 1, 0], inertia=np.diag([0.3, 0.4, 0.5]))
    ends = {"point": [0, 0, 0], "point2": [0, 0, 0], "axis": [1, 0.5, -1]}
    it.constraint("line", "point_on_line", parent="ground", child="bead", **ends)
    ends = {"point": [0, 1, 0], "point2": [0, 1, 0], "axis": [0, 0.1, 1]}
    it.constraint("floor", "point_in_plane", parent="other", child="ground", **ends)
    return it.output(*OUTPUT_GROUPS).spec()
