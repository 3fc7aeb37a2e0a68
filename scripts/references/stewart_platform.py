"""Stewart's platform in maximal coordinates under held forces in the legs."""

import numpy as np

from scripts.references._maximal import Mechanism
from scripts.references._ode import held, rows_of_time


def inputs(_):
    t = rows_of_time(0.5, 0.01)
    return held(t, **{f"leg{k}.f": 32.0 + 10.0 * np.sin(9.0 * t + 1.1 * k) for k in range(1, 7)})


def reference(spec, inputs):
    keep = ["leg", "middle.r", "front.r", "left.r", "energy"]
    return Mechanism(spec).simulate(inputs.time, inputs, keep=keep)
