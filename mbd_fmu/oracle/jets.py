"""Geometry with its derivatives: points and directions of free bodies, and what is made of them.

Whatever follows from the configuration is carried along with its time derivatives,

    x,   x' = J u,   x'' = J u' + b                                                         (1)

where u holds v (of the mass centre, in the world) and w of every body. Sums and products take
theirs by Leibniz's rule, so a constraint is written down once, at position level:

    (x . y)'' = x'' . y + 2 x' . y' + x . y'',   likewise for s x and x x y                   (2)

Only the leaves know what w means. For an arrow e fixed in a body, and its angular velocity, [004]:

    w in the world   x = R e   x' = w x (R e)   J = -(R e)x   b = w x (w x (R e))   omega = w    (3)
    w in the body    x = R e   x' = R (w x e)   J = -R (e)x   b = R (w x (w x e))   omega = R w  (4)

with (omega)' = w' in (3) and R (w' + w x w) = R w' in (4): no drift in either.

Source   [004] eq. 1-3; Haug, Computer Aided Kinematics and Dynamics (1989), sec. 9.2.
Checked  tests/laws/test_absolute.py, tests/laws/test_absolute_rows.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from mbd_fmu.spatial import Array, rotation_matrix, skew

FIXED = -1  # the ground, as a body index
FRAMES = ("fixed", "body")  # axes of angular velocities: the world's, or the body's


@dataclass(frozen=True)
class Rate:
    """A quantity at velocity level: value = J u, with the derivative J u' + bias. Shape (k,)."""

    value: Array
    J: Array  # (k, 6 n)
    bias: Array

    def __add__(self, other: Rate) -> Rate:
        return Rate(self.value + other.value, self.J + other.J, self.bias + other.bias)

    def __sub__(self, other: Rate) -> Rate:
        return Rate(self.value - other.value, self.J - other.J, self.bias - other.bias)

    def times(self, factor: float) -> Rate:
        """Multiply by a constant."""
        return Rate(factor * self.value, factor * self.J, factor * self.bias)

    def first(self, n: int) -> Rate:
        """The first n components."""
        return Rate(self.value[:n], self.J[:n], self.bias[:n])

    def through(self, A: Array) -> Rate:
        """Apply a constant matrix."""
        return Rate(A @ self.value, A @ self.J, A @ self.bias)


@dataclass(frozen=True)
class Jet:
    """A quantity at position level, with its rate. Shape (3,), or (1,) for scalars."""

    value: Array
    rate: Rate

    def __add__(self, other: Jet) -> Jet:
        return Jet(self.value + other.value, self.rate + other.rate)

    def __sub__(self, other: Jet) -> Jet:
        return Jet(self.value - other.value, self.rate - other.rate)

    def times(self, factor: float) -> Jet:
        """Multiply by a constant."""
        return Jet(factor * self.value, self.rate.times(factor))

    def of(self, f: Callable[[float], tuple[float, float, float]]) -> Jet:
        """f(x) of a scalar, from its value and its first two derivatives."""
        value, slope, bend = f(float(self.value[0]))
        drift = slope * self.rate.bias + bend * self.rate.value**2
        return Jet(np.array([value]), Rate(slope * self.rate.value, slope * self.rate.J, drift))


def square_root(x: float) -> tuple[float, float, float]:
    """sqrt(x) and its derivatives."""
    root = np.sqrt(x)
    return root, 0.5 / root, -0.25 / root**3


def dot(x: Jet, y: Jet) -> Jet:
    """x . y"""
    a, b = x.rate, y.rate
    drift = a.bias @ y.value + 2.0 * (a.value @ b.value) + x.value @ b.bias
    rate = Rate(
        np.array([a.value @ y.value + x.value @ b.value]),
        (y.value @ a.J + x.value @ b.J)[None, :],
        np.array([drift]),
    )
    return Jet(np.array([x.value @ y.value]), rate)


def cross(x: Jet, y: Jet) -> Jet:
    """x x y"""
    a, b = x.rate, y.rate
    X, Y = skew(x.value), skew(y.value)
    rate = Rate(
        X @ b.value - Y @ a.value,
        X @ b.J - Y @ a.J,
        X @ b.bias - Y @ a.bias + 2.0 * (skew(a.value) @ b.value),
    )
    return Jet(X @ y.value, rate)


