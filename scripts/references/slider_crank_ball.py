"""The slider-crank with a ball, in maximal coordinates, with all reactions.

Its motion is that of the plane one: checked against the closed-form equation.
"""

import numpy as np

from scripts.references import slider_crank
from scripts.references._maximal import Mechanism

inputs = slider_crank.inputs


def reference(spec, inputs):
    keep = ["bearing.", "crank_pin.force", "wrist_pin.force", "rod.com"]
    keep += ["bore.force", "bore.torque"]
    found = Mechanism(spec).simulate(
        inputs.time, inputs, keep=keep, reactions=("bearing", "crank_pin", "bore", "wrist_pin")
    )
    q, *_ = slider_crank.motion(spec, inputs)
    assert np.abs(found.column("bearing.q") - q).max() < 1e-8
    return found
