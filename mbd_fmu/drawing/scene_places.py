"""Places of a scene: given from the origin whose position is an output, in the axes of a body."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from mbd_fmu.elements.places import GROUND
from mbd_fmu.model.spec import Spec
from mbd_fmu.quantities.expressions import Quantity, value_of
from mbd_fmu.quantities.vectors import Values, Vector, unit_vector_of, vector_of
from mbd_fmu.spatial import Array, Scalar, is_number
from mbd_fmu.topology.connect import BASE_BODY

Numbers = list[float]  # or of symbols


@dataclass(frozen=True)
class Drawn:
    """A mechanism with values put in for its parameters: numbers, or symbols.

    What is drawn at all, and how, is decided with the declared values: symbols decide nothing.
    """

    spec: Spec
    values: Values  # of all that expressions may name

    @cached_property
    def declared(self) -> Drawn:
        """The same with the declared values."""
        return Drawn(self.spec, self.spec.nominal)

    @cached_property
    def _origins(self) -> dict[str, Array]:
        return {body.name: vector_of(body.origin, self.values) for body in self.spec.bodies}

    def number(self, quantity: Quantity) -> Scalar:
        """Return a number as a scene has it."""
        value = value_of(quantity, self.values)
        return float(value) if is_number(value) else value

    def vector(self, vector: Vector) -> Array:
        """Return what is given by components."""
        return vector_of(vector, self.values)

    def place_on(self, body: str, point: Vector) -> Numbers:
        """Return a point of a body, given in its U, from the origin whose position is an output."""
        if not point:
            return []
        place = self.vector(point)
        if body != GROUND:
            place = place - self._origins[body]
        return list(place.tolist())

    def direction(self, axis: Vector) -> Numbers:
        """Return a unit vector, or nothing of nothing."""
        return list(unit_vector_of(axis, self.values).tolist()) if axis else []

    def carrier_of(self, name: str) -> str:
        """What is tied to the ground rides on the base where that moves."""
        return BASE_BODY if self.spec.moving_base and name == GROUND else name
