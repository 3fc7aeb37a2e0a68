"""A leg in swing by Pinocchio under held torques; dampers are joint torques."""

import numpy as np

from scripts.references._ode import held, rows_of_time
from scripts.references._pinocchio import Tree


def inputs(_):
    t = rows_of_time(0.4, 0.005)
    return held(
        t,
        **{
            "hip.tau": -18.0 * np.cos(np.pi * t / 0.4),  # forward first, then it brakes
            "knee.tau": 6.0 * np.sin(np.pi * t / 0.4) - 4.0,
            "ankle.tau": -1.2 + 0.5 * t,
        },
    )


def reference(spec, inputs):
    keep = ["hip", "knee", "ankle", "foot.com", "energy.kinetic"]
    found = Tree(spec).simulate(inputs.time, inputs, keep=keep)
    chosen = [k for k, n in enumerate(found.names) if ".torque." not in n]
    names = tuple(found.names[k] for k in chosen)
    return type(found)(found.time, names, found.values[:, chosen])
