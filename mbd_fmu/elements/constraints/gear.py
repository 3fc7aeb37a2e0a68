"""Gear: the coordinate of one joint is a multiple of another's: q_b = ratio q_a + offset."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mbd_fmu.elements.constraint import COORDINATE, Constraint, JointJets, PlacedConstraint
from mbd_fmu.elements.jets import BodyJets, Flow, Jet
from mbd_fmu.elements.keys import Key, Number, TwoNames
from mbd_fmu.elements.places import Places
from mbd_fmu.quantities.expressions import Quantity
from mbd_fmu.quantities.limits import SMALLEST
from mbd_fmu.quantities.vectors import Vector
from mbd_fmu.spatial import Scalar


def nonzero(number: float) -> tuple[str, str] | None:
    """Refuse a ratio with which a joint would stand still."""
    remedy = "give another number; a joint that stands still is rigid"
    return ("is 0", remedy) if abs(number) < SMALLEST else None


@dataclass(frozen=True)
class PlacedGear(PlacedConstraint):
    """Joints by their numbers in the forest."""

    pair: tuple[int, int]
    ratio: Scalar
    offset: Scalar

    def rows(self, bodies: BodyJets, joints: JointJets) -> Iterator[Jet | Flow]:
        """q_b - ratio q_a - offset."""
        del bodies
        a, b = map(joints, self.pair)
        yield (b - a.times(self.ratio)).plus(-self.offset)

    def counted(self, joints: JointJets) -> Scalar:
        """Return the sum of what is compared."""
        a, b = (joints(i).value[0] for i in self.pair)
        return abs(b) + abs(a * self.ratio)


@dataclass(frozen=True)
class BetweenJoints(Constraint):
    """A constraint that compares coordinates of two joints."""

    holonomic: ClassVar[str] = COORDINATE

    offset: Quantity = 0.0

    @property
    def bodies(self) -> tuple[tuple[str, str], ...]:
        """It names none."""
        return ()

    def ignores_turns_of(self, body: str, centre: Vector) -> bool:
        """It holds joints."""
        del body, centre
        return True

    def geared(self, places: Places, ratio: Quantity) -> PlacedGear:
        """Put numbers in."""
        a, b = (places.joint[name] for name in self.joints)
        return PlacedGear((a, b), places.value(ratio), places.value(self.offset))


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

    def placed(self, places: Places) -> PlacedGear:
        """Put numbers in."""
        return self.geared(places, self.ratio)


CONSTRAINT = Gear
