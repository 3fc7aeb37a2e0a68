"""Places on bodies: where elements take hold, with numbers or symbols put in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mbd_fmu.quantities.expressions import Quantity, value_of
from mbd_fmu.quantities.vectors import Values, Vector, unit_vector_of, vector_of
from mbd_fmu.spatial import Array, Scalar, times

GROUND = "ground"  # what everything stands on, by name,
WORLD = -1  # and where bodies are counted


@dataclass(frozen=True)
class BodyPoint:
    """A point of a body, in its B; or of the ground (WORLD), in the world."""

    body: int
    place: Array


@dataclass(frozen=True)
class BodyFrame:
    """A frame that a body carries: its axes (columns) and origin in B."""

    body: int
    axes: Array
    origin: Array


@dataclass(frozen=True)
class Places:
    """Where the frames U that a model is drawn in lie on the bodies of a tree."""

    parameters: Values
    body: Mapping[str, int]  # by name
    joint: Mapping[str, int]  # likewise; those that are cut are counted on from the last body
    R_UB: tuple[Array, ...]  # axes of B in U
    origin_U: tuple[Array, ...]  # origin of B in U

    def number(self, body: str) -> int:
        """Return where a body, or the ground, is counted."""
        return WORLD if body == GROUND else self.body[body]

    def value(self, quantity: Quantity) -> Scalar:
        """Put parameters into a quantity."""
        return value_of(quantity, self.parameters)

    def vector(self, vector: Vector) -> Array:
        """Put parameters into a vector."""
        return vector_of(vector, self.parameters)

    def point(self, body: str, point: Vector) -> BodyPoint:
        """Return a point given in the body's U."""
        if body == GROUND:
            return BodyPoint(WORLD, self.vector(point))
        i = self.body[body]
        return BodyPoint(i, times(self.R_UB[i].T, self.vector(point) - self.origin_U[i]))

    def direction(self, body: str, axis: Vector) -> Array:
        """Return a unit vector given in the body's U, in its B."""
        d_U = unit_vector_of(axis, self.parameters)
        return d_U if body == GROUND else times(self.R_UB[self.body[body]].T, d_U)
