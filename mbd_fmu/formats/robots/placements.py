"""Frames placed in frames, and masses in them: what merging links takes.

Source   Steiner's theorem; Featherstone, Rigid Body Dynamics Algorithms (2008), sec. 2.13.
Checked  tests/formats/test_urdf.py, tests/formats/test_robots.py
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from mbd_fmu.spatial import Array, quaternion_of_matrix, quaternion_of_rpy, rotation_matrix, times

Triple = tuple[float, ...]


@dataclass(frozen=True)
class Placement:
    """Frame B in frame A: R_AB holds its axes, p_AB is its origin."""

    R: Array = field(default_factory=lambda: np.eye(3))
    p: Array = field(default_factory=lambda: np.zeros(3))

    def then(self, inner: Placement) -> Placement:
        """Return C in A, of C in B."""
        return Placement(times(self.R, inner.R), self.point(inner.p))

    def turned(self, vector: npt.ArrayLike) -> Array:
        """Return a vector given in B, in the axes of A."""
        return times(self.R, np.array(vector))

    def point(self, at: npt.ArrayLike) -> Array:
        """Return a point given in B, in A."""
        return self.p + self.turned(at)

    def inverse(self) -> Placement:
        """Return A in B."""
        return Placement(self.R.T, -times(self.R.T, self.p))

    @property
    def is_turned(self) -> bool:
        """Tell whether the axes of both are not the same."""
        return not np.array_equal(self.R, np.eye(3))

    @property
    def quat(self) -> Triple:
        """Return the turn as a unit quaternion."""
        return tuple(float(x) for x in quaternion_of_matrix(self.R))

    @property
    def r(self) -> Triple:
        """Return the origin as plain numbers."""
        return numbers(self.p)


def placement_of(xyz: Triple, rpy: Triple) -> Placement:
    """Place a frame as URDF does."""
    R = rotation_matrix(quaternion_of_rpy(*rpy)) if any(rpy) else np.eye(3)
    return Placement(R, np.array(xyz))


def numbers(vector: Array) -> Triple:
    """Return plain numbers, without negative zeros."""
    return tuple(float(x) + 0.0 for x in vector)


def rpy_of(R: Array) -> Triple:
    """Return turns about fixed x, then y, then z, which together are R to the last digits.

    Near upright the first and the last turn are nearly the same: what one of them lacks in digits,
    the other makes up for, because it is measured after the last is undone.
    """
    yaw = math.atan2(R[1, 0], R[0, 0])
    c, s = math.cos(yaw), math.sin(yaw)
    roll = math.atan2(s * R[0, 2] - c * R[1, 2], c * R[1, 1] - s * R[0, 1])
    pitch = math.atan2(-R[2, 0], math.hypot(R[0, 0], R[1, 0]))
    return numbers(np.array([roll, pitch, yaw]))


@dataclass(frozen=True)
class Mass:
    """Mass, mass centre, and inertia about it, in some frame."""

    mass: float
    com: Array
    inertia: Array

    def seen_from(self, place: Placement) -> Mass:
        """Return the same in the frame A, given in a frame B that lies there so."""
        if not place.is_turned:
            return Mass(self.mass, place.p + self.com, self.inertia)
        inertia = times(times(place.R, self.inertia), place.R.T)
        return Mass(self.mass, place.point(self.com), (inertia + inertia.T) / 2.0)

    @property
    def is_none(self) -> bool:
        """Tell whether there is neither mass nor inertia."""
        return self.mass == 0.0 and not self.inertia.any()


NO_MASS = Mass(0.0, np.zeros(3), np.zeros((3, 3)))


def together(masses: Sequence[Mass]) -> Mass:
    """Return the mass of several that move as one."""
    masses = [mass for mass in masses if not mass.is_none]
    if len(masses) < 2:
        return masses[0] if masses else NO_MASS
    total = sum(m.mass for m in masses)
    com = sum((m.mass * m.com for m in masses), np.zeros(3)) / (total or 1.0)
    inertia = np.zeros((3, 3))
    for m in masses:
        d = m.com - com
        inertia = inertia + m.inertia + m.mass * (times(d, d) * np.eye(3) - np.outer(d, d))
    return Mass(total, com, inertia)
