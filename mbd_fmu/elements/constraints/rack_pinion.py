"""Rack and pinion: a rack slides by the radius of a pinion times its angle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mbd_fmu.elements.constraints.between_joints import (
    TEETH,
    BetweenJoints,
    PlacedRelation,
    mark_on,
)
from mbd_fmu.elements.keys import Key, Number, TwoNames, stands_still
from mbd_fmu.elements.places import Places
from mbd_fmu.elements.symbols import Mark, Seen, rack, wheel
from mbd_fmu.quantities.expressions import Quantity, value_of


@dataclass(frozen=True)
class RackPinion(BetweenJoints):
    """As a model says it: the pinion's joint, then the rack's."""

    type: ClassVar[str] = "rack_pinion"
    keeps: ClassVar[str] = "q_rack = radius q_pinion + offset"
    multipliers: ClassVar[str] = "force on the rack"
    keys: ClassVar[tuple[Key, ...]] = (
        TwoNames("joints", "of the pinion and of the rack"),
        Number("radius", "of the pinion", at_zero=stands_still),
        Number("offset", default=0.0),
    )

    radius: Quantity = 0.0

    def marks(self, seen: Seen, declared: Seen) -> Iterator[Mark]:
        """A pinion of its radius, and a rack with the same teeth."""
        del declared
        pinion, slide = (seen.joints[name] for name in self.joints)
        radius = abs(value_of(self.radius, seen.values))
        yield mark_on(pinion, wheel(TEETH), radius)
        yield mark_on(slide, rack(TEETH), radius)

    def placed(self, places: Places) -> PlacedRelation:
        """Put numbers in."""
        return self.geared(places, self.radius)


CONSTRAINT = RackPinion
