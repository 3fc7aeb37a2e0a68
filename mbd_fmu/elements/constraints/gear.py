"""Gear: the coordinate of one joint is a multiple of another's: q_b = ratio q_a + offset."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import truediv
from typing import ClassVar

import numpy as np

from mbd_fmu.elements.axes import PARALLEL
from mbd_fmu.elements.constraints.between_joints import (
    TEETH,
    BetweenJoints,
    PlacedRelation,
    mark_on,
)
from mbd_fmu.elements.keys import Key, Number, TwoNames, stands_still
from mbd_fmu.elements.places import Places
from mbd_fmu.elements.symbols import Mark, Seen, SeenJoint, crown, wheel
from mbd_fmu.quantities.expressions import Quantity, value_of
from mbd_fmu.quantities.functions import applied, lesser
from mbd_fmu.spatial import Scalar, length_of, norm, scaled, times


@dataclass(frozen=True)
class Gear(BetweenJoints):
    """As a model says it."""

    type: ClassVar[str] = "gear"
    keeps: ClassVar[str] = "q_b = ratio q_a + offset"
    multipliers: ClassVar[str] = "force on the coordinate of the second joint"
    keys: ClassVar[tuple[Key, ...]] = (
        TwoNames("joints", "of one coordinate each"),
        Number("ratio", at_zero=stands_still),
        Number("offset", default=0.0),
    )

    ratio: Quantity = 0.0

    def marks(self, seen: Seen, declared: Seen) -> Iterator[Mark]:
        """Wheels that roll on each other, where two can; else one on each joint."""
        inside = self._inside(declared)
        if inside is None:
            yield from super().marks(seen, declared)
            return
        pair, ratio, apart = self._pair(seen)
        same_way = any(inside)
        parts = abs(ratio - 1.0) if same_way else ratio + 1.0
        sizes = [applied(truediv, length, parts) for length in (ratio * apart, apart)]
        least = lesser(*sizes)
        for joint, size, has_teeth_inside in zip(pair, sizes, inside, strict=True):
            teeth = applied(truediv, TEETH * size, least)
            yield mark_on(joint, crown(teeth) if has_teeth_inside else wheel(teeth), size)

    def _pair(self, seen: Seen) -> tuple[list[SeenJoint], Scalar, Scalar]:
        """Return the joints, the size of the ratio, and how far apart parallel axes are."""
        a, b = pair = [seen.joints[name] for name in self.joints]
        between = b.carrier_point - a.carrier_point
        across = between - scaled(times(between, a.carrier_axis), a.carrier_axis)
        return pair, abs(value_of(self.ratio, seen.values)), norm(across)

    def _inside(self, declared: Seen) -> tuple[bool, bool] | None:
        """Which of two wheels on parallel axes has its teeth inside; None: they cannot roll.

        Rolling asks for r_a = |ratio| r_b; the axes are r_a + r_b apart where the wheels turn
        against each other, |r_a - r_b| where the smaller one runs inside.
        """
        (a, b), size, apart = self._pair(declared)
        if not (a.turns and b.turns) or a.carrier != b.carrier:
            return None
        axis, other = a.carrier_axis, b.carrier_axis
        if length_of(np.cross(axis, other)) > PARALLEL:
            return None
        same_way = value_of(self.ratio, declared.values) * float(times(axis, other)) > 0
        parts = abs(size - 1.0) if same_way else size + 1.0
        if apart <= PARALLEL or parts <= PARALLEL:
            return None
        return (same_way and size > 1, same_way and size < 1)

    def placed(self, places: Places) -> PlacedRelation:
        """Put numbers in."""
        return self.geared(places, self.ratio)


CONSTRAINT = Gear
