"""Quantities that follow the motion: value, gradient, rate and drift, with the rules of calculus.

A jet knows its value, how its rate depends on the velocities of the bodies, the rate itself, and
the drift: what is left of its second derivative when no free joint accelerates. Points and
directions that bodies carry are jets; sums, products and functions of jets are jets. Constraints
are written as plain formulas of them, and come out at position, velocity and acceleration level.

The gradient is kept as wrenches: the k-th column of ``wrench[i]`` is the torque and force on body
i, in its B, that a unit multiplier of the k-th component exerts. Power is force times velocity, so
these are the derivatives of the rate with respect to V_B.

A flow is the same one level higher: a velocity that is nothing's rate, like that of turning.

Source   Product and chain rule; points and directions of rigid bodies, Featherstone (2008), ch. 2.
Checked  tests/laws/test_constraints.py, against derivatives of the symbols
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mbd_fmu.elements.places import WORLD, BodyPoint
from mbd_fmu.spatial import Array, Scalar, array, scaled, skew, times

Wrenches = Mapping[int, Array]  # body -> (6, k)


@dataclass(frozen=True)
class Jet:
    """k components; see above."""

    value: Array  # (k,)
    wrench: Wrenches
    rate: Array  # (k,)
    drift: Array  # (k,)

    def __sub__(self, other: Jet) -> Jet:
        return Jet(
            self.value - other.value,
            _sum(self.wrench, {i: -F for i, F in other.wrench.items()}),
            self.rate - other.rate,
            self.drift - other.drift,
        )

    def __add__(self, other: Jet) -> Jet:
        return Jet(
            self.value + other.value,
            _sum(self.wrench, other.wrench),
            self.rate + other.rate,
            self.drift + other.drift,
        )

    def __getitem__(self, k: int) -> Jet:
        one = slice(k, k + 1)
        wrench = {i: F[:, one] for i, F in self.wrench.items()}
        return Jet(self.value[one], wrench, self.rate[one], self.drift[one])

    def plus(self, constant: Scalar) -> Jet:
        """Add a constant."""
        value = array([x + constant for x in self.value])
        return Jet(value, self.wrench, self.rate, self.drift)

    def times(self, constant: Scalar) -> Jet:
        """Multiply by a constant."""
        return Jet(
            scaled(constant, self.value),
            {i: array([scaled(constant, row) for row in F]) for i, F in self.wrench.items()},
            scaled(constant, self.rate),
            scaled(constant, self.drift),
        )

    def through(self, f: Scalar, slope: Scalar, bend: Scalar) -> Jet:
        """Return f of a single component, from f, f' and f'' at its value."""
        rate = self.rate[0]
        return Jet(
            array([f]),
            {i: array([scaled(slope, row) for row in F]) for i, F in self.wrench.items()},
            scaled(slope, self.rate),
            array([slope * self.drift[0] + bend * rate * rate]),
        )


@dataclass(frozen=True)
class Flow:
    """A velocity: value, its derivatives with respect to V_B, and its drift."""

    value: Array  # (k,)
    wrench: Wrenches
    drift: Array  # (k,)

    def __sub__(self, other: Flow) -> Flow:
        wrench = _sum(self.wrench, {i: -F for i, F in other.wrench.items()})
        return Flow(self.value - other.value, wrench, self.drift - other.drift)

    def __add__(self, other: Flow) -> Flow:
        wrench = _sum(self.wrench, other.wrench)
        return Flow(self.value + other.value, wrench, self.drift + other.drift)

    @property
    def row(self) -> Jet:
        """A row whose position nobody knows."""
        return Jet(np.zeros(0), self.wrench, self.value, self.drift)


def along(direction: Jet, flow: Flow) -> Flow:
    """Return the part of a velocity along a direction."""
    return Flow(
        array([times(direction.value, flow.value)]),
        {i: times(F, direction.value)[:, None] for i, F in flow.wrench.items()},
        array([times(direction.rate, flow.value) + times(direction.value, flow.drift)]),
    )


def dot(a: Jet, b: Jet) -> Jet:
    """Return the inner product."""
    wrench = _sum(
        {i: times(F, b.value)[:, None] for i, F in a.wrench.items()},
        {i: times(F, a.value)[:, None] for i, F in b.wrench.items()},
    )
    return Jet(
        array([times(a.value, b.value)]),
        wrench,
        array([times(a.rate, b.value) + times(a.value, b.rate)]),
        array([times(a.drift, b.value) + 2.0 * times(a.rate, b.rate) + times(a.value, b.drift)]),
    )


