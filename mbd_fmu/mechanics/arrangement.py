"""A joint as the forest sees it: from carrier to carried body, however it was declared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mbd_fmu.mechanics.joints import JOINTS, JointType
from mbd_fmu.mechanics.reversed_joint import reversed_joint
from mbd_fmu.model.elements import WITH_AXIS
from mbd_fmu.model.spec import Joint, Spec
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import Values, quaternion_of, unit_vector_of, vector_of
from mbd_fmu.spatial import Array, Scalar, conjugate, is_number, rotation_matrix
from mbd_fmu.topology.forest import Forest

# Joints that are the same from both ends but for the direction of their axis.
AXIAL = ("rigid", "revolute", "prismatic", "cylindrical", "helical")


@dataclass(frozen=True)
class Arrangement:
    """Where a joint sits on carrier P and carried body C, in their frames U."""

    type: str
    point_P: Array
    point_C: Array
    quat_PC: Array  # turn from the carrier's U to the carried body's U as drawn
    axis_C: Array  # unit vector; zeros where there is no axis
    axis2_C: Array  # likewise
    pitch: Scalar
    mirrored: bool  # seen from its declared child, and not only with the axis turned round

    @property
    def R_PC(self) -> Array:
        """The turn as a matrix."""
        return rotation_matrix(self.quat_PC)

    @property
    def has_axis(self) -> bool:
        """The z axis of its frames is given."""
        return self.type in WITH_AXIS

    @property
    def can_twist(self) -> bool:
        """A constant turn about z can be added to its first coordinate."""
        return self.type in ("revolute", "cylindrical")

    @property
    def has_two_axes(self) -> bool:
        """The x axis of its frames is given, too."""
        return self.type in ("universal", "planar")

    @property
    def joint_type(self) -> JointType:
        """What the algorithms need to know."""
        joint = JOINTS[self.type]
        return reversed_joint(joint) if self.mirrored else joint


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
    pitch = value_of(joint.pitch, parameters)
    if joint.type == "planar" and not joint.axis2:
        axis2 = any_across(axis)
    if not against:
        return Arrangement(joint.type, point, point2, quat, axis, axis2, pitch, mirrored=False)
    R_PC = rotation_matrix(quat)
    axis, axis2 = R_PC @ axis, R_PC @ axis2
    if joint.type in AXIAL:
        # Seen from the other end the same coordinate turns and slides about the opposite axis.
        axis = -axis
    mirrored = joint.type not in AXIAL
    return Arrangement(joint.type, point2, point, conjugate(quat), axis, axis2, pitch, mirrored)


def any_across(axis: Array) -> Array:
    """Return the world's direction nearest across an axis: x, or y where x is along it."""
    along_x = is_number(axis[0]) and abs(axis[0]) > 0.9
    return np.array([0.0, 1.0, 0.0] if along_x else [1.0, 0.0, 0.0])
