"""Knife edge: a point of a body has no velocity along an axis that turns with the body."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mbd_fmu.elements.constraint import METRES, Constraint, Held, JointJets, PlacedConstraint
from mbd_fmu.elements.jets import BodyJets, Flow, Jet
from mbd_fmu.elements.keys import Key
from mbd_fmu.elements.place_keys import Direction, Name, Point
from mbd_fmu.elements.places import BodyPoint, Places
from mbd_fmu.elements.symbols import Mark, Seen, blade
from mbd_fmu.quantities.vectors import Vector
from mbd_fmu.spatial import Array


@dataclass(frozen=True)
class PlacedEdge(PlacedConstraint):
    """A point of the child, and an axis of it; seen from the parent."""

    parent: int
    point: BodyPoint
    axis: Array

    def rows(self, bodies: BodyJets, joints: JointJets) -> Iterator[Jet | Flow]:
        """Velocity of the child along the edge, against the parent."""
        del joints
        edge, at = bodies.direction(self.point.body, self.axis), bodies.point(self.point)
        yield bodies.slip(self.point.body, edge, at) - bodies.slip(self.parent, edge, at)


@dataclass(frozen=True)
class KnifeEdge(Constraint):
    """As a model says it."""

    type: ClassVar[str] = "knife_edge"
    keeps: ClassVar[str] = "no velocity along the axis, which turns with the body"
    multipliers: ClassVar[str] = "force on the body along the axis"
    keys: ClassVar[tuple[Key, ...]] = (
        Name("body", goes_to="child", told_by="point"),
        Point("point", "of the edge", goes_to="point2", of="body"),
        Direction("axis", "along which it does not slip", of="body"),
    )
    holonomic: ClassVar[str] = ""
    nonholonomic: ClassVar[str] = METRES

    axis: Vector = ()

    @property
    def held(self) -> tuple[Held, ...]:
        """At the edge."""
        return (Held(self.child, self.point2, "point"),)

    def marks(self, seen: Seen, declared: Seen) -> Iterator[Mark]:
        """A blade across the axis."""
        del seen, declared
        yield Mark(self.child, self.point2, self.axis, (blade(2.0),))

    def placed(self, places: Places) -> PlacedEdge:
        """Put numbers in."""
        parent = places.point(self.parent, (0.0, 0.0, 0.0)).body
        axis = places.direction(self.child, self.axis)
        return PlacedEdge(parent, places.point(self.child, self.point2), axis)


CONSTRAINT = KnifeEdge
