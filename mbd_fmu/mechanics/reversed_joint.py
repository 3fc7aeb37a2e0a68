"""The same joint seen from its child.

Source   Transforms of motion and force vectors, Featherstone (2008), sec. 2.8.
Checked  tests/unit/test_joints.py, tests/laws/test_invariance.py
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mbd_fmu.mechanics.joints import JointType, Subspace
from mbd_fmu.spatial import Array, conjugate, skew


def reversed_joint(joint: JointType) -> JointType:
    """Return the joint with the roles of F and M exchanged, in the same coordinates.

    With V = S v the motion of M in F, that of F in M, seen from F, is -X_FM V; its bias is
    -X_FM (S' v), because V x V = 0. Wrenches of drives act on the other body: -X_FM^* T.
    """

    def place(q: Array, k: Array) -> tuple[Array, Array]:
        R, p = joint.place(q, k)
        return R.T, -(R.T @ p)

    def carried(q: Array, k: Array, V: Array) -> Array:
        """-X_FM V, of motion vectors in columns."""
        R, p = joint.place(q, k)
        w = R @ V[:3]
        return -np.concatenate([w, R @ V[3:] + skew(p) @ w])

    def exerted(q: Array, k: Array) -> Array:
        R, p = joint.place(q, k)
        F = joint.motion.T(q, k)
        f = R @ F[3:]
        return -np.concatenate([R @ F[:3] + skew(p) @ f, f])

    return replace(
        joint,
        place=place,
        motion=Subspace(
            S=lambda q, k: carried(q, k, joint.motion.S(q, k)),
            bias=lambda q, v, k: carried(q, k, joint.motion.bias(q, v, k)),
            T=exerted,
        ),
        turn=lambda q, k: conjugate(joint.turn(q, k)),
    )
