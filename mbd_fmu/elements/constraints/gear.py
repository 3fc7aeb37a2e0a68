"""Gear: the coordinate of one joint is a multiple of another's: q_b = ratio q_a + offset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
from mbd_fmu.elements.symbols import Mark, SeenJoint, crown, wheel
from mbd_fmu.quantities.expressions import Quantity, value_of


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

    def marks(
        self, joints: Mapping[str, SeenJoint], nominal: Mapping[str, float]
    ) -> Iterator[Mark]:
        """Wheels that roll on each other, where two can; else one on each joint."""
        a, b = pair = [joints[name] for name in self.joints]
        radii = _pitch_radii(a, b, float(value_of(self.ratio, nominal)))
        if radii is None:
            yield from super().marks(joints, nominal)
            return
        sizes = np.abs(radii)
        for joint, radius, size in zip(pair, radii, sizes, strict=True):
            teeth = round(TEETH * size / sizes.min())
            yield mark_on(joint, crown(teeth) if radius < 0 else wheel(teeth), float(size))

    def placed(self, places: Places) -> PlacedRelation:
        """Put numbers in."""
        return self.geared(places, self.ratio)


def _pitch_radii(a: SeenJoint, b: SeenJoint, ratio: float) -> tuple[float, float] | None:
    """Return radii of wheels on parallel axes that touch and roll; negative: of a crown.

    Rolling asks for r_a = |ratio| r_b; the axes are r_a + r_b apart where the wheels turn against
    each other, |r_a - r_b| where the smaller one runs inside.
    """
    if not (a.turns and b.turns) or a.carrier != b.carrier:
        return None
    axis, other = a.carrier_axis, b.carrier_axis
    if np.linalg.norm(np.cross(axis, other)) > PARALLEL:
        return None
    between = b.carrier_point - a.carrier_point
    apart = float(np.linalg.norm(between - (between @ axis) * axis))
    same_way, size = ratio * float(axis @ other) > 0, abs(ratio)
    parts = abs(size - 1) if same_way else size + 1
    if apart <= PARALLEL or parts <= PARALLEL:
        return None
    r_a, r_b = size * apart / parts, apart / parts
    if not same_way:
        return r_a, r_b
    return (-r_a, r_b) if size > 1 else (r_a, -r_b)


CONSTRAINT = Gear
