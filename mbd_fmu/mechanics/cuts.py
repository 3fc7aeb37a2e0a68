"""Joints that close loops, with numbers or symbols put in.

A cut joint sits, like a joint of the tree, between a frame F on its declared parent and a frame M
on its declared child; they coincide in the drawn position.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mbd_fmu.elements.axes import axes_about, snap
from mbd_fmu.elements.joint import JointType
from mbd_fmu.elements.places import WORLD, BodyFrame, BodyPoint, Places
from mbd_fmu.mechanics.arrangement import Arrangement, arrange
from mbd_fmu.model.spec import Joint, Spec
from mbd_fmu.spatial import Array, times
from mbd_fmu.topology.forest import Forest


@dataclass(frozen=True)
class Cut:
    """A joint that closes a loop; q and v are its places among all coordinates and velocities."""

    kind: JointType
    F: BodyFrame
    M: BodyFrame
    quat_PC: Array  # turn from the parent's U to the child's U as drawn
    constants: Array
    reference: Array  # q in the drawn position
    q: slice
    v: slice


@dataclass(frozen=True)
class JointEnds:
    """A joint as drawn, and the frames it sits between."""

    F: BodyFrame  # on the declared parent
    M: BodyFrame  # on the declared child
    axis2_M: Array
    drawn: Arrangement


def joint_ends(joint: Joint, places: Places) -> JointEnds:
    """Place a joint on its bodies; z of its frames is its axis, if it has one."""
    drawn = arrange(joint, against=False, parameters=places.parameters)
    axes_C = axes_about(drawn.axis_C, drawn.x_C) if joint.kind.has_axis else np.eye(3)
    parent = places.point(joint.parent, joint.point)
    child = places.point(joint.child, joint.point2)
    return JointEnds(
        F=_frame(parent, times(drawn.R_PC, axes_C), places),
        M=_frame(child, axes_C, places),
        axis2_M=times(axes_C.T, drawn.axis2_C),
        drawn=drawn,
    )


def cuts_of(spec: Spec, forest: Forest, places: Places) -> tuple[Cut, ...]:
    """Place the cut joints on their bodies."""
    found = []
    for k, q, v in zip(forest.cut, forest.cut_q, forest.cut_v, strict=True):
        joint = spec.joints[k]
        ends = joint_ends(joint, places)
        found.append(
            Cut(
                kind=joint.kind,
                F=ends.F,
                M=ends.M,
                quat_PC=ends.drawn.quat_PC,
                constants=ends.drawn.constants(ends.axis2_M),
                reference=places.vector(joint.drawn_position),
                q=q,
                v=v,
            )
        )
    return tuple(found)


def _frame(at: BodyPoint, axes_U: Array, places: Places) -> BodyFrame:
    axes = axes_U if at.body == WORLD else times(places.R_UB[at.body].T, axes_U)
    return BodyFrame(at.body, snap(axes), at.place)
