"""Spring and damper between two points: f = k (l - l_0) + d dl/dt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mbd_fmu.elements.force import Bodies, Motion
from mbd_fmu.elements.forces.line import Line, LineForce, PlacedLineForce
from mbd_fmu.elements.keys import Key, Number
from mbd_fmu.elements.places import Places
from mbd_fmu.elements.symbols import SPRING
from mbd_fmu.quantities.expressions import Quantity
from mbd_fmu.spatial import Scalar, is_number


@dataclass(frozen=True)
class PlacedSpring(PlacedLineForce):
    """A spring with numbers put in."""

    stiffness: Scalar
    damping: Scalar
    natural: Scalar

    @property
    def needs_direction(self) -> bool:
        """All but a spring of natural length zero; a parameter may be anything."""
        return not (is_number(self.natural) and self.natural == 0)

    def pull(self, line: Line, motion: Motion) -> Scalar:
        """Return the law."""
        del motion
        return self.stiffness * (line.length - self.natural) + self.damping * line.rate

    def energies(self, bodies: Bodies) -> Iterator[Scalar]:
        """k (l - l_0)^2 / 2."""
        stretch = self.line(bodies).length - self.natural
        yield self.stiffness * stretch * stretch / 2.0

    def losses(self, bodies: Bodies) -> Iterator[Scalar]:
        """d (dl/dt)^2."""
        rate = self.line(bodies).rate
        yield self.damping * rate * rate


@dataclass(frozen=True)
class SpringDamper(LineForce):
    """As a model says it."""

    type: ClassVar[str] = "spring_damper"
    law: ClassVar[str] = "pull k (l − l₀) + d dl/dt along the line"  # noqa: RUF001
    line: ClassVar[str] = SPRING
    keys: ClassVar[tuple[Key, ...]] = (
        Number("stiffness", "k", default=0.0, least=0.0),
        Number("damping", "d", default=0.0, least=0.0),
        Number("length", "natural length l₀", least=0.0),
    )

    stiffness: Quantity
    damping: Quantity
    length: Quantity

    def placed(self, places: Places) -> PlacedSpring:
        """Put numbers in."""
        k, d, natural = (places.value(q) for q in (self.stiffness, self.damping, self.length))
        return PlacedSpring(self.placed_ends(places), k, d, natural)


FORCE = SpringDamper
