"""Outputs that a model names itself, as it says them: ``[[output.point]]``, ``[[output.angle]]``...

Each kind is a class: its fields are what the model says, ``keys`` how each is read and explained.
What is put out, and how it is computed, stands in ``system.outputs``. Points and axes are given
like those of forces: in the frame U of the body that carries them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from mbd_fmu.elements.keys import Choice, Key
from mbd_fmu.elements.place_keys import BodyName, Direction, Name, OptionalDirection, Point
from mbd_fmu.elements.places import GROUND
from mbd_fmu.errors import Problem, shortened
from mbd_fmu.quantities.expressions import RESERVED, TIME, Law, is_finite
from mbd_fmu.quantities.forms import FILLED, FLAG, LAW, TEXT, Form
from mbd_fmu.quantities.scope import possible_names
from mbd_fmu.quantities.showing import show
from mbd_fmu.quantities.table import Table
from mbd_fmu.quantities.vectors import Vector, vector_of
from mbd_fmu.spatial import length_of

WORLD_AXES, PARENT, CHILD, JOINT = AXES = ("world", "parent", "child", "joint")
_PARALLEL = 1e-6  # sine below which an axis is taken to be along another


@dataclass(frozen=True)
class Flag(Key):
    """True or false."""

    @property
    def form(self) -> Form:
        """What it may be."""
        return FLAG

    def read(self, table: Table) -> bool:
        """Take a flag."""
        return table.flag(self.name, default=self.default)


@dataclass(frozen=True)
class Text(Key):
    """Some text."""

    example: str = ""
    may_be: Form = TEXT  # where it has a default

    @property
    def form(self) -> Form:
        """What it may be."""
        return FILLED if self.is_needed else self.may_be

    def read(self, table: Table) -> str:
        """Take a text."""
        return table.text(self.name, self.default, example=self.example)


@dataclass(frozen=True)
class Formula(Key):
    """An expression of outputs, inputs and parameters; what they are is known later."""

    @property
    def form(self) -> Form:
        """What it may be."""
        return LAW

    def read(self, table: Table) -> Law | None:
        """Take a text that is arithmetic."""
        text = table.raw(self.name, example='"sqrt(pin.force.x**2 + pin.force.z**2)"')
        if isinstance(text, str):
            outputs = possible_names(text) - table.scope.declared - RESERVED
            return table.law_of(self.name, text, sorted(outputs), dotted=True, has_vectors=True)
        if table.has(self.name):
            table.problem(self.name, f"{show(text)} is no text", "write an expression in quotes")
        return None


@dataclass(frozen=True)
class NamedOutput:
    """An output as a model says it."""

    kind: ClassVar[str]  # how its table is called
    tells: ClassVar[str]  # for the docs: what is put out
    keys: ClassVar[tuple[Key, ...]]

    name: str

    @classmethod
    def read(cls, table: Table) -> Self:
        """Read one table."""
        name = table.text("name", example='"camber"')
        found = cls(name, **{key.target: key.read(table) for key in cls.keys})
        table.done()
        return found

    @classmethod
    def keys_shown(cls) -> tuple[Key, ...]:
        """Return all that may stand in its table besides the name."""
        return cls.keys

    @property
    def bodies(self) -> tuple[tuple[str, str], ...]:
        """The bodies it names, each with its key."""
        names = [key for key in self.keys if isinstance(key, Name | BodyName)]
        return tuple((key.name, getattr(self, key.target)) for key in names)

    @property
    def uses_time(self) -> bool:
        """It names the time."""
        return False

    def problems(self, nominal: Mapping[str, float]) -> list[Problem]:
        """List what is impossible, with the parameters' declared values put in."""
        where = f'{self.kind} "{shortened(self.name)}"'
        return [p for k in self.keys for p in k.problems(where, getattr(self, k.target), nominal)]


_RELATIVE_TO = BodyName("relative_to", "a body that sees it, default the ground", default=GROUND)


