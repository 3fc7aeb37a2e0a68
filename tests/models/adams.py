"""The cases of Project Chrono: one body each, as MSC ADAMS tells its motion."""

import numpy as np
from scipy.spatial.transform import Rotation

from tests.models.drawn_world import quaternions, vectors

JOINTS = ("Revolute", "Prismatic", "Cylindrical", "Universal", "Spherical", "RotSpring")
OTHERS = ("Distance", "RevSpherical", "TranSpring")
COLUMNS = {
    "position": "Pos",
    "velocity": "Vel",
    "quaternion": "Quat",
    "spin": "Avel",
    "force": "Rforce",
    "torque": "Rtorque",
}


def told(table, what):
    """A vector or quaternion of a table of theirs; None where it holds none."""
    letters = ("e0", "e1", "e2", "e3") if what == "quaternion" else ("x", "y", "z")
    names = [f"{COLUMNS[what]}_{letter}" for letter in letters]
    if names[0] not in table:
        return None
    return np.stack([table.column(name) for name in names], axis=1)


def motion(name, case, ours):
    """Ours in their words: the body's own frame, and reactions on the ground."""
    R = Rotation.from_quat(np.roll(quaternions(ours, "b.quat."), -1, axis=1))
    turned = R * Rotation.from_matrix(np.array(case["body_frame_R0"]))
    found = {
        "position": vectors(ours, "b.com."),
        "velocity": vectors(ours, "b.v."),
        "quaternion": np.roll(turned.as_quat(canonical=False), 1, axis=1),
        "spin": vectors(ours, "b.w."),
    }
    if name in JOINTS:
        force, torque = vectors(ours, "j.force."), vectors(ours, "j.torque.")
        # our torque acts at the point the body carries, theirs at the one the ground keeps
        point = np.array(case["model_AWD"]["joints"][0]["point"])
        carried = vectors(ours, "b.r.") + R.apply(point)
        found |= {"force": -force, "torque": -torque - np.cross(carried - point, force)}
    if name == "Distance":  # the force on the ground: along the rod, against what pushes it apart
        along = found["position"] / 2.0
        found["force"] = -ours.column("j.lambda[1]")[:, None] * along
    return found
