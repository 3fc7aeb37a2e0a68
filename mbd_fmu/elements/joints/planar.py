"""Planar: the child turns about an axis and slides across it, along directions of the parent."""

from __future__ import annotations

import numpy as np

from mbd_fmu.elements.closing import AXES_PARALLEL, IN_PLANE, Closing, angle_about_z, axis_upright
from mbd_fmu.elements.joint import OPTIONAL, JointType, Subspace
from mbd_fmu.elements.names import scalar_names
from mbd_fmu.elements.symbols import JointSymbol, box
from mbd_fmu.elements.turns import Z, quaternion_about, turn_about_z
from mbd_fmu.spatial import Array, array, scaled, skew, times


def _S(q: Array, k: Array) -> Array:
    del k
    S = np.zeros((6, 3), dtype=q.dtype)
    S[2, 0] = 1.0
    S[3:, 1:] = turn_about_z(q[0]).T[:, :2]
    return S


def _bias(q: Array, v: Array, k: Array) -> Array:
    """The directions of sliding are fixed in F and turn backwards seen from M."""
    slide = times(_S(q, k)[3:, 1:], v[1:])
    return np.concatenate([np.zeros(3), -times(skew(scaled(v[0], Z)), slide)])


JOINT = JointType(
    name="planar",
    allows="turns about `axis`, slides along `axis2` and across both, fixed in the parent",
    place=lambda q, _: (turn_about_z(q[0]), array([q[1], q[2], 0.0])),
    motion=Subspace(_S, _bias, _S),
    turn=lambda q, _: quaternion_about(Z, q[0]),
    neutral=(0.0, 0.0, 0.0),
    names=scalar_names("turns", "slides", "slides"),
    closing=Closing(
        rows=(IN_PLANE, *AXES_PARALLEL),
        coordinates=lambda at: array([angle_about_z(at), at.p[0], at.p[1]]),
        branch=axis_upright,
    ),
    symbol=JointSymbol(solids=(box(3.0, 0.12, 3.0),), is_supported=False),
    second_axis=OPTIONAL,
)
