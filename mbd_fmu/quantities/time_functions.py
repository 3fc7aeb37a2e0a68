"""Functions of time, as a model gives them: forces, torques and motions that are no inputs.

    5, "F0"                                    what stays as it is
    "A*sin(2*pi*f*time)", { expression = … }   an expression of `time` and parameters
    { sine = { amplitude, frequency, phase, offset } }
                                               offset + amplitude sin(2 pi frequency t + phase)
    { polynomial = [c0, c1, …] }               c0 + c1 t + …
    { table = [[t, value], …], ends = … }      a cubic spline: two continuous derivatives

Derivatives come with them, from Taylor numbers; so nobody tells rates of a motion.

A table with ends at "rest" begins and ends level, and stays there before and after; one that goes
on "straight" has no curvature at its ends, and none beyond. A spline is a sum of rises, each cubic
in the share of its piece that has passed: no branch, so that symbols take it, too.

Source   de Boor, A Practical Guide to Splines (2001), ch. IV: complete and natural splines.
Checked  tests/unit/test_time_functions.py
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from mbd_fmu.errors import Problem, shortened
from mbd_fmu.quantities.expressions import (
    TIME,
    Law,
    Quantity,
    is_finite,
    value_of,
)
from mbd_fmu.quantities.functions import FUNCTIONS, Scalar, not_above
from mbd_fmu.quantities.limits import SMALLEST
from mbd_fmu.quantities.scope import possible_names
from mbd_fmu.quantities.showing import show
from mbd_fmu.quantities.table import Table
from mbd_fmu.quantities.taylor import Taylor, taylor

ENDS = ("rest", "straight")
MOST_POINTS = 500  # of a table: each piece of it is code
FORMS = ("expression", "sine", "polynomial", "table")

Values = Mapping[str, Scalar]


@dataclass(frozen=True)
class TimeFunction:
    """A function of time and parameters; fields hold quantities, laws or numbers."""

    def value(self, t: Scalar, parameters: Values) -> Scalar:
        """Return its value at a time, a number, a symbol or a Taylor number."""
        raise NotImplementedError

    def levels(self, t: Scalar, parameters: Values) -> Taylor:
        """Return value, rate and second rate."""
        return taylor(self.value(Taylor(t, 1.0), parameters))

    @property
    def uses_time(self) -> bool:
        """It may change."""
        return True


@dataclass(frozen=True)
class Formula(TimeFunction):
    """An expression of time and parameters, perhaps of none of them."""

    law: Law | float

    def value(self, t: Scalar, parameters: Values) -> Scalar:
        """Put them in."""
        return self.law.value(parameters, {TIME: t}) if isinstance(self.law, Law) else self.law

    @property
    def uses_time(self) -> bool:
        """It names the time."""
        return isinstance(self.law, Law) and TIME in self.law.names


@dataclass(frozen=True)
class Sine(TimeFunction):
    """offset + amplitude sin(2 pi frequency t + phase)."""

    amplitude: Quantity
    frequency: Quantity
    phase: Quantity
    offset: Quantity

    def value(self, t: Scalar, parameters: Values) -> Scalar:
        """Put numbers in."""
        a, f, phase, offset = (
            value_of(x, parameters)
            for x in (self.amplitude, self.frequency, self.phase, self.offset)
        )
        return FUNCTIONS["sin"].value(t * (2.0 * math.pi * f) + phase) * a + offset


@dataclass(frozen=True)
class Polynomial(TimeFunction):
    """c0 + c1 t + …, by Horner's rule."""

    coefficients: tuple[Quantity, ...]

    def value(self, t: Scalar, parameters: Values) -> Scalar:
        """Put numbers in."""
        total: Scalar = 0.0
        for c in reversed(self.coefficients):
            total = t * total + value_of(c, parameters)
        return total

    @property
    def uses_time(self) -> bool:
        """It is more than a constant."""
        return len(self.coefficients) > 1


@dataclass(frozen=True)
class Spline(TimeFunction):
    """A cubic spline through points (t, value)."""

    points: tuple[tuple[float, float], ...]
    ends: str

    @cached_property
    def slopes(self) -> tuple[float, ...]:
        """Its slopes at the points, so that curvature is continuous; de Boor, eq. IV.9."""
        t, y = np.array(self.points).T
        h, n = np.diff(t), len(t)
        chord = np.diff(y) / h
        matrix, right = np.zeros((n, n)), np.zeros(n)
        for i in range(1, n - 1):
            matrix[i, i - 1 : i + 2] = h[i], 2.0 * (h[i - 1] + h[i]), h[i - 1]
            right[i] = 3.0 * (h[i] * chord[i - 1] + h[i - 1] * chord[i])
        if self.ends == "rest":
            matrix[0, 0] = matrix[-1, -1] = 1.0
        else:
            matrix[0, :2], matrix[-1, -2:] = (2.0, 1.0), (1.0, 2.0)
            right[0], right[-1] = 3.0 * chord[0], 3.0 * chord[-1]
        return tuple(float(s) for s in np.linalg.solve(matrix, right))

    def value(self, t: Scalar, parameters: Values) -> Scalar:
        """Sum the rises of all pieces, and go on straight before and after."""
        del parameters
        total: Scalar = self.points[0][1]
        for a, b, *ends in zip(*_pairs(self.points), *_pairs(self.slopes), strict=True):
            width, rise = b[0] - a[0], b[1] - a[1]
            c_1, c_end = (slope * width for slope in ends)
            c_2, c_3 = 3.0 * rise - 2.0 * c_1 - c_end, c_1 + c_end - 2.0 * rise
            over = not_above(b[0], t)
            s = (t - a[0]) * ((not_above(a[0], t) - over) / width) + over
            total = total + s * (c_1 + s * (c_2 + s * c_3))
        if self.ends == "rest":
            return total
        (first, _), (last, _) = self.points[0], self.points[-1]
        before, after = 1.0 - not_above(first, t), not_above(last, t)
        return (
            total + (t - first) * (before * self.slopes[0]) + (t - last) * (after * self.slopes[-1])
        )


