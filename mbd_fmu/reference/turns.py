"""Turns that are led: quaternions of rotation vectors with their exact derivatives in time.

Q(t) = exp(e(t)) exp(g(t)) Q_given, in Taylor series up to the third derivative: the twin of
``runtime/turns.c``.

Source   Neidinger (2010), SIAM Rev. 52, p. 545: arithmetic of Taylor series; the derivative of the
         exponential: Iserles et al. (2000), Acta Numerica 9, sec. 2.5.
Checked  tests/unit/test_motions.py
"""

from __future__ import annotations

import math

import numpy as np

from mbd_fmu.spatial import Array, quaternion_product, rotation_matrix, skew

ORDER = 4  # a value and three derivatives
TERMS = 10  # of the series of sine and cosine: good for turns of less than one radian


def unit(quat: Array) -> Array:
    """Return a quaternion brought to length 1."""
    return quat / np.sqrt(quat @ quat)


def conjugate(quat: Array) -> Array:
    """Return the quaternion of the turn back."""
    return quat * np.array([1.0, -1.0, -1.0, -1.0])


def rotation_vector(quat: Array) -> Array:
    """Of a unit quaternion, the short way round."""
    quat = -quat if quat[0] < 0.0 else quat
    size = math.sqrt(quat[1:] @ quat[1:])
    factor = 2.0 * math.atan2(size, quat[0]) / size if size > 0.0 else 2.0
    return factor * quat[1:]


def turned_by(theta: Array) -> Array:
    """Return the quaternion of a rotation vector."""
    series = _exponential(np.concatenate([theta[:, None], np.zeros((3, ORDER - 1))], axis=1))
    return series[0]


def difference(y: Array, x: Array, *, turns: bool) -> Array:
    """Return what leads from x to y: a rotation vector if they are quaternions."""
    return rotation_vector(quaternion_product(y, conjugate(x))) if turns else y - x


def moved(by: Array, x: Array, *, turns: bool) -> Array:
    """Return x moved on, or turned on if it is a quaternion."""
    return quaternion_product(turned_by(by), x) if turns else x + by


def _exponential(phi: Array) -> Array:
    """Taylor series, (4, 4) by order, of exp(phi) for phi (3, 4) with its derivatives.

    A long turn is a short one, done twice and twice again.
    """
    twice = _halvings(float(phi[:, 0] @ phi[:, 0]))
    coefficients = np.ldexp(phi, -twice) / np.array([1.0, 1.0, 2.0, 6.0])
    square = sum((_series_product(c, c) for c in coefficients), np.zeros(ORDER))
    cosine, sine = np.zeros(ORDER), np.zeros(ORDER)  # cos(|phi|/2), sin(|phi|/2) / |phi|
    for n in range(TERMS, 0, -1):
        cosine[0] += 1.0
        sine[0] += 1.0
        cosine = _series_product(cosine, square) / (-4.0 * (2 * n) * (2 * n - 1))
        sine = _series_product(sine, square) / (-4.0 * (2 * n + 1) * (2 * n))
    cosine[0] += 1.0
    sine[0] += 1.0
    q = np.stack([cosine, *(_series_product(sine, c) / 2.0 for c in coefficients)], axis=1)
    for _ in range(twice):
        q = _turn_product(q, q)
    return q


def _halvings(square: float) -> int:
    """How often a vector of that squared length must be halved to be shorter than 1."""
    return (math.frexp(square)[1] + 1) // 2 if square >= 1.0 and math.isfinite(square) else 0


def _turn_product(a: Array, b: Array) -> Array:
    """Product of two series of quaternions."""
    return np.array(
        [
            np.sum([quaternion_product(a[k], b[n - k]) for k in range(n + 1)], axis=0)
            for n in range(ORDER)
        ]
    )


def _series_product(a: Array, b: Array) -> Array:
    return np.array([sum(a[k] * b[n - k] for k in range(n + 1)) for n in range(ORDER)])


def turned(fading: Array, guide: Array, prescribed: Array) -> tuple[Array, Array, Array, Array]:
    """Quaternion, angular velocity, its first and second derivative, all exact."""
    led = _turn_product(_exponential(fading), _exponential(guide))
    Q = [quaternion_product(c, prescribed) for c in led]
    back = [conjugate(c) for c in Q]
    w = 2.0 * quaternion_product(Q[1], back[0])[1:]
    alpha = 4.0 * quaternion_product(Q[2], back[0])[1:]
    jerk = 12.0 * quaternion_product(Q[3], back[0]) + 4.0 * quaternion_product(Q[2], back[1])
    return Q[0], w, alpha, jerk[1:]


def turning_error(at_start: Array, prescribed: Array, start: tuple[Array, Array, Array]) -> Array:
    """What fades, such that orientation, angular velocity and acceleration are those at the start.

    ``at_start`` is the guide there: rotation vector, from ``prescribed`` on, with its derivatives.
    """
    q, w, alpha = start
    Q, w_guide, _, _ = turned(np.zeros((3, ORDER)), at_start, prescribed)
    e0 = difference(q, Q, turns=True)
    inverse = _inverse_of_tangent(e0)
    e1 = inverse @ (w - rotation_matrix(turned_by(e0)) @ w_guide)
    error = np.stack([e0, e1, np.zeros(3), np.zeros(3)], axis=1)
    error[:, 2] = inverse @ (alpha - turned(error, at_start, prescribed)[2])
    return error[:, :3]


def _inverse_of_tangent(phi: Array) -> Array:
    """T with phi' = T w, where exp(phi) turns at w in fixed axes."""
    square = float(phi @ phi)
    half = math.sqrt(square) / 2.0
    factor = (
        (1.0 - half / math.tan(half)) / square if square > 1e-3 else (1.0 + square / 60.0) / 12.0
    )
    across = skew(phi)
    inverse: Array = np.eye(3) - across / 2.0 + factor * (across @ across)
    return inverse
