"""Internal frames that make the geometry sparse, whatever axes the mechanism was drawn in.

The user's frames matter only for inputs and outputs; inside, the frame B of a body sits at its
joint point with z along the joint axis. What is left free is a turn about z. It is spent as
Denavit and Hartenberg do: x along the common normal to the next axis. The transform to the
next joint is then a turn about x and few lengths, with zeros elsewhere, and code without the
zeros is two to three times shorter.

    F   joint frame on the parent; B   joint frame on the body, equal to the internal frame
    x_F along the common normal of the parent's axis and this one
    x_B along the common normal of this axis and that of the first child
    twist = the angle from x_F to x_B about z in the drawn position

The choice is made once, for the parameters' declared values, and is then part of the structure.

Source   Denavit & Hartenberg (1955), J. Appl. Mech. 22, p. 215.
Checked  tests/laws/test_invariance.py: no result depends on the choice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mbd_fmu.elements.axes import PARALLEL, across, axes_about, snap
from mbd_fmu.elements.places import WORLD
from mbd_fmu.mechanics.arrangement import Arrangement, arrangements
from mbd_fmu.model.spec import Spec
from mbd_fmu.spatial import Array, array, is_number, length_of, scaled, skew, times
from mbd_fmu.topology.forest import Forest


@dataclass(frozen=True)
class Frames:
    """For each body: z and x axis of F in the body's U as drawn, and the twist from F to B."""

    z_F: tuple[Array, ...]
    x_F: tuple[Array, ...]
    twist: tuple[float, ...]


def choose_frames(spec: Spec, forest: Forest) -> Frames:
    """Choose the turns about the joint axes."""
    drawn = arrangements(spec, forest, spec.nominal)
    z_F: list[Array] = []
    x_F: list[Array] = []
    twist: list[float] = []
    axes_of: list[Array] = []  # axes of B in U, per body
    for i, joint in enumerate(drawn):
        parent_axes = np.eye(3) if forest.parent[i] == WORLD else axes_of[forest.parent[i]]
        R_CP = times(joint.R_PC.T, parent_axes)  # the parent's internal axes, in the child's U
        if not joint.kind.has_axis:
            z_F.append(np.eye(3)[2])
            x_F.append(np.eye(3)[0])
            twist.append(0.0)
            axes_of.append(axes_without_axis(joint, R_CP))
            continue
        z = joint.axis_C
        given = joint.x_C if joint.kind.has_x_axis else None
        x = _common_normal(R_CP[:, 2], z, joint.point_C) if given is None else given
        x = across(R_CP[:, 0] if x is None else x, z)
        z_F.append(z)
        x_F.append(x)
        turn = _twist(z, x, _next_normal(i, z, drawn, forest)) if joint.kind.can_twist else 0.0
        twist.append(turn)
        axes_of.append(times(axes_about(z, x), turn_about_z(turn)))
    return Frames(tuple(z_F), tuple(x_F), tuple(twist))


def axes_without_axis(joint: Arrangement, R_CP: Array) -> Array:
    """Axes of F in U as drawn, of a joint without axis: the carrier's, or the declared child's."""
    if not joint.kind.nv:
        return R_CP
    return joint.R_PC.T if joint.mirrored else np.eye(3)


def axes_turned(z: Array, z_F: Array, x_F: Array) -> Array:
    """Return the chosen axes, turned by the shortest way from their own z to another one.

    The way is that of an axis that depends on parameters; it is lost only half a turn away.
    """
    chosen = axes_about(z_F, x_F)
    if all(is_number(x) for x in z) and np.array_equal(z, z_F):
        return chosen
    K = skew(times(skew(z_F), z))
    shorten = 1.0 / (1.0 + times(z_F, z))
    turn = np.eye(3) + K + array([scaled(shorten, row) for row in times(K, K)])
    return snap(times(turn, chosen))


def turn_about_z(angle: float) -> Array:
    """Return the rotation matrix of a turn about z."""
    c, s = np.cos(angle), np.sin(angle)
    return snap(np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]))


def _common_normal(z: Array, z_next: Array, offset: Array) -> Array | None:
    """Return the direction across both axes; for parallel ones, from one to the other."""
    normal = np.cross(z, z_next)
    if length_of(normal) > PARALLEL:
        return normal / length_of(normal)
    across = offset - times(offset, z) * z
    if length_of(across) > PARALLEL * (1.0 + length_of(offset)):
        return across / length_of(across)
    return None


def _next_normal(i: int, z: Array, drawn: tuple[Arrangement, ...], forest: Forest) -> Array | None:
    """Return the common normal of the axis of body i and of its first child with an axis, in U."""
    for k in range(i + 1, len(forest)):
        child = drawn[k]
        if forest.parent[k] == i and child.kind.has_axis:
            z_next = times(child.R_PC, child.axis_C)
            return _common_normal(z, z_next, child.point_P - drawn[i].point_C)
    return None


def _twist(z: Array, x_F: Array, x_B: Array | None) -> float:
    """Return the angle from x_F to x_B about z."""
    if x_B is None:
        return 0.0
    return float(np.arctan2(times(z, np.cross(x_F, x_B)), times(x_F, x_B)))
