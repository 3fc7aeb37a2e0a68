"""Rolling disc: it stays on a plane and rolls without slip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mbd_fmu.elements.constraint import METRES
from mbd_fmu.elements.constraints.discs import ON_PLANE, PlacedDiscs, Rolling
from mbd_fmu.elements.keys import Key
from mbd_fmu.elements.place_keys import Name, Point
from mbd_fmu.elements.places import Places


@dataclass(frozen=True)
class RollingDisc(Rolling):
    """As a model says it."""

    type: ClassVar[str] = "rolling_disc"
    keeps: ClassVar[str] = "a disc on its plane, rolling without slip"
    multipliers: ClassVar[str] = "force on the disc along the normal, forward, sideward"
    keys: ClassVar[tuple[Key, ...]] = (
        Name("body", goes_to="child", told_by="center"),
        Point("center", goes_to="point2", of="body"),
        *ON_PLANE,
    )
    holonomic: ClassVar[str] = METRES
    nonholonomic: ClassVar[str] = 2 * METRES

    def placed(self, places: Places) -> PlacedDiscs:
        """Put numbers in."""
        return self.rolled(places, (self.child, self.point2))


CONSTRAINT = RollingDisc
