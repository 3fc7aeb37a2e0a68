"""What restricts a tree: cut joints and constraints, with numbers or symbols put in.

A cut joint sits, like a joint of the tree, between a frame F on its declared parent and a frame M
on its declared child; they coincide in the drawn position.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mbd_fmu.mechanics.arrangement import arrange
from mbd_fmu.mechanics.frames import axes_about, snap
from mbd_fmu.mechanics.joints import JointType, drawn_position, joint_constants
from mbd_fmu.model.spec import Constraint, Spec
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import Values, Vector, unit_vector_of, vector_of
from mbd_fmu.spatial import Array, Scalar, array
from mbd_fmu.topology.forest import WORLD, Forest


@dataclass(frozen=True)
class BodyPoint:
    """A point of a body, in its B; or of the ground (WORLD), in the world."""

    body: int
    place: Array


@dataclass(frozen=True)
class Mount:
    """A frame that a body carries: its axes (columns) and origin in B."""

    body: int
    axes: Array
    origin: Array


@dataclass(frozen=True)
class Cut:
    """A joint that closes a loop; q and v are its places among all coordinates and velocities."""

    type: str
    joint: JointType
    F: Mount
    M: Mount
    quat_PC: Array  # turn from the parent's U to the child's U as drawn
    constants: Array
    reference: Array  # q in the drawn position
    q: slice
    v: slice


@dataclass(frozen=True)
class PlacedConstraint:
    """A constraint that is no joint; see ``model.spec.Constraint``. Axes in B of their bodies."""

    type: str
    parent: BodyPoint
    child: BodyPoint
    axis: Array
    normal: Array
    length: Scalar
    joints: tuple[int, ...]  # forest index; cut joints are counted on from the last body
    ratio: Scalar
    offset: Scalar
    second: tuple[BodyPoint, Array] | None  # centre and axis of the other disc


def cuts_of(
    spec: Spec,
    forest: Forest,
    parameters: Values,
    end: Callable[[str, Vector], BodyPoint],
    R_UB: tuple[Array, ...],
) -> tuple[Cut, ...]:
    """Place the cut joints on their bodies; ``end`` finds points of bodies."""
    found = []
    for k, q, v in zip(forest.cut, forest.cut_q, forest.cut_v, strict=True):
        joint = spec.joints[k]
        drawn = arrange(joint, against=False, parameters=parameters)
        axes_C = axes_about(drawn.axis_C, drawn.axis2_C) if drawn.has_axis else np.eye(3)
        parent, child = end(joint.parent, joint.point), end(joint.child, joint.point2)
        found.append(
            Cut(
                type=joint.type,
                joint=drawn.joint_type,
                F=_mount(parent, drawn.R_PC @ axes_C, R_UB),
                M=_mount(child, axes_C, R_UB),
                quat_PC=drawn.quat_PC,
                constants=joint_constants(joint.type, drawn.pitch, axes_C.T @ drawn.axis2_C),
                reference=vector_of(drawn_position(joint), parameters),
                q=q,
                v=v,
            )
        )
    return tuple(found)


def _mount(end: BodyPoint, axes_U: Array, R_UB: tuple[Array, ...]) -> Mount:
    axes = axes_U if end.body == WORLD else R_UB[end.body].T @ axes_U
    return Mount(end.body, snap(axes), end.place)


def placed_constraints(
    spec: Spec,
    forest: Forest,
    parameters: Values,
    end: Callable[[str, Vector], BodyPoint],
    R_UB: tuple[Array, ...],
) -> tuple[PlacedConstraint, ...]:
    """Place the constraints on their bodies."""
    order = {spec.joints[k].name: i for i, k in enumerate((*forest.joint, *forest.cut))}

    def direction(body: int, axis: Vector) -> Array:
        if not axis:
            return np.zeros(3)
        d_U = unit_vector_of(axis, parameters)
        return d_U if body == WORLD else R_UB[body].T @ d_U

    found = []
    for c in spec.constraints:
        parent = end(c.parent, c.point or (0.0, 0.0, 0.0))
        child = end(c.child, c.point2 or (0.0, 0.0, 0.0))
        owner = parent if c.type in ("point_on_line", "point_in_plane") else child
        other = end(*c.second) if c.second else None
        found.append(
            PlacedConstraint(
                type=c.type,
                parent=parent,
                child=child,
                axis=direction(owner.body, c.axis),
                normal=direction(parent.body, c.normal),
                length=_length(c, parameters),
                joints=tuple(order[name] for name in c.joints),
                ratio=value_of(c.ratio, parameters),
                offset=value_of(c.offset, parameters),
                second=(other, direction(other.body, c.axis)) if other else None,
            )
        )
    return tuple(found)


def _length(constraint: Constraint, parameters: Values) -> Scalar:
    """As given, or as drawn in the world."""
    if constraint.length is not None:
        return value_of(constraint.length, parameters)
    if constraint.type != "distance":
        return 0.0
    between = vector_of(constraint.point2, parameters) - vector_of(constraint.point, parameters)
    return np.sqrt(array([between @ between]))[0]
