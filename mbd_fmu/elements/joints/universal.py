"""Universal (Cardan, Hooke): about an axis fixed in the parent, then about one fixed in the child.

The second axis need not be across the first; the two keep their angle.
"""

from __future__ import annotations

import numpy as np

from mbd_fmu.elements.closing import POINTS_MEET, SINE, Closing, ClosingRow, FramePair, Placed
from mbd_fmu.elements.jets import Jet, dot
from mbd_fmu.elements.joint import REQUIRED, JointType, Subspace
from mbd_fmu.elements.names import scalar_names
from mbd_fmu.elements.symbols import DOTTED_CIRCLE, JointSymbol, pin
from mbd_fmu.elements.turns import Z, angle_near, quaternion_about, turn_about_z
from mbd_fmu.spatial import Array, array, quaternion_product, rotation_matrix, scaled, skew, times

# k is the second axis, in M


def _place(q: Array, k: Array) -> tuple[Array, Array]:
    return times(turn_about_z(q[0]), rotation_matrix(quaternion_about(k, q[1]))), np.zeros(3)


def _first_axis(q: Array, k: Array) -> Array:
    """The axis fixed in F, seen from M."""
    return times(rotation_matrix(quaternion_about(k, q[1])).T, Z)


def _S(q: Array, k: Array) -> Array:
    S = np.zeros((6, 2), dtype=np.result_type(q, k))
    S[:3, 0], S[:3, 1] = _first_axis(q, k), k
    return S


def _bias(q: Array, v: Array, k: Array) -> Array:
    """The first axis turns backwards about the second, seen from M."""
    moving = times(skew(_first_axis(q, k)), k)
    return np.concatenate([scaled(v[0] * v[1], moving), np.zeros(3)])


def _T(q: Array, k: Array) -> Array:
    """S (S^T S)^-1; the axes keep their angle, mostly a right one."""
    S, cosine = _S(q, k), k[2]
    inverse = 1.0 / (1.0 - cosine * cosine)
    G = array([[inverse, -cosine * inverse], [-cosine * inverse, inverse]])
    return times(S, G)


def _angle_kept(at: FramePair) -> Jet:
    return dot(at.axes_F[2], at.on_child(at.k)).plus(-at.k[2])


def _angles(at: Placed) -> Array:
    """About z of F, which takes k to R k; and about k, from z of F as M sees it to z."""
    k = at.k
    turned, seen = times(at.R, k), times(at.R.T, Z)
    first = k[0] * turned[1] - k[1] * turned[0], k[0] * turned[0] + k[1] * turned[1]
    second = -times(times(skew(k), Z), seen), seen[2] - times(k, seen) * k[2]
    return array([angle_near(*first, at.near[0]), angle_near(*second, at.near[1])])


JOINT = JointType(
    name="universal",
    allows="turns about `axis` (fixed in the parent), then about `axis2` (fixed in the child)",
    place=_place,
    motion=Subspace(_S, _bias, _T),
    turn=lambda q, k: quaternion_product(quaternion_about(Z, q[0]), quaternion_about(k, q[1])),
    neutral=(0.0, 0.0),
    names=scalar_names("turns", "turns"),
    closing=Closing(rows=(POINTS_MEET, ClosingRow(SINE, _angle_kept)), coordinates=_angles),
    symbol=JointSymbol(DOTTED_CIRCLE, (pin(2.8, 0.4), pin(2.8, 0.4, about_second=True))),
    second_axis=REQUIRED,
    constants=lambda _, axis2_M: axis2_M,
)
