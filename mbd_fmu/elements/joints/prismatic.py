"""Prismatic: the child slides along an axis."""

from __future__ import annotations

import numpy as np

from mbd_fmu.elements.closing import AXES_PARALLEL, NO_TWIST, ON_AXIS, Closing, axes_upright
from mbd_fmu.elements.joint import JointType, constant_subspace, unit_columns
from mbd_fmu.elements.names import scalar_names
from mbd_fmu.elements.symbols import SQUARE, JointSymbol, box
from mbd_fmu.elements.turns import NO_TURN
from mbd_fmu.spatial import array

JOINT = JointType(
    name="prismatic",
    allows="slides along `axis`",
    place=lambda q, _: (np.eye(3), array([0.0, 0.0, q[0]])),
    motion=constant_subspace(unit_columns(5)),
    turn=lambda *_: NO_TURN,
    neutral=(0.0,),
    names=scalar_names("slides"),
    closing=Closing(
        rows=(*ON_AXIS, *AXES_PARALLEL, NO_TWIST),
        coordinates=lambda at: at.p[2:],
        branch=axes_upright,
    ),
    symbol=JointSymbol(SQUARE, (box(1.5, 3.0, 1.5),)),
    is_axial=True,
)
