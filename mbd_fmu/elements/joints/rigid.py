"""Rigid: the child does not move in the parent."""

from __future__ import annotations

import numpy as np

from mbd_fmu.elements.closing import AXES_PARALLEL, NO_TWIST, POINTS_MEET, Closing, axes_upright
from mbd_fmu.elements.joint import JointType, constant_subspace, unit_columns
from mbd_fmu.elements.names import Names
from mbd_fmu.elements.symbols import JointSymbol, box
from mbd_fmu.elements.turns import NO_TURN

JOINT = JointType(
    name="rigid",
    allows="none",
    place=lambda *_: (np.eye(3), np.zeros(3)),
    motion=constant_subspace(unit_columns()),
    turn=lambda *_: NO_TURN,
    neutral=(),
    names=Names(),
    closing=Closing(
        rows=(POINTS_MEET, *AXES_PARALLEL, NO_TWIST),
        coordinates=lambda _: np.zeros(0),
        branch=axes_upright,
    ),
    symbol=JointSymbol(solids=(box(1.4, 1.4, 1.4),)),
    has_axis=False,
    is_axial=True,
)
