"""Furuta's pendulum by Pinocchio under a held torque."""

import numpy as np

from scripts.references._ode import held, rows_of_time
from scripts.references._pinocchio import Tree


def inputs(_):
    t = rows_of_time(2.0, 0.01)
    return held(t, **{"motor.tau": 0.06 * np.sin(5 * t) * np.exp(-0.3 * t)})


def reference(spec, inputs):
    keep = ["motor", "hinge.q", "hinge.force", "rod.com", "rod.quat", "energy"]
    return Tree(spec).simulate(inputs.time, inputs, keep=keep)
