"""Rack and pinion: a rack slides by the radius of a pinion times its angle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mbd_fmu.elements.constraints.between_joints import BetweenJoints, PlacedRelation
from mbd_fmu.elements.keys import Key, Number, TwoNames, nonzero
from mbd_fmu.elements.places import Places
from mbd_fmu.quantities.expressions import Quantity


@dataclass(frozen=True)
class RackPinion(BetweenJoints):
    """As a model says it: the pinion's joint, then the rack's."""

    type: ClassVar[str] = "rack_pinion"
    keeps: ClassVar[str] = "q_rack = radius q_pinion + offset"
    multipliers: ClassVar[str] = "force on the rack"
    keys: ClassVar[tuple[Key, ...]] = (
        TwoNames("joints", "of the pinion and of the rack"),
        Number("radius", "of the pinion", refuse=nonzero),
        Number("offset", default=0.0),
    )

    radius: Quantity = 0.0

    def placed(self, places: Places) -> PlacedRelation:
        """Put numbers in."""
        return self.geared(places, self.radius)


CONSTRAINT = RackPinion
