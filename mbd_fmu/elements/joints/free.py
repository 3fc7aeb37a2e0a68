"""Free: the child moves and turns as it likes; the joint restricts nothing."""

from __future__ import annotations

import numpy as np

from mbd_fmu.elements.closing import Closing
from mbd_fmu.elements.joint import JointType, constant_subspace
from mbd_fmu.elements.names import MOVING, TURNING, Names
from mbd_fmu.spatial import Array, quaternion_rate, rotation_matrix


def _rate(q: Array, v: Array) -> Array:
    return np.concatenate([quaternion_rate(q[:4], v[:3]), rotation_matrix(q[:4]) @ v[3:]])


JOINT = JointType(
    name="free",
    allows="turns and moves: unit quaternion, displacement",
    place=lambda q, _: (rotation_matrix(q[:4]), q[4:]),
    motion=constant_subspace(np.eye(6)),
    turn=lambda q, _: q[:4],
    rate=_rate,
    neutral=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    names=Names(
        TURNING.positions + MOVING.positions,
        TURNING.velocities + MOVING.velocities,
        TURNING.accelerations + MOVING.accelerations,
        TURNING.drives + MOVING.drives,
    ),
    closing=Closing(rows=(), coordinates=lambda at: np.concatenate([at.quat, at.p])),
    has_axis=False,
    quaternion=True,
    leads_anywhere=True,
    for_a_point=', or make the joint "translational": a point does not turn',
)
