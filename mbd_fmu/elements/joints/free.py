"""Free: the child moves and turns as it likes; the joint restricts nothing.

Its motion, and that of a moving base, is prescribed in axes of the parent:

    r, quat, v, w, a, alpha   ->   q = (quat, r),  v_J = (R^T w, R^T v),
                                   dv_J/dt = (R^T alpha, R^T a - (R^T w) x (R^T v))

Source   Time derivative of a vector in moving axes; Featherstone (2008), sec. 2.10.
Checked  tests/laws/test_motion.py, tests/unit/test_joints.py
"""

from __future__ import annotations

import numpy as np

from mbd_fmu.elements import prescribed
from mbd_fmu.elements.closing import Closing
from mbd_fmu.elements.joint import JointType, constant_subspace
from mbd_fmu.elements.names import MOVING, TURNING, Names
from mbd_fmu.elements.prescribed import (
    ACCELERATION,
    ALPHA,
    POSITION,
    QUAT,
    VELOCITY,
    JointMotion,
    Part,
    PrescribedLayout,
    W,
    vector_components,
)
from mbd_fmu.spatial import Array, quaternion_rate, rotation_matrix, skew, times


def _rate(q: Array, v: Array) -> Array:
    return np.concatenate([quaternion_rate(q[:4], v[:3]), times(rotation_matrix(q[:4]), v[3:])])


class FreeLayout(PrescribedLayout):
    """The displacement and the turn of the child, in axes of the parent."""

    def motion(self, inputs: Array) -> JointMotion:
        """Return the motion that the inputs prescribe."""
        given = self.pick(inputs)
        turned = prescribed.TURNING.motion(
            np.concatenate([given[part.name] for part in prescribed.TURNING.parts])
        )
        R_FM = rotation_matrix(turned.q)
        v_M = times(R_FM.T, given["v"])
        vd_M = times(R_FM.T, given["a"]) - times(skew(turned.v), v_M)
        return JointMotion(
            np.concatenate([turned.q, given["r"]]),
            np.concatenate([turned.v, v_M]),
            np.concatenate([turned.vd, vd_M]),
        )

    def part(self, name: str, motion: JointMotion) -> Array:
        """Return a part of the displacement, or of the turn."""
        turned = JointMotion(motion.q[:4], motion.v[:3], motion.vd[:3])
        if name in prescribed.TURNING.slices:
            return prescribed.TURNING.part(name, turned)
        if name == "r":
            return motion.q[4:]
        v_M, vd_M = motion.v[3:], motion.vd[3:]
        in_M = v_M if name == "v" else vd_M + times(skew(turned.v), v_M)
        found: Array = times(rotation_matrix(turned.q), in_M)
        return found


LAYOUT = FreeLayout(
    (
        Part(
            "r",
            POSITION,
            vector_components("r", "m", "displacement since drawn of the joint point"),
        ),
        QUAT,
        Part("v", VELOCITY, vector_components("v", "m/s", "velocity of the joint point")),
        W,
        Part("a", ACCELERATION, vector_components("a", "m/s2", "acceleration of the joint point")),
        ALPHA,
    )
)


JOINT = JointType(
    name="free",
    allows="turns and moves: unit quaternion, displacement",
    place=lambda q, _: (rotation_matrix(q[:4]), q[4:]),
    motion=constant_subspace(np.eye(6)),
    turn=lambda q, _: q[:4],
    rate=_rate,
    neutral=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    names=Names(
        TURNING.positions + MOVING.positions,
        TURNING.velocities + MOVING.velocities,
        TURNING.accelerations + MOVING.accelerations,
        TURNING.drives + MOVING.drives,
    ),
    closing=Closing(rows=(), coordinates=lambda at: np.concatenate([at.quat, at.p])),
    has_axis=False,
    prescribed_by=LAYOUT,
    quaternion=True,
    leads_anywhere=True,
    for_a_point=', or make the joint "translational": a point does not turn',
)