@dataclass(frozen=True)
class OutputPoint(NamedOutput):
    """A point of a body to follow."""

    kind: ClassVar[str] = "point"
    tells: ClassVar[str] = (
        "`<name>.r`, `<name>.v`, with `acceleration = true` also `<name>.a`: position, velocity "
        "and acceleration as `relative_to` sees them, from its origin, in axes of `in_axes_of`"
    )
    keys: ClassVar[tuple[Key, ...]] = (
        Name("body", told_by="point"),
        Point("point", of="body"),
        Flag("acceleration", default=False),
        _RELATIVE_TO,
        BodyName("in_axes_of", "a body, default `relative_to`", default=""),
    )

    body: str
    point: Vector
    acceleration: bool = False
    relative_to: str = GROUND
    in_axes_of: str = ""

    @property
    def axes_of(self) -> str:
        """Whose axes its vectors are told in."""
        return self.in_axes_of or self.relative_to

    @property
    def is_in_world(self) -> bool:
        """It is seen from the ground, in world axes."""
        return (self.relative_to, self.axes_of) == (GROUND, GROUND)

    @property
    def bodies(self) -> tuple[tuple[str, str], ...]:
        """The bodies it names; none for the axes where they are not named."""
        return tuple((key, name) for key, name in super().bodies if key != "in_axes_of" or name)


@dataclass(frozen=True)
class OutputDistance(NamedOutput):
    """How far two points are from each other."""

    kind: ClassVar[str] = "distance"
    tells: ClassVar[str] = "`<name>.length` between the points, and its rate `<name>.rate`"
    keys: ClassVar[tuple[Key, ...]] = (
        BodyName("parent", told_by="point"),
        BodyName("child", told_by="point2"),
        Point("point", "of the parent", of="parent"),
        Point("point2", "of the child", of="child"),
    )

    parent: str
    child: str
    point: Vector
    point2: Vector


@dataclass(frozen=True)
class OutputAngle(NamedOutput):
    """The angle between two axes that bodies carry."""

    kind: ClassVar[str] = "angle"
    tells: ClassVar[str] = (
        "`<name>`: from 0 to π between the axes; with `about` from -π to π, right-handed about it, "
        "from `axis` to `axis2`, both seen along it"
    )
    keys: ClassVar[tuple[Key, ...]] = (
        BodyName("parent"),
        BodyName("child"),
        Direction("axis", "of the parent", of="parent"),
        Direction("axis2", "of the child", of="child", told_by="axis"),
        OptionalDirection("about", "of the parent: gives a sign", of="parent", may_lack=True),
    )

    parent: str
    child: str
    axis: Vector
    axis2: Vector
    about: Vector = ()

    def problems(self, nominal: Mapping[str, float]) -> list[Problem]:
        """Seen along itself an axis has no direction."""
        found = super().problems(nominal)
        if self.about and not found:
            axis, about = (vector_of(a, nominal).astype(float) for a in (self.axis, self.about))
            if length_of(np.cross(axis, about)) < _PARALLEL * length_of(axis) * length_of(about):
                where = f'angle "{shortened(self.name)}", about'
                remedy = "give a direction across it"
                found.append(Problem(where, "is parallel to axis, which it is to turn", remedy))
        return found


@dataclass(frozen=True)
class OutputRpy(NamedOutput):
    """How a body is turned, in three angles."""

    kind: ClassVar[str] = "rpy"
    tells: ClassVar[str] = (
        "`<name>.roll`, `<name>.pitch`, `<name>.yaw`: turns about x, then y, then z of "
        "`relative_to`, as URDF counts them; pitch from -π/2 to π/2"
    )
    keys: ClassVar[tuple[Key, ...]] = (Name("body"), _RELATIVE_TO)

    body: str
    relative_to: str = GROUND

    def problems(self, nominal: Mapping[str, float]) -> list[Problem]:
        """A body does not turn as it sees itself."""
        return [*super().problems(nominal), *_itself(self)]


