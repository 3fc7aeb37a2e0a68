"""The functions that expressions may call, on floats, on symbols and on Taylor numbers.

Floats follow IEEE 754. What else computes answers NumPy's functions of one argument by methods of
their names, and all others by ``computed(name, operands)``, the name being the tape's own.

Checked  tests/unit/test_expressions.py
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Scalar = Any


@dataclass(frozen=True)
class Function:
    """A function: how it is written, what it means, how many arguments it takes, its value."""

    shown: str
    meaning: str
    value: Callable[..., Scalar]
    least: int = 1
    most: int = 1

    @property
    def arguments(self) -> str:
        """How many it takes, in words."""
        if self.most > self.least:
            return f"{self.least} arguments or more"
        return "1 argument" if self.least == 1 else f"{self.least} arguments"


def applied(operation: Callable[..., Scalar], *operands: Scalar) -> Scalar:
    """Apply to numbers by IEEE 754, to symbols as they like."""
    if not all(isinstance(x, int | float | np.number) for x in operands):
        return operation(*operands)
    with np.errstate(all="ignore"):  # the result says it: not a number, or infinite
        return float(operation(*map(np.float64, operands)))


def _of_one(function: Callable[..., Scalar]) -> Callable[[Scalar], Scalar]:
    def value(x: Scalar) -> Scalar:
        if isinstance(x, int | float | np.number):
            return applied(function, x)
        # through an object array, so that NumPy asks the symbol and not the other way round
        with np.errstate(all="ignore"):  # of numbers inside
            return function(np.array([x], dtype=object))[0]

    return value


def _named(name: str, function: Callable[..., Scalar]) -> Callable[..., Scalar]:
    def value(*operands: Scalar) -> Scalar:
        for x in operands:
            if not isinstance(x, int | float | np.number):
                return x.computed(name, operands)
        return applied(function, *operands)

    return value


lesser, greater = _named("fmin", np.fmin), _named("fmax", np.fmax)
angle_of = _named("atan2", np.arctan2)
not_above = _named("le", np.less_equal)  # 1 where the first is at most the second, else 0


def smooth_step(x: Scalar, a: Scalar, b: Scalar) -> Scalar:
    """From 0 at a to 1 at b, level beyond both, with continuous first and second derivatives."""
    s = lesser(greater(applied(operator.truediv, x - a, b - a), 0.0), 1.0)
    return s * s * s * (10.0 + s * (6.0 * s - 15.0))


def _lesser_of_all(*operands: Scalar) -> Scalar:
    found, *others = operands
    for x in others:
        found = lesser(found, x)
    return found


def _greater_of_all(*operands: Scalar) -> Scalar:
    found, *others = operands
    for x in others:
        found = greater(found, x)
    return found


MANY = 100  # arguments of min and max, at most
_ANGLE = "of an angle in rad"
FUNCTIONS: dict[str, Function] = {
    "sin": Function("sin(x)", f"sine {_ANGLE}", _of_one(np.sin)),
    "cos": Function("cos(x)", f"cosine {_ANGLE}", _of_one(np.cos)),
    "tan": Function("tan(x)", f"tangent {_ANGLE}", _of_one(np.tan)),
    "asin": Function("asin(x)", "angle of a sine, from -pi/2 to pi/2", _of_one(np.arcsin)),
    "acos": Function("acos(x)", "angle of a cosine, from 0 to pi", _of_one(np.arccos)),
    "atan": Function("atan(x)", "angle of a tangent, from -pi/2 to pi/2", _of_one(np.arctan)),
    "atan2": Function("atan2(y, x)", "angle of a point (x, y), from -pi to pi", angle_of, 2, 2),
    "sqrt": Function("sqrt(x)", "square root", _of_one(np.sqrt)),
    "exp": Function("exp(x)", "exponential", _of_one(np.exp)),
    "log": Function("log(x)", "natural logarithm", _of_one(np.log)),
    "tanh": Function("tanh(x)", "hyperbolic tangent: a smooth sign", _of_one(np.tanh)),
    "abs": Function("abs(x)", "size; a kink at 0", _of_one(np.abs)),
    "sign": Function("sign(x)", "-1, 0 or 1; jumps at 0", _named("sign", np.sign)),
    "min": Function("min(x, y, …)", "the least; kinks where it changes", _lesser_of_all, 2, MANY),
    "max": Function("max(x, y, …)", "the largest; likewise", _greater_of_all, 2, MANY),
    "unit_step": Function(
        "unit_step(x)", "0 below 0, from there on 1; jumps", lambda x: not_above(0.0, x)
    ),
    "smooth_step": Function(
        "smooth_step(x, a, b)",
        "from 0 at a to 1 at b, level beyond: 10 s³ − 15 s⁴ + 6 s⁵",  # noqa: RUF001
        smooth_step,
        3,
        3,
    ),
}
