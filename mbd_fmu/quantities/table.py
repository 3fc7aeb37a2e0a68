"""One table of a model file, read key by key; problems are collected, keys nobody asks for too."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mbd_fmu.errors import Problem, nearest, shortened
from mbd_fmu.quantities.expressions import (
    Expression,
    ExpressionError,
    KindError,
    Law,
    Quantity,
    is_finite,
)
from mbd_fmu.quantities.limits import LARGEST, SMALLEST
from mbd_fmu.quantities.scope import Scope, folded
from mbd_fmu.quantities.showing import show

REQUIRED: Any = object()


class Table:
    """A reader of one table. Every getter returns a usable value, also after a problem."""

    def __init__(self, where: str, data: Any, problems: list[Problem], scope: Scope) -> None:
        self.where = where
        self.problems = problems
        self.scope = scope
        self._asked: set[str] = set()
        self._guessed = False
        self._possible: frozenset[str] = frozenset()
        self._before = len(problems)
        if not isinstance(data, Mapping):
            self.problem("", f"found {show(data)}", "write a table of keys and values")
            data = {}
            self._guessed = True
        self._data = data

    def problem(self, key: str, found: str, remedy: str) -> None:
        """Write down a finding about a key, or about the whole table."""
        self.problems.append(Problem(f"{self.where}, {key}" if key else self.where, found, remedy))

    def inner(self, where: str, data: Any) -> Table:
        """Return the reader of a table within this one."""
        return Table(where, data, self.problems, self.scope)

    def element(self, kind: str, data: Any) -> Table:
        """Return the reader of one ``[[kind]]``; its problems call it by its name."""
        name = data.get("name") if isinstance(data, Mapping) else None
        some = f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
        return self.inner(f'{kind} "{shortened(name)}"' if isinstance(name, str) else some, data)

    def has(self, key: str) -> bool:
        """Tell whether the key is given; from here on it is a known one."""
        self._asked.add(key)
        return key in self._data

    @property
    def is_clean(self) -> bool:
        """No problem was found since this table was opened."""
        return len(self.problems) == self._before

    def raw(self, key: str, default: Any = REQUIRED, example: str = "") -> Any:
        """Return the value as it stands."""
        if self.has(key):
            return self._data[key]
        if default is REQUIRED and not self._guessed:
            self.problem(key, "missing", f"add it, for example {key} = {example}")
        return default

    def text(
        self,
        key: str,
        default: str = REQUIRED,
        *,
        choices: Sequence[str] = (),
        example: str = "",
        decides: frozenset[str] = frozenset(),
    ) -> str:
        """Return a string, perhaps one of a few.

        If it ``decides`` which further keys there are, those are all that it may lead to. After a
        wrong one the table is read on a guess: none of them is missing or unknown.
        """
        value = self.raw(key, default, example or f'"{choices[0] if choices else "a_name"}"')
        if decides and not (isinstance(value, str) and value in choices):
            self._guessed, self._possible = True, decides
        if value is REQUIRED:
            return choices[0] if choices else ""
        if not isinstance(value, str):
            self.problem(key, f"{show(value)} is no text", "put it in quotes")
        elif not value and default is REQUIRED:
            self.problem(
                key, "is empty", f"write a text, for example {key} = {example or 'a_name'}"
            )
        elif not value.isprintable():
            found = f"{shortened(repr(value))} holds control characters"
            self.problem(key, found, "take them out")
        elif choices and value not in choices:
            self.problem(key, f'no {key} "{shortened(value)}"', nearest(value, choices))
        else:
            return value
        return choices[0] if choices else ""

    def flag(self, key: str, *, default: bool) -> bool:
        """Return true or false."""
        value = self.raw(key, default)
        if isinstance(value, bool):
            return value
        self.problem(key, f"{show(value)} is neither true nor false", "write true or false")
        return default

    def texts(self, key: str, default: Sequence[str]) -> Sequence[str]:
        """Return a list of strings."""
        value = self.raw(key, default)
        if isinstance(value, list | tuple) and all(isinstance(x, str) for x in value):
            return value
        self.problem(key, f"{show(value)} is no list of texts", f"write {key} = {show(default)}")
        return default

    def number(
        self,
        key: str,
        default: float | None = REQUIRED,
        *,
        positive: bool = False,
        least: float = -math.inf,
        most: float = math.inf,
    ) -> Any:
        """Return a plain number: no expression, no parameter."""
        value = self.raw(key, default, "1.0")
        if value is REQUIRED:
            return 1.0
        if value is default:
            return value
        if not is_finite(value):
            self.problem(key, f"{show(value)} is no number", "write a number")
        elif abs(value) > LARGEST:
            self._too_large(key, value)
        elif not least <= value <= most:
            allowed = f"{least:g} to {most:g}" if most < math.inf else f"{least:g} or more"
            self.problem(key, f"{show(value)} is out of range", f"give {allowed}")
        elif positive and not value > 0:
            self.problem(key, f"{show(value)} is not positive", "give a number above 0")
        elif positive and value < SMALLEST:
            self.problem(key, f"{show(value)} is out of range", f"give {SMALLEST:g} or more")
        else:
            return float(value)
        return 1.0

    def quantity(self, key: str, default: float = REQUIRED) -> Quantity:
        """Return a number or an expression of parameters."""
        value = self.raw(key, default, "1.0")
        return 0.0 if value is REQUIRED else self._quantity(key, value)

    def expression(self, key: str) -> Quantity | tuple[Quantity, ...]:
        """Return what a text is, a number or a vector; a number at once where nothing is named."""
        found = self._read(key, self.raw(key))
        if isinstance(found, tuple):
            return tuple(self._folded(key, value) for value in found)
        return 0.0 if found is None else self._folded(key, found)

    def expressions(self, key: str) -> tuple[Quantity, ...]:
        """Return what the entries of a list are, each a number or a text."""
        return tuple(self._folded(key, self._quantity(key, entry)) for entry in self.raw(key))

    def numbers(self, key: str) -> Iterator[float]:
        """Yield the plain numbers of a list."""
        for entry in self.raw(key):
            yield self.inner(self.where, {key: entry}).number(key)

    def law(self, key: str, variables: Sequence[str], *, dotted: bool = False) -> Law | None:
        """Return an expression of parameters and of variables that follow the motion."""
        return self.law_of(key, self.raw(key), variables, dotted=dotted)

    def law_of(
        self,
        key: str,
        value: Any,
        variables: Sequence[str],
        *,
        dotted: bool = False,
        has_vectors: bool = False,
    ) -> Law | None:
        """Return the law that a value of a key is."""
        if not isinstance(value, str):
            remedy = f"write an expression of {' and '.join(variables)} in quotes"
            self.problem(key, f"{show(value)} is no text", remedy)
            return None
        try:
            scope = self.scope.with_variables(variables)
            expression = scope.read(value, dotted=dotted, has_vectors=has_vectors)
        except ExpressionError as error:
            self._refused(key, value, error)
            return None
        if isinstance(expression, tuple):
            self._vector_for_number(key, value, expression)
            return None
        for name in sorted(expression.names & self.scope.scalars & set(variables)):
            found = f'"{name}" may be the parameter, or the variable'
            self.problem(key, found, "rename the parameter")
        return Law(expression)

    def vector(
        self, key: str, sizes: Sequence[int], default: Any = REQUIRED, example: str = ""
    ) -> tuple[Quantity, ...]:
        """Return a list of numbers or expressions, of one of the given lengths, or a vector."""
        value = self.raw(key, default, example or show([0.0] * sizes[0]))
        if value is REQUIRED:
            return (0.0,) * sizes[0]
        if value is default:
            return tuple(value)
        return self._vector(key, value, sizes)

    def place(
        self, key: str, carrier: str, default: Any = REQUIRED, example: str = ""
    ) -> tuple[Quantity, ...]:
        """Return a point or a direction in the frame of a body: there its own points are known."""
        if self.has(key) and self.scope.is_local:
            value = self.raw(key)
            for text in value if isinstance(value, list | tuple) else [value]:
                self._check_carriers(key, text, carrier)
        return self.vector(key, (3,), default, example)

    def body(
        self, key: str, default: str = REQUIRED, *, told_by: str = "", example: str = ""
    ) -> str:
        """Return the name of a body; left out, of that which carries the point at another key."""
        carrier = self.scope.carrier_of(self._data.get(told_by))
        if carrier and not self.has(key):
            self._data = {**self._data, key: carrier}  # for all who ask whom the key names
        return self.text(key, default, example=example)

    def named(self, key: str, nth: int = 0) -> str:
        """Return whom a key names, one alone or the nth of several; "" if nobody."""
        value = self._data.get(key)
        names = value if isinstance(value, list) else [value]
        return names[nth] if nth < len(names) and isinstance(names[nth], str) else ""

    def _check_carriers(self, key: str, text: Any, carrier: str) -> None:
        points = self.scope.points_in(text) if isinstance(text, str) else {}
        for name, body in points.items():
            if body != carrier:
                wanted = f'"{carrier}"' if carrier else "each of its bodies"
                found = f'"{name}" is a point of "{body}", but numbers of {wanted} are wanted'
                self.problem(key, found, f"in local frames, give numbers or a point of {wanted}")

    def quantities(self, key: str, default: Any = REQUIRED) -> tuple[Quantity, ...]:
        """Return a list of numbers or expressions, as many as there are."""
        value = self.raw(key, default, "[1.0]")
        if value is REQUIRED or value is default:
            return () if value is REQUIRED else tuple(value)
        if isinstance(value, list | tuple) and value:
            return tuple(self._quantity(key, x) for x in value)
        if isinstance(value, str) and isinstance(found := self._read(key, value), tuple):
            return found
        self.problem(key, f"{show(value)} is no list of numbers", "give one or more")
        return ()

    def matrix(self, key: str, default: Any = REQUIRED) -> tuple[tuple[Quantity, ...], ...]:
        """Return three rows of three numbers or expressions."""
        value = self.raw(key, default, "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]")
        if isinstance(value, list | tuple) and len(value) == 3:
            return tuple(
                self._vector(f"{key} row {i + 1}", row, (3,)) for i, row in enumerate(value)
            )
        if value is not REQUIRED:
            self.problem(key, f"{show(value)} is no 3x3 matrix", "give three rows of three numbers")
        return ((0.0,) * 3,) * 3

    def tables(self, key: str, within: str = "") -> list[Any]:
        """Return an array of tables, ``[[key]]`` or ``[[within.key]]``, empty if there is none."""
        value = self.raw(key, [])
        if isinstance(value, list):
            return value
        heading = f"{within}.{key}" if within else key
        self.problem(key, f"found {show(value)}", f"write [[{heading}]] in double brackets")
        return []

    def done(self) -> None:
        """Report the keys nobody asked for."""
        known = self._asked | self._possible
        for key in self._data:
            if key not in known:
                self.problem("", f'unknown key "{shortened(str(key))}"', nearest(str(key), known))

    def _vector(self, key: str, value: Any, sizes: Sequence[int]) -> tuple[Quantity, ...]:
        if isinstance(value, list | tuple) and len(value) in sizes:
            return tuple(self._quantity(key, x) for x in value)
        found = self._read(key, value) if isinstance(value, str) else 0.0
        if isinstance(found, tuple) and len(found) in sizes:
            return found
        if found is not None and not self.scope.is_doubtful(value):
            wanted = " or ".join(map(str, sizes))
            self.problem(key, f"{show(value)} is no list of {wanted}", f"give {wanted} numbers")
        return (0.0,) * sizes[0]

    def _read(self, key: str, text: str) -> Expression | tuple[Quantity, ...] | None:
        """Read an expression; None, and a problem, where it is none."""
        try:
            return self.scope.read(text)
        except ExpressionError as error:
            self._refused(key, text, error)
            return None

    def _refused(self, key: str, text: str, error: ExpressionError) -> None:
        """Write down why a text is none; of which kind a doubtful name is, nobody knows."""
        if not (isinstance(error, KindError) and self.scope.is_doubtful(text)):
            self.problem(key, error.found, error.remedy)

    def _quantity(self, key: str, value: Any) -> Quantity:
        if is_finite(value):
            if abs(value) <= LARGEST:
                return float(value)
            self._too_large(key, value)
        elif isinstance(value, str):
            found = self._read(key, value)
            if isinstance(found, Expression):
                return found
            if found is not None:
                self._vector_for_number(key, value, found)
        else:
            self.problem(
                key, f"{show(value)} is no number", "give a number or an expression in quotes"
            )
        return 0.0

    def _folded(self, key: str, value: Quantity) -> Quantity:
        found = folded(value) if isinstance(value, Expression) else value
        if isinstance(found, float) and abs(found) > LARGEST:
            self._too_large(key, found)
        return found

    def _vector_for_number(self, key: str, text: str, found: Sequence[Quantity]) -> None:
        remedy = 'give one number, for example a component: "a[1]"'
        if self.scope.is_doubtful(text):
            return
        self.problem(key, f'"{shortened(text)}" is a vector of {len(found)}', remedy)

    def _too_large(self, key: str, value: float) -> None:
        remedy = f"numbers of a model are {LARGEST:g} at most; choose other units"
        self.problem(key, f"{show(value)} is out of range", remedy)
