"""Point on line: a point of the child stays on a line of the parent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mbd_fmu.elements.axes import any_across, axes_about
from mbd_fmu.elements.constraint import METRES, JointJets
from mbd_fmu.elements.constraints.points import ENDS_TOGETHER, BetweenPoints, PlacedPoints
from mbd_fmu.elements.jets import BodyJets, Flow, Jet, dot
from mbd_fmu.elements.keys import Key
from mbd_fmu.elements.place_keys import Direction
from mbd_fmu.elements.places import Places
from mbd_fmu.quantities.vectors import Vector
from mbd_fmu.spatial import Array


@dataclass(frozen=True)
class PlacedOnLine(PlacedPoints):
    """A point and a line; its direction in B of the parent."""

    axis: Array

    def rows(self, bodies: BodyJets, joints: JointJets) -> Iterator[Jet | Flow]:
        """x . d and y . d, with x and y across the line."""
        del joints
        axes, between = axes_about(self.axis, any_across(self.axis)), self.between(bodies)
        for k in (0, 1):
            yield dot(bodies.direction(self.ends[0].body, axes[:, k]), between)


@dataclass(frozen=True)
class PointOnLine(BetweenPoints):
    """As a model says it."""

    type: ClassVar[str] = "point_on_line"
    keeps: ClassVar[str] = "`point2` on the line through `point`, both fixed in the parent"
    multipliers: ClassVar[str] = (
        "force of the line on the child's point, in two directions across it"
    )
    keys: ClassVar[tuple[Key, ...]] = (
        *ENDS_TOGETHER,
        Direction("axis", "direction of the line", of="parent"),
    )
    holonomic: ClassVar[str] = 2 * METRES
    holds_parent_anywhere: ClassVar[bool] = True

    axis: Vector = ()

    def placed(self, places: Places) -> PlacedOnLine:
        """Put numbers in."""
        return PlacedOnLine(self.placed_ends(places), places.direction(self.parent, self.axis))


CONSTRAINT = PointOnLine
