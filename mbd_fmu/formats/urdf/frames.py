"""Frames of links and joints as URDF has them.

URDF puts the frame of a link where the joint sits that carries it, and counts coordinates from
there. So the frame of every link is shifted to its joint, in the axes it has, and what the link
holds follows; where coordinates are not 0 as drawn, the origin of the joint is moved back by them.

    U   frame a link is drawn in;   L   its frame in URDF;   X_UL   L placed in U

Checked  tests/formats/test_convert.py: written robots move as those they were written from.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mbd_fmu.elements.axes import across, axes_about
from mbd_fmu.formats.robots.placements import Placement, Triple, numbers, rpy_of
from mbd_fmu.formats.robots.robot import Joint, Robot
from mbd_fmu.formats.robots.tree import Step, tree_of
from mbd_fmu.formats.tables.joint_table import planar_x
from mbd_fmu.spatial import Array, rotation_matrix, times


@dataclass(frozen=True)
class Carried:
    """A joint as URDF has it: from the link nearer the root to the one it carries."""

    joint: Joint
    parent: str
    child: str
    origin: Placement
    rpy: Triple
    axis: Triple


def frames_of(robot: Robot) -> dict[str, Placement]:
    """Return X_UL of every link."""
    carried = {step.far: _frame(step) for step in tree_of(robot).steps}
    return {robot.root: Placement()} | carried


def carried_by(robot: Robot, frames: Mapping[str, Placement]) -> dict[str, Carried]:
    """Return all joints of a tree by their names."""
    return {step.joint.name: _carried(step, frames) for step in tree_of(robot).steps}


def _frame(step: Step) -> Placement:
    """Return X_UL of the link that a joint carries."""
    joint = step.joint
    at = np.array(joint.at)
    if not step.is_forward:
        return Placement(p=joint.place.point(at))
    if joint.type == "planar" and not _slides_as_read(joint):
        return Placement(axes_about(np.array(joint.axis), np.array(joint.axis2)), at)
    return Placement(p=at)


def _slides_as_read(joint: Joint) -> bool:
    """Tell whether a reader takes the same directions of sliding from the axis alone."""
    z = np.array(joint.axis)
    read, meant = (across(np.array(x), z) for x in (planar_x(joint.axis), joint.axis2))
    return bool(np.abs(read - meant).max() < 1e-15)


def _carried(step: Step, frames: Mapping[str, Placement]) -> Carried:
    joint, frame = step.joint, frames[step.far]
    way = joint.place if step.is_forward else joint.place.inverse()
    drawn = frames[step.near].inverse().then(way.then(frame))
    axis = np.array(joint.axis)
    if len(axis):
        # seen from the other end the same coordinate turns and slides about the opposite axis
        axis = frame.inverse().turned(axis if step.is_forward else -joint.place.turned(axis))
    origin = _at_zero(drawn, joint, axis)
    is_turned = frame.is_turned or frames[step.near].is_turned
    is_as_said = any(joint.rpy) and step.is_forward and origin is drawn and not is_turned
    rpy = joint.rpy if is_as_said else rpy_of(origin.R)
    return Carried(joint, step.near, step.far, origin, rpy, numbers(axis))


def _at_zero(drawn: Placement, joint: Joint, axis: Array) -> Placement:
    """Return where the carried link is when the coordinate is 0 and not the reference."""
    q = -joint.reference
    if q == 0.0:
        return drawn
    if joint.type == "prismatic":
        return Placement(drawn.R, drawn.point(q * axis))
    turn = np.array([math.cos(q / 2.0), *(math.sin(q / 2.0) * axis)])
    return Placement(times(drawn.R, rotation_matrix(turn)), drawn.p)
