"""What constraints between a point of the parent and a point of the child have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mbd_fmu.elements.constraint import Constraint, Held, PlacedConstraint
from mbd_fmu.elements.jets import BodyJets, Jet
from mbd_fmu.elements.keys import Key
from mbd_fmu.elements.place_keys import ENDS, Point
from mbd_fmu.elements.places import BodyPoint, Places
from mbd_fmu.quantities.vectors import Vector

# likewise where the points may be drawn at one place
ENDS_TOGETHER: tuple[Key, ...] = (*ENDS[:3], Point("point2", of="child", told_by="point"))


@dataclass(frozen=True)
class PlacedPoints(PlacedConstraint):
    """The points on their bodies."""

    ends: tuple[BodyPoint, BodyPoint]

    def between(self, bodies: BodyJets) -> Jet:
        """From the parent's point to the child's."""
        parent, child = self.ends
        return bodies.point(child) - bodies.point(parent)


@dataclass(frozen=True)
class BetweenPoints(Constraint):
    """A constraint that holds points of both bodies."""

    holds_points: ClassVar[bool] = True
    holds_parent_anywhere: ClassVar[bool] = False  # the parent's directions count, too

    @property
    def held(self) -> tuple[Held, ...]:
        """At the child's point, whose parent takes the opposite in the same line."""
        return (Held(self.child, self.point2, "point2"),)

    def ignores_turns_of(self, body: str, centre: Vector) -> bool:
        """It holds points; a parent whose axes count is held by those, too."""
        if (self.parent, self.point) == (body, centre):
            return not self.holds_parent_anywhere
        if (self.child, self.point2) == (body, centre):
            return True
        return body not in (self.parent, self.child)

    def placed_ends(self, places: Places) -> tuple[BodyPoint, BodyPoint]:
        """Put numbers into its points."""
        return places.point(self.parent, self.point), places.point(self.child, self.point2)
