"""Revolute: the child turns about an axis."""

from __future__ import annotations

import numpy as np

from mbd_fmu.elements.closing import (
    AXES_PARALLEL,
    POINTS_MEET,
    Closing,
    angle_about_z,
    axis_upright,
)
from mbd_fmu.elements.joint import JointType, constant_subspace, unit_columns
from mbd_fmu.elements.names import scalar_names
from mbd_fmu.elements.symbols import CIRCLE, JointSymbol, pin
from mbd_fmu.elements.turns import Z, quaternion_about, turn_about_z
from mbd_fmu.spatial import array

JOINT = JointType(
    name="revolute",
    allows="turns about `axis`",
    place=lambda q, _: (turn_about_z(q[0]), np.zeros(3)),
    motion=constant_subspace(unit_columns(2)),
    turn=lambda q, _: quaternion_about(Z, q[0]),
    neutral=(0.0,),
    names=scalar_names("turns"),
    closing=Closing(
        rows=(POINTS_MEET, *AXES_PARALLEL),
        coordinates=lambda at: array([angle_about_z(at)]),
        branch=axis_upright,
    ),
    symbol=JointSymbol(CIRCLE, (pin(2.6, 0.55),)),
    is_axial=True,
    can_twist=True,
)
