"""Prescribed motion: coordinates, velocities and accelerations of a joint from its inputs.

Joints that turn and slide about given axes take q, dq/dt, d2q/dt2 as they are. A free joint, and
the moving base with it, takes the motion of the child in axes of the parent, as a user or another
tool would give it; a spherical joint the turning half of that:

    r, quat, v, w, a, alpha   ->   q = (quat, r),  v_J = (R^T w, R^T v),
                                   dv_J/dt = (R^T alpha, R^T a - (R^T w) x (R^T v))

This is the one place that says in which order they stand.

Source   Time derivative of a vector in moving axes; Featherstone (2008), sec. 2.10.
Checked  tests/laws/test_motion.py
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mbd_fmu.elements.joint import JointType
from mbd_fmu.elements.names import Component, Names
from mbd_fmu.spatial import Array, array, rotation_matrix, scaled, skew

POSITION, VELOCITY, ACCELERATION = LEVELS = ("position", "velocity", "acceleration")

# By what a motion is given: all of it, or one level, of which the others are made.
GIVEN_LEVELS = {"full": LEVELS, "position": (POSITION,), "velocity": (VELOCITY,)}

Places = tuple[range, range, range]  # where position, velocity and acceleration stand


@dataclass(frozen=True)
class JointMotion:
    """What a joint does, in its own coordinates."""

    q: Array
    v: Array
    vd: Array


@dataclass(frozen=True)
class Part:
    """One level of a scalar motion, of a displacement or of a turn."""

    name: str
    level: str
    components: tuple[Component, ...]  # meanings may speak of the {child} and the {axes}
    turns: bool = False  # a quaternion, or a rate of the turn it says

    def is_given(self, by: str) -> bool:
        """Tell whether it is an input when the motion is given in full or by one level."""
        return self.level in GIVEN_LEVELS[by]


@dataclass(frozen=True)
class PrescribedLayout(ABC):
    """The inputs that prescribe the motion of a joint, in order, and how they do it."""

    parts: tuple[Part, ...]

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Where each part stands, counted from the first input."""
        ends = np.cumsum([len(part.components) for part in self.parts]).tolist()
        return {
            part.name: slice(end - len(part.components), end)
            for part, end in zip(self.parts, ends, strict=True)
        }

    @property
    def size(self) -> int:
        """Number of inputs."""
        return sum(len(part.components) for part in self.parts)

    @property
    def signals(self) -> list[tuple[int, int, int]]:
        """Scalars that belong together as position, velocity and acceleration."""
        levels = self._levels(turns=False)
        return [(q, v, a) for q, v, a in zip(*levels, strict=True)] if levels else []

    @property
    def turn(self) -> Places | None:
        """Where a quaternion stands, with angular velocity and acceleration, if there is one."""
        levels = self._levels(turns=True)
        return (levels[0], levels[1], levels[2]) if levels else None

    def _levels(self, *, turns: bool) -> list[range]:
        slices = [self.slices[part.name] for part in self.parts if part.turns == turns]
        return [range(at.start, at.stop) for at in slices]

    def pick(self, inputs: Array) -> Mapping[str, Array]:
        """Return the parts by name."""
        return {name: inputs[at] for name, at in self.slices.items()}

    @abstractmethod
    def motion(self, inputs: Array) -> JointMotion:
        """Return the motion that the inputs prescribe."""

    @abstractmethod
    def part(self, name: str, motion: JointMotion) -> Array:
        """Return a part of the inputs that would prescribe this motion."""


# --- Turning and sliding about given axes ---


class CoordinateLayout(PrescribedLayout):
    """Coordinates as they are, with their rates."""

    def motion(self, inputs: Array) -> JointMotion:
        """Return the motion that the inputs prescribe."""
        given = self.pick(inputs)
        return JointMotion(given["q"], given["qd"], given["qdd"])

    def part(self, name: str, motion: JointMotion) -> Array:
        """Return coordinates, velocities or accelerations."""
        return {"q": motion.q, "qd": motion.v, "qdd": motion.vd}[name]


