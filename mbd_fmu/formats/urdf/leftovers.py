"""What a URDF file leaves out of a mechanism, or says otherwise, which moves all the same.

It sets the scene: where the motion starts, what is told of it, how it is integrated. Inputs are
0 if nobody gives them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mbd_fmu.formats.robots.robot import Robot
from mbd_fmu.formats.robots.spec_robot import gears
from mbd_fmu.formats.tables.joint_table import FRICTION_SPEED
from mbd_fmu.formats.urdf.frames import frames_of
from mbd_fmu.model.spec import DEFAULT_GROUPS, FmuDefaults, Joint, Spec
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import vector_of


def leftovers_of(spec: Spec, robot: Robot) -> list[str]:
    """Return a line for each kind, with the names of all."""
    several, nominal = [j for j in spec.joints if j.kind.nv > 1], spec.nominal
    found = {
        "parameters have their declared values": [
            f"{p.name} = {nominal[p.name]:g}" for p in spec.declared if p.is_parameter
        ],
        "start values are left out": [*_starting(spec)],
        "joints of what flies are written": [j for j in robot.joints if _is_new(spec, robot, j)],
        "inputs are left out": [
            *(j.name for j in several if j.type == "free" and j.drive == "torque"),
            *(f.name for f in spec.forces),
        ],
        "joints without a drive have one when they are read": [
            j.name for j in spec.joints if j.kind.nv and j.type != "free" and j.drive == "none"
        ],
        "effort and speed are left out": [j.name for j in several if j.effort or j.speed],
        "stops are limits, without stiffness and damping; --stops reads them": [
            j.name for j in spec.joints if j.lower or j.upper
        ],
        f"friction fades below {FRICTION_SPEED:g} rad/s or m/s when it is read": [
            j.name for j in spec.joints if _fades_otherwise(spec, j)
        ],
        "gears are called otherwise when they are read": [
            c.name for c in gears(spec) if c.name != f"{c.joints[1]}_mimic"
        ],
        "the frame is moved to the joint, and with it outputs of the pose": [*_moved(spec, robot)],
        "outputs are left out": [output.name for output in spec.outputs],
        "points are put out as the world sees them, without acceleration": [
            p.name for p in spec.points if p.acceleration or not p.is_in_world
        ],
        "settings are left out": [*_settings(spec)],
    }
    return [f"{what}: {', '.join(names)}" for what, names in found.items() if names]


def _starting(spec: Spec) -> Iterator[str]:
    nominal = spec.nominal
    for joint in spec.joints:
        drawn = vector_of(joint.drawn_position, nominal)
        position = drawn if joint.position is None else vector_of(joint.position, nominal)
        moves = joint.velocity is not None and vector_of(joint.velocity, nominal).any()
        if moves or not np.array_equal(position, drawn):
            yield joint.name
    yield from (body.name for body in spec.bodies if body.velocity is not None)


def _is_new(spec: Spec, robot: Robot, joint: str) -> bool:
    """Tell whether a joint is not in the model, and not there for a point alone."""
    own = {known.name for known in spec.joints}
    return joint not in own and robot.joints[joint].type == "floating"


def _fades_otherwise(spec: Spec, joint: Joint) -> bool:
    rubs = any(value_of(x, spec.nominal) for x in joint.friction)
    return rubs and value_of(joint.friction_speed, spec.nominal) != FRICTION_SPEED


def _moved(spec: Spec, robot: Robot) -> Iterator[str]:
    """Yield bodies whose pose is told of another frame than before."""
    frames = frames_of(robot)
    for body in spec.bodies:
        frame, origin = frames[body.name], vector_of(body.origin, spec.nominal)
        if frame.is_turned or not np.array_equal(frame.p, origin):
            yield body.name


def _settings(spec: Spec) -> Iterator[str]:
    if {*spec.groups} != {*DEFAULT_GROUPS}:
        yield "groups of outputs"
    if spec.fmu != FmuDefaults():
        yield "[fmu]"
    if spec.characteristic_length is not None:
        yield "characteristic_length"
