"""Turns about an axis, of numbers or symbols: pieces that motions of joints are made of."""

from __future__ import annotations

import numpy as np

from mbd_fmu.spatial import Array, Scalar, array, scaled

Z = np.array([0.0, 0.0, 1.0])
NO_TURN = np.array([1.0, 0.0, 0.0, 0.0])  # as a quaternion


def turn_about_z(angle: Scalar) -> Array:
    """Rotation matrix."""
    c, s = cosine_sine(angle)
    return array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def cosine_sine(angle: Scalar) -> tuple[Scalar, Scalar]:
    """Both, of a number or a symbol."""
    wrapped = array([angle])
    return np.cos(wrapped)[0], np.sin(wrapped)[0]


def quaternion_about(axis: Array, angle: Scalar) -> Array:
    """Half angles, so the sign of the quaternion never jumps while the angle moves on."""
    c, s = cosine_sine(0.5 * angle)
    return array([c, *scaled(s, axis)])


def angle_near(s: Scalar, c: Scalar, near: Scalar) -> Scalar:
    """Return the angle with sine and cosine as s : c that is less than half a turn from near."""
    cn, sn = cosine_sine(near)
    s, c = s * cn - c * sn, c * cn + s * sn
    r = np.sqrt(array([s * s + c * c]))[0]
    return near + 2.0 * np.arctan(array([s / (r + c)]))[0]
