"""What the mechanics does with symbols, written down: one operation after the other.

The text of the mechanics runs on object arrays of ``Traced``, as it runs on floats. What has been
done before is not done again but for another item of a pass, and what is known to be a number
becomes one: so zeros of matrices cost nothing, and the tape holds the structure of the mechanism
and nothing else. [003]

The tape also knows which operation belongs to which piece of work (``mechanics.passes``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partialmethod
from typing import NamedTuple

import numpy as np

from mbd_fmu.mechanics.passes import heard
from mbd_fmu.spatial import Array, Scalar, is_number

INPUT, CONST = "input", "const"


class Work(NamedTuple):
    """A piece of work: of which pass, over which items, for which of them. Pass -1: of none."""

    pass_number: int
    items: tuple[int, ...]
    item: int


_BETWEEN = Work(-1, (), 0)


class Tape:
    """Nodes are numbered in the order in which they were made; arguments come before results."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.arguments: list[tuple[int, ...]] = []
        self.constants: dict[int, float] = {}
        self.work_of: list[int] = []
        self.works: list[Work] = [_BETWEEN]
        self._common: dict[tuple[str, tuple[int, ...]], Traced] = {}
        self._own: dict[int, dict[tuple[str, tuple[int, ...]], Traced]] = {}  # by item
        self._nodes = self._common
        self._numbers: dict[tuple[float, float], Traced] = {}
        self._passes = 0
        self._inside: list[Work] = [_BETWEEN]  # passes that are going on, one inside another

    def symbols(self, size: int) -> Array:
        """Return an array of new symbols."""
        found = np.empty(size, dtype=object)
        found[:] = [self._made(INPUT, ()) for _ in range(size)]
        return found

    def do(self, name: str, *arguments: int) -> Traced:
        """Return the result of an operation, done now, or before for all items or the same one.

        What was done for others is done again: else the work at one joint would hang on what the
        work at another happened to need, too.
        """
        found = self._nodes.get((name, arguments)) or self._common.get((name, arguments))
        if found is None:
            found = self._nodes[name, arguments] = self._made(name, arguments)
        return found

    def number(self, value: float) -> Traced:
        """Return a number as a node."""
        key = (value, math.copysign(1.0, value))
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = self._made(CONST, ())
            self.constants[found.node] = value
        return found

    def _made(self, name: str, arguments: tuple[int, ...]) -> Traced:
        self.names.append(name)
        self.arguments.append(arguments)
        self.work_of.append(len(self.works) - 1)
        return Traced(self, len(self.names) - 1)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Tell pieces of work apart meanwhile."""
        try:
            with heard(self._hear):
                yield
        finally:
            self._inside, self._nodes = [_BETWEEN], self._common
            self.works.append(_BETWEEN)

    def _hear(self, items: Sequence[int] | None, item: int) -> None:
        if items is None:
            self._inside.pop()
        elif items is self._inside[-1].items:
            self._inside[-1] = self._inside[-1]._replace(item=item)
        else:
            if len(set(items)) < len(items):
                raise ValueError("the work of a pass is told apart by its items: each comes once")
            self._passes += 1
            self._inside.append(Work(self._passes, tuple(items), item))
        work = self._inside[-1]
        self._nodes = self._own.setdefault(work.item, {}) if work.items else self._common
        self.works.append(work)

    def live(self, results: Sequence[Scalar]) -> list[int]:
        """Return the nodes that results take, in order."""
        is_live = bytearray(len(self.names))
        waiting = [x.node for x in results if x.__class__ is Traced]
        for n in waiting:
            is_live[n] = 1
        while waiting:
            n = waiting.pop()
            for a in self.arguments[n]:
                if not is_live[a]:
                    is_live[a] = 1
                    waiting.append(a)
        return np.flatnonzero(np.frombuffer(is_live, dtype=np.uint8)).tolist()


class Traced:
    """A symbol, or what was computed from symbols: something to calculate with."""

    __slots__ = ("node", "tape")
    __array_ufunc__ = None  # a number of NumPy leaves the operation to us

    def __init__(self, tape: Tape, node: int) -> None:
        self.tape, self.node = tape, node

    def _with(self, name: str, other: Scalar) -> Scalar:
        if other.__class__ is not Traced:
            if not is_number(other):
                return NotImplemented  # a Taylor number takes symbols as entries
            other = self.tape.number(float(other))
        return self.tape.do(name, self.node, other.node)

    def _after(self, name: str, other: Scalar) -> Scalar:
        if not is_number(other):
            return NotImplemented
        return self.tape.do(name, self.tape.number(float(other)).node, self.node)

    def __add__(self, other: Scalar) -> Scalar:
        return self if _is(other, 0.0) else self._with("add", other)

    def __radd__(self, other: Scalar) -> Scalar:
        return self if _is(other, 0.0) else self._after("add", other)

    def __sub__(self, other: Scalar) -> Scalar:
        if other is self:
            return 0.0
        return self if _is(other, 0.0) else self._with("sub", other)

    def __rsub__(self, other: Scalar) -> Scalar:
        return -self if _is(other, 0.0) else self._after("sub", other)

    def __mul__(self, other: Scalar) -> Scalar:
        return self._with("mul", other) if other.__class__ is Traced else self.__rmul__(other)

    def __rmul__(self, other: Scalar) -> Scalar:
        if other == 0.0:
            return 0.0
        if other in (1.0, -1.0):
            return self if other == 1.0 else -self
        return self._after("mul", other)

    def __truediv__(self, other: Scalar) -> Scalar:
        return self if _is(other, 1.0) else self._with("div", other)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        return 0.0 if _is(other, 0.0) else self._after("div", other)

    def __pow__(self, other: Scalar) -> Scalar:
        return self._with("pow", other)

    def __rpow__(self, other: Scalar) -> Scalar:
        return self._after("pow", other)

    def __pos__(self) -> Traced:
        return self

    def __neg__(self) -> Traced:
        if self.tape.names[self.node] == "neg":
            return Traced(self.tape, self.tape.arguments[self.node][0])
        return self.tape.do("neg", self.node)

    def computed(self, name: str, operands: Sequence[Scalar]) -> Traced:
        """Return a function of symbols and numbers that NumPy does not ask symbols for."""
        nodes = (x if x.__class__ is Traced else self.tape.number(float(x)) for x in operands)
        return self.tape.do(name, *(x.node for x in nodes))

    def _of(self, name: str) -> Traced:
        return self.tape.do(name, self.node)

    __abs__ = partialmethod(_of, "fabs")
    # by these names NumPy calls them, of each entry of an array
    sqrt = partialmethod(_of, "sqrt")
    exp = partialmethod(_of, "exp")
    log = partialmethod(_of, "log")
    sin = partialmethod(_of, "sin")
    cos = partialmethod(_of, "cos")
    tan = partialmethod(_of, "tan")
    tanh = partialmethod(_of, "tanh")
    arcsin = partialmethod(_of, "asin")
    arccos = partialmethod(_of, "acos")
    arctan = partialmethod(_of, "atan")
    arctan2 = partialmethod(_with, "atan2")
    arctan2_from = partialmethod(_after, "atan2")


def _is(x: Scalar, number: float) -> bool:
    return x.__class__ is not Traced and bool(x == number)


def flat(parts: Mapping[str, Array]) -> list[Scalar]:
    """Return the entries of named arrays, one after the other."""
    return [x for part in parts.values() for x in part.ravel()]