def start_problems(
    where: str, functions: Sequence[TimeFunction], nominal: Mapping[str, float], *, is_motion: bool
) -> list[Problem]:
    """List functions without a finite value at the time 0; a motion has two derivatives, too."""
    problems = []
    for function in functions:
        at = function.levels(0.0, nominal)
        if not is_finite(float(at.value)):
            found = f"has no finite value at {TIME} = 0"
        elif is_motion and not (is_finite(float(at.rate)) and is_finite(float(at.second))):
            found = f"has no finite velocity or acceleration at {TIME} = 0"
        else:
            continue
        law = function.law if isinstance(function, Formula) else None
        shown = f'"{shortened(law.text)}" ' if isinstance(law, Law) else ""
        problems.append(Problem(where, f"{shown}{found}", "check the function"))
    return problems


def _pairs(entries: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """All but the last, and all but the first."""
    return entries[:-1], entries[1:]


# --- Reading ---


def read_time_function(table: Table, key: str, data: Any) -> TimeFunction:
    """Read one of the forms above; ``key`` is where it stands."""
    if isinstance(data, Mapping):
        return _read_form(table, key, data)
    if isinstance(data, str):
        variables = sorted(name for name in possible_names(data) if "." in name)
        if variables:
            found = f'"{shortened(data)}" names "{shortened(variables[0])}"'
            remedy = "laws of joint_law and nonlinear_spring may name joints"
            known = f"functions of time know {TIME} and parameters only"
            table.problem(key, f"{found}: {known}", remedy)
            return Formula(0.0)
        law = table.law_of(key, data, (TIME,))
        return Formula(0.0 if law is None else law)
    if is_finite(data):
        return Formula(float(data))
    remedy = f"give a number, an expression of {TIME} in quotes, or {{ {' | '.join(FORMS)} = … }}"
    table.problem(key, f"{show(data)} is no function of time", remedy)
    return Formula(0.0)


def read_time_functions(table: Table, key: str, data: Any, n: int) -> tuple[TimeFunction, ...]:
    """Read n functions: a list, or one alone where n is 1."""
    if n == 1 and not isinstance(data, list | tuple):
        return (read_time_function(table, key, data),)
    if isinstance(data, list | tuple) and len(data) == n:
        return tuple(read_time_function(table, key, x) for x in data)
    table.problem(
        key, f"{show(data)} is no list of {n}", f"give {n} function{'s' * (n > 1)} of time"
    )
    return (Formula(0.0),) * n


def _read_form(table: Table, key: str, data: Mapping[str, Any]) -> TimeFunction:
    own = table.inner(f"{table.where}, {key}", data)
    given = [form for form in FORMS if own.has(form)]
    if len(given) != 1:
        found = (
            f"{' and '.join(given)} would each say it" if given else f"{show(data)} says no form"
        )
        own.problem("", found, f"give one of {', '.join(FORMS)}")
        return Formula(0.0)
    found_function = _READERS[given[0]](own, own.raw(given[0]))
    own.done()
    return found_function


def _read_expression(own: Table, data: Any) -> TimeFunction:
    if isinstance(data, Mapping):
        own.problem("expression", f"found {show(data)}", "write an expression in quotes")
        return Formula(0.0)
    return read_time_function(own, "expression", data)


def _read_sine(own: Table, data: Any) -> TimeFunction:
    wave = own.inner(f"{own.where}, sine", data)
    sine = Sine(
        wave.quantity("amplitude"),
        wave.quantity("frequency"),
        wave.quantity("phase", 0.0),
        wave.quantity("offset", 0.0),
    )
    wave.done()
    return sine


def _read_polynomial(own: Table, data: Any) -> TimeFunction:
    del data
    return Polynomial(own.quantities("polynomial"))


def _read_spline(own: Table, data: Any) -> TimeFunction:
    ends = own.text("ends", ENDS[0], choices=ENDS)
    pairs = data if isinstance(data, Sequence) and not isinstance(data, str) else [data]
    if not all(_is_pair(pair) for pair in pairs) or len(pairs) < 2:
        found = f"{show(data)} is no list of two or more pairs of numbers"
        own.problem("table", found, "give times and values, [[0, 0], [1, 0.5]]")
        return Formula(0.0)
    if len(pairs) > MOST_POINTS:
        remedy = f"{MOST_POINTS} are the most; give longer ones as an input"
        own.problem("table", f"{len(pairs)} points", remedy)
        return Formula(0.0)
    times = [float(t) for t, _ in pairs]
    if any(b - a < SMALLEST for a, b in pairwise(times)):
        own.problem(
            "table", f"the times {show(times)} do not rise", "sort the pairs, each time once"
        )
        return Formula(0.0)
    return Spline(tuple((float(t), float(value)) for t, value in pairs), ends)


def _is_pair(pair: object) -> bool:
    return isinstance(pair, Sequence) and len(pair) == 2 and all(map(is_finite, pair))


_READERS = {
    "expression": _read_expression,
    "sine": _read_sine,
    "polynomial": _read_polynomial,
    "table": _read_spline,
}
