"""What acts on a mechanism from outside, as a viewer draws it: wrenches, and drives of joints.

A viewer knows poses and the values of inputs over time. So each input is told with the point of a
body where it acts and the force and torque that one unit of it is, in axes of that body or of the
world. Drives of joints whose directions turn with their coordinates are not told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mbd_fmu.drawing.scene_places import Numbers
from mbd_fmu.elements.force import Force
from mbd_fmu.elements.joint import NONE
from mbd_fmu.model.spec import Joint
from mbd_fmu.spatial import Array, array, scaled


@dataclass(frozen=True)
class SceneLoad:
    """One input: ``part`` of element ``name``, acting on a body at a point of it."""

    name: str
    part: str
    body: str
    point: Numbers
    force: Numbers  # that one unit of the input is
    torque: Numbers
    in_body_axes: bool


def drive_loads(joint: Joint, body: str, point: Numbers, axis: Numbers) -> Iterator[SceneLoad]:
    """Yield what the drives of a joint do to its child; ``axis`` in the child's axes."""
    kind = joint.kind
    if joint.drive == "none" or kind.second_axis != NONE:
        return
    T = kind.motion.T(np.array(kind.neutral), np.zeros(len(kind.keys))).astype(float)
    for n, drive in enumerate(kind.names.drives):
        # z of the joint's frame is its axis; where it has none, the frame is the child's
        torque, force = (_along(T[rows, n], axis) for rows in (slice(3), slice(3, 6)))
        yield SceneLoad(joint.name, drive.name, body, point, force, torque, in_body_axes=True)


def force_loads(force: Force, body: str, point: Numbers) -> Iterator[SceneLoad]:
    """Yield what the inputs of a force are, of one that acts from outside."""
    for push in force.pushes:
        parts = push.force.tolist(), push.torque.tolist()
        in_body_axes = push.in_body_axes
        yield SceneLoad(force.name, push.part, body, point, *parts, in_body_axes=in_body_axes)


def _along(part: Array, axis: Numbers) -> Numbers:
    found = scaled(part[2], array(axis)) if axis else part
    return list(found.tolist())
