"""Numbers that know their first and second derivative by one angle: Taylor arithmetic.

With them the one-freedom equation of a linkage follows from its closed-form kinematics alone:
T = M(q) q'^2 / 2 with M = sum m |c'|^2 + J a'^2 over mass centres c(q) and angles a(q), so
M q'' + M' q'^2 / 2 = Q - V'(q).
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Jet:
    x: float
    d: float = 0.0
    dd: float = 0.0

    def apply(self, f, df, ddf):
        return Jet(f, df * self.d, ddf * self.d**2 + df * self.dd)

    def __add__(self, o):
        o = jet(o)
        return Jet(self.x + o.x, self.d + o.d, self.dd + o.dd)

    def __mul__(self, o):
        o = jet(o)
        return Jet(
            self.x * o.x,
            self.d * o.x + self.x * o.d,
            self.dd * o.x + 2 * self.d * o.d + self.x * o.dd,
        )

    def __neg__(self):
        return self * -1.0

    def __sub__(self, o):
        return self + -jet(o)

    def __rsub__(self, o):
        return jet(o) - self

    def __truediv__(self, o):
        o = jet(o)
        return self * o.apply(1 / o.x, -1 / o.x**2, 2 / o.x**3)

    def __rtruediv__(self, o):
        return jet(o) / self

    __radd__, __rmul__ = __add__, __mul__


def jet(x):
    return x if isinstance(x, Jet) else Jet(float(x))


def sin(a):
    return a.apply(np.sin(a.x), np.cos(a.x), -np.sin(a.x))


def cos(a):
    return a.apply(np.cos(a.x), -np.sin(a.x), -np.cos(a.x))


def sqrt(a):
    r = np.sqrt(a.x)
    return a.apply(r, 0.5 / r, -0.25 / r**3)


def atan2(y, x):
    """The angle of (x, y) with its derivatives."""
    r2 = x * x + y * y
    first = (Jet(x.x) * y.d - Jet(y.x) * x.d).x / r2.x
    # (x y' - y x') / r2, differentiated once more
    second = (x.x * y.dd - y.x * x.dd) / r2.x - first * r2.d / r2.x
    return Jet(float(np.arctan2(y.x, x.x)), first, second)


def one_freedom(parts, potential=lambda _: jet(0.0)):
    """Return f(q) -> M, M', V' from ``parts(q)``: (weight, jet) pairs, each weight x'^2 of 2T."""

    def coefficients(q):
        here = Jet(q, 1.0, 0.0)
        found = parts(here)
        M = sum(weight * value.d**2 for weight, value in found)
        dM = sum(2 * weight * value.d * value.dd for weight, value in found)
        return M, dM, potential(here).d

    return coefficients


def acceleration(coefficients, q, qd, Q=0.0):
    M, dM, dV = coefficients(q)
    return (Q - dV - dM * qd**2 / 2) / M