def cross(a: Jet, b: Jet) -> Jet:
    """Return the vector product."""
    A, B = skew(a.value), skew(b.value)
    wrench = _sum(
        {i: times(F, B) for i, F in a.wrench.items()},  # (a' x b) = -B a', and B^T = -B
        {i: times(F, A.T) for i, F in b.wrench.items()},
    )
    return Jet(
        times(A, b.value),
        wrench,
        times(A, b.rate) - times(B, a.rate),
        times(A, b.drift) - times(B, a.drift) + scaled(2.0, times(skew(a.rate), b.rate)),
    )


def product(a: Jet, b: Jet) -> Jet:
    """Return a jet of one component times another of several."""
    s = a.value[0]
    wrench = _sum(
        {i: np.outer(F[:, 0], b.value) for i, F in a.wrench.items()},
        {i: array([scaled(s, row) for row in F]) for i, F in b.wrench.items()},
    )
    return Jet(
        scaled(s, b.value),
        wrench,
        scaled(a.rate[0], b.value) + scaled(s, b.rate),
        scaled(a.drift[0], b.value) + scaled(2.0 * a.rate[0], b.rate) + scaled(s, b.drift),
    )


def root(a: Jet) -> Jet:
    """Return the square root of a single component."""
    value = np.sqrt(a.value)[0]
    slope = 0.5 / value
    return a.through(value, slope, -0.5 * slope / a.value[0])


def sine(a: Jet) -> Jet:
    """Return the sine of a single component."""
    s, c = np.sin(a.value)[0], np.cos(a.value)[0]
    return a.through(s, c, -s)


def cosine(a: Jet) -> Jet:
    """Return the cosine of a single component."""
    s, c = np.sin(a.value)[0], np.cos(a.value)[0]
    return a.through(c, -s, -c)


def over(a: Jet) -> Jet:
    """Return 1 / a of a single component."""
    inverse = 1.0 / a.value[0]
    return a.through(inverse, -inverse * inverse, 2.0 * inverse * inverse * inverse)


def _sum(a: Wrenches, b: Wrenches) -> Wrenches:
    total = dict(a)
    for i, F in b.items():
        total[i] = total[i] + F if i in total else F
    return total


@dataclass(frozen=True)
class BodyJets:
    """Jets of what bodies carry, in the world; A_B is when no free joint accelerates."""

    R_WB: Sequence[Array]
    p_WB: Sequence[Array]
    V_B: Sequence[Array]
    A_B: Sequence[Array]

    def direction(self, body: int, d_B: Array) -> Jet:
        """A direction: d' = w x d."""
        if body == WORLD:
            return Jet(d_B, {}, np.zeros(3), np.zeros(3))
        R_WB, w, alpha = self._turning(body)
        swing = times(skew(w), d_B)
        drift = times(skew(alpha), d_B) + times(skew(w), swing)
        # a torque d x e on the body for a unit multiplier along e
        wrench = np.concatenate([times(skew(d_B), R_WB.T), np.zeros((3, 3))])
        return Jet(times(R_WB, d_B), {body: wrench}, times(R_WB, swing), times(R_WB, drift))

    def point(self, at: BodyPoint) -> Jet:
        """A point: its velocity and acceleration."""
        if at.body == WORLD:
            return Jet(at.place, {}, np.zeros(3), np.zeros(3))
        R_WB, w, alpha = self._turning(at.body)
        velocity = self.V_B[at.body][3:] + times(skew(w), at.place)
        drift = self.A_B[at.body][3:] + times(skew(alpha), at.place) + times(skew(w), velocity)
        wrench = np.concatenate([times(skew(at.place), R_WB.T), R_WB.T])
        place = self.p_WB[at.body] + times(R_WB, at.place)
        return Jet(place, {at.body: wrench}, times(R_WB, velocity), times(R_WB, drift))

    def slip(self, body: int, direction: Jet, at: Jet) -> Flow:
        """Velocity, along a direction, of the point that a body has just there: d . (v + w x r)."""
        origin = self.point(BodyPoint(body, np.zeros(3)))
        turning = along(cross(at - origin, direction), self.spin(body))
        return along(direction, Flow(origin.rate, origin.wrench, origin.drift)) + turning

    def spin(self, body: int) -> Flow:
        """Angular velocity."""
        if body == WORLD:
            return Flow(np.zeros(3), {}, np.zeros(3))
        R_WB, w, alpha = self._turning(body)
        wrench = np.concatenate([R_WB.T, np.zeros((3, 3))])
        return Flow(times(R_WB, w), {body: wrench}, times(R_WB, alpha))

    def _turning(self, body: int) -> tuple[Array, Array, Array]:
        return self.R_WB[body], self.V_B[body][:3], self.A_B[body][:3]
