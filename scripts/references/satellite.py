"""A free-flying hub with appendages by Pinocchio; the springs of the panels are joint torques."""

import numpy as np

from scripts.references._ode import held, rows_of_time
from scripts.references._pinocchio import Tree


def inputs(_):
    t = rows_of_time(4.0, 0.02)
    return held(
        t, **{"shoulder.tau": 3.0 * np.sin(2.0 * t), "elbow.tau": -1.5 * np.sin(3.0 * t + 0.4)}
    )


def reference(spec, inputs):
    k = spec.nominal["panel_stiffness"]

    def springs(q, _, __):
        tau = np.zeros(10)
        tau[6:8] = -k * q[7:9]
        return tau

    keep = ["left_root.q", "right_root.q", "shoulder.q", "elbow.q", "hub.com", "hub.quat"]
    keep += ["forearm.com", "energy.kinetic"]
    return Tree(spec, springs).simulate(inputs.time, inputs, keep=keep)
