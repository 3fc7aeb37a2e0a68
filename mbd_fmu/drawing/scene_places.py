"""Places of a scene: given from the origin whose position is an output, in the axes of a body."""

from __future__ import annotations

from mbd_fmu.elements.places import GROUND
from mbd_fmu.model.spec import Body, Spec
from mbd_fmu.quantities.vectors import Vector, unit_vector_of, vector_of
from mbd_fmu.topology.connect import BASE_BODY

Numbers = list[float]


def place_on(spec: Spec, body: str, point: Vector) -> Numbers:
    """Return a point of a body, given in its U, from the origin whose position is an output."""
    if not point:
        return []
    place = vector_of(point, spec.nominal).astype(float)
    if body != GROUND:
        place = place - vector_of(_named(spec, body).origin, spec.nominal).astype(float)
    return [float(x) for x in place]


def direction_on(spec: Spec, axis: Vector) -> Numbers:
    """Return a unit vector, or nothing of nothing."""
    return unit_vector_of(axis, spec.nominal).astype(float).tolist() if axis else []


def carrier_of(spec: Spec, name: str) -> str:
    """What is tied to the ground rides on the base where that moves."""
    return BASE_BODY if spec.moving_base and name == GROUND else name


def _named(spec: Spec, name: str) -> Body:
    return next(body for body in spec.bodies if body.name == name)
