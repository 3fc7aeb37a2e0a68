"""Pinocchio with its own reader of the URDF, under held torques, DOP853 at 1e-12 over each row."""

import numpy as np
import pinocchio as pin

from mbd_fmu.model.library import library
from scripts.references._ode import held, rows_of_time
from scripts.references._urdf import UrdfRobot

# what the overlay says
ROTORS = {f"wrist_{n}": 0.02 for n in (1, 2, 3)}
ROTORS |= {"shoulder_pan": 0.5, "shoulder_lift": 0.5, "elbow": 0.3}
START = {"shoulder_lift": 0.4, "elbow": 1.1, "finger_left_joint": 0.03, "finger_right_joint": 0.03}
# by how much joints move within the second
REACH = {"shoulder_pan": 0.9, "shoulder_lift": 0.5, "elbow": -0.7}
REACH |= {"wrist_1": 0.6, "wrist_2": -0.8, "wrist_3": 1.0}
REACH |= {"finger_left_joint": -0.015, "finger_right_joint": -0.015}


def robot(spec):
    path = library()["gripper_arm"] / "model.urdf"
    return UrdfRobot(path, armature=ROTORS, points={"payload": spec.nominal["payload"]})


def inputs(spec):
    """Drives of a smooth motion, by the Newton-Euler algorithm; s = 10 t^3 - 15 t^4 + 6 t^5."""
    it, times = robot(spec), rows_of_time(1.0, 0.01)
    start, reach = np.zeros((2, it.model.nv))
    for name, value in START.items():
        start[it.number(name)] = value
    for name, value in REACH.items():
        reach[it.number(name)] = value
    found = []
    for t in times:
        s = 10 * t**3 - 15 * t**4 + 6 * t**5
        sd, sdd = 30 * t**2 - 60 * t**3 + 30 * t**4, 60 * t - 180 * t**2 + 120 * t**3
        tau = pin.rnea(it.model, it.data, start + s * reach, sd * reach, sdd * reach)
        tau += it.damping * sd * reach + it.model.armature * sdd * reach
        found.append(it.G.T @ tau)  # the drive of a finger moves both
    leaders = [name for name in it.model.names[1:] if name != "finger_right_joint"]
    names = [f"{name}.{'f' if 'finger' in name else 'tau'}" for name in leaders]
    return held(times, **dict(zip(names, np.array(found).T, strict=True)))


def reference(spec, inputs):
    it = robot(spec)
    rows = it.simulate(inputs.time, START, {}, it.drives(inputs))
    return it.signals(inputs.time, rows, ["base_link", "forearm_link", "wrist_3_link", "payload"])
