"""Point in plane: a point of the child stays in a plane of the parent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mbd_fmu.elements.constraint import METRES, JointJets
from mbd_fmu.elements.constraints.points import ENDS_TOGETHER, BetweenPoints, PlacedPoints
from mbd_fmu.elements.jets import BodyJets, Flow, Jet, dot
from mbd_fmu.elements.keys import Key
from mbd_fmu.elements.place_keys import Direction
from mbd_fmu.elements.places import Places
from mbd_fmu.quantities.vectors import Vector
from mbd_fmu.spatial import Array


@dataclass(frozen=True)
class PlacedInPlane(PlacedPoints):
    """A point and a plane; the normal in B of the parent."""

    normal: Array

    def rows(self, bodies: BodyJets, joints: JointJets) -> Iterator[Jet | Flow]:
        """n . d."""
        del joints
        yield dot(bodies.direction(self.ends[0].body, self.normal), self.between(bodies))


@dataclass(frozen=True)
class PointInPlane(BetweenPoints):
    """As a model says it."""

    type: ClassVar[str] = "point_in_plane"
    keeps: ClassVar[str] = "`point2` in the plane through `point`, fixed in the parent"
    multipliers: ClassVar[str] = "force of the plane on the child's point, along its normal"
    keys: ClassVar[tuple[Key, ...]] = (
        *ENDS_TOGETHER,
        Direction("axis", "normal of the plane", of="parent"),
    )
    holonomic: ClassVar[str] = METRES
    holds_parent_anywhere: ClassVar[bool] = True

    axis: Vector = ()

    def placed(self, places: Places) -> PlacedInPlane:
        """Put numbers in."""
        return PlacedInPlane(self.placed_ends(places), places.direction(self.parent, self.axis))


CONSTRAINT = PointInPlane
