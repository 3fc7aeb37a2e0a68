"""Constant velocity (Rzeppa, Thompson): shafts that bend and pass their turning on unchanged.

With z along the parent's shaft and M' on the child, whose z is along the child's, M' is F turned
about an axis across z. There is no twist, and that is why both shafts turn at the same rate: w_FM
has no part along z_F + z_M'. The Gibbs vector g of that turn has no z, and its components are
tangents of half the bends: a bend about x or y alone is what its name says. Half a turn away, where
no such joint gets to, they have no value.

    w_M' = 2 (g' - g x g') / (1 + g.g),   g_i' = (1 + g_i^2) / 2 bend_i'                       (1)

As drawn the shafts may be bent already, by k, the child's shaft in M: then M' is M turned by
B(k), the shortest way from z to k; coordinates count from there.

Source   Bonev, Zlatanov & Gosselin, Advantages of the modified Euler angles in the design and
         control of PKMs (2002): zero torsion; Rodrigues parameters e.g. in Shuster, A survey of
         attitude representations, J. Astronaut. Sci. 41 (1993), p. 439.
Checked  tests/unit/test_joints.py, tests/laws/test_constant_velocity.py
"""

from __future__ import annotations

import numpy as np

from mbd_fmu.elements.closing import (
    POINTS_MEET,
    SINE,
    Closing,
    ClosingRow,
    FramePair,
    Placed,
)
from mbd_fmu.elements.jets import Jet, dot
from mbd_fmu.elements.joint import OF_CHILD, JointType, Subspace
from mbd_fmu.elements.names import scalar_names
from mbd_fmu.elements.symbols import DOTTED_CIRCLE, JointSymbol, ball, pin
from mbd_fmu.elements.turns import cosine_sine
from mbd_fmu.spatial import (
    Array,
    Scalar,
    array,
    conjugate,
    quaternion_product,
    rotation_matrix,
    scaled,
    times,
)


def _quaternion(g: Array) -> Array:
    """Of the turn with Gibbs vector g."""
    length = np.sqrt(array([1.0 + times(g, g)]))[0]
    return scaled(1.0 / length, array([1.0, g[0], g[1], 0.0]))


def _drawn(k: Array) -> Array:
    """Gibbs vector of the bend as drawn: z x k / (1 + z.k)."""
    return scaled(1.0 / (1.0 + k[2]), array([-k[1], k[0]]))


def _B(k: Array) -> Array:
    """R_MM'."""
    return rotation_matrix(_quaternion(_drawn(k)))


def _gibbs(q: Array, k: Array) -> Array:
    """Tangents of half the bends, by the sum of angles."""
    drawn = _drawn(k)
    found = []
    for n in (0, 1):
        c, s = cosine_sine(0.5 * q[n])
        found.append((s + c * drawn[n]) / (c - s * drawn[n]))
    return array(found)


def _turn(q: Array, k: Array) -> Array:
    return quaternion_product(_quaternion(_gibbs(q, k)), conjugate(_quaternion(_drawn(k))))


def _columns(g: Array) -> tuple[Array, Array]:
    """Angular velocities of unit rates, in M', by (1)."""
    square = 1.0 + times(g, g)
    of_x = scaled((1.0 + g[0] * g[0]) / square, array([1.0, 0.0, g[1]]))
    of_y = scaled((1.0 + g[1] * g[1]) / square, array([0.0, 1.0, -g[0]]))
    return of_x, of_y


def _S(q: Array, k: Array) -> Array:
    S = np.zeros((6, 2), dtype=np.result_type(q, k))
    S[:3] = times(_B(k), np.stack(_columns(_gibbs(q, k)), axis=1))
    return S


def _bias(q: Array, v: Array, k: Array) -> Array:
    """The time derivatives of both columns, times their rates."""
    g = _gibbs(q, k)
    of_x, of_y = _columns(g)
    d_x, d_y = (1.0 + g[0] * g[0]) / 2.0 * v[0], (1.0 + g[1] * g[1]) / 2.0 * v[1]
    fading: Scalar = -2.0 * (g[0] * d_x + g[1] * d_y) / (1.0 + times(g, g))  # of 1 / (1 + g.g)
    of_x = scaled(fading + g[0] * v[0], of_x) + array([0.0, 0.0, of_x[0] * d_y])
    of_y = scaled(fading + g[1] * v[1], of_y) + array([0.0, 0.0, -of_y[1] * d_x])
    return np.concatenate([times(_B(k), scaled(v[0], of_x) + scaled(v[1], of_y)), np.zeros(3)])


def _T(q: Array, k: Array) -> Array:
    """S (S^T S)^-1."""
    S = _S(q, k)
    a, b, c = times(S[:, 0], S[:, 0]), times(S[:, 0], S[:, 1]), times(S[:, 1], S[:, 1])
    inverse = 1.0 / (a * c - b * b)
    return times(S, array([[c * inverse, -b * inverse], [-b * inverse, a * inverse]]))


def _no_twist(at: FramePair) -> Jet:
    """Sine of the twist, where the shafts are straight."""
    x, y = (at.on_child(_B(at.k)[:, n]) for n in (0, 1))
    return (dot(at.axes_F[0], y) - dot(at.axes_F[1], x)).times(0.5)


def _bends(at: Placed) -> Array:
    R = times(at.R, _B(at.k))
    g = scaled(
        1.0 / (1.0 + R[0, 0] + R[1, 1] + R[2, 2]), array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0]])
    )
    return scaled(2.0, np.arctan(g) - np.arctan(_drawn(at.k)))


def _untwisted(at: Placed) -> Array:
    R = times(at.R, _B(at.k))
    return array([(R[0, 0] + R[1, 1]) / 2.0])


JOINT = JointType(
    name="constant_velocity",
    allows=(
        "bends about two axes across `axis`, the parent's shaft, by less than half a turn, and "
        "never twists about it; the first is the nearest to x, or to y for a shaft along x"
    ),
    place=lambda q, k: (rotation_matrix(_turn(q, k)), np.zeros(3)),
    motion=Subspace(_S, _bias, _T),
    turn=_turn,
    neutral=(0.0, 0.0),
    names=scalar_names("turns", "turns"),
    closing=Closing(
        rows=(POINTS_MEET, ClosingRow(SINE, _no_twist)),
        coordinates=_bends,
        branch=_untwisted,
    ),
    symbol=JointSymbol(DOTTED_CIRCLE, (ball(1.1), pin(3.0, 0.5))),
    second_axis=OF_CHILD,
    constants=lambda _, axis2_M: axis2_M,
)
