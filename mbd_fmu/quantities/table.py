"""One table of a model file, read key by key; problems are collected, keys nobody asks for too."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mbd_fmu.errors import QUOTED, Problem, nearest, shortened
from mbd_fmu.quantities.expressions import ExpressionError, Law, Quantity, is_finite, parse
from mbd_fmu.quantities.limits import LARGEST, SMALLEST

REQUIRED: Any = object()


class Table:
    """A reader of one table. Every getter returns a usable value, also after a problem."""

    def __init__(
        self, where: str, data: Any, problems: list[Problem], parameters: frozenset[str]
    ) -> None:
        self.where = where
        self.problems = problems
        self.parameters = parameters
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
        return Table(where, data, self.problems, self.parameters)

    def element(self, kind: str, data: Any) -> Table:
        """Return the reader of one ``[[kind]]``; its problems call it by its name."""
        name = data.get("name") if isinstance(data, Mapping) else None
        return self.inner(
            f'{kind} "{shortened(name)}"' if isinstance(name, str) else f"a {kind}", data
        )

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

    def law(self, key: str, variables: Sequence[str]) -> Law | None:
        """Return an expression of parameters and of variables that follow the motion."""
        value = self.raw(key)
        if not isinstance(value, str):
            remedy = f"write an expression of {' and '.join(variables)} in quotes"
            self.problem(key, f"{show(value)} is no text", remedy)
            return None
        try:
            expression = parse(value, self.parameters | set(variables))
        except ExpressionError as error:
            self.problem(key, error.found, error.remedy)
            return None
        for name in sorted(expression.names & self.parameters & set(variables)):
            found = f'"{name}" may be the parameter, or the variable'
            self.problem(key, found, "rename the parameter")
        return Law(expression)

    def vector(
        self, key: str, sizes: Sequence[int], default: Any = REQUIRED
    ) -> tuple[Quantity, ...]:
        """Return a list of numbers or expressions, of one of the given lengths."""
        value = self.raw(key, default, show([0.0] * sizes[0]))
        if value is REQUIRED:
            return (0.0,) * sizes[0]
        if value is default:
            return tuple(value)
        return self._vector(key, value, sizes)

    def quantities(self, key: str, default: Any = REQUIRED) -> tuple[Quantity, ...]:
        """Return a list of numbers or expressions, as many as there are."""
        value = self.raw(key, default, "[1.0]")
        if value is REQUIRED or value is default:
            return () if value is REQUIRED else tuple(value)
        if isinstance(value, list | tuple) and value:
            return tuple(self._quantity(key, x) for x in value)
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

    def tables(self, key: str) -> list[Any]:
        """Return an array of tables, ``[[key]]``, empty if there is none."""
        value = self.raw(key, [])
        if isinstance(value, list):
            return value
        self.problem(key, f"found {show(value)}", f"write [[{key}]] in double brackets")
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
        wanted = " or ".join(map(str, sizes))
        self.problem(key, f"{show(value)} is no list of {wanted}", f"give {wanted} numbers")
        return (0.0,) * sizes[0]

    def _quantity(self, key: str, value: Any) -> Quantity:
        if is_finite(value):
            if abs(value) <= LARGEST:
                return float(value)
            self._too_large(key, value)
        elif isinstance(value, str):
            try:
                return parse(value, self.parameters)
            except ExpressionError as error:
                self.problem(key, error.found, error.remedy)
        else:
            self.problem(
                key, f"{show(value)} is no number", "give a number or an expression in quotes"
            )
        return 0.0

    def _too_large(self, key: str, value: float) -> None:
        remedy = f"numbers of a model are {LARGEST:g} at most; choose other units"
        self.problem(key, f"{show(value)} is out of range", remedy)


def show(value: Any) -> str:
    """Write a value as the model file would, short."""
    return _shown(value, QUOTED)


def _shown(value: Any, room: int) -> str:
    """Write no more than is read: of a long list, or of one inside many others, the beginning."""
    if isinstance(value, str):
        return f'"{shortened(value)}"'
    if isinstance(value, list | tuple):
        return f"[{_listed((('', x) for x in value), room)}]"
    if isinstance(value, Mapping):
        entries = ((f"{shortened(str(key))} = ", x) for key, x in value.items())
        return f"{{ {_listed(entries, room)} }}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, int) and value.bit_length() > 200:
        return f"a number of some {int(0.30103 * value.bit_length()) + 1} digits"
    return shortened(str(value))


def _listed(entries: Iterable[tuple[str, Any]], room: int) -> str:
    """Write values with what stands before each, as far as there is room."""
    texts: list[str] = []
    for head, value in entries:
        if room < 2:
            texts.append("...")
            break
        texts.append(head + _shown(value, room - len(head) - 2))
        room -= len(texts[-1]) + 2
    return ", ".join(texts)
