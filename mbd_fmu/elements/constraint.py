"""What a constraint type is: a restriction of motion that is no joint.

Each type is a class: its fields are what a model says, ``placed`` puts numbers or symbols in, and
what comes of that yields rows: jets where it restricts positions, flows (nonholonomic rows) where
it restricts velocities alone.

Source   [002], [004]; Haug, Computer Aided Kinematics and Dynamics (1989), ch. 9.
Checked  tests/laws/test_constraints.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

from mbd_fmu.elements.force import Bodies
from mbd_fmu.elements.jets import BodyJets, Flow, Jet
from mbd_fmu.elements.keys import Key, key_of, names_of
from mbd_fmu.elements.places import GROUND, BodyPoint, Places
from mbd_fmu.elements.symbols import NO_LINE, Mark, Seen
from mbd_fmu.errors import Problem, shortened
from mbd_fmu.quantities.expressions import Quantity
from mbd_fmu.quantities.table import Table
from mbd_fmu.quantities.vectors import Vector
from mbd_fmu.spatial import Scalar

# How a row is measured: in metres, or as the coordinate of the last joint it compares.
METRES, COORDINATE = "m", "q"

JointJets = Callable[[int], Jet]  # coordinates of joint i, of the tree or, counted on, cut


class Held(NamedTuple):
    """Where a constraint takes hold of a body: what it exerts there is put out."""

    body: str
    point: Vector  # in the body's U
    at: str  # what the point is
    turns: bool = False  # there is a torque about the point, too
    number: str = ""  # behind the names, where there are several


class PlacedConstraint:
    """A constraint with numbers or symbols put in."""

    def rows(self, bodies: BodyJets, joints: JointJets) -> Iterator[Jet | Flow]:
        """Yield its rows, holonomic ones first."""
        raise NotImplementedError

    def counted(self, joints: JointJets) -> Scalar:
        """Return the size of coordinates it compares, turns and all: their rounding counts."""
        del joints
        return 0.0

    @property
    def line_ends(self) -> tuple[BodyPoint, BodyPoint] | None:
        """The points it is drawn between, if it is."""
        return None

    def start_problems(self, bodies: Bodies) -> Iterator[tuple[str, str, str]]:
        """Yield what is impossible where the mechanism starts: key, finding, remedy."""
        del bodies
        yield from ()


@dataclass(frozen=True)
class Constraint:
    """A constraint as a model says it; ``point`` is in the parent's U, ``point2`` in the child's.

    Where it joins joints and not bodies, ``parent`` and ``child`` are the ground.
    """

    type: ClassVar[str]
    keeps: ClassVar[str]  # for the docs
    multipliers: ClassVar[str]  # what they are
    keys: ClassVar[tuple[Key, ...]]
    holonomic: ClassVar[str]  # how each row on positions is measured,
    nonholonomic: ClassVar[str] = ""  # and each row on velocities alone
    line: ClassVar[str] = NO_LINE  # how it is drawn between its points
    holds_points: ClassVar[bool] = False  # of both bodies: bars lead to them
    limitation: ClassVar[str] = ""  # what the page inside the FMU says of it

    name: str
    parent: str = GROUND
    child: str = GROUND
    point: Vector = ()
    point2: Vector = ()
    joints: tuple[str, ...] = ()  # whose coordinates it compares

    @classmethod
    def read(cls, table: Table, name: str, *, is_local: bool) -> Self:
        """Read one ``[[constraint]]`` of this type; its keys are its fields."""
        del is_local
        return cls(name, **{key.target: key.read(table) for key in cls.keys})

    @classmethod
    def keys_shown(cls) -> tuple[Key, ...]:
        """Return all that may stand in its table besides name and type."""
        return cls.keys

    @classmethod
    def all_keys(cls) -> frozenset[str]:
        """Return what may stand in its table."""
        return names_of(cls.keys_shown()) | {"name", "type"}

    @property
    def n_rows(self) -> int:
        """All of them."""
        return len(self.holonomic + self.nonholonomic)

    @property
    def bodies(self) -> tuple[tuple[str, str], ...]:
        """The bodies it joins, each with its key; "" where a model does not name it."""
        ends = (("parent", self.parent), ("child", self.child))
        return tuple((key_of(end, self.keys_shown()), name) for end, name in ends)

    @property
    def plane(self) -> tuple[Vector, Vector] | None:
        """A plane of the parent to be drawn: point and normal."""
        return None

    @property
    def held(self) -> tuple[Held, ...]:
        """Where it takes hold of bodies; one that joins joints does nowhere."""
        return ()

    def marks(self, seen: Seen, declared: Seen) -> Iterator[Mark]:
        """Yield how it is drawn on bodies, where it is no line; declared values decide how."""
        del seen, declared
        yield from ()

    def ignores_turns_of(self, body: str, centre: Vector) -> bool:
        """Tell whether it holds a body at this point at most, however that is turned."""
        del centre
        return body not in (name for _, name in self.bodies)

    def problems(self, nominal: Mapping[str, float]) -> list[Problem]:
        """List what is impossible, with the parameters' declared values put in."""
        where = f'constraint "{shortened(self.name)}"'
        return [p for key, q in self._given() for p in key.problems(where, q, nominal)]

    def needs(self) -> Iterator[tuple[str, Quantity, float]]:
        """Yield keys with quantities and what they must at least be."""
        for key, value in self._given():
            yield from ((key.name, q, least) for q, least in key.needs(value))

    def _given(self) -> Iterator[tuple[Key, object]]:
        """Yield keys with their values, where they have any."""
        values = ((key, getattr(self, key.target)) for key in self.keys)
        return ((key, value) for key, value in values if value is not None)

    def placed(self, places: Places) -> PlacedConstraint:
        """Put numbers or symbols in."""
        raise NotImplementedError
