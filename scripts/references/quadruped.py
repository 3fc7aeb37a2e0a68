"""Pinocchio with its own reader of the URDF, under held torques, DOP853 at 1e-12 over each row."""

import numpy as np

from mbd_fmu.model.library import library
from scripts.references._ode import held, rows_of_time
from scripts.references._urdf import UrdfRobot

LEGS = [f"{end}_{side}" for end in ("front", "rear") for side in ("left", "right")]
START = {f"{leg}_swing": 0.8 for leg in LEGS} | {f"{leg}_knee": -1.6 for leg in LEGS}
# ours is angular, then linear, in axes of the trunk; Pinocchio's linear, then angular
RATE = {"trunk_joint": [0.8, 0.0, 2.5, 0.3, 1.5, -0.4]}


def inputs(spec):
    """Torques that draw the legs in and stretch them again, each at its own time."""
    del spec
    t = rows_of_time(0.5, 0.005)
    columns = {}
    for n, leg in enumerate(LEGS):
        phase = 2 * np.pi * (2 * t + n / 4)
        columns |= {
            f"{leg}_abduction.tau": 0.4 * np.sin(phase),
            f"{leg}_swing.tau": 0.9 * np.cos(phase),
            f"{leg}_knee.tau": 0.5 * np.sin(2 * phase),
        }
    return held(t, **columns)


def reference(spec, inputs):
    del spec
    it = UrdfRobot(library()["quadruped"] / "model.urdf")
    rows = it.simulate(inputs.time, START, RATE, it.drives(inputs))
    return it.signals(inputs.time, rows, ["trunk", *(f"{leg}_shank" for leg in LEGS)])