@dataclass(frozen=True)
class OutputRelativePose(NamedOutput):
    """Where a body is and how it is turned, as another sees it."""

    kind: ClassVar[str] = "relative_pose"
    tells: ClassVar[str] = (
        "`<name>.r`, `<name>.quat`: origin and turn of `body` as `relative_to` sees them, from its "
        "origin, in its axes"
    )
    keys: ClassVar[tuple[Key, ...]] = (Name("body"), BodyName("relative_to"))

    body: str
    relative_to: str

    def problems(self, nominal: Mapping[str, float]) -> list[Problem]:
        """A body does not move as it sees itself."""
        return [*super().problems(nominal), *_itself(self)]


def _itself(output: OutputRpy | OutputRelativePose) -> Iterator[Problem]:
    if output.body and output.body == output.relative_to:
        where = f'{output.kind} "{shortened(output.name)}"'
        found = f'body and relative_to are both "{shortened(output.body)}"'
        yield Problem(where, found, "name two different bodies")


@dataclass(frozen=True)
class OutputReaction(NamedOutput):
    """What a joint exerts, in other axes than the world's."""

    kind: ClassVar[str] = "reaction"
    tells: ClassVar[str] = (
        "`<name>.force`, `<name>.torque`: as `<joint>.force`, in axes of the child, of the parent, "
        "of the joint (z along its axis, carried by the child) or of the world"
    )
    keys: ClassVar[tuple[Key, ...]] = (
        Text("joint", "that carries it", example='"crank_pin"'),
        Choice("axes", '"world", "parent", "child" or "joint"', choices=AXES),
    )

    joint: str
    axes: str


@dataclass(frozen=True)
class OutputMagnitude(NamedOutput):
    """The length of a vector that is an output."""

    kind: ClassVar[str] = "magnitude"
    tells: ClassVar[str] = "`<name>`: the length of the vector `<of>.x`, `<of>.y`, `<of>.z`"
    keys: ClassVar[tuple[Key, ...]] = (
        Text("of", "a vector that is an output", example='"pin.force"'),
    )

    of: str


@dataclass(frozen=True)
class OutputExpression(NamedOutput):
    """An expression of outputs, inputs and parameters."""

    kind: ClassVar[str] = "expression"
    tells: ClassVar[str] = "`<name>`: the value of the expression"
    keys: ClassVar[tuple[Key, ...]] = (
        Formula("value", "an expression of outputs, inputs and parameters"),
        Text("unit", 'default "1"', default="1", may_be=FILLED),
        Text("description", "default the expression itself", default=""),
    )

    value: Law | None
    unit: str = "1"
    description: str = ""

    @property
    def uses_time(self) -> bool:
        """It may."""
        return self.value is not None and TIME in self.value.names

    def problems(self, nominal: Mapping[str, float]) -> list[Problem]:
        """A unit has a name, and what hangs on parameters alone a value."""
        found = super().problems(nominal)
        where = f'expression "{shortened(self.name)}"'
        if not self.unit:
            found.append(Problem(f"{where}, unit", "is empty", 'write "1" for a plain number'))
        law = self.value
        is_fixed = law is not None and law.names <= nominal.keys()
        if law is not None and is_fixed and not is_finite(float(law.value(nominal, {}))):
            text = f'"{shortened(law.text)}" has no finite value'
            found.append(Problem(f"{where}, value", text, "check the expression"))
        return found


NAMED_OUTPUTS: tuple[type[NamedOutput], ...] = (
    OutputDistance,
    OutputAngle,
    OutputRpy,
    OutputRelativePose,
    OutputReaction,
    OutputMagnitude,
    OutputExpression,
)
OUTPUT_KINDS: tuple[type[NamedOutput], ...] = (OutputPoint, *NAMED_OUTPUTS)
