"""Prescribed motion: coordinates, velocities and accelerations of a joint from its inputs.

Joints that turn and slide about given axes take q, dq/dt, d2q/dt2 as they are. One that turns as it
likes takes the turn of the child in axes of the parent, as a user or another tool would give it:

    quat, w, alpha   ->   q = quat,  v_J = R^T w,  dv_J/dt = R^T alpha

A layout is the one place that says in which order they stand.

Source   Time derivative of a vector in moving axes; Featherstone (2008), sec. 2.10.
Checked  tests/laws/test_motion.py
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mbd_fmu.elements.names import Component, Names
from mbd_fmu.spatial import Array, array, rotation_matrix, scaled, times

POSITION, VELOCITY, ACCELERATION = LEVELS = ("position", "velocity", "acceleration")

# By what a motion is given: all of it, or one level, of which the others are made; or nothing,
# where the time tells it.
GIVEN_LEVELS = {"full": LEVELS, "position": (POSITION,), "velocity": (VELOCITY,), "time": ()}

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
        quat = scaled(1.0 / np.sqrt(array([times(quat, quat)]))[0], quat)
        R_FM = rotation_matrix(quat)
        return JointMotion(quat, times(R_FM.T, given["w"]), times(R_FM.T, given["alpha"]))

    def part(self, name: str, motion: JointMotion) -> Array:
        """Return the quaternion, or a rate in axes of the parent."""
        if name == "quat":
            return motion.q
        found: Array = times(rotation_matrix(motion.q), {"w": motion.v, "alpha": motion.vd}[name])
        return found


def vector_components(
    name: str, unit: str, meaning: str, letters: str = "xyz"
) -> tuple[Component, ...]:
    """Return the scalars of a vector; whose child, in whose axes, is put in where it is known."""
    return tuple(
        Component(f"{name}.{c}", unit, f"{meaning} of {{child}}, {{axes}}, {c}") for c in letters
    )


QUAT = Part(
    "quat",
    POSITION,
    vector_components("quat", "1", "turn since drawn, unit quaternion,", letters="wxyz"),
    turns=True,
)
W = Part("w", VELOCITY, vector_components("w", "rad/s", "angular velocity"), turns=True)
ALPHA = Part(
    "alpha", ACCELERATION, vector_components("alpha", "rad/s2", "angular acceleration"), turns=True
)

TURNING = TurningLayout((QUAT, W, ALPHA))
