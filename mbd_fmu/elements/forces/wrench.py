"""Wrench: a force and a torque on a body from outside; inputs, or functions of time.

What is given of ``force`` and ``torque`` is no input, and then what is not given is 0. Either way
they work on the mechanism: the work is that of inputs.

Checked  tests/laws/test_forces.py, tests/laws/test_wrench_of_time.py
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np

from mbd_fmu.elements.force import Bodies, Force, Load, Measure, Motion, PlacedForce, Push
from mbd_fmu.elements.keys import Choice, Key, TimeVector
from mbd_fmu.elements.names import Component, xyz
from mbd_fmu.elements.place_keys import Name, Point
from mbd_fmu.elements.places import GROUND, BodyPoint, Places
from mbd_fmu.elements.symbols import Mark, ball, dart
from mbd_fmu.errors import Problem, shortened
from mbd_fmu.quantities.table import Table
from mbd_fmu.quantities.time_functions import Formula, TimeFunction, start_problems
from mbd_fmu.quantities.vectors import Values
from mbd_fmu.spatial import Array, Scalar, array, times

ZERO = (Formula(0.0),) * 3
_PARTS = {"force": "N", "torque": "N.m"}


@dataclass(frozen=True)
class PlacedWrench(PlacedForce):
    """A wrench on its body; its inputs are force and torque, unless functions give them."""

    end: BodyPoint
    in_body_axes: bool
    functions: tuple[TimeFunction, ...] = ()
    parameters: Values = field(default_factory=dict)

    def _given(self, motion: Motion, inputs: Array) -> tuple[Array, Array]:
        """Force and torque as they are given."""
        given = inputs
        if self.functions:
            given = array([f.value(motion.time, self.parameters) for f in self.functions])
        return given[:3], given[3:]

    def _wrench(self, motion: Motion, inputs: Array) -> tuple[Array, Array]:
        """Force and torque in the world; they may be given in the body's axes."""
        force, torque = self._given(motion, inputs)
        if self.in_body_axes:
            R_WU, _, _ = motion.turning(self.end.body)
            return times(R_WU, force), times(R_WU, torque)
        return force, torque

    def loads(self, motion: Motion, inputs: Array) -> Iterator[Load]:
        """Yield it."""
        force, torque = self._wrench(motion, inputs)
        yield Load(self.end.body, force, torque, motion.point(self.end)[0])

    def powers(self, motion: Motion, inputs: Array) -> Iterator[Scalar]:
        """Of the force at its point, and of the torque."""
        force, torque = self._wrench(motion, inputs)
        _, velocity = motion.point(self.end)
        _, _, spin = motion.turning(self.end.body)
        yield times(force, velocity)
        yield times(torque, spin)

    def measured(self, bodies: Bodies, motion: Motion, inputs: Array) -> dict[str, Array]:
        """Return what functions give, in the axes they are told in."""
        del bodies
        return dict(zip(_PARTS, self._given(motion, inputs), strict=True))


@dataclass(frozen=True)
class Wrench(Force):
    """As a model says it; its parent is the ground."""

    type: ClassVar[str] = "wrench"
    law: ClassVar[str] = (
        "inputs `<name>.force.x` … `<name>.torque.z`; or what `force` and `torque` say, three "
        "[functions of time](laws.md#functions-of-time) each"
    )
    ends: ClassVar[tuple[Key, ...]] = (
        Name("body", goes_to="child", told_by="point"),
        Point("point", goes_to="point2", of="body"),
    )
    keys: ClassVar[tuple[Key, ...]] = (
        Choice("axes", '"world" or "body"', default="world", choices=("world", "body")),
        TimeVector("force", "default: inputs, or 0 beside a torque", default=None),
        TimeVector("torque", "likewise", default=None),
    )
    is_coupling: ClassVar[bool] = False

    axes: str
    force: tuple[TimeFunction, ...]
    torque: tuple[TimeFunction, ...]

    @classmethod
    def read(cls, table: Table, name: str) -> Self:
        """Read a body, a point of it, and whose axes the inputs are in."""
        body, point = (key.read(table) for key in cls.ends)
        own = {key.name: key.read(table) for key in cls.keys}
        return cls(name, GROUND, body, (0.0, 0.0, 0.0), point, **own)

    def marks(self) -> Iterator[Mark]:
        """A ball where it acts, and arrows along the axes that its inputs are given in."""
        for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)):
            solids = (ball(0.7), dart(4.0))
            yield Mark(self.child, self.point2, axis, solids, turns=self.in_body_axes)

    @property
    def in_body_axes(self) -> bool:
        """The inputs turn with the body."""
        return self.axes == "body"

    @property
    def functions(self) -> tuple[TimeFunction, ...]:
        """What gives force and torque, if not inputs."""
        if not (self.force or self.torque):
            return ()
        return (*(self.force or ZERO), *(self.torque or ZERO))

    @property
    def uses_time(self) -> bool:
        """A function that gives it changes."""
        return any(function.uses_time for function in self.functions)

    @property
    def inputs(self) -> tuple[Component, ...]:
        """Force and torque, where nothing gives them."""
        return () if self.functions else tuple(c for key in _PARTS for c in self._named(key))

    def measures(self, turns: tuple[bool, ...]) -> tuple[Measure, ...]:
        """Return force and torque, where they are no inputs."""
        del turns
        of = ", a function of time"
        parts = tuple(Measure(key, self._named(key, of), is_position=True) for key in _PARTS)
        return parts if self.functions else ()

    def _named(self, key: str, of: str = "") -> tuple[Component, ...]:
        """Return what the components of the force or of the torque are called."""
        axes = f'axes of "{self.child}"' if self.in_body_axes else "world axes"
        text = f'{key} from outside on "{self.child}" at the point of "{self.name}"{of}, {axes}'
        return xyz(f"{self.name}.{key}", _PARTS[key], text)

    def problems(self, nominal: Mapping[str, float]) -> list[Problem]:
        """What gives it has a value at the start."""
        where, given = f'force "{shortened(self.name)}"', (self.force, self.torque)
        return [
            problem
            for key, functions in zip(("force", "torque"), given, strict=True)
            for problem in start_problems(f"{where}, {key}", functions, nominal, is_motion=False)
        ]

    @property
    def pushes(self) -> tuple[Push, ...]:
        """Force and torque along each axis, where they are inputs."""
        if self.functions:
            return ()
        units, none = np.eye(3), np.zeros(3)
        forces = (
            Push(f"force.{c}", e, none, self.in_body_axes)
            for c, e in zip("xyz", units, strict=True)
        )
        torques = (
            Push(f"torque.{c}", none, e, self.in_body_axes)
            for c, e in zip("xyz", units, strict=True)
        )
        return (*forces, *torques)

    def placed(self, places: Places) -> PlacedWrench:
        """Put it on its body."""
        end = places.point(self.child, self.point2)
        return PlacedWrench(end, self.in_body_axes, self.functions, places.parameters)


FORCE = Wrench
