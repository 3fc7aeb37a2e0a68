"""Helical: the child turns about an axis and travels along it, so far per turn."""

from __future__ import annotations

import math

import numpy as np

from mbd_fmu.elements.closing import (
    AXES_PARALLEL,
    METRES,
    ON_AXIS,
    Closing,
    ClosingRow,
    FramePair,
    Placed,
    X,
    Y,
)
from mbd_fmu.elements.jets import Jet, cosine, product, sine
from mbd_fmu.elements.joint import JointType, Subspace, unit_columns
from mbd_fmu.elements.keys import Number
from mbd_fmu.elements.names import scalar_names
from mbd_fmu.elements.symbols import DOTTED_CIRCLE, JointSymbol, pin, ring
from mbd_fmu.elements.turns import Z, quaternion_about, turn_about_z
from mbd_fmu.spatial import Scalar, array

# k = (lead,): travel per radian


def _ahead(at: FramePair) -> Jet:
    """By how much M is turned ahead of its travel, as a length."""
    turn = at.along(2).times(1.0 / at.k[0])  # the angle that belongs to the travel
    ahead = product(sine(turn), at.across(X, X)) - product(cosine(turn), at.across(Y, X))
    return ahead.times(at.k[0])


def _in_thread(at: Placed) -> Scalar:
    """Cosine of the angle by which it is ahead of its travel."""
    turn = at.p[2:] / at.k[0]
    return np.cos(turn)[0] * at.R[0, 0] + np.sin(turn)[0] * at.R[1, 0]


def _does_not_travel(pitch: float) -> tuple[str, str]:
    return f"{pitch:g} m", "give the travel per turn; a joint that does not travel is revolute"


JOINT = JointType(
    name="helical",
    allows="turns about `axis`, with `pitch` metres of travel per turn",
    place=lambda q, k: (turn_about_z(q[0]), array([0.0, 0.0, k[0] * q[0]])),
    motion=Subspace(
        S=lambda _, k: array([[0.0], [0.0], [1.0], [0.0], [0.0], [k[0]]]),
        bias=lambda *_: np.zeros(6),
        T=lambda *_: unit_columns(2),  # the drive is a torque about the axis
    ),
    turn=lambda q, _: quaternion_about(Z, q[0]),
    neutral=(0.0,),
    names=scalar_names("turns"),
    closing=Closing(
        rows=(*ON_AXIS, *AXES_PARALLEL, ClosingRow(METRES, _ahead)),
        coordinates=lambda at: array([at.p[2] / at.k[0]]),
        branch=lambda at: array([at.R[2, 2], _in_thread(at)]),
    ),
    symbol=JointSymbol(DOTTED_CIRCLE, (pin(3.4, 0.45), ring(-0.5), ring(0.0), ring(0.5))),
    keys=(Number("pitch", "travel per turn", at_zero=_does_not_travel),),
    constants=lambda own, _: array([own[0] / (2.0 * math.pi)]),
    is_axial=True,
)