def scale(s: Jet, x: Jet) -> Jet:
    """s x, of a scalar and a vector."""
    a, b = s.rate, x.rate
    rate = Rate(
        a.value * x.value + s.value * b.value,
        np.outer(x.value, a.J) + s.value * b.J,
        a.bias * x.value + 2.0 * a.value * b.value + s.value * b.bias,
    )
    return Jet(s.value * x.value, rate)


def along(x: Jet, rate: Rate) -> Rate:
    """x . y of a direction and a velocity."""
    return Rate(
        np.array([x.value @ rate.value]),
        (x.value @ rate.J)[None, :],
        np.array([x.value @ rate.bias + x.rate.value @ rate.value]),
    )


def swept(spin: Rate, x: Jet) -> Rate:
    """omega x x: the velocity of a point at x by a turning about the origin of x."""
    X = skew(x.value)
    drift = skew(spin.value) @ x.rate.value - X @ spin.bias
    return Rate(-X @ spin.value, -X @ spin.J, drift)


def stack(rates: Iterable[Rate], n_speeds: int) -> Rate:
    """Put rates below each other; none make an empty one."""
    none = Rate(np.zeros(0), np.zeros((0, n_speeds)), np.zeros(0))
    all_ = [none, *rates]
    return Rate(
        np.concatenate([r.value for r in all_]),
        np.concatenate([r.J for r in all_]),
        np.concatenate([r.bias for r in all_]),
    )


@dataclass(frozen=True)
class State:
    """Per body (rows): mass centre, quaternion of U, velocity; in the world. Angular velocity.

    The last one is in the world or in the body, as the road was built. ``near`` holds the last
    known coordinates of joints by name: angles are counted on from there, over many turns; those
    of joints not listed are within half a turn of the drawn position.
    """

    p: Array
    quat: Array
    v: Array
    w: Array
    near: dict[str, Array] = field(default_factory=dict)

    @property
    def u(self) -> Array:
        """All velocities, body by body: v, then w."""
        return np.hstack([self.v, self.w]).ravel()


class Scene:
    """Points and directions of bodies at a state; the ground has its own, which stand still."""

    def __init__(self, state: State, frame: str) -> None:
        self.state, self.in_body = state, frame == "body"
        self.R = [rotation_matrix(quat) for quat in state.quat]
        self.n_speeds = 6 * len(self.R)
        self.still = Rate(np.zeros(3), np.zeros((3, self.n_speeds)), np.zeros(3))

    def direction(self, k: int, e: Array) -> Jet:
        """An arrow e given in the body's U."""
        if k == FIXED:
            return Jet(e, self.still)
        R, w = self.R[k], self.state.w[k]
        J = np.zeros((3, self.n_speeds))
        at = slice(6 * k + 3, 6 * k + 6)
        if self.in_body:  # (4)
            turning = skew(w) @ e
            J[:, at] = -R @ skew(e)
            return Jet(R @ e, Rate(R @ turning, J, R @ (skew(w) @ turning)))
        x = R @ e  # (3)
        turning = skew(w) @ x
        J[:, at] = -skew(x)
        return Jet(x, Rate(turning, J, skew(w) @ turning))

    def point(self, k: int, s: Array) -> Jet:
        """A point at s from the mass centre, in the body's U; on the ground, in the world."""
        arrow = self.direction(k, s)
        if k == FIXED:
            return arrow
        rate = arrow.rate
        rate.J[:, 6 * k : 6 * k + 3] = np.eye(3)
        moved = Rate(rate.value + self.state.v[k], rate.J, rate.bias)
        return Jet(arrow.value + self.state.p[k], moved)

    def spin(self, k: int) -> Rate:
        """The angular velocity, in world axes."""
        if k == FIXED:
            return self.still
        R_Ww = self.R[k] if self.in_body else np.eye(3)
        J = np.zeros((3, self.n_speeds))
        J[:, 6 * k + 3 : 6 * k + 6] = R_Ww
        return Rate(R_Ww @ self.state.w[k], J, np.zeros(3))

    def turn(self, k: int) -> Array:
        """R_WU."""
        return np.eye(3) if k == FIXED else self.R[k]

    def quaternion(self, k: int) -> Array:
        """Unit quaternion of U in the world."""
        return np.array([1.0, 0.0, 0.0, 0.0]) if k == FIXED else self.state.quat[k]
