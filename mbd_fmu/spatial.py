"""Rotations, quaternions and spatial (6-D) vectors.

Said once for the whole project: the angular part comes first in 6-vectors, quaternions are
Hamilton's with components w, x, y, z, and in names the right letter goes in and the left one
comes out: ``p_A = R_AB @ p_B``, ``V_B = X_BA.motion(V_A)``. Where numbers may end up in an FMU,
``R_AB @ p_B`` is written ``times(R_AB, p_B)``.

Every function takes float arrays and object arrays of symbols alike. Two habits make that
work: never ``array * symbol`` (the symbol would swallow the array), and no ``if`` on values.

Source   Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 2.
Seed     spatial_v2 (MATLAB), read for its shape; written anew.
Checked  tests/unit/test_spatial.py
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Scalar = Any  # a float, or a symbol that behaves like one

# Far below the square of any length a mechanism has, it changes no digit; added to zero it lets
# 0 / 0 be 0.
TINY = 1e-300


_NUMBERS = (int, float, np.number)  # a tuple is looked through four times as fast as a union


def is_number(x: Scalar) -> bool:
    """Tell a number from a symbol."""
    return isinstance(x, _NUMBERS)


def array(entries: Iterable[Any]) -> Array:
    """Put floats and symbols side by side: a float array if it can be one, else an object array."""
    a = np.array(entries)
    if a.dtype.hasobject and not all(isinstance(x, _NUMBERS) for x in a.flat):
        return a
    return a.astype(float, copy=False)


def scaled(factor: Scalar, a: Array) -> Array:
    """Multiply a vector by a number or a symbol."""
    return array([factor * x for x in a])


def times(a: Array, b: Array) -> Array:
    """Return ``a @ b``, of numbers with the same last digits on every machine.

    NumPy leaves ``@`` of floats to a library that sums in another order on each kind of processor;
    products entry by entry, and their sums, it makes itself. Symbols are in order anyway.
    """
    found: Array
    if a.dtype.hasobject or b.dtype.hasobject:
        found = a @ b
    elif b.shape == (3,) and a.ndim == 2:  # the most frequent by far, in half the time
        x, y, z = b.tolist()
        found = np.array([p * x + q * y + r * z for p, q, r in a.tolist()])
    elif b.ndim == 1:
        found = np.add.reduce(a * b, -1)
    else:
        found = np.add.reduce(a[..., None] * b, -2)
    return found


def length_of(a: Array) -> float:
    """Return the length of a vector of numbers, with the same last digit on every machine."""
    return math.sqrt(times(a, a))


def norm(a: Array) -> Scalar:
    """Return the length of a vector; at zero its derivative is taken as zero."""
    return np.sqrt(array([times(a, a) + TINY]))[0]


def arctan2(y: Scalar, x: Scalar) -> Scalar:
    """Return the angle of the point (x, y), of numbers or symbols."""
    if is_number(x) and is_number(y):
        return float(np.arctan2(y, x))
    return x.arctan2_from(y) if is_number(y) else y.arctan2(x)


def skew(a: Array) -> Array:
    """Return the matrix of a cross product: ``skew(a) @ b`` is a x b. RBDA eq. 2.23."""
    x, y, z = a.tolist()
    K = np.zeros((3, 3), a.dtype)
    K[2, 1], K[0, 2], K[1, 0] = x, y, z
    K[1, 2], K[2, 0], K[0, 1] = -x, -y, -z
    return K


def symmetric(A: Array) -> Array:
    """Mirror the upper triangle of a matrix that is symmetric but for rounding.

    Of a symbolic matrix this halves the work: nobody asks for the lower triangle any more.
    """
    return np.where(_lower_triangle(len(A)), A.T, A)


@cache
def _lower_triangle(n: int) -> Array:
    return np.tri(n, k=-1, dtype=bool)


def blocks(rotational: Array, mixed: Array, linear: Array) -> Array:
    """Put a symmetric 6x6 matrix together from three 3x3 ones."""
    A = np.empty((6, 6), dtype=np.result_type(rotational, mixed, linear))
    A[:3, :3], A[:3, 3:], A[3:, :3], A[3:, 3:] = rotational, mixed, mixed.T, linear
    return A


def quaternion_product(a: Array, b: Array) -> Array:
    """Return the rotation b followed by a, both in the frame a refers to."""
    (aw, ax, ay, az), (bw, bx, by, bz) = a, b
    return array(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ]
    )


def conjugate(quat: Array) -> Array:
    """Return the inverse rotation."""
    w, x, y, z = quat
    return array([w, -x, -y, -z])


def rotation_matrix(quat_AB: Array) -> Array:
    """Return R_AB of a unit quaternion. [seed 002]"""
    w, x, y, z = quat_AB
    return array(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )


def quaternion_of_matrix(R_AB: Array) -> Array:
    """Return the unit quaternion of a numeric rotation matrix, with w >= 0 (Shepperd, 1978)."""
    R = np.asarray(R_AB, dtype=float)
    # 4 q q^T; its column with the largest diagonal entry loses no digits.
    K = np.empty((4, 4))
    K[0, 0] = 1 + R[0, 0] + R[1, 1] + R[2, 2]
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        K[i + 1, i + 1] = 1 + R[i, i] - R[j, j] - R[k, k]
        K[0, i + 1] = K[i + 1, 0] = R[k, j] - R[j, k]
        K[i + 1, j + 1] = K[j + 1, i + 1] = R[i, j] + R[j, i]
    column = K[:, np.argmax(np.diag(K))]
    quat: Array = column / length_of(column)
    return -quat if quat[0] < 0 else quat


def quaternion_of_rpy(roll: Scalar, pitch: Scalar, yaw: Scalar) -> Array:
    """Return the quaternion of turns about fixed x, then y, then z, as URDF counts them."""
    # one by one: some may be numbers, others symbols
    (cx, sx), (cy, sy), (cz, sz) = (
        (np.cos(half)[0], np.sin(half)[0])
        for half in (array([0.5 * angle]) for angle in (roll, pitch, yaw))
    )
    about_x, about_y, about_z = (
        array([cx, sx, 0.0, 0.0]),
        array([cy, 0.0, sy, 0.0]),
        array([cz, 0.0, 0.0, sz]),
    )
    return quaternion_product(about_z, quaternion_product(about_y, about_x))


def quaternion_rate(quat_AB: Array, w_B: Array) -> Array:
    """Return the time derivative of quat_AB, for the angular velocity in axes of B."""
    return quaternion_product(quat_AB, array([0.0, *scaled(0.5, w_B)]))


def spatial_inertia(mass: Scalar, p_BBcm: Array, I_Bcm: Array) -> Array:
    """Return the 6x6 inertia of a body in its frame B. RBDA eq. 2.63."""
    m = array([[mass, 0.0, 0.0], [0.0, mass, 0.0], [0.0, 0.0, mass]])
    c = skew(p_BBcm)
    return blocks(symmetric(I_Bcm + times(times(c, m), c.T)), times(c, m), m)


def cross_motion(V: Array, U: Array) -> Array:
    """Return V x U of two motion vectors. RBDA eq. 2.33."""
    w = skew(V[:3])
    return np.concatenate([times(w, U[:3]), times(skew(V[3:]), U[:3]) + times(w, U[3:])])


def cross_force(V: Array, F: Array) -> Array:
    """Return V x* F of a motion and a force vector. RBDA eq. 2.34."""
    w = skew(V[:3])
    return np.concatenate([times(w, F[:3]) + times(skew(V[3:]), F[3:]), times(w, F[3:])])


@dataclass(frozen=True)
class Transform:
    """X_BA: spatial vectors from frame A to frame B.

    Kept as its factors, from A outward, and applied one after the other: a turn about z
    followed by a constant one costs less than their product. Each factor (R, p) places a
    frame in the one before: the columns of R are its axes and p is its origin.
    """

    factors: tuple[tuple[Array, Array], ...]

    @property
    def pose(self) -> tuple[Array, Array]:
        """R_AB and p_AB: the frame B placed in A."""
        R_AB, p_AB = self.factors[0]
        for R, p in self.factors[1:]:
            R_AB, p_AB = times(R_AB, R), p_AB + times(R_AB, p)
        return R_AB, p_AB

    def motion(self, V_A: Array) -> Array:
        """Return V_B = X_BA V_A. RBDA eq. 2.24."""
        V = V_A
        for R, p in self.factors:
            V = np.concatenate([times(R.T, V[:3]), times(R.T, V[3:] + times(skew(V[:3]), p))])
        return V

    def force_back(self, F_B: Array) -> Array:
        """Return F_A = X_BA^T F_B, of one force or of several in columns. RBDA eq. 2.25."""
        F = F_B
        for R, p in reversed(self.factors):
            f = times(R, F[3:])
            F = np.concatenate([times(R, F[:3]) + times(skew(p), f), f])
        return F

    def inertia_back(self, I_B: Array) -> Array:
        """Return I_A = X_BA^T I_B X_BA. RBDA eq. 2.66, by blocks."""
        I_A = I_B
        for R, p in reversed(self.factors):
            rotational = symmetric(times(times(R, I_A[:3, :3]), R.T))
            mixed = times(times(R, I_A[:3, 3:]), R.T)
            linear = symmetric(times(times(R, I_A[3:, 3:]), R.T))
            shift = skew(p)
            moved = mixed + times(shift, linear)
            rotational = symmetric(rotational + times(shift, mixed.T) - times(moved, shift))
            I_A = blocks(rotational, moved, linear)
        return I_A
