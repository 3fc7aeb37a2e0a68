"""Units of measurement: exponents of SI base units, and the display units people like.

A display unit follows FMI 2.0 sec. 2.2.2: shown value = factor * value.
"""

from __future__ import annotations

import math
import re

_DEG = 180.0 / math.pi
_RPM = 30.0 / math.pi

# unit -> (exponents of base units, display units with their factors; the first one is the default)
UNITS: dict[str, tuple[dict[str, int], dict[str, float]]] = {
    "rad": ({"rad": 1}, {"deg": _DEG}),
    "rad/s": ({"rad": 1, "s": -1}, {"deg/s": _DEG, "rpm": _RPM}),
    "rad/s2": ({"rad": 1, "s": -2}, {"deg/s2": _DEG}),
    "m": ({"m": 1}, {"mm": 1000.0}),
    "m/s": ({"m": 1, "s": -1}, {}),
    "m/s2": ({"m": 1, "s": -2}, {}),
    "m2": ({"m": 2}, {}),
    "kg": ({"kg": 1}, {}),
    "kg.m2": ({"kg": 1, "m": 2}, {}),
    "s": ({"s": 1}, {}),
    "N": ({"kg": 1, "m": 1, "s": -2}, {}),
    "N.m": ({"kg": 1, "m": 2, "s": -2}, {}),
    "N/m": ({"kg": 1, "s": -2}, {}),
    "N.s/m": ({"kg": 1, "s": -1}, {}),
    "N.m/rad": ({"kg": 1, "m": 2, "s": -2, "rad": -1}, {}),
    "N.m.s/rad": ({"kg": 1, "m": 2, "s": -1, "rad": -1}, {}),
    "1/s": ({"s": -1}, {}),
    "J": ({"kg": 1, "m": 2, "s": -2}, {}),
    "W": ({"kg": 1, "m": 2, "s": -3}, {}),
}


def shown_unit(unit: str) -> str:
    """Write a unit as people do; 1 is none."""
    return "" if unit == "1" else re.sub(r"(?<=[a-z])2\b", "²", unit).replace(".", "·")


def known_unit(name: str) -> bool:
    """Tell whether we know what a unit means."""
    return name in UNITS


def rate_unit(unit: str) -> str:
    """Return the unit of a derivative in time."""
    rates = {"1": "1/s", "rad": "rad/s", "rad/s": "rad/s2", "m": "m/s", "m/s": "m/s2", "J": "W"}
    return rates[unit]
