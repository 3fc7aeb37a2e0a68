"""The spatial slider-crank in maximal coordinates, with reactions."""

from scripts.references._maximal import Mechanism
from scripts.references._ode import rows_of_time


def reference(spec, _):
    keep = ["bearing.", "guide.", "ball.force", "rod.com", "rod.quat", "energy"]
    return Mechanism(spec).simulate(
        rows_of_time(1.0, 0.01), keep=keep, reactions=("bearing", "guide", "ball")
    )
