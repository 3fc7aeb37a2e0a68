"""Pull: a spring from any point of a body to any place, held by whoever grabs it in a page.

It is no element of models: only the module of a page has it, one on each body. The spring is part
of the motion and not an input that is held over a step, so pulling hard stays stable. With zero
stiffness and damping it adds zeros, and zeros change no bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mbd_fmu.elements.force import Bodies, Force, Load, PlacedForce
from mbd_fmu.elements.keys import Key
from mbd_fmu.elements.names import Component
from mbd_fmu.elements.places import GROUND, BodyPoint, Places
from mbd_fmu.model.spec import Body
from mbd_fmu.spatial import Array, Scalar, scaled

PREFIX = "pull."  # before the name of its body; no name of a model has a dot


@dataclass(frozen=True)
class PlacedPull(PlacedForce):
    """On its body; inputs are the point grabbed, where it is pulled to, stiffness and damping."""

    origin: BodyPoint  # from where the point is given
    R_BU: Array

    def _force(self, bodies: Bodies, inputs: Array) -> tuple[Array, Array, Array]:
        """Force, and position and velocity of the point grabbed, in the world."""
        held, target, stiffness, damping = inputs[:3], inputs[3:6], inputs[6], inputs[7]
        place, velocity = bodies.point(
            BodyPoint(self.origin.body, self.origin.place + self.R_BU @ held)
        )
        pull = scaled(stiffness, target - place) - scaled(damping, velocity)
        return pull, place, velocity

    def loads(self, bodies: Bodies, inputs: Array) -> Iterator[Load]:
        """Yield it."""
        force, place, _ = self._force(bodies, inputs)
        yield Load(self.origin.body, force, np.zeros(3), place)

    def powers(self, bodies: Bodies, inputs: Array) -> Iterator[Scalar]:
        """Of the force at the point: what the hand puts in or takes out."""
        force, _, velocity = self._force(bodies, inputs)
        yield force @ velocity


@dataclass(frozen=True)
class Pull(Force):
    """On one body, ``child``; ``point2`` is the origin from which the point grabbed is given."""

    type: ClassVar[str] = "pull"
    law: ClassVar[str] = "stiffness (target - point) - damping velocity"
    keys: ClassVar[tuple[Key, ...]] = ()
    is_coupling: ClassVar[bool] = False

    @property
    def inputs(self) -> tuple[Component, ...]:
        """Where it takes hold, where it pulls to, and how hard."""
        names = (
            *(
                (f"point.{c}", "m", f'point grabbed, from the origin of "{self.child}"')
                for c in "xyz"
            ),
            *((f"target.{c}", "m", "place it is pulled to, in the world") for c in "xyz"),
            ("stiffness", "N/m", "of the spring between the two"),
            ("damping", "N.s/m", "against the velocity of the point"),
        )
        return tuple(Component(f"{self.name}.{name}", unit, text) for name, unit, text in names)

    def placed(self, places: Places) -> PlacedPull:
        """Put it on its body."""
        origin = places.point(self.child, self.point2)
        return PlacedPull(origin, places.R_UB[origin.body].T)


def pull_on(body: Body) -> Pull:
    """Return the pull on a body."""
    return Pull(f"{PREFIX}{body.name}", GROUND, body.name, (0.0, 0.0, 0.0), body.origin)
