"""Wrench: a force and a torque on a body from outside; both are inputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from mbd_fmu.elements.force import Bodies, Force, Load, PlacedForce
from mbd_fmu.elements.keys import Choice, Key, Name, Point
from mbd_fmu.elements.names import Component
from mbd_fmu.elements.places import GROUND, BodyPoint, Places
from mbd_fmu.quantities.table import Table
from mbd_fmu.spatial import Array, Scalar


@dataclass(frozen=True)
class PlacedWrench(PlacedForce):
    """A wrench on its body; inputs are force and torque."""

    end: BodyPoint
    in_body_axes: bool

    def _wrench(self, bodies: Bodies, inputs: Array) -> tuple[Array, Array]:
        """Force and torque in the world; inputs may be given in the body's axes."""
        force, torque = inputs[:3], inputs[3:]
        if self.in_body_axes:
            R_WU, _, _ = bodies.turning(self.end.body)
            return R_WU @ force, R_WU @ torque
        return force, torque

    def loads(self, bodies: Bodies, inputs: Array) -> Iterator[Load]:
        """Yield it."""
        force, torque = self._wrench(bodies, inputs)
        yield Load(self.end.body, force, torque, bodies.point(self.end)[0])

    def powers(self, bodies: Bodies, inputs: Array) -> Iterator[Scalar]:
        """Of the force at its point, and of the torque."""
        force, torque = self._wrench(bodies, inputs)
        _, velocity = bodies.point(self.end)
        _, _, spin = bodies.turning(self.end.body)
        yield force @ velocity
        yield torque @ spin


@dataclass(frozen=True)
class Wrench(Force):
    """As a model says it; its parent is the ground."""

    type: ClassVar[str] = "wrench"
    law: ClassVar[str] = "inputs `<name>.force.x` … `<name>.torque.z`"
    ends: ClassVar[tuple[Key, ...]] = (
        Name("body", goes_to="child"),
        Point("point", goes_to="point2"),
    )
    keys: ClassVar[tuple[Key, ...]] = (
        Choice("axes", '"world" or "body"', default="world", choices=("world", "body")),
    )
    is_coupling: ClassVar[bool] = False

    axes: str

    @classmethod
    def read(cls, table: Table, name: str) -> Self:
        """Read a body, a point of it, and whose axes the inputs are in."""
        body, point = (key.read(table) for key in cls.ends)
        own = {key.name: key.read(table) for key in cls.keys}
        return cls(name, GROUND, body, (0.0, 0.0, 0.0), point, **own)

    @property
    def in_body_axes(self) -> bool:
        """The inputs turn with the body."""
        return self.axes == "body"

    @property
    def inputs(self) -> tuple[Component, ...]:
        """Force and torque."""
        axes = f'axes of "{self.child}"' if self.in_body_axes else "world axes"
        return tuple(
            Component(
                f"{self.name}.{key}.{c}",
                unit,
                f'{key} from outside on "{self.child}" at the point of "{self.name}", {axes}, {c}',
            )
            for key, unit in (("force", "N"), ("torque", "N.m"))
            for c in "xyz"
        )

    def placed(self, places: Places) -> PlacedWrench:
        """Put it on its body."""
        return PlacedWrench(places.point(self.child, self.point2), self.in_body_axes)


FORCE = Wrench
