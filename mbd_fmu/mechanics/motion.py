"""Prescribed motion: coordinates, velocities and accelerations of a joint from its inputs.

A joint with one freedom takes q, dq/dt, d2q/dt2 as they are. A free joint, and the moving base with
it, takes the motion of the child in axes of the parent, as a user or another tool would give it:

    r, quat, v, w, a, alpha   ->   q = (quat, r),  v_J = (R^T w, R^T v),
                                   dv_J/dt = (R^T alpha, R^T a - (R^T w) x (R^T v))

Source   Time derivative of a vector in moving axes; Featherstone (2008), sec. 2.10.
Checked  tests/laws/test_motion.py
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mbd_fmu.spatial import Array, array, rotation_matrix, scaled, skew

# Lengths of the inputs of a free joint, in order: r, quat, v, w, a, alpha.
FREE_PARTS = (3, 4, 3, 3, 3, 3)


@dataclass(frozen=True)
class JointMotion:
    """What a joint does, whether it is asked or told."""

    q: Array
    v: Array
    vd: Array


def motion_of(inputs: Array) -> JointMotion:
    """Return the motion of a joint with one freedom (3 inputs) or of a free one (19 inputs)."""
    if len(inputs) == 3:
        return JointMotion(inputs[:1], inputs[1:2], inputs[2:])
    r, quat, v, w, a, alpha = np.split(inputs, np.cumsum(FREE_PARTS)[:-1])
    quat = scaled(1.0 / np.sqrt(array([quat @ quat]))[0], quat)
    R_FM = rotation_matrix(quat)
    w_M, v_M = R_FM.T @ w, R_FM.T @ v
    vd = np.concatenate([R_FM.T @ alpha, R_FM.T @ a - skew(w_M) @ v_M])
    return JointMotion(np.concatenate([quat, r]), np.concatenate([w_M, v_M]), vd)
