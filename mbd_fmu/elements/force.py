"""What a force type is: a coupling that restricts nothing, or what acts from outside.

Each type is a class: its fields are what a model says, ``placed`` puts numbers or symbols in, and
what comes of that exerts loads on bodies or efforts in joints, holds energy and loses power.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, Protocol, Self

from mbd_fmu.elements.keys import Key, key_of, names_of
from mbd_fmu.elements.names import Component
from mbd_fmu.elements.place_keys import ENDS
from mbd_fmu.elements.places import BodyPoint, Places
from mbd_fmu.elements.symbols import NO_LINE, Mark
from mbd_fmu.errors import Problem, shortened
from mbd_fmu.quantities.expressions import TIME, Law, Quantity
from mbd_fmu.quantities.table import Table
from mbd_fmu.quantities.vectors import Vector
from mbd_fmu.spatial import Array, Scalar


class Bodies(Protocol):
    """Where bodies are and how they move, in the world."""

    def point(self, at: BodyPoint) -> tuple[Array, Array]:
        """Position and velocity of a point."""

    def turning(self, body: int) -> tuple[Array, Array, Array]:
        """Axes of U, quaternion of U and angular velocity of a body."""


class Joints(Protocol):
    """Where joints of one coordinate are and how they move; of the tree or, counted on, cut."""

    def coordinate(self, joint: int) -> tuple[Scalar, Scalar]:
        """Value and rate."""


class Motion(Bodies, Joints, Protocol):
    """Bodies and joints alike, and when it is."""

    @property
    def time(self) -> Scalar:
        """The time, where a force asks for it."""

    def joint_value(self, joint: int, name: str) -> Scalar:
        """Return a coordinate or a velocity of a joint, by the name that its type gives it."""


class Load(NamedTuple):
    """What a force exerts on one body, in the world: force, torque, and where the force acts."""

    body: int
    force: Array
    torque: Array
    at: Array


class Effort(NamedTuple):
    """What a force exerts along the coordinate of one joint, as its drive would."""

    joint: int
    force: Scalar


class Measure(NamedTuple):
    """What is put out of a force: a scalar or a vector, by the key that ``measured`` has for it."""

    key: str
    components: tuple[Component, ...]
    is_position: bool = False  # it follows from positions alone
    is_turned: bool = False  # a vector in the axes that bodies are seen in; put out in the world's


class Push(NamedTuple):
    """What one unit of an input is where it acts from outside on a body, for drawings."""

    part: str  # of the input's name, after the force's
    force: Array
    torque: Array
    in_body_axes: bool


class PlacedForce:
    """A force with numbers or symbols put in; ``inputs`` are its own.

    It acts on bodies, by loads, or along coordinates of joints, by efforts.
    """

    def loads(self, motion: Motion, inputs: Array, /) -> Iterator[Load]:
        """Yield what it exerts on bodies."""
        del motion, inputs
        yield from ()

    def efforts(self, motion: Motion, inputs: Array, /) -> Iterator[Effort]:
        """Yield what it exerts in joints."""
        del motion, inputs
        yield from ()

    def energies(self, motion: Motion, /) -> Iterator[Scalar]:
        """Yield the parts of what it holds."""
        del motion
        yield from ()

    def losses(self, motion: Motion, /) -> Iterator[Scalar]:
        """Yield the rates at which it takes energy out."""
        del motion
        yield from ()

    def powers(self, motion: Motion, inputs: Array, /) -> Iterator[Scalar]:
        """Yield the rates at which its inputs, and what else it has of its own, work."""
        del motion, inputs
        yield from ()

    def measured(self, bodies: Bodies, motion: Motion, inputs: Array, /) -> dict[str, Array]:
        """Return what is put out of it; vectors in the axes that ``bodies`` are seen in.

        ``bodies`` sees its own two from near; ``motion`` is the whole mechanism in the world.
        """
        del bodies, motion, inputs
        return {}

    @property
    def line_ends(self) -> tuple[BodyPoint, BodyPoint] | None:
        """The points it is drawn between, if it is."""
        return None

    def start_problem(self, bodies: Bodies) -> tuple[str, str] | None:
        """Return what is impossible where the mechanism starts, and the remedy."""
        del bodies
        return None


@dataclass(frozen=True)
class Force:
    """A force as a model says it: ``point`` in the parent's U, ``point2`` in the child's.

    Where it acts in joints and not on bodies, ``parent`` and ``child`` are the ground.
    """

    type: ClassVar[str]
    law: ClassVar[str]  # for the docs
    keys: ClassVar[tuple[Key, ...]]  # besides its ends
    ends: ClassVar[tuple[Key, ...]] = ENDS
    line: ClassVar[str] = NO_LINE  # how it is drawn between its points
    is_coupling: ClassVar[bool] = True  # it joins two bodies

    name: str
    parent: str
    child: str
    point: Vector
    point2: Vector
    joints: tuple[str, ...] = field(default=(), kw_only=True)  # along whose coordinates it acts

    @classmethod
    def read(cls, table: Table, name: str) -> Self:
        """Read one ``[[force]]`` of this type."""
        ends = [key.read(table) for key in cls.ends]
        return cls(name, *ends, **{key.target: key.read(table) for key in cls.keys})

    @classmethod
    def all_keys(cls) -> frozenset[str]:
        """Return what may stand in its table."""
        return names_of(cls.keys_shown()) | {"name", "type"}

    @classmethod
    def keys_shown(cls) -> tuple[Key, ...]:
        """Return all that may stand in its table besides name and type."""
        return (*cls.ends, *cls.keys)

    @property
    def bodies(self) -> tuple[tuple[str, str], ...]:
        """The bodies it joins, each with its key; "" where a model does not name it."""
        ends = (("parent", self.parent), ("child", self.child))
        return tuple((key_of(end, self.ends), name) for end, name in ends)

    @property
    def inputs(self) -> tuple[Component, ...]:
        """What it takes from outside; names are whole."""
        return ()

    def measures(self, turns: tuple[bool, ...]) -> tuple[Measure, ...]:
        """Return what is put out of it, names whole; ``turns`` are its joints' coordinates."""
        del turns
        return ()

    @property
    def laws(self) -> tuple[tuple[str, Law], ...]:
        """Laws that may name joints, each with its key."""
        return ()

    @property
    def uses_time(self) -> bool:
        """What it exerts may hang on the time."""
        return any(TIME in law.names for _, law in self.laws)

    def marks(self) -> Iterator[Mark]:
        """Yield how it is drawn on bodies, where it is no line."""
        yield from ()

    @property
    def pushes(self) -> tuple[Push, ...]:
        """What its inputs are at the child's point, where they are forces or torques as such."""
        return ()

    @property
    def can_turn(self) -> bool:
        """It may turn the bodies it takes hold of, whatever the point."""
        return False

    def problems(self, nominal: Mapping[str, float]) -> list[Problem]:
        """List what is impossible, with the parameters' declared values put in."""
        where = f'force "{shortened(self.name)}"'
        return [p for k in self.keys for p in k.problems(where, getattr(self, k.target), nominal)]

    def needs(self) -> Iterator[tuple[str, Quantity, float]]:
        """Yield keys with quantities and what they must at least be."""
        for key in self.keys:
            yield from ((key.name, q, least) for q, least in key.needs(getattr(self, key.target)))

    def placed(self, places: Places) -> PlacedForce:
        """Put numbers or symbols in."""
        raise NotImplementedError

    def placed_ends(self, places: Places) -> tuple[BodyPoint, BodyPoint]:
        """Put them into its ends."""
        return places.point(self.parent, self.point), places.point(self.child, self.point2)
