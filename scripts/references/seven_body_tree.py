"""The tree of seven bodies by Pinocchio under held torques."""

import numpy as np

from scripts.references._ode import held, rows_of_time
from scripts.references._pinocchio import Tree

WEIGHT = (0.0, -17.0, 11.0, -4.0, 0.0, 0.0, 0.0)
SWING = (2.0, 1.5, -1.5, 0.8, 0.3, 0.2, 0.1)


def inputs(_):
    t = rows_of_time(1.0, 0.01)
    torque = {
        f"joint{k + 1}.tau": WEIGHT[k] + SWING[k] * np.sin(2 * np.pi * t + 0.5 * k)
        for k in range(7)
    }
    return held(t, **torque)


def reference(spec, inputs):
    keep = [f"joint{k}.q" for k in range(1, 8)] + ["joint1.force", "joint1.torque", "energy"]
    return Tree(spec).simulate(inputs.time, inputs, keep=keep)
