"""Numbers that know their first and second derivative in time: (x, dx/dt, d2x/dt2).

What is computed from the time as such a number has exact velocities and accelerations: nobody has
to write them down. Entries are floats or symbols; plain numbers stand for constants.

    (x y)'' = x'' y + 2 x' y' + x y''        f(x)' = f' x',   f(x)'' = f'' x'^2 + f' x''

Where a function jumps or has a kink, the derivative is that of neither side or of both, as the
signs say: of |x| at 0 it is 0, of the lesser of two equal ones the mean.

Source   Truncated Taylor series, e.g. Griewank & Walther, Evaluating Derivatives (2008), ch. 13.
Checked  tests/unit/test_taylor.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mbd_fmu.quantities.functions import Scalar, angle_of, applied, greater, lesser, not_above


@dataclass(frozen=True)
class Taylor:
    """See above."""

    value: Scalar
    rate: Scalar = 0.0
    second: Scalar = 0.0

    __array_ufunc__ = None  # a number of NumPy leaves the operation to us

    def _through(self, f: Scalar, df: Scalar, ddf: Scalar) -> Taylor:
        """Of a function with these derivatives at the value."""
        return Taylor(f, df * self.rate, ddf * (self.rate * self.rate) + df * self.second)

    def __add__(self, other: Any) -> Taylor:
        b = taylor(other)
        return Taylor(self.value + b.value, self.rate + b.rate, self.second + b.second)

    __radd__ = __add__

    def __neg__(self) -> Taylor:
        return Taylor(-self.value, -self.rate, -self.second)

    def __pos__(self) -> Taylor:
        return self

    def __sub__(self, other: Any) -> Taylor:
        b = taylor(other)
        return Taylor(self.value - b.value, self.rate - b.rate, self.second - b.second)

    def __rsub__(self, other: Any) -> Taylor:
        return taylor(other) - self

    def __mul__(self, other: Any) -> Taylor:
        a, b = self, taylor(other)
        cross = 2.0 * (a.rate * b.rate)
        return Taylor(
            a.value * b.value,
            a.rate * b.value + a.value * b.rate,
            a.second * b.value + cross + a.value * b.second,
        )

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Taylor:
        b = taylor(other)
        value = _quotient(self.value, b.value)
        rate = _quotient(self.rate - value * b.rate, b.value)
        second = _quotient(self.second - 2.0 * (rate * b.rate) - value * b.second, b.value)
        return Taylor(value, rate, second)

    def __rtruediv__(self, other: Any) -> Taylor:
        return taylor(other) / self

    def __pow__(self, other: Any) -> Taylor:
        a, b = self, taylor(other)
        value = _power(a.value, b.value)
        if _is(b.rate, 0.0) and _is(b.second, 0.0):  # a constant power, also of what is negative
            n = b.value
            df, ddf = _term(n, a.value, n - 1.0), _term(n * (n - 1.0), a.value, n - 2.0)
            return a._through(value, df, ddf)
        grown = (a.log() * b).exp()
        return Taylor(value, grown.rate, grown.second)

    def __rpow__(self, other: Any) -> Taylor:
        return taylor(other) ** self

    # by these names NumPy calls them, of each entry of an array

    def __abs__(self) -> Taylor:
        return self * _sign(self.value)

    def sqrt(self) -> Taylor:
        """Square root."""
        root = _of(np.sqrt, self.value)
        return self._through(root, _quotient(0.5, root), _quotient(-0.25, self.value * root))

    def exp(self) -> Taylor:
        """Exponential."""
        e = _of(np.exp, self.value)
        return self._through(e, e, e)

    def log(self) -> Taylor:
        """Natural logarithm."""
        one = _quotient(1.0, self.value)
        return self._through(_of(np.log, self.value), one, -(one * one))

    def sin(self) -> Taylor:
        """Sine."""
        s, c = _of(np.sin, self.value), _of(np.cos, self.value)
        return self._through(s, c, -s)

    def cos(self) -> Taylor:
        """Cosine."""
        s, c = _of(np.sin, self.value), _of(np.cos, self.value)
        return self._through(c, -s, -c)

    def tan(self) -> Taylor:
        """Tangent."""
        t = _of(np.tan, self.value)
        slope = 1.0 + t * t
        return self._through(t, slope, 2.0 * (t * slope))

    def tanh(self) -> Taylor:
        """Hyperbolic tangent."""
        t = _of(np.tanh, self.value)
        slope = 1.0 - t * t
        return self._through(t, slope, -2.0 * (t * slope))

    def arcsin(self) -> Taylor:
        """Angle of a sine."""
        x = self.value
        slope = _quotient(1.0, _of(np.sqrt, 1.0 - x * x))
        return self._through(_of(np.arcsin, x), slope, x * (slope * slope * slope))

    def arccos(self) -> Taylor:
        """Angle of a cosine."""
        around = self.arcsin()
        return Taylor(_of(np.arccos, self.value), -around.rate, -around.second)

    def arctan(self) -> Taylor:
        """Angle of a tangent."""
        x = self.value
        slope = _quotient(1.0, 1.0 + x * x)
        return self._through(_of(np.arctan, x), slope, -2.0 * (x * (slope * slope)))

    def computed(self, name: str, operands: Sequence[Any]) -> Taylor:
        """Return a function of Taylor numbers that NumPy does not ask them for."""
        given = [taylor(x) for x in operands]
        if name == "sign":
            return Taylor(_sign(given[0].value))
        a, b = given
        if name == "le":
            return Taylor(not_above(a.value, b.value))
        if name == "atan2":  # d angle = (b da - a db) / (a^2 + b^2)
            square = a * a + b * b
            turn = (b * Taylor(a.rate, a.second) - a * Taylor(b.rate, b.second)) / square
            return Taylor(angle_of(a.value, b.value), turn.value, turn.rate)
        choose = lesser if name == "fmin" else greater
        side = _sign(a.value - b.value) if name == "fmax" else _sign(b.value - a.value)
        share = (1.0 + side) / 2.0  # of the first, 1/2 where both are equal
        mixed = a * share + b * (1.0 - share)
        return Taylor(choose(a.value, b.value), mixed.rate, mixed.second)


def taylor(x: Any) -> Taylor:
    """Return a Taylor number; others are constant."""
    return x if isinstance(x, Taylor) else Taylor(x)


def _is(x: Scalar, number: float) -> bool:
    return isinstance(x, int | float | np.number) and float(x) == number


def _sign(x: Scalar) -> Scalar:
    is_number = isinstance(x, int | float | np.number)
    return float(np.sign(x)) if is_number else x.computed("sign", (x,))


def _quotient(a: Scalar, b: Scalar) -> Scalar:
    return applied(lambda x, y: x / y, a, b)


def _power(a: Scalar, b: Scalar) -> Scalar:
    return applied(lambda x, y: x**y, a, b)


def _term(factor: Scalar, a: Scalar, n: Scalar) -> Scalar:
    """Factor times a power; nothing where the factor is zero, however large the power is there."""
    if isinstance(factor, int | float | np.number):
        return 0.0 if factor == 0.0 else factor * _power(a, n)
    is_none = not_above(abs(factor), 0.0)
    return factor * _power(a * (1.0 - is_none) + is_none, n)


def _of(function: Any, x: Scalar) -> Scalar:
    if isinstance(x, int | float | np.number):
        return applied(function, x)
    return function(np.array([x], dtype=object))[0]
