"""Thin discs that roll on a plane: what one of them and two on an axle have in common.

With normal n and axis a, e = (n - (a.n) a) / s is up within the disc, s = sqrt(1 - (a.n)^2). Lying
flat, s = 0, a disc touches nowhere in particular; then nothing is finite.

Source   [002]; Neimark & Fufaev, Dynamics of Nonholonomic Systems (1972), ch. I.
Checked  tests/laws/test_constraints.py, tests/laws/test_absolute_constraints.py
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mbd_fmu.elements.constraint import Constraint, Held, JointJets, PlacedConstraint
from mbd_fmu.elements.force import Bodies
from mbd_fmu.elements.jets import BodyJets, Flow, Jet, cross, dot, over, product, root
from mbd_fmu.elements.keys import Key, positive_length
from mbd_fmu.elements.place_keys import Direction, Point
from mbd_fmu.elements.places import BodyPoint, Places
from mbd_fmu.quantities.expressions import Quantity
from mbd_fmu.quantities.vectors import Vector
from mbd_fmu.spatial import Array, Scalar, length_of, times

FLAT = 1e-6  # sine of the angle between axis and normal: below it a disc touches nowhere
FAR = 10.0  # radii above or below where it would touch: no drawing is so coarse

ON_PLANE: tuple[Key, ...] = (
    Point("point", "of the plane", default=(0.0, 0.0, 0.0)),
    Direction("axis", "of the disc", of="body"),
    Direction("normal", "of the plane", default=(0.0, 0.0, 1.0)),
    positive_length("radius", "of the disc"),
)


@dataclass(frozen=True)
class Disc:
    """A disc on its body: name, centre and axis, in B."""

    name: str
    center: BodyPoint
    axis: Array


@dataclass(frozen=True)
class _Touching:
    """A disc at an instant: how high it is above the plane, and where it touches."""

    body: int
    height: Jet
    contact: Jet
    forward: Jet
    sideward: Jet


@dataclass(frozen=True)
class PlacedDiscs(PlacedConstraint):
    """One disc or two on an axle; the plane is on the parent."""

    plane: BodyPoint
    normal: Array
    radius: Scalar
    discs: tuple[Disc, ...]

    def rows(self, bodies: BodyJets, joints: JointJets) -> Iterator[Jet | Flow]:
        """Each touches the plane, rolls forward, and the first one does not slip sideward."""
        del joints
        touching = [self._touching(bodies, disc) for disc in self.discs]
        for disc in touching:
            yield disc.height
        for disc in touching:
            yield self._slip(bodies, disc, disc.forward)
        # an axle makes the second the same
        yield self._slip(bodies, touching[0], touching[0].sideward)

    def _touching(self, bodies: BodyJets, disc: Disc) -> _Touching:
        n = bodies.direction(self.plane.body, self.normal)
        a = bodies.direction(disc.center.body, disc.axis)
        cosine_tilt = dot(a, n)
        s = root(product(cosine_tilt, cosine_tilt).times(-1.0).plus(1.0))
        up = product(over(s), n - product(cosine_tilt, a))
        forward = product(over(s), cross(a, n))
        at_center = bodies.point(disc.center)
        return _Touching(
            body=disc.center.body,
            height=dot(n, at_center - bodies.point(self.plane)) - s.times(self.radius),
            contact=at_center - up.times(self.radius),
            forward=forward,
            sideward=cross(n, forward),
        )

    def _slip(self, bodies: BodyJets, disc: _Touching, direction: Jet) -> Flow:
        on_disc = bodies.slip(disc.body, direction, disc.contact)
        return on_disc - bodies.slip(self.plane.body, direction, disc.contact)

    def start_problems(self, bodies: Bodies) -> Iterator[tuple[str, str, str]]:
        """Refuse discs that lie flat, or are far from their plane; rows have no value there."""
        plane, _ = bodies.point(self.plane)
        for disc in self.discs:
            normal = self._turned(bodies, self.plane, self.normal)
            axis = self._turned(bodies, disc.center, disc.axis)
            sine = length_of(np.cross(axis, normal))
            height = float(times(normal, bodies.point(disc.center)[0] - plane))
            of = f'of "{disc.name}"'
            if sine < FLAT:
                found = (
                    f"the disc {of} lies flat on its plane at the start and touches no one point"
                )
                remedy = "let the axis lean away from the normal; "
                yield "axis", found, f"{remedy}that of an upright wheel is along the plane"
            elif abs(height - sine * self.radius) > FAR * self.radius:
                found = f"the centre {of} is {height:.3g} m above the plane at the start"
                remedy = "draw it, or start it, where the disc touches: at "
                yield "center", found, f"{remedy}{sine * self.radius:.3g} m"

    @staticmethod
    def _turned(bodies: Bodies, on: BodyPoint, direction: Array) -> Array:
        """Return a direction that a body carries, in the world."""
        tip = BodyPoint(on.body, on.place + direction)
        found: Array = bodies.point(tip)[0] - bodies.point(on)[0]
        return found


@dataclass(frozen=True)
class Rolling(Constraint):
    """Discs as a model says them."""

    limitation: ClassVar[str] = (
        "A disc that rolls may lean, but not lie flat; it never slips or lifts off."
    )

    axis: Vector = ()
    normal: Vector = ()
    radius: Quantity = 0.0

    @property
    def plane(self) -> tuple[Vector, Vector] | None:
        """What they roll on."""
        return self.point, self.normal

    @property
    def held(self) -> tuple[Held, ...]:
        """At the centre; the force acts where the disc touches, so there is a torque."""
        return (Held(self.child, self.point2, "center", turns=True),)

    def rolled(self, places: Places, *discs: tuple[str, Vector]) -> PlacedDiscs:
        """Put numbers in; discs by body and centre."""
        return PlacedDiscs(
            places.point(self.parent, self.point),
            places.direction(self.parent, self.normal),
            places.value(self.radius),
            tuple(
                Disc(body, places.point(body, center), places.direction(body, self.axis))
                for body, center in discs
            ),
        )
