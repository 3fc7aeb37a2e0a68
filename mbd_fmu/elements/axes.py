"""Right-handed axes about a given direction, of numbers or symbols."""

from __future__ import annotations

import numpy as np

from mbd_fmu.spatial import Array, array, is_number, scaled, skew, times

PARALLEL = 1e-9  # sine of the angle below which two axes have no common normal worth the name


def axes_about(z: Array, x: Array) -> Array:
    """Return the rotation with third column z and first column as near to x as can be."""
    x = across(x, z)
    return snap(np.stack([x, times(skew(z), x), z], axis=1))


def across(x: Array, z: Array) -> Array:
    """Return the unit vector across z that is nearest to x, or any if x is along z."""
    x = x - scaled(times(x, z), z)
    length = np.sqrt(array([times(x, x)]))[0]
    if is_number(length) and length < PARALLEL:
        return across(np.eye(3)[np.argmin(np.abs(z.astype(float)))], z)
    return scaled(1.0 / length, x)


def any_across(axis: Array) -> Array:
    """Return the world's direction nearest across an axis: x, or y where x is along it."""
    along_x = is_number(axis[0]) and abs(axis[0]) > 0.9
    return np.array([0.0, 1.0, 0.0] if along_x else [1.0, 0.0, 0.0])


def snap(A: Array) -> Array:
    """Make entries within rounding of 0 or +-1 exactly that; symbols stay.

    A direction cosine carries an error of some 1e-16 anyway; an exact zero costs no code.
    """
    A = A.copy()
    for index, x in np.ndenumerate(A):
        if is_number(x) and abs(x - round(x)) < 1e-15:
            A[index] = float(round(x))
    return A
