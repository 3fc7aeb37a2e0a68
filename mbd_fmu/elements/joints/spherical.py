"""Spherical: a ball in its socket; the child turns about the joint point as it likes."""

from __future__ import annotations

import numpy as np

from mbd_fmu.elements import prescribed
from mbd_fmu.elements.closing import POINTS_MEET, Closing
from mbd_fmu.elements.joint import JointType, constant_subspace, unit_columns
from mbd_fmu.elements.names import TURNING
from mbd_fmu.elements.symbols import DOTTED_CIRCLE, JointSymbol, ball
from mbd_fmu.spatial import quaternion_rate, rotation_matrix

JOINT = JointType(
    name="spherical",
    allows="turns: unit quaternion; velocities in axes of the child",
    place=lambda q, _: (rotation_matrix(q), np.zeros(3)),
    motion=constant_subspace(unit_columns(0, 1, 2)),
    turn=lambda q, _: q,
    rate=quaternion_rate,
    neutral=(1.0, 0.0, 0.0, 0.0),
    names=TURNING,
    closing=Closing(rows=(POINTS_MEET,), coordinates=lambda at: at.quat),
    symbol=JointSymbol(DOTTED_CIRCLE, (ball(1.2),)),
    prescribed_by=prescribed.TURNING,
    has_axis=False,
    quaternion=True,
    for_a_point=', or make the joint "universal"',
)
