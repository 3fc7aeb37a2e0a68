"""Translational: the child moves anywhere and never turns; how a point mass flies."""

from __future__ import annotations

import numpy as np

from mbd_fmu.elements.closing import AXES_PARALLEL, NO_TWIST, Closing, axes_upright
from mbd_fmu.elements.joint import JointType, constant_subspace, unit_columns
from mbd_fmu.elements.names import scalar_names
from mbd_fmu.elements.turns import NO_TURN

JOINT = JointType(
    name="translational",
    allows="moves along x, y, z of the child, which does not turn in the parent",
    place=lambda q, _: (np.eye(3), q),
    motion=constant_subspace(unit_columns(3, 4, 5)),
    turn=lambda *_: NO_TURN,
    neutral=(0.0, 0.0, 0.0),
    names=scalar_names(
        *("slides", "slides", "slides"),
        axes=tuple(f"{x} of the child, which does not turn in the parent" for x in "xyz"),
    ),
    closing=Closing(
        rows=(*AXES_PARALLEL, NO_TWIST),
        coordinates=lambda at: at.p,
        branch=axes_upright,
    ),
    has_axis=False,
    leads_anywhere=True,
)
