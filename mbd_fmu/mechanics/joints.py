"""All knowledge about joint types, in one table; the algorithms are joint-blind.

A joint places the frame M, carried by the child, in the frame F, carried by the parent. Where it
has an axis, that is the z axis of both; in the drawn position the frames coincide. The columns of S
span the relative motion, in axes of M at the origin of M; they may turn with the coordinates, and
then S' v is their bias. The columns of T are the wrenches of unit drives: S^T T = 1.

``k`` holds a joint's constants: the travel of a helical joint per radian; the second axis of a
universal joint, in M.

Source   Featherstone, Rigid Body Dynamics Algorithms (2008), Tab. 4.1, p. 79, and sec. 4.4.
Seed     [002], [004]: joints as subspaces of motion.
Checked  tests/unit/test_joints.py, tests/laws/test_kinematics.py, tests/laws/test_reactions.py
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mbd_fmu.model.spec import Joint
from mbd_fmu.quantities.vectors import Vector
from mbd_fmu.spatial import (
    Array,
    Scalar,
    array,
    quaternion_product,
    quaternion_rate,
    rotation_matrix,
    scaled,
    skew,
)


@dataclass(frozen=True)
class Component:
    """One scalar of a joint as the outside sees it: name, unit and meaning."""

    name: str
    unit: str
    meaning: str


@dataclass(frozen=True)
class Names:
    """What the scalars of a joint are called."""

    positions: tuple[Component, ...] = ()
    velocities: tuple[Component, ...] = ()
    accelerations: tuple[Component, ...] = ()
    drives: tuple[Component, ...] = ()  # force dual to each velocity


@dataclass(frozen=True)
class Subspace:
    """The relative motion a joint allows; q, v and k as above."""

    S: Callable[[Array, Array], Array]  # q, k -> (6, nv)
    bias: Callable[[Array, Array, Array], Array]  # q, v, k -> dS/dt v, (6,)
    T: Callable[[Array, Array], Array]  # q, k -> (6, nv)


@dataclass(frozen=True)
class JointType:
    """What the algorithms need to know about a joint, and how its scalars are called."""

    place: Callable[[Array, Array], tuple[Array, Array]]  # q, k -> R_FM, p_FM
    motion: Subspace
    turn: Callable[[Array, Array], Array]  # q, k -> quaternion of M in F
    rate: Callable[[Array, Array], Array]  # q, v -> time derivative of q
    neutral: tuple[float, ...]  # q in the drawn position
    names: Names
    quaternion: bool = False  # the first four coordinates are a unit quaternion


# --- Pieces of motion ---


def _turn_about_z(angle: Scalar) -> Array:
    """Rotation matrix, of a number or a symbol."""
    c, s = _cosine_sine(angle)
    return array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _cosine_sine(angle: Scalar) -> tuple[Scalar, Scalar]:
    wrapped = array([angle])
    return np.cos(wrapped)[0], np.sin(wrapped)[0]


def _quaternion_about(axis: Array, angle: Scalar) -> Array:
    """Half angles, so the sign of the quaternion never jumps while the angle moves on."""
    c, s = _cosine_sine(0.5 * angle)
    return array([c, *scaled(s, axis)])


_Z = np.array([0.0, 0.0, 1.0])
_NO_TURN = np.array([1.0, 0.0, 0.0, 0.0])


def _columns(*rows: int) -> Array:
    """Constant S with one unit entry per column."""
    return np.eye(6)[:, list(rows)]


def _constant(S: Array) -> Subspace:
    """S that does not move, orthonormal, so that the drives act along it."""
    return Subspace(lambda *_: S, lambda *_: np.zeros(6), lambda *_: S)


# --- Universal: about z (fixed in F), then about the second axis k (fixed in M) ---


def _universal_place(q: Array, k: Array) -> tuple[Array, Array]:
    return _turn_about_z(q[0]) @ rotation_matrix(_quaternion_about(k, q[1])), np.zeros(3)


def _universal_first_axis(q: Array, k: Array) -> Array:
    """The axis fixed in F, seen from M."""
    return rotation_matrix(_quaternion_about(k, q[1])).T @ _Z


def _universal_S(q: Array, k: Array) -> Array:
    S = np.zeros((6, 2), dtype=np.result_type(q, k))
    S[:3, 0], S[:3, 1] = _universal_first_axis(q, k), k
    return S


def _universal_bias(q: Array, v: Array, k: Array) -> Array:
    """The first axis turns backwards about the second, seen from M."""
    moving = skew(_universal_first_axis(q, k)) @ k
    return np.concatenate([scaled(v[0] * v[1], moving), np.zeros(3)])


def _universal_T(q: Array, k: Array) -> Array:
    """S (S^T S)^-1; the axes keep their angle, mostly a right one."""
    S, cosine = _universal_S(q, k), k[2]
    inverse = 1.0 / (1.0 - cosine * cosine)
    G = array([[inverse, -cosine * inverse], [-cosine * inverse, inverse]])
    return S @ G


# --- Planar: slides along x and y of F, turns about z ---


def _planar_S(q: Array, k: Array) -> Array:
    del k
    S = np.zeros((6, 3), dtype=q.dtype)
    S[2, 0] = 1.0
    S[3:, 1:] = _turn_about_z(q[0]).T[:, :2]
    return S


def _planar_bias(q: Array, v: Array, k: Array) -> Array:
    """The directions of sliding are fixed in F and turn backwards seen from M."""
    slide = _planar_S(q, k)[3:, 1:] @ v[1:]
    return np.concatenate([np.zeros(3), -(skew(scaled(v[0], _Z)) @ slide)])


# --- Free ---


def _free_rate(q: Array, v: Array) -> Array:
    return np.concatenate([quaternion_rate(q[:4], v[:3]), rotation_matrix(q[:4]) @ v[3:]])


# --- Names ---


def _same(_: Array, v: Array) -> Array:
    return v


def _scalars(kinds: str, axes: str = "") -> Names:
    """Names of freedoms that turn (t) or slide (s); numbered where there are several."""
    words = {
        "t": ("rad", "angle, right-handed about", "tau", "N.m", "torque on the child about"),
        "s": ("m", "displacement along", "f", "N", "force on the child along"),
    }
    several = len(kinds) > 1
    rows = []
    for n, kind in enumerate(kinds, start=1):
        unit, meaning, drive, drive_unit, drive_meaning = words[kind]
        index = f"[{n}]" if several else ""
        which = f"axis of freedom {n}" if several else "the axis"
        which = f"{axes[n - 1]} of the child, which does not turn in the parent" if axes else which
        alike = [m for m, other in enumerate(kinds, start=1) if other == kind]
        number = f"[{alike.index(n) + 1}]" if len(alike) > 1 else ""
        rows.append(
            (
                Component(f"q{index}", unit, f"joint {meaning} {which}"),
                Component(f"qd{index}", f"{unit}/s", f"rate of joint {meaning} {which}"),
                Component(f"qdd{index}", f"{unit}/s2", f"acceleration of joint {meaning} {which}"),
                Component(f"{drive}{number}", drive_unit, f"drive {drive_meaning} {which}"),
            )
        )
    return Names(*map(tuple, zip(*rows, strict=True)))


def _triple(name: str, unit: str, meaning: str) -> tuple[Component, ...]:
    return tuple(Component(f"{name}.{x}", unit, f"{meaning}, {x}") for x in "xyz")


def _numbered(name: str, unit: str, meaning: str) -> tuple[Component, ...]:
    return tuple(Component(f"{name}[{i}]", unit, meaning) for i in (1, 2, 3))


_QUATERNION = tuple(
    Component(f"q.{c}", "1", f"turn of the child since drawn, quaternion {c}") for c in "wxyz"
)
_IN_CHILD = "in axes of the child"
_SPIN = _triple("w", "rad/s", f"angular velocity relative to the parent, {_IN_CHILD}")
_SPIN_RATE = _triple("wd", "rad/s2", f"time derivative of w, {_IN_CHILD}")
_TORQUES = _numbered("tau", "N.m", f"drive torque on the child, {_IN_CHILD}")

JOINTS: dict[str, JointType] = {
    "rigid": JointType(
        place=lambda *_: (np.eye(3), np.zeros(3)),
        motion=_constant(_columns()),
        turn=lambda *_: _NO_TURN,
        rate=_same,
        neutral=(),
        names=Names(),
    ),
    "revolute": JointType(
        place=lambda q, _: (_turn_about_z(q[0]), np.zeros(3)),
        motion=_constant(_columns(2)),
        turn=lambda q, _: _quaternion_about(_Z, q[0]),
        rate=_same,
        neutral=(0.0,),
        names=_scalars("t"),
    ),
    "prismatic": JointType(
        place=lambda q, _: (np.eye(3), array([0.0, 0.0, q[0]])),
        motion=_constant(_columns(5)),
        turn=lambda *_: _NO_TURN,
        rate=_same,
        neutral=(0.0,),
        names=_scalars("s"),
    ),
    "cylindrical": JointType(
        place=lambda q, _: (_turn_about_z(q[0]), array([0.0, 0.0, q[1]])),
        motion=_constant(_columns(2, 5)),
        turn=lambda q, _: _quaternion_about(_Z, q[0]),
        rate=_same,
        neutral=(0.0, 0.0),
        names=_scalars("ts"),
    ),
    "helical": JointType(
        place=lambda q, k: (_turn_about_z(q[0]), array([0.0, 0.0, k[0] * q[0]])),
        motion=Subspace(
            S=lambda _, k: array([[0.0], [0.0], [1.0], [0.0], [0.0], [k[0]]]),
            bias=lambda *_: np.zeros(6),
            T=lambda *_: _columns(2),  # the drive is a torque about the axis
        ),
        turn=lambda q, _: _quaternion_about(_Z, q[0]),
        rate=_same,
        neutral=(0.0,),
        names=_scalars("t"),
    ),
    "universal": JointType(
        place=_universal_place,
        motion=Subspace(_universal_S, _universal_bias, _universal_T),
        turn=lambda q, k: quaternion_product(
            _quaternion_about(_Z, q[0]), _quaternion_about(k, q[1])
        ),
        rate=_same,
        neutral=(0.0, 0.0),
        names=_scalars("tt"),
    ),
    "planar": JointType(
        place=lambda q, _: (_turn_about_z(q[0]), array([q[1], q[2], 0.0])),
        motion=Subspace(_planar_S, _planar_bias, _planar_S),
        turn=lambda q, _: _quaternion_about(_Z, q[0]),
        rate=_same,
        neutral=(0.0, 0.0, 0.0),
        names=_scalars("tss"),
    ),
    "translational": JointType(
        place=lambda q, _: (np.eye(3), q),
        motion=_constant(_columns(3, 4, 5)),
        turn=lambda *_: _NO_TURN,
        rate=_same,
        neutral=(0.0, 0.0, 0.0),
        names=_scalars("sss", "xyz"),
    ),
    "spherical": JointType(
        place=lambda q, _: (rotation_matrix(q), np.zeros(3)),
        motion=_constant(_columns(0, 1, 2)),
        turn=lambda q, _: q,
        rate=quaternion_rate,
        neutral=(1.0, 0.0, 0.0, 0.0),
        names=Names(_QUATERNION, _SPIN, _SPIN_RATE, _TORQUES),
        quaternion=True,
    ),
    "free": JointType(
        place=lambda q, _: (rotation_matrix(q[:4]), q[4:]),
        motion=_constant(np.eye(6)),
        turn=lambda q, _: q[:4],
        rate=_free_rate,
        neutral=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        names=Names(
            _QUATERNION
            + _triple("r", "m", "displacement of the joint point, in axes of the parent"),
            _SPIN + _triple("v", "m/s", f"velocity of the joint point in the parent, {_IN_CHILD}"),
            _SPIN_RATE + _triple("vd", "m/s2", f"time derivative of v, {_IN_CHILD}"),
            _TORQUES + _numbered("f", "N", f"drive force at the joint point, {_IN_CHILD}"),
        ),
        quaternion=True,
    ),
}


def drawn_position(joint: Joint) -> Vector:
    """Return the coordinates of a joint in the drawn position."""
    neutral = JOINTS[joint.type].neutral
    return (joint.reference,) if len(neutral) == 1 else neutral


def joint_constants(kind: str, pitch: Scalar, axis2_M: Array) -> Array:
    """Return k of a joint, from the travel per turn and the second axis in M."""
    if kind == "helical":
        return array([pitch / (2.0 * math.pi)])
    return axis2_M if kind == "universal" else np.zeros(0)
