"""Coupling: a sum of coordinates of joints, each times its ratio, keeps its value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from mbd_fmu.elements.constraints.between_joints import BetweenJoints, PlacedRelation
from mbd_fmu.elements.keys import Key, Names, Number, Ratios
from mbd_fmu.elements.places import Places
from mbd_fmu.elements.transmission import count_problems
from mbd_fmu.errors import Problem, shortened
from mbd_fmu.quantities.vectors import Vector


@dataclass(frozen=True)
class Coupling(BetweenJoints):
    """As a model says it; a gear is one of two joints, with ratios -ratio and 1."""

    type: ClassVar[str] = "coupling"
    keeps: ClassVar[str] = "sum of ratio q over its joints = offset"
    multipliers: ClassVar[str] = (
        "force along the sum; that on the coordinate of a joint is its ratio times as large"
    )
    keys: ClassVar[tuple[Key, ...]] = (
        Names("joints", "one or more, of one coordinate each"),
        Ratios("ratios", "one for each joint"),
        Number("offset", default=0.0),
    )

    ratios: Vector = ()

    def problems(self, nominal: Mapping[str, float]) -> list[Problem]:
        """There is a ratio for each joint."""
        where = f'constraint "{shortened(self.name)}"'
        return [*super().problems(nominal), *count_problems(where, self.joints, self.ratios)]

    def placed(self, places: Places) -> PlacedRelation:
        """Put numbers in; the last joint is the one that is led, as in a gear."""
        joints = [places.joint[name] for name in self.joints]
        *leading, led = zip(joints, map(places.value, self.ratios), strict=True)
        against = tuple((joint, -ratio) for joint, ratio in leading)
        return PlacedRelation(led, against, places.value(self.offset))


CONSTRAINT = Coupling
