"""Keys that an element takes from a model: how each is read, what it must be, what it means."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mbd_fmu.elements.places import GROUND
from mbd_fmu.errors import Problem
from mbd_fmu.quantities.expressions import Quantity, value_of
from mbd_fmu.quantities.forms import (
    DIRECTION,
    FILLED,
    NAMES,
    NUMBER,
    QUANTITIES,
    QUANTITY,
    TWO_NAMES,
    VECTOR,
    Form,
    at_least,
    choice,
    not_zero,
    vector,
)
from mbd_fmu.quantities.limits import SMALLEST
from mbd_fmu.quantities.showing import show
from mbd_fmu.quantities.table import REQUIRED, Table
from mbd_fmu.quantities.time_forms import THREE_OF_TIME
from mbd_fmu.quantities.time_functions import TimeFunction, read_time_functions
from mbd_fmu.quantities.vectors import Vector, vector_of
from mbd_fmu.spatial import length_of

Finding = Callable[[float], tuple[str, str]]  # value -> what is found, and the remedy


@dataclass(frozen=True)
class Key:
    """A key by its name, and what it says."""

    name: str
    meaning: str = ""
    default: Any = field(default=REQUIRED, kw_only=True)
    goes_to: str = field(default="", kw_only=True)  # the element's field, if of another name
    may_lack: bool = field(default=False, kw_only=True)  # though it has no default

    @property
    def form(self) -> Form:
        """What it may be, for the docs and for editors."""
        raise NotImplementedError

    @property
    def is_needed(self) -> bool:
        """It must be given."""
        return self.default is REQUIRED and not self.may_lack

    @property
    def target(self) -> str:
        """The field of the element that holds it."""
        return self.goes_to or self.name

    def read(self, table: Table) -> Any:
        """Take the value from a table of the model, and write down what is wrong with it."""
        raise NotImplementedError

    def problems(self, where: str, value: Any, nominal: Mapping[str, float]) -> Iterator[Problem]:
        """Yield what is impossible about a value, with the parameters' declared values put in."""
        del where, value, nominal
        yield from ()

    def needs(self, value: Any) -> Iterator[tuple[Quantity, float]]:
        """Yield quantities and what they must at least be, whatever the parameters are."""
        del value
        yield from ()


@dataclass(frozen=True)
class Number(Key):
    """A number or an expression of parameters."""

    least: float = field(default=-math.inf, kw_only=True)
    # in words of their own: what is below that, and 0 where nothing but that is refused
    below: Finding | None = field(default=None, kw_only=True)
    at_zero: Finding | None = field(default=None, kw_only=True)

    @property
    def form(self) -> Form:
        """What it may be."""
        return not_zero(QUANTITY) if self.at_zero else at_least(QUANTITY, self.least)

    def read(self, table: Table) -> Quantity:
        """Take a quantity."""
        return table.quantity(self.name, self.default)

    def problems(self, where: str, value: Any, nominal: Mapping[str, float]) -> Iterator[Problem]:
        """Judge its size."""
        number = value_of(value, nominal)
        if number < self.least:
            said = self.below(number) if self.below else _below(self.least, number)
            yield Problem(f"{where}, {self.name}", *said)
        elif self.at_zero and abs(number) < SMALLEST:
            yield Problem(f"{where}, {self.name}", *self.at_zero(number))

    def needs(self, value: Any) -> Iterator[tuple[Quantity, float]]:
        """Bound it from below."""
        if self.least > -math.inf:
            yield value, self.least


def _below(least: float, number: float) -> tuple[str, str]:
    return f"{number:g}", f"give {least:g} or more"


def positive_length(name: str, meaning: str, *, may_lack: bool = False) -> Number:
    """Return a key for a length above 0."""
    return Number(
        name,
        meaning,
        may_lack=may_lack,
        least=SMALLEST,
        below=lambda x: (f"{x:g} m", "give a length above 0"),
    )


@dataclass(frozen=True)
class Numbers(Key):
    """A list of numbers, none of them negative."""

    size: int = 3

    @property
    def form(self) -> Form:
        """What it may be."""
        return at_least(vector(self.size), 0.0)

    def read(self, table: Table) -> Vector:
        """Take a list."""
        return table.vector(self.name, (self.size,), self.default)

    def problems(self, where: str, value: Any, nominal: Mapping[str, float]) -> Iterator[Problem]:
        """Name those that are negative."""
        for number in vector_of(value, nominal):
            if number < 0.0:
                yield Problem(f"{where}, {self.name}", *_below(0.0, number))

    def needs(self, value: Any) -> Iterator[tuple[Quantity, float]]:
        """Bound each from below."""
        yield from ((quantity, 0.0) for quantity in value)


