"""Bushing: a spring with damper in six directions.

It holds a frame C on the child to a frame A on the parent, in axes of A: with d the offset beyond
the drawn one and theta = 2 vec(quat_AC),

    f = -K d - D d',    t = -(w - vec x)^T K_r theta - D_r w_AC

where dtheta/dt = (w - vec x) w_AC makes it the gradient of theta K_r theta / 2. A world drawing
shows the offset; in local frames the frames U are meant to coincide.

Source   [004]; e.g. Haug, Computer Aided Kinematics and Dynamics (1989), sec. 6.2.
Checked  tests/laws/test_forces.py
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mbd_fmu.elements.force import Bodies, Force, Load, Measure, Motion, PlacedForce
from mbd_fmu.elements.keys import Key, Numbers
from mbd_fmu.elements.names import xyz
from mbd_fmu.elements.places import BodyPoint, Places
from mbd_fmu.elements.symbols import Mark, coil
from mbd_fmu.quantities.vectors import Vector
from mbd_fmu.spatial import Array, Scalar, conjugate, quaternion_product, scaled, skew, times

_NONE = (0.0,) * 6


@dataclass(frozen=True)
class _Deflection:
    """In axes of A, the parent's U."""

    R_WA: Array
    scalar: Scalar  # of quat_AC
    vector: Array  # of quat_AC
    offset: Array
    offset_rate: Array
    spin: Array

    @property
    def theta(self) -> Array:
        return scaled(2.0, self.vector)


@dataclass(frozen=True)
class PlacedBushing(PlacedForce):
    """A bushing with numbers put in."""

    ends: tuple[BodyPoint, BodyPoint]
    drawn: Array  # offset of the ends in the drawn position
    stiffness: Array  # (6,)
    damping: Array  # (6,)

    def _deflection(self, bodies: Bodies) -> _Deflection:
        (p, v), (p2, v2) = (bodies.point(end) for end in self.ends)
        R_WA, quat_WA, w = bodies.turning(self.ends[0].body)
        _, quat_WC, w2 = bodies.turning(self.ends[1].body)
        quat_AC = quaternion_product(conjugate(quat_WA), quat_WC)
        return _Deflection(
            R_WA,
            quat_AC[0],
            quat_AC[1:],
            times(R_WA.T, p2 - p) - self.drawn,
            times(R_WA.T, v2 - v - times(skew(w), p2 - p)),
            times(R_WA.T, w2 - w),
        )

    def _wrench(self, bodies: Bodies) -> tuple[Array, Array]:
        """Return force and torque on the child, at its point."""
        by = self._deflection(bodies)
        force_A = -(self.stiffness[:3] * by.offset) - self.damping[:3] * by.offset_rate
        pull = self.stiffness[3:] * by.theta
        turned_back = scaled(by.scalar, pull) + times(skew(by.vector), pull)
        torque_A = -turned_back - self.damping[3:] * by.spin
        return times(by.R_WA, force_A), times(by.R_WA, torque_A)

    def loads(self, bodies: Bodies, inputs: Array) -> Iterator[Load]:
        """Yield force and torque on both bodies, at the point of the child."""
        del inputs
        force, torque = self._wrench(bodies)
        where, _ = bodies.point(self.ends[1])
        yield Load(self.ends[1].body, force, torque, where)
        yield Load(self.ends[0].body, -force, -torque, where)

    def measured(self, bodies: Bodies, motion: Motion, inputs: Array) -> dict[str, Array]:
        """Return what it exerts on the child."""
        del motion, inputs
        return dict(zip(("force", "torque"), self._wrench(bodies), strict=True))

    def energies(self, bodies: Bodies) -> Iterator[Scalar]:
        """Of the springs along, and about the axes."""
        by = self._deflection(bodies)
        yield times(self.stiffness[:3] * by.offset, by.offset) / 2.0
        yield times(self.stiffness[3:] * by.theta, by.theta) / 2.0

    def losses(self, bodies: Bodies) -> Iterator[Scalar]:
        """Of the dampers, likewise."""
        by = self._deflection(bodies)
        yield times(self.damping[:3] * by.offset_rate, by.offset_rate)
        yield times(self.damping[3:] * by.spin, by.spin)


@dataclass(frozen=True)
class Bushing(Force):
    """As a model says it: x, y, z, then about x, y, z."""

    type: ClassVar[str] = "bushing"
    law: ClassVar[str] = (
        "in axes of the parent, from the drawn offset; turns measured as 2 sin(φ/2)"
    )
    keys: ClassVar[tuple[Key, ...]] = (
        Numbers("stiffness", "six: x, y, z, about x, y, z", size=6, default=_NONE),
        Numbers("damping", "likewise", size=6, default=_NONE),
    )

    stiffness: Vector
    damping: Vector

    def measures(self, turns: tuple[bool, ...]) -> tuple[Measure, ...]:
        """Return force and torque."""
        del turns
        of = f'bushing "{self.name}" on "{self.child}" at its point, world axes; '
        of += f'"{self.parent}" takes the opposite'
        return tuple(
            Measure(key, xyz(f"{self.name}.{key}", unit, f"{key} of {of}"), is_turned=True)
            for key, unit in (("force", "N"), ("torque", "N.m"))
        )

    def marks(self) -> Iterator[Mark]:
        """A spring along each of its axes, which are the parent's."""
        for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)):
            yield Mark(self.parent, self.point, axis, (coil(4.4, 0.6),))

    @property
    def can_turn(self) -> bool:
        """It has springs or dampers about some axis."""
        return any(q != 0.0 for q in (*self.stiffness[3:], *self.damping[3:]))

    def placed(self, places: Places) -> PlacedBushing:
        """Put numbers in."""
        drawn = places.vector(self.point2) - places.vector(self.point)
        stiffness, damping = places.vector(self.stiffness), places.vector(self.damping)
        return PlacedBushing(self.placed_ends(places), drawn, stiffness, damping)


FORCE = Bushing
