"""Where a body is in the world."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mbd_fmu.spatial import Array, rotation_matrix


@dataclass(frozen=True, eq=False)
class Pose:
    """Origin, as drawn, and orientation of a body in the world."""

    position: Array  # (3,), <body>.r
    quaternion: Array  # (4,): w, x, y, z, <body>.quat

    @property
    def rotation(self) -> Array:
        """Axes of the body in the world, (3, 3): a vector of the body becomes one of the world."""
        return rotation_matrix(self.quaternion)

    @property
    def matrix(self) -> Array:
        """The homogeneous matrix, (4, 4)."""
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = self.rotation, self.position
        return T


@dataclass(frozen=True, eq=False)
class Reaction:
    """What a joint exerts on its child by its constraints, at the joint point, world axes."""

    force: Array  # (3,), <joint>.force
    torque: Array  # (3,), <joint>.torque
