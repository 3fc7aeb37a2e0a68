"""How far a slider goes: as the variable says, else as its unit and the mechanism suggest.

A range limits nothing: a number beyond it can be typed, within the limits of the variable.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from mbd_fmu.system.variable import Variable

GRAVITY = 9.81  # m/s2: what forces are measured by
TURN = (-1.0, 1.0)  # each number of a quaternion of length 1
_SPREAD = 3.0  # a number of its own goes from 0 to so many times itself
_WIDE = 1e4  # between limits that are so many times apart, the lower ones have no room on a line


@dataclass(frozen=True)
class Scale:
    """What is large in a mechanism: mass in kg and length in m."""

    mass: float
    length: float

    def of(self, unit: str) -> float:
        """Return a large value of a unit, rounded up to 1, 2 or 5 times a power of ten."""
        weight = (self.mass or 1.0) * GRAVITY
        length = self.length or 1.0
        sizes = {
            "rad": math.pi,
            "rad/s": 10.0,
            "rad/s2": 50.0,
            "m": length,
            "m/s": 5.0 * length,
            "m/s2": 2.0 * GRAVITY,
            "N": weight,
            "N.m": weight * length,
        }
        return sizes[unit] if unit == "rad" else rounded_up(sizes.get(unit, 1.0))


def rounded_up(x: float) -> float:
    """Return the next of 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(x))
    return next(n * power for n in (1.0, 2.0, 5.0, 10.0) if x <= n * power * (1.0 + 1e-9))


def slider_range(variable: Variable, scale: Scale) -> tuple[float, float]:
    """Return where the slider of a variable begins and ends."""
    start = variable.start or 0.0
    if start and variable.causality == "parameter" and variable.unit != "rad":
        low, high = sorted((0.0, _SPREAD * start))
    else:
        reach = scale.of(variable.unit)
        low, high = min(-reach, start), max(reach, start)
    # limits near enough to see; an open end of them stays as it is
    if variable.min is not None and (variable.max is not None or variable.min > low):
        low = variable.min
    if variable.max is not None and (variable.min is not None or variable.max < high):
        high = variable.max
    return (low, high) if low < high else (low, low + 1.0)


def goes_by_powers(variable: Variable) -> bool:
    """Return whether a slider goes by powers of ten, as between the limits of a tolerance."""
    low, high = variable.min, variable.max
    return low is not None and high is not None and low > 0.0 and high >= _WIDE * low
