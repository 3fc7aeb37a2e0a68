"""A joint as the forest sees it: from carrier to carried body, however it was declared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mbd_fmu.elements.axes import any_across, axes_about
from mbd_fmu.elements.joint import OF_CHILD, JointType
from mbd_fmu.model.spec import Joint, Spec
from mbd_fmu.quantities.vectors import Values, quaternion_of, unit_vector_of, vector_of
from mbd_fmu.spatial import Array, conjugate, rotation_matrix, times
from mbd_fmu.topology.forest import Forest


@dataclass(frozen=True)
class Arrangement:
    """Where a joint sits on carrier P and carried body C, in their frames U."""

    kind: JointType
    point_P: Array
    point_C: Array
    quat_PC: Array  # turn from the carrier's U to the carried body's U as drawn
    axis_C: Array  # unit vector; zeros where there is no axis
    axis2_C: Array  # likewise
    x_C: Array  # where x of its frames is given, the direction it is nearest to
    own: Array  # numbers of the type's own keys
    mirrored: bool  # seen from its declared child, and not only with the axis turned round

    @property
    def R_PC(self) -> Array:
        """The turn as a matrix."""
        return rotation_matrix(self.quat_PC)

    @property
    def joint_type(self) -> JointType:
        """What the algorithms need to know."""
        return self.kind.from_child() if self.mirrored else self.kind

    def constants(self, axis2_M: Array) -> Array:
        """Return k of the joint, from its second axis in M."""
        return self.kind.constants(self.own, axis2_M)


def arrangements(spec: Spec, forest: Forest, parameters: Values) -> tuple[Arrangement, ...]:
    """Arrange all joints, in forest order."""
    return tuple(
        arrange(spec.joints[k], against=against, parameters=parameters)
        for k, against in zip(forest.joint, forest.reversed, strict=True)
    )


def arrange(joint: Joint, *, against: bool, parameters: Values) -> Arrangement:
    """Arrange one joint, seen from its declared child if ``against``."""
    point, point2 = vector_of(joint.point, parameters), vector_of(joint.point2, parameters)
    quat = quaternion_of(joint.orientation, parameters)
    axis, axis2 = (
        unit_vector_of(a, parameters) if a else np.zeros(3) for a in (joint.axis, joint.axis2)
    )
    own, kind = vector_of(joint.own, parameters), joint.kind
    x = axis2 if joint.axis2 and kind.second_axis != OF_CHILD else any_across(axis)
    if not joint.axis2:
        axis2 = axis if kind.second_axis == OF_CHILD else x
    if not against:
        return Arrangement(kind, point, point2, quat, axis, axis2, x, own, mirrored=False)
    R_PC = rotation_matrix(quat)
    axis, axis2, x = times(R_PC, axis), times(R_PC, axis2), times(R_PC, x)
    if kind.is_axial:
        # Seen from the other end the same coordinate turns and slides about the opposite axis.
        axis = -axis
    back = conjugate(quat)
    return Arrangement(kind, point2, point, back, axis, axis2, x, own, mirrored=not kind.is_axial)


def joint_axes(joint: Joint, parameters: Values) -> Array:
    """Axes of a joint in the U of its declared child, which carries them: z along its axis."""
    if not joint.kind.has_axis:
        return np.eye(3)
    drawn = arrange(joint, against=False, parameters=parameters)
    return axes_about(drawn.axis_C, drawn.x_C)