@dataclass(frozen=True)
class Point(Key):
    """Three coordinates in the frame of a body, or a named point of it."""

    of: str = field(default="", kw_only=True)  # the key that names the body; none: the ground
    nth: int = field(default=0, kw_only=True)  # which of the bodies that key names

    @property
    def form(self) -> Form:
        """What it may be."""
        return VECTOR

    def read(self, table: Table) -> Vector:
        """Take a point."""
        carrier = table.named(self.of, self.nth) if self.of else GROUND
        return table.place(self.name, carrier, self.default)


@dataclass(frozen=True)
class TimeVector(Key):
    """Three functions of time, or none."""

    @property
    def form(self) -> Form:
        """What it may be."""
        return THREE_OF_TIME

    def read(self, table: Table) -> tuple[TimeFunction, ...]:
        """Take a list of three."""
        if not table.has(self.name):
            return ()
        return read_time_functions(table, self.name, table.raw(self.name), 3)


@dataclass(frozen=True)
class Direction(Point):
    """Three components that are not all zero."""

    @property
    def form(self) -> Form:
        """What it may be."""
        return DIRECTION

    def problems(self, where: str, value: Any, nominal: Mapping[str, float]) -> Iterator[Problem]:
        """Refuse a vector without direction."""
        yield from direction_problem(f"{where}, {self.name}", value, nominal)


@dataclass(frozen=True)
class Name(Key):
    """The name of a body."""

    example: str = ""

    @property
    def form(self) -> Form:
        """What it may be."""
        return FILLED

    def read(self, table: Table) -> str:
        """Take a name."""
        return table.text(self.name, example=self.example)


@dataclass(frozen=True)
class Choice(Key):
    """One of a few words."""

    choices: tuple[str, ...] = ()

    @property
    def form(self) -> Form:
        """What it may be."""
        return choice(self.choices)

    def read(self, table: Table) -> str:
        """Take a word."""
        return table.text(self.name, self.default, choices=self.choices)


@dataclass(frozen=True)
class TwoNames(Key):
    """The names of two elements."""

    @property
    def form(self) -> Form:
        """What it may be."""
        return TWO_NAMES

    def read(self, table: Table) -> tuple[str, str]:
        """Take exactly two."""
        names = table.texts(self.name, ())
        if len(names) == 2:
            return names[0], names[1]
        example = f'give two, for example {self.name} = ["a", "b"]'
        table.problem(self.name, f"{len(names)} names", example)
        return "", ""


@dataclass(frozen=True)
class Names(Key):
    """The names of one or more elements."""

    @property
    def form(self) -> Form:
        """What it may be."""
        return NAMES

    def read(self, table: Table) -> tuple[str, ...]:
        """Take all there are."""
        names = tuple(table.texts(self.name, ()))
        if names and all(names):
            return names
        found = "a name is empty" if names else "no name"
        table.problem(self.name, found, f'give one or more, for example {self.name} = ["a", "b"]')
        return ()


@dataclass(frozen=True)
class Ratios(Key):
    """One number for each of the joints that stand beside it, none of them 0."""

    @property
    def form(self) -> Form:
        """What it may be."""
        return not_zero(QUANTITIES)

    def read(self, table: Table) -> Vector:
        """Take a list; how long it must be, the element knows."""
        return table.quantities(self.name, self.default)

    def problems(self, where: str, value: Any, nominal: Mapping[str, float]) -> Iterator[Problem]:
        """Name those that are 0."""
        for n, number in enumerate(vector_of(value, nominal), start=1):
            if abs(number) < SMALLEST:
                yield Problem(f"{where}, {self.name}", f"number {n} is 0", "leave that joint out")


@dataclass(frozen=True)
class Limit(Key):
    """A plain number that is declared to the outside; none if it is not given."""

    default: Any = field(default=None, kw_only=True)

    @property
    def form(self) -> Form:
        """What it may be."""
        return NUMBER

    def read(self, table: Table) -> float | None:
        """Take a number."""
        limit: float | None = table.number(self.name, self.default)
        return limit


def stands_still(number: float) -> tuple[str, str]:
    """Say what is wrong with a ratio of 0."""
    del number
    return "is 0", "give another number; a joint that stands still is rigid"


def direction_problem(where: str, axis: Vector, nominal: Mapping[str, float]) -> list[Problem]:
    """Refuse a vector that has no direction."""
    found = vector_of(axis, nominal)
    if length_of(found) >= SMALLEST:
        return []
    remedy = "give a nonzero vector, for example [0, 0, 1]"
    return [Problem(where, f"{show([float(x) for x in found])} has no direction", remedy)]


def key_of(field_name: str, keys: Sequence[Key]) -> str:
    """Return what a model calls a field of an element; "" where it does not say it."""
    return next((key.name for key in keys if key.target == field_name), "")


def names_of(keys: Sequence[Key]) -> frozenset[str]:
    """Return what keys are called."""
    return frozenset(key.name for key in keys)
