"""Double wishbones in maximal coordinates; set down on the road, then a bump."""

import numpy as np

from scripts.references._maximal import Mechanism
from scripts.references._ode import held, rows_of_time


def inputs(_):
    t = rows_of_time(1.0, 0.01)
    return held(t, **{"bump.force.z": np.where((t > 0.395) & (t < 0.445), 2000.0, 0.0)})


def reference(spec, inputs):
    keep = ["heave.", "lower_hinge.q", "upper_hinge.q", "lower_ball.force", "upper_ball.force"]
    keep += ["carrier.com", "carrier.quat", "energy.kinetic", "energy.potential"]
    return Mechanism(spec).simulate(
        inputs.time, inputs, keep=keep, reactions=("lower_ball", "upper_ball", "heave")
    )
