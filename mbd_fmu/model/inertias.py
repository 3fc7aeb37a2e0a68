"""Inertias of bodies, with numbers or symbols put in for the parameters."""

from __future__ import annotations

import numpy as np

from mbd_fmu.model.spec import Body, Shape
from mbd_fmu.quantities.expressions import Quantity, value_of
from mbd_fmu.quantities.vectors import Values, unit_vector_of
from mbd_fmu.spatial import Array, Scalar, array, times


def inertia_of(body: Body, parameters: Values) -> Array:
    """Return the 3x3 inertia about the mass centre, in U."""
    if isinstance(body.inertia, Shape):
        return _inertia_of_shape(body.inertia, body.mass, parameters)
    return array([[value_of(x, parameters) for x in row] for row in body.inertia])


def equal_box(mass: float, inertia: Array) -> tuple[Array, Array]:
    """Return edges and axes of the homogeneous box of a mass and of moments about its centre.

    Edges a, b, c have moments m (b^2 + c^2) / 12 and so on; the axes are columns, right-handed.
    """
    moments, axes = np.linalg.eigh(inertia)
    squares = 6 * (moments.sum() - 2 * moments) / mass if mass > 0 else np.zeros(3)
    axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
    return np.sqrt(np.maximum(squares, 0.0)), axes


def _inertia_of_shape(shape: Shape, mass: Quantity, parameters: Values) -> Array:
    """Moments of homogeneous solids, as in any table of moments of inertia."""
    m = value_of(mass, parameters)
    size = [value_of(x, parameters) for x in shape.size]
    match shape.kind:
        case "box":
            a, b, c = (x * x for x in size)
            return _diagonal(m * (b + c) / 12.0, m * (a + c) / 12.0, m * (a + b) / 12.0)
        case "sphere":
            moment = m * size[0] * size[0] * 0.4
            return _diagonal(moment, moment, moment)
        case "cylinder":
            r, length = size
            across = m * (3.0 * r * r + length * length) / 12.0
            return _axial(shape, parameters, along=m * r * r / 2.0, across=across)
        case "rod":
            return _axial(shape, parameters, along=0.0, across=m * size[0] * size[0] / 12.0)
        case _:
            return _diagonal(0.0, 0.0, 0.0)


def _diagonal(x: Scalar, y: Scalar, z: Scalar) -> Array:
    return array([[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]])


def _axial(shape: Shape, parameters: Values, *, along: Scalar, across: Scalar) -> Array:
    """Return the inertia of a solid of revolution: across * 1 + (along - across) * axis axis^T."""
    axis = unit_vector_of(shape.axis, parameters)
    extra = _diagonal(along - across, along - across, along - across)
    return _diagonal(across, across, across) + times(extra, np.outer(axis, axis))
