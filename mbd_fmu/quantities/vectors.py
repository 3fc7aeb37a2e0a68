"""Vectors and turns of a specification, with numbers or symbols put in for the parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mbd_fmu.quantities.expressions import Quantity, value_of
from mbd_fmu.spatial import Array, array, quaternion_of_rpy, scaled, times

Vector = tuple[Quantity, ...]
Matrix = tuple[Vector, ...]
Values = Mapping[str, Any]  # parameter name -> number or symbol


@dataclass(frozen=True)
class Orientation:
    """A turn: roll-pitch-yaw (3) or quaternion (4)."""

    values: Vector


def vector_of(vector: Vector, parameters: Values) -> Array:
    """Return the numbers or symbols of a vector."""
    return array([value_of(x, parameters) for x in vector])


def unit_vector_of(vector: Vector, parameters: Values) -> Array:
    """Return the direction of a vector."""
    a = vector_of(vector, parameters)
    length = np.sqrt(array([times(a, a)]))[0]
    return scaled(1.0 / length, a)


def quaternion_of(orientation: Orientation, parameters: Values) -> Array:
    """Return the quaternion of a turn, of length 1."""
    values = vector_of(orientation.values, parameters)
    if len(values) == 3:
        return quaternion_of_rpy(*values)
    return unit_vector_of(orientation.values, parameters)
