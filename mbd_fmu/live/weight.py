"""Weight: another gravity than the model's, as forces on mass centres, chosen in a page.

It is no element of models: only the module of a page has it. The model's own gravity stays in its
equations as it is; with none added there are zeros, and zeros change no bit. What it does counts as
work from outside, not as potential energy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mbd_fmu.elements.force import Bodies, Force, Load, PlacedForce
from mbd_fmu.elements.keys import Key
from mbd_fmu.elements.names import Component
from mbd_fmu.elements.places import GROUND, BodyPoint, Places
from mbd_fmu.model.spec import Body
from mbd_fmu.quantities.expressions import Quantity
from mbd_fmu.quantities.vectors import Vector
from mbd_fmu.spatial import Array, Scalar, scaled

NAME = "gravity.added"  # no name of a model has a dot


@dataclass(frozen=True)
class PlacedWeight(PlacedForce):
    """On all bodies: masses and mass centres; inputs are the gravity added."""

    parts: tuple[tuple[Scalar, BodyPoint], ...]

    def loads(self, bodies: Bodies, inputs: Array) -> Iterator[Load]:
        """Yield what pulls at each mass centre."""
        for mass, com in self.parts:
            yield Load(com.body, scaled(mass, inputs), np.zeros(3), bodies.point(com)[0])

    def powers(self, bodies: Bodies, inputs: Array) -> Iterator[Scalar]:
        """Of each of them."""
        for mass, com in self.parts:
            yield scaled(mass, inputs) @ bodies.point(com)[1]


@dataclass(frozen=True)
class Weight(Force):
    """On some bodies, by name, mass and mass centre."""

    type: ClassVar[str] = "weight"
    law: ClassVar[str] = "mass times gravity"
    keys: ClassVar[tuple[Key, ...]] = ()
    is_coupling: ClassVar[bool] = False

    parts: tuple[tuple[str, Quantity, Vector], ...]

    @property
    def inputs(self) -> tuple[Component, ...]:
        """Gravity beside that of the model."""
        text = "gravity beside that of the model, world axes"
        return tuple(Component(f"{NAME}.{c}", "m/s2", f"{text}, {c}") for c in "xyz")

    def placed(self, places: Places) -> PlacedWeight:
        """Put numbers or symbols in."""
        return PlacedWeight(
            tuple((places.value(mass), places.point(name, com)) for name, mass, com in self.parts)
        )


def weight_of(bodies: Sequence[Body]) -> Weight:
    """Return what adds weight to bodies."""
    nowhere = (0.0, 0.0, 0.0)
    parts = tuple((body.name, body.mass, body.com) for body in bodies)
    return Weight(NAME, GROUND, GROUND, nowhere, nowhere, parts)
