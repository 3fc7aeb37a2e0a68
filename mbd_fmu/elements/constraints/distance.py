"""Distance: a rod without mass between two points, on a ball at each end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from mbd_fmu.elements.constraint import METRES, JointJets
from mbd_fmu.elements.constraints.points import BetweenPoints, PlacedPoints
from mbd_fmu.elements.jets import BodyJets, Flow, Jet, dot, root
from mbd_fmu.elements.keys import Key, positive_length
from mbd_fmu.elements.place_keys import ENDS
from mbd_fmu.elements.places import BodyPoint, Places
from mbd_fmu.elements.symbols import ROD
from mbd_fmu.errors import Problem, shortened
from mbd_fmu.quantities.expressions import Quantity
from mbd_fmu.quantities.limits import SMALLEST
from mbd_fmu.quantities.table import Table
from mbd_fmu.quantities.vectors import vector_of
from mbd_fmu.spatial import Scalar, array, length_of, times


@dataclass(frozen=True)
class PlacedRod(PlacedPoints):
    """A rod with its length."""

    length: Scalar

    @property
    def line_ends(self) -> tuple[BodyPoint, BodyPoint]:
        """Its ends."""
        return self.ends

    def rows(self, bodies: BodyJets, joints: JointJets) -> Iterator[Jet | Flow]:
        """|d| - l."""
        del joints
        between = self.between(bodies)
        yield root(dot(between, between)).plus(-self.length)


@dataclass(frozen=True)
class Distance(BetweenPoints):
    """As a model says it."""

    type: ClassVar[str] = "distance"
    keeps: ClassVar[str] = "two points at a distance: a rod without mass"
    multipliers: ClassVar[str] = "force that pushes its points apart"
    keys: ClassVar[tuple[Key, ...]] = (
        *ENDS,
        positive_length("length", "default as drawn; needed in local frames", may_lack=True),
    )
    holonomic: ClassVar[str] = METRES
    line: ClassVar[str] = ROD

    length: Quantity | None = None  # None: as drawn

    @classmethod
    def read(cls, table: Table, name: str, *, is_local: bool) -> Self:
        """Read it; in local frames the two points are not drawn beside each other."""
        *ends, length = cls.keys
        given = {key.name: key.read(table) for key in ends}
        if is_local or table.has("length"):
            given["length"] = length.read(table)
        return cls(name, **given)

    def problems(self, nominal: Mapping[str, float]) -> list[Problem]:
        """Points that coincide as drawn have no distance to keep."""
        found = super().problems(nominal)
        if self.length is None:
            between = vector_of(self.point2, nominal) - vector_of(self.point, nominal)
            if not length_of(between) >= SMALLEST:
                remedy = "draw them apart, or use a spherical joint"
                where = f'constraint "{shortened(self.name)}"'
                found.append(Problem(where, "its two points coincide as drawn", remedy))
        return found

    def placed(self, places: Places) -> PlacedRod:
        """Put numbers in; the length as given, or as drawn in the world."""
        if self.length is not None:
            return PlacedRod(self.placed_ends(places), places.value(self.length))
        between = places.vector(self.point2) - places.vector(self.point)
        return PlacedRod(self.placed_ends(places), np.sqrt(array([times(between, between)]))[0])


CONSTRAINT = Distance