def coordinate_layout(names: Names) -> CoordinateLayout:
    """Return the layout of a joint whose velocities are the rates of its coordinates."""
    return CoordinateLayout(
        (
            Part("q", POSITION, names.positions),
            Part("qd", VELOCITY, names.velocities),
            Part("qdd", ACCELERATION, names.accelerations),
        )
    )


# --- Turning about a point, in axes of the parent ---


class TurningLayout(PrescribedLayout):
    """The turn of the child, and what its rates are in axes of the parent."""

    def motion(self, inputs: Array) -> JointMotion:
        """Return the motion that the inputs prescribe; of any quaternion, its direction."""
        given = self.pick(inputs)
        quat = given["quat"]
        quat = scaled(1.0 / np.sqrt(array([quat @ quat]))[0], quat)
        R_FM = rotation_matrix(quat)
        return JointMotion(quat, R_FM.T @ given["w"], R_FM.T @ given["alpha"])

    def part(self, name: str, motion: JointMotion) -> Array:
        """Return the quaternion, or a rate in axes of the parent."""
        if name == "quat":
            return motion.q
        found: Array = rotation_matrix(motion.q) @ {"w": motion.v, "alpha": motion.vd}[name]
        return found


def _vector(name: str, unit: str, meaning: str, letters: str = "xyz") -> tuple[Component, ...]:
    return tuple(
        Component(f"{name}.{c}", unit, f"{meaning} of {{child}}, {{axes}}, {c}") for c in letters
    )


_QUAT = Part(
    "quat",
    POSITION,
    _vector("quat", "1", "turn since drawn, unit quaternion,", letters="wxyz"),
    turns=True,
)
_W = Part("w", VELOCITY, _vector("w", "rad/s", "angular velocity"), turns=True)
_ALPHA = Part("alpha", ACCELERATION, _vector("alpha", "rad/s2", "angular acceleration"), turns=True)

TURNING = TurningLayout((_QUAT, _W, _ALPHA))


# --- Moving freely, in axes of the parent ---


class FreeLayout(PrescribedLayout):
    """The displacement and the turn of the child, in axes of the parent."""

    def motion(self, inputs: Array) -> JointMotion:
        """Return the motion that the inputs prescribe."""
        given = self.pick(inputs)
        turned = TURNING.motion(np.concatenate([given[part.name] for part in TURNING.parts]))
        R_FM = rotation_matrix(turned.q)
        v_M = R_FM.T @ given["v"]
        vd_M = R_FM.T @ given["a"] - skew(turned.v) @ v_M
        return JointMotion(
            np.concatenate([turned.q, given["r"]]),
            np.concatenate([turned.v, v_M]),
            np.concatenate([turned.vd, vd_M]),
        )

    def part(self, name: str, motion: JointMotion) -> Array:
        """Return a part of the displacement, or of the turn."""
        turned = JointMotion(motion.q[:4], motion.v[:3], motion.vd[:3])
        if name in TURNING.slices:
            return TURNING.part(name, turned)
        if name == "r":
            return motion.q[4:]
        v_M, vd_M = motion.v[3:], motion.vd[3:]
        in_M = v_M if name == "v" else vd_M + skew(turned.v) @ v_M
        found: Array = rotation_matrix(turned.q) @ in_M
        return found


FREE = FreeLayout(
    (
        Part("r", POSITION, _vector("r", "m", "displacement since drawn of the joint point")),
        _QUAT,
        Part("v", VELOCITY, _vector("v", "m/s", "velocity of the joint point")),
        _W,
        Part("a", ACCELERATION, _vector("a", "m/s2", "acceleration of the joint point")),
        _ALPHA,
    )
)


def layout_of(kind: JointType) -> PrescribedLayout:
    """Return what prescribes the motion of a joint."""
    of_frames: dict[str, PrescribedLayout] = {"free": FREE, "spherical": TURNING}
    return of_frames.get(kind.name) or coordinate_layout(kind.names)
