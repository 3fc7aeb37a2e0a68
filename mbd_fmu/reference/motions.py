"""Inputs within a communication step: the twin of ``runtime/motions.c``.

Checked  tests/unit/test_motions.py against closed forms, tests/twins/test_roads.py against the C.
"""

from __future__ import annotations

import math

import numpy as np

from mbd_fmu.export.variables import Table
from mbd_fmu.spatial import Array, Scalar, quaternion_product


def inputs_at(table: Table, u: Array, u_rate: Array, t: float) -> Array:
    """Inputs a time t into the step; prescribed motions stay one motion, as in ``motions.c``."""
    now = u + u_rate * t
    for motion in table.motions:
        for q, v, a in motion.signals:
            now[q] = _later(t, u[q], u[v], u[a], u_rate[a])
            now[v] = _later(t, u[v], u[a], u_rate[a], 0.0)
        if motion.turn:
            quat, w, alpha = (slice(k, k + n) for k, n in zip(motion.turn, (4, 3, 3), strict=True))
            theta = _later(t, np.zeros(3), u[w], u[alpha], u_rate[alpha])
            now[w] = _later(t, u[w], u[alpha], u_rate[alpha], np.zeros(3))
            now[quat] = quaternion_product(_quaternion_of_vector(theta), u[quat])
    return now


def _later(t: float, y: Scalar, dy: Scalar, ddy: Scalar, dddy: Scalar) -> Scalar:
    """A quantity, its rate, second and third derivative, a time t later."""
    return y + t * (dy + t * (ddy / 2.0 + t * dddy / 6.0))


def _quaternion_of_vector(theta: Array) -> Array:
    angle = math.sqrt(theta @ theta)
    factor = math.sin(angle / 2.0) / angle if angle > 0.0 else 0.5
    return np.concatenate([[math.cos(angle / 2.0)], factor * theta])
