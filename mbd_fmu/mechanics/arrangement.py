"""A joint as the forest sees it: from carrier to carried body, however it was declared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mbd_fmu.model.quantities import Values, quaternion_of, unit_vector_of, vector_of
from mbd_fmu.model.spec import Joint, Spec
from mbd_fmu.spatial import Array, conjugate, rotation_matrix
from mbd_fmu.topology.forest import Forest


@dataclass(frozen=True)
class Arrangement:
    """Where a joint sits on carrier P and carried body C, in their frames U."""

    type: str
    point_P: Array
    point_C: Array
    quat_PC: Array  # turn from the carrier's U to the carried body's U as drawn
    axis_C: Array  # unit vector; zeros where there is no axis

    @property
    def R_PC(self) -> Array:
        """The turn as a matrix."""
        return rotation_matrix(self.quat_PC)

    @property
    def has_axis(self) -> bool:
        """Revolute and prismatic joints have one."""
        return self.type in ("revolute", "prismatic")

    @property
    def can_twist(self) -> bool:
        """A constant turn about z can be added to the coordinate."""
        return self.type == "revolute"

    @property
    def is_free(self) -> bool:
        """The coordinates are those of the whole body: its axes stay the user's."""
        return self.type == "free"


def arrangements(spec: Spec, forest: Forest, parameters: Values) -> tuple[Arrangement, ...]:
    """Arrange all joints, in forest order."""
    return tuple(
        _arrange(spec.joints[k], against, parameters)
        for k, against in zip(forest.joint, forest.reversed, strict=True)
    )


def _arrange(joint: Joint, against: bool, parameters: Values) -> Arrangement:
    point, point2 = vector_of(joint.point, parameters), vector_of(joint.point2, parameters)
    quat = quaternion_of(joint.orientation, parameters)
    axis = unit_vector_of(joint.axis, parameters) if joint.axis else np.zeros(3)
    if not against:
        return Arrangement(joint.type, point, point2, quat, axis)
    # Seen from the other end the same coordinate turns and slides about the opposite axis.
    return Arrangement(joint.type, point2, point, conjugate(quat), -(rotation_matrix(quat) @ axis))
