"""Prescribed motion: coordinates, velocities and accelerations of a joint from its inputs.

Joints that turn and slide about given axes take q, dq/dt, d2q/dt2 as they are. A free joint, and
the moving base with it, takes the motion of the child in axes of the parent, as a user or another
tool would give it; a spherical joint the turning half of that:

    r, quat, v, w, a, alpha   ->   q = (quat, r),  v_J = (R^T w, R^T v),
                                   dv_J/dt = (R^T alpha, R^T a - (R^T w) x (R^T v))

This is the one place that says in which order they stand.

Source   Time derivative of a vector in moving axes; Featherstone (2008), sec. 2.10.
Checked  tests/laws/test_motion.py
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mbd_fmu.spatial import Array, array, rotation_matrix, scaled, skew

# Names of what tells a motion, by level, and which levels are told in each way.
LEVELS = {
    "position": ("q", "r", "quat"),
    "velocity": ("qd", "v", "w"),
    "acceleration": ("qdd", "a", "alpha"),
}
GIVEN_LEVELS = {"full": tuple(LEVELS), "position": ("position",), "velocity": ("velocity",)}
_TURNING = {"quat": 4, "w": 3, "alpha": 3}
_FREE = {"r": 3, "quat": 4, "v": 3, "w": 3, "a": 3, "alpha": 3}


def parts_of(kind: str, freedoms: int) -> dict[str, slice]:
    """Return where each part of what tells a motion stands, counted from its first entry."""
    sizes = {"free": _FREE, "spherical": _TURNING}.get(
        kind, dict.fromkeys(("q", "qd", "qdd"), freedoms)
    )
    ends = np.cumsum(list(sizes.values()))
    return {
        part: slice(int(end) - n, int(end))
        for (part, n), end in zip(sizes.items(), ends, strict=True)
    }


def level_of(part: str) -> str:
    """Return whether a part is position, velocity or acceleration."""
    return next(level for level, parts in LEVELS.items() if part in parts)


@dataclass(frozen=True)
class JointMotion:
    """What a joint does, whether it is asked or told."""

    q: Array
    v: Array
    vd: Array


def motion_of(kind: str, inputs: Array) -> JointMotion:
    """Return the motion of a joint of the given type from its inputs."""
    given = {part: inputs[at] for part, at in parts_of(kind, len(inputs) // len(LEVELS)).items()}
    if kind == "free":
        r, v, a = given["r"], given["v"], given["a"]
        turned = _turning(given["quat"], given["w"], given["alpha"])
        R_FM = rotation_matrix(turned.q)
        v_M = R_FM.T @ v
        vd_M = R_FM.T @ a - skew(turned.v) @ v_M
        return JointMotion(
            np.concatenate([turned.q, r]),
            np.concatenate([turned.v, v_M]),
            np.concatenate([turned.vd, vd_M]),
        )
    if kind == "spherical":
        return _turning(given["quat"], given["w"], given["alpha"])
    return JointMotion(given["q"], given["qd"], given["qdd"])


def part_of(part: str, motion: JointMotion) -> Array:
    """Return a part of what would tell a free or spherical joint this motion."""
    quat, (w_M, v_M) = motion.q[:4], (motion.v[:3], motion.v[3:])
    if part in ("r", "quat"):
        return quat if part == "quat" else motion.q[4:]
    in_M = {
        "w": w_M,
        "v": v_M,
        "alpha": motion.vd[:3],
        "a": motion.vd[3:] + skew(w_M) @ v_M if len(v_M) else v_M,
    }
    return rotation_matrix(quat) @ in_M[part]


def _turning(quat: Array, w: Array, alpha: Array) -> JointMotion:
    quat = scaled(1.0 / np.sqrt(array([quat @ quat]))[0], quat)
    R_FM = rotation_matrix(quat)
    return JointMotion(quat, R_FM.T @ w, R_FM.T @ alpha)
