"""What URDF cannot say of a mechanism although it moves it: such is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from mbd_fmu.errors import Problem, shortened
from mbd_fmu.formats.robots.placements import Placement
from mbd_fmu.formats.robots.robot import Robot
from mbd_fmu.formats.robots.spec_robot import ROBOT_TYPES, gears
from mbd_fmu.formats.robots.tree import LinkTree, tree_of
from mbd_fmu.formats.urdf.frames import frames_of
from mbd_fmu.formats.urdf.joints import TYPES as URDF_TYPES
from mbd_fmu.formats.urdf.joints import UNLIMITED
from mbd_fmu.model.spec import Joint, Spec
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import Vector, vector_of
from mbd_fmu.spatial import Array

GRAVITY = (0.0, 0.0, -9.81)  # where a URDF file says nothing of it, as it never does
TYPES = tuple(ours for ours, theirs in ROBOT_TYPES.items() if theirs in URDF_TYPES)
_KEEP = "convert it to .toml, which keeps it"


def problems_of(spec: Spec, robot: Robot) -> list[Problem]:
    """List what would move otherwise if it were left out."""
    tree = tree_of(robot)
    return [
        *_surroundings(spec),
        *(problem for joint in spec.joints for problem in _joint(spec, joint)),
        *_loops(tree),
        *_backward(tree),
        *_floating_from_turned(tree, frames_of(robot)),
        *_points_that_fly(spec, robot),
        *_forces(spec),
        *_constraints(spec),
    ]


def _surroundings(spec: Spec) -> Iterator[Problem]:
    gravity = vector_of(spec.gravity, spec.nominal).astype(float)
    if tuple(gravity) != GRAVITY:
        shown = ", ".join(f"{x:g}" for x in gravity)
        found = f"is {shown}, and readers of URDF take 0, 0, -9.81"
        yield Problem("[model], gravity", found, f"turn the drawing if that helps, or {_KEEP}")
    if spec.moving_base:
        remedy = f'leave [base] out, or make the base a body on a "free" joint; or {_KEEP}'
        yield Problem("[base]", "moves as it is told", remedy)


def _joint(spec: Spec, joint: Joint) -> Iterator[Problem]:
    where = f'joint "{shortened(joint.name)}"'
    if joint.type not in TYPES:
        yield Problem(f"{where}, type", f"URDF has no {joint.type} joint", _KEEP)
    if joint.drive == "motion":
        remedy = f'drive it by a torque: leave drive = "motion" out; or {_KEEP}'
        yield Problem(f"{where}, drive", "moves as it is told", remedy)
    if joint.torque:
        yield Problem(f"{where}, torque", "URDF has no functions of time", _KEEP)
    for key in ("armature", "stiffness"):
        if _values(spec, getattr(joint, key)).any():
            yield Problem(f"{where}, {key}", "URDF has no word for it", _KEEP)
    for key in ("damping", "friction"):
        values = _values(spec, getattr(joint, key))
        if len({*values}) > 1:
            found = "URDF has one number for all freedoms of a joint, and these differ"
            yield Problem(f"{where}, {key}", found, _KEEP)
    has_ends = joint.kind.nv == 1
    for key in ("lower", "upper"):
        values = _values(spec, getattr(joint, key))
        if len(values) and not has_ends:
            yield Problem(f"{where}, {key}", f"a {joint.type} joint of URDF has no ends", _KEEP)
        if (np.abs(values) >= UNLIMITED).any():
            found = f"{values[0]:g} means none in a URDF file"
            yield Problem(f"{where}, {key}", found, "leave it out")


def _loops(tree: LinkTree) -> Iterator[Problem]:
    for joint in tree.closing:
        found = "closes a loop, and URDF holds trees"
        yield Problem(f'joint "{shortened(joint.name)}"', found, _KEEP)


def _backward(tree: LinkTree) -> Iterator[Problem]:
    """Joints whose coordinates are others when they are seen from the child."""
    for step in tree.steps:
        if step.joint.type in ("planar", "floating") and not step.is_forward:
            found = "its parent hangs on its child, seen from the ground"
            remedy = "exchange parent and child: URDF counts its coordinates from the ground on"
            yield Problem(f'joint "{shortened(step.joint.name)}"', found, remedy)


def _floating_from_turned(tree: LinkTree, frames: Mapping[str, Placement]) -> Iterator[Problem]:
    """Joints that count along axes of a link which gets other ones, for its own joint is planar."""
    for step in tree.steps:
        if step.joint.type == "floating" and frames[step.near].is_turned:
            found = f'floats from "{shortened(step.near)}", whose axes are turned to slide along x'
            remedy = (
                f'join it to the ground, or draw "{shortened(step.near)}" with axis = [0, 0, 1]'
            )
            yield Problem(
                f'joint "{shortened(step.joint.name)}"', found, f"{remedy} and axis2 = [1, 0, 0]"
            )


def _points_that_fly(spec: Spec, robot: Robot) -> Iterator[Problem]:
    """Bodies that fly without an inertia, which no joint of URDF can carry."""
    own = {joint.name for joint in spec.joints}
    for joint in robot.joints.values():
        is_new = joint.name not in own and joint.type == "floating"
        if is_new and not robot.links[joint.child].mass.inertia.any():
            found = "flies and has no inertia; a floating joint would let it turn"
            remedy = f"give it an inertia, such as that of a sphere; or {_KEEP}"
            yield Problem(f'body "{shortened(joint.child)}"', found, remedy)


def _forces(spec: Spec) -> Iterator[Problem]:
    for force in spec.forces:
        if force.type != "wrench" or not force.inputs:  # inputs are 0 until somebody tells them
            found = f"URDF has no {force.type}"
            yield Problem(f'force "{shortened(force.name)}"', found, _KEEP)


def _constraints(spec: Spec) -> Iterator[Problem]:
    leaders = {gear.joints[1]: gear.joints[0] for gear in gears(spec)}
    followers: set[str] = set()
    for constraint in spec.constraints:
        where = f'constraint "{shortened(constraint.name)}"'
        if constraint.type != "gear":
            yield Problem(where, f"URDF has no {constraint.type}", _KEEP)
            continue
        follower = constraint.joints[1]
        if follower in followers:
            found = f'"{shortened(follower)}" follows a second joint'
            yield Problem(where, found, "exchange its joints and take 1/ratio and -offset/ratio")
        elif _leads_back(follower, leaders):
            found = f'"{shortened(follower)}" follows itself in the end'
            yield Problem(where, found, "name a joint that leads")
        followers.add(follower)


def _leads_back(joint: str, leaders: dict[str, str]) -> bool:
    seen = set()
    while joint in leaders and joint not in seen:
        seen.add(joint)
        joint = leaders[joint]
    return joint in seen


def _values(spec: Spec, values: Vector) -> Array:
    return np.array([float(value_of(x, spec.nominal)) for x in values])
