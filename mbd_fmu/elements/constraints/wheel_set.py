"""Wheel set: two discs on one axle, rolling on a plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from mbd_fmu.elements.constraint import METRES, Held
from mbd_fmu.elements.constraints.discs import ON_PLANE, PlacedDiscs, Rolling
from mbd_fmu.elements.keys import Key, TwoNames
from mbd_fmu.elements.place_keys import Point
from mbd_fmu.elements.places import Places
from mbd_fmu.quantities.table import Table
from mbd_fmu.quantities.vectors import Vector


@dataclass(frozen=True)
class WheelSet(Rolling):
    """As a model says it."""

    type: ClassVar[str] = "wheel_set"
    keeps: ClassVar[str] = "two discs on one axle likewise"
    multipliers: ClassVar[str] = (
        "forces on the discs: normal on first and second, forward on both, sideward"
    )
    keys: ClassVar[tuple[Key, ...]] = (
        Point("center", "of the first", goes_to="point2", of="bodies"),
        Point("center2", "of the second", of="bodies", nth=1),
        *ON_PLANE,
    )
    wheels: ClassVar[Key] = TwoNames("bodies", goes_to="child")
    holonomic: ClassVar[str] = 2 * METRES
    nonholonomic: ClassVar[str] = 3 * METRES

    child2: str = ""
    center2: Vector = ()

    @classmethod
    def read(cls, table: Table, name: str, *, is_local: bool) -> Self:
        """Read it; both bodies stand in one key."""
        del is_local
        body, body2 = cls.wheels.read(table)
        own = {key.target: key.read(table) for key in cls.keys}
        return cls(name, child=body, child2=body2, **own)

    @classmethod
    def keys_shown(cls) -> tuple[Key, ...]:
        """Return all that may stand in its table besides name and type."""
        return (cls.wheels, *cls.keys)

    @property
    def bodies(self) -> tuple[tuple[str, str], ...]:
        """Both wheels."""
        return (*super().bodies, (self.wheels.name, self.child2))

    @property
    def held(self) -> tuple[Held, ...]:
        """At both centres; where both discs are one body, all of it at the first."""
        if self.child2 == self.child:
            return super().held
        return (*super().held, Held(self.child2, self.center2, "center2", turns=True, number="2"))

    def placed(self, places: Places) -> PlacedDiscs:
        """Put numbers in."""
        return self.rolled(places, (self.child, self.point2), (self.child2, self.center2))


CONSTRAINT = WheelSet
