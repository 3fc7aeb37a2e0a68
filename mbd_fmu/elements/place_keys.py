"""Keys that say where: which body, which point of it, and which way.

A named point that a body carries says whose it is. So the body may be left out, and must fit where
it is written all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from mbd_fmu.elements.keys import Key
from mbd_fmu.elements.places import GROUND
from mbd_fmu.errors import Problem, shortened
from mbd_fmu.quantities.forms import DIRECTION, FILLED, TEXT, VECTOR, Form
from mbd_fmu.quantities.limits import SMALLEST
from mbd_fmu.quantities.showing import show
from mbd_fmu.quantities.table import REQUIRED, Table
from mbd_fmu.quantities.vectors import Vector, vector_of
from mbd_fmu.spatial import length_of


@dataclass(frozen=True)
class Name(Key):
    """The name of a body; left out, of that which carries the named point at another key."""

    example: str = ""

    @property
    def form(self) -> Form:
        """What it may be."""
        return FILLED

    def read(self, table: Table) -> str:
        """Take a name."""
        return table.body(self.name, told_by=self.told_by, example=self.example)


@dataclass(frozen=True)
class BodyName(Key):
    """The name of a body, or of the ground; which is meant where there is none."""

    @property
    def form(self) -> Form:
        """What it may be."""
        return FILLED if self.default is REQUIRED else TEXT

    def read(self, table: Table) -> str:
        """Take a name."""
        return table.body(self.name, self.default, told_by=self.told_by, example='"ground"')


@dataclass(frozen=True)
class Point(Key):
    """Three coordinates in the frame of a body, or a named point of it."""

    of: str = field(default="", kw_only=True)  # the key that names the body; none: the ground
    nth: int = field(default=0, kw_only=True)  # which of the bodies that key names
    example: ClassVar[str] = "[0, 0, 0]"

    @property
    def form(self) -> Form:
        """What it may be."""
        return VECTOR

    @property
    def left_out(self) -> str:
        """The same three numbers."""
        return f"`{self.told_by}`; needed in local frames" if self.told_by else ""

    def read(self, table: Table) -> Vector:
        """Take a point, or one drawn at the same place."""
        if self.told_by and not (table.has(self.name) or table.scope.is_local):
            return table.vector(self.told_by, (3,))
        carrier = table.named(self.of, self.nth) if self.of else GROUND
        if self.of and self.is_place:
            self._check_carrier(table, carrier)
        return table.place(self.name, carrier, self.default, self.example)

    @property
    def is_place(self) -> bool:
        """It is somewhere, so only one body can hold it there."""
        return True

    def _check_carrier(self, table: Table, body: str) -> None:
        """Refuse a named point of another body than the one that is to hold it.

        In local frames, where numbers themselves would be wrong, ``place`` does.
        """
        point = table.named(self.name)
        carrier = table.scope.carrier_of(point)
        if carrier and body and carrier != body and not table.scope.is_local:
            found = f'"{shortened(point.strip())}" is a point of "{shortened(carrier)}"'
            remedy = f'name a point of "{shortened(body)}", or "{shortened(carrier)}" as {self.of}'
            table.problem(self.name, f'{found}, not of "{shortened(body)}"', remedy)


@dataclass(frozen=True)
class Direction(Point):
    """Three components that are not all zero."""

    example: ClassVar[str] = "[0, 0, 1]"

    @property
    def is_place(self) -> bool:
        """It points somewhere, from wherever."""
        return False

    @property
    def form(self) -> Form:
        """What it may be."""
        return DIRECTION

    def problems(self, where: str, value: Any, nominal: Mapping[str, float]) -> Iterator[Problem]:
        """Refuse a vector without direction."""
        yield from direction_problem(f"{where}, {self.name}", value, nominal)


@dataclass(frozen=True)
class OptionalDirection(Direction):
    """A direction, or none."""

    def read(self, table: Table) -> Vector:
        """Take it if it is there."""
        return super().read(table) if table.has(self.name) else ()

    def problems(self, where: str, value: Any, nominal: Mapping[str, float]) -> Iterator[Problem]:
        """Judge it if it is there."""
        yield from super().problems(where, value, nominal) if value else ()


# of what joins a point of one body to a point of another
ENDS: tuple[Key, ...] = (
    Name("parent", told_by="point", example='"ground"'),
    Name("child", told_by="point2"),
    Point("point", of="parent"),
    Point("point2", of="child"),
)


def direction_problem(where: str, axis: Vector, nominal: Mapping[str, float]) -> list[Problem]:
    """Refuse a vector that has no direction."""
    found = vector_of(axis, nominal)
    if length_of(found) >= SMALLEST:
        return []
    remedy = f"give a nonzero vector, for example {Direction.example}"
    return [Problem(where, f"{show([float(x) for x in found])} has no direction", remedy)]
