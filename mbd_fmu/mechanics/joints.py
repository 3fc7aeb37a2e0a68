"""All knowledge about joint types, in one table; the algorithms are joint-blind.

A joint places the frame M, carried by the child, in the frame F, carried by the parent. Its axis
is the z axis of both. The columns of S span the relative motion, in axes of M at the origin of M.

Source   Featherstone, Rigid Body Dynamics Algorithms (2008), Tab. 4.1, p. 79.
Seed     theory: [002] joints as subspaces of motion.
Checked  tests/unit/test_joints.py, tests/laws/
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mbd_fmu.spatial import Array, array, quaternion_rate, rotation_matrix, scaled


@dataclass(frozen=True)
class Component:
    """One scalar of a joint as the outside sees it: name, unit and meaning."""

    name: str
    unit: str
    meaning: str


@dataclass(frozen=True)
class JointType:
    """What the algorithms need to know about a joint, and how its components are called."""

    S: Array  # (6, nv): motion of M in F per unit velocity
    place: Callable[[Array], tuple[Array, Array]]  # q -> R_FM, p_FM
    turn: Callable[[Array, Array], Array]  # q, axis -> quaternion of the turn since q = 0
    rate: Callable[[Array, Array], Array]  # q, v -> time derivative of q
    neutral: tuple[float, ...]  # q in the drawn position
    positions: tuple[Component, ...]
    velocities: tuple[Component, ...]
    accelerations: tuple[Component, ...]
    drives: tuple[Component, ...]  # force dual to each velocity
    quaternion: bool  # the first four coordinates are a unit quaternion


def _axis_motion(row: int) -> Array:
    S = np.zeros((6, 1))
    S[row] = 1.0
    return S


def _rotation_about_z(q: Array) -> tuple[Array, Array]:
    R_FM = np.eye(3, dtype=q.dtype)
    (R_FM[0, 0],), (R_FM[1, 0],) = np.cos(q), np.sin(q)
    R_FM[1, 1], R_FM[0, 1] = R_FM[0, 0], -R_FM[1, 0]
    return R_FM, np.zeros(3)


def _turn_about(q: Array, axis: Array) -> Array:
    """Half angles, so the sign of the quaternion never jumps while q moves on."""
    half = scaled(0.5, q)
    (c,), (s,) = np.cos(half), np.sin(half)
    return array([c, *scaled(s, axis)])


def _slide_along_z(q: Array) -> tuple[Array, Array]:
    return np.eye(3), array([0.0, 0.0, q[0]])


def _no_turn(q: Array, axis: Array) -> Array:
    del q, axis
    return np.array([1.0, 0.0, 0.0, 0.0])


def _anywhere(q: Array) -> tuple[Array, Array]:
    return rotation_matrix(q[:4]), q[4:]


def _free_rate(q: Array, v: Array) -> Array:
    R_FM = rotation_matrix(q[:4])
    return np.concatenate([quaternion_rate(q[:4], v[:3]), R_FM @ v[3:]])


def _components(entries: list[tuple[str, str, str]]) -> tuple[Component, ...]:
    return tuple(Component(*entry) for entry in entries)


def _triple(name: str, unit: str, meaning: str) -> list[tuple[str, str, str]]:
    return [(f"{name}.{x}", unit, f"{meaning}, {x}") for x in "xyz"]


_IN_PARENT = "in axes of the parent"
_IN_CHILD = "in axes of the child"

JOINTS: dict[str, JointType] = {
    "rigid": JointType(
        S=np.zeros((6, 0)),
        place=lambda _: (np.eye(3), np.zeros(3)),
        turn=_no_turn,
        rate=lambda _, v: v,
        neutral=(),
        positions=(),
        velocities=(),
        accelerations=(),
        drives=(),
        quaternion=False,
    ),
    "revolute": JointType(
        S=_axis_motion(2),
        place=_rotation_about_z,
        turn=_turn_about,
        rate=lambda _, v: v,
        neutral=(0.0,),
        positions=_components([("q", "rad", "joint angle, right-handed about the axis")]),
        velocities=_components([("qd", "rad/s", "joint rate")]),
        accelerations=_components([("qdd", "rad/s2", "joint acceleration")]),
        drives=_components([("tau", "N.m", "drive torque on the child about the axis")]),
        quaternion=False,
    ),
    "prismatic": JointType(
        S=_axis_motion(5),
        place=_slide_along_z,
        turn=_no_turn,
        rate=lambda _, v: v,
        neutral=(0.0,),
        positions=_components([("q", "m", "joint displacement along the axis")]),
        velocities=_components([("qd", "m/s", "joint rate")]),
        accelerations=_components([("qdd", "m/s2", "joint acceleration")]),
        drives=_components([("f", "N", "drive force on the child along the axis")]),
        quaternion=False,
    ),
    "free": JointType(
        S=np.eye(6),
        place=_anywhere,
        turn=lambda q, _: q[:4],
        rate=_free_rate,
        neutral=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        positions=_components(
            [(f"q.{c}", "1", f"turn of the child since drawn, quaternion {c}") for c in "wxyz"]
            + _triple("r", "m", f"displacement of the joint point since drawn, {_IN_PARENT}")
        ),
        velocities=_components(
            _triple("w", "rad/s", f"angular velocity relative to the parent, {_IN_CHILD}")
            + _triple(
                "v", "m/s", f"velocity of the joint point relative to the parent, {_IN_CHILD}"
            )
        ),
        accelerations=_components(
            _triple("wd", "rad/s2", f"time derivative of w, {_IN_CHILD}")
            + _triple("vd", "m/s2", f"time derivative of v, {_IN_CHILD}")
        ),
        drives=_components(
            [(f"tau[{i}]", "N.m", f"drive torque on the child, {_IN_CHILD}") for i in (1, 2, 3)]
            + [(f"f[{i}]", "N", f"drive force at the joint point, {_IN_CHILD}") for i in (1, 2, 3)]
        ),
        quaternion=True,
    ),
}
