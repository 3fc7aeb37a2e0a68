"""SCARA with a cylindrical joint, in maximal coordinates under held drives."""

import numpy as np

from scripts.references._maximal import Mechanism
from scripts.references._ode import held, rows_of_time


def inputs(spec):
    t = rows_of_time(1.0, 0.02)
    drives = {
        "shoulder.tau": 4.0 * np.sin(2 * np.pi * t),
        "elbow.tau": -1.0 * np.sin(2 * np.pi * t + 0.3),
        "spindle.tau": 0.05 * np.cos(6.0 * t),
        "spindle.f": spec.nominal["m3"] * 9.81 + 0.6 * np.sin(5.0 * t),
    }
    return held(t, **drives)


def reference(spec, inputs):
    keep = ["shoulder.", "elbow.", "spindle.q", "spindle.force", "quill.com", "energy.kinetic"]
    return Mechanism(spec).simulate(
        inputs.time, inputs, keep=keep, reactions=("shoulder", "elbow", "spindle")
    )
