"""Prescribed motion: coordinates, velocities and accelerations of a joint from its inputs.

Joints that turn and slide about given axes take q, dq/dt, d2q/dt2 as they are. A free joint, and
the moving base with it, takes the motion of the child in axes of the parent, as a user or another
tool would give it; a spherical joint the turning half of that:

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


def motion_of(kind: str, inputs: Array) -> JointMotion:
    """Return the motion of a joint of the given type from its inputs."""
    if kind == "free":
        r, quat, v, w, a, alpha = np.split(inputs, np.cumsum(FREE_PARTS)[:-1])
        turned = _turning(quat, w, alpha)
        R_FM = rotation_matrix(turned.q)
        v_M = R_FM.T @ v
        vd_M = R_FM.T @ a - skew(turned.v) @ v_M
        return JointMotion(
            np.concatenate([turned.q, r]),
            np.concatenate([turned.v, v_M]),
            np.concatenate([turned.vd, vd_M]),
        )
    if kind == "spherical":
        return _turning(inputs[:4], inputs[4:7], inputs[7:])
    return JointMotion(*np.split(inputs, 3))


def _turning(quat: Array, w: Array, alpha: Array) -> JointMotion:
    quat = scaled(1.0 / np.sqrt(array([quat @ quat]))[0], quat)
    R_FM = rotation_matrix(quat)
    return JointMotion(quat, R_FM.T @ w, R_FM.T @ alpha)
