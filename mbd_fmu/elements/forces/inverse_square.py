"""Attraction that fades with the square of the distance: f = c / l^2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mbd_fmu.elements.force import Bodies, Motion
from mbd_fmu.elements.forces.line import Line, LineForce, PlacedLineForce
from mbd_fmu.elements.keys import Key, Number
from mbd_fmu.elements.places import Places
from mbd_fmu.elements.symbols import ATTRACTION
from mbd_fmu.quantities.expressions import Quantity
from mbd_fmu.spatial import Scalar


@dataclass(frozen=True)
class PlacedAttraction(PlacedLineForce):
    """An attraction with numbers put in."""

    strength: Scalar

    def pull(self, line: Line, motion: Motion) -> Scalar:
        """Return the law."""
        del motion
        return self.strength / (line.length * line.length)

    def energies(self, bodies: Bodies) -> Iterator[Scalar]:
        """-c / l, nothing at an infinite distance."""
        yield -self.strength / self.line(bodies).length


@dataclass(frozen=True)
class InverseSquare(LineForce):
    """As a model says it."""

    type: ClassVar[str] = "inverse_square"
    law: ClassVar[str] = "pull c / l² along the line"
    line: ClassVar[str] = ATTRACTION
    keys: ClassVar[tuple[Key, ...]] = (Number("strength", "c"),)

    strength: Quantity

    def placed(self, places: Places) -> PlacedAttraction:
        """Put numbers in."""
        return PlacedAttraction(self.placed_ends(places), places.value(self.strength))


FORCE = InverseSquare
