"""Gear: the coordinate of one joint is a multiple of another's: q_b = ratio q_a + offset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mbd_fmu.elements.constraints.between_joints import BetweenJoints, PlacedRelation
from mbd_fmu.elements.keys import Key, Number, TwoNames, nonzero
from mbd_fmu.elements.places import Places
from mbd_fmu.quantities.expressions import Quantity


@dataclass(frozen=True)
class Gear(BetweenJoints):
    """As a model says it."""

    type: ClassVar[str] = "gear"
    keeps: ClassVar[str] = "q_b = ratio q_a + offset"
    multipliers: ClassVar[str] = "force on the coordinate of the second joint"
    keys: ClassVar[tuple[Key, ...]] = (
        TwoNames("joints", "of one coordinate each"),
        Number("ratio", refuse=nonzero),
        Number("offset", default=0.0),
    )

    ratio: Quantity = 0.0

    def placed(self, places: Places) -> PlacedRelation:
        """Put numbers in."""
        return self.geared(places, self.ratio)


CONSTRAINT = Gear
