"""What a model declares before it is built: parameters and named points, in any order.

Each may be an expression of others. So they are read in an order in which each comes after all it
follows from; those that follow from themselves are told, and read as if they were numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from typing import Any

from mbd_fmu.errors import shortened
from mbd_fmu.model.parameters import read_parameter
from mbd_fmu.model.points import read_point
from mbd_fmu.model.spec import Derived, NamedPoint, Parameter
from mbd_fmu.quantities.scope import possible_names
from mbd_fmu.quantities.showing import show
from mbd_fmu.quantities.table import Table

KINDS = {"parameters": "parameter", "points": "point"}
_EXAMPLES = {"parameters": "name = value", "points": "name = [x, y, z]"}


@dataclass(frozen=True)
class Declarations:
    """See above; parameters and points as they stand in the file, derived ones as they follow."""

    parameters: tuple[Parameter, ...]
    derived: tuple[Derived, ...]
    points: tuple[NamedPoint, ...]


def read_declarations(root: Table) -> Declarations:
    """Read ``[parameters]`` and ``[points]``, and let expressions know them."""
    entries = _entries(root)
    root.scope.declared.update(entries)
    parameters: dict[str, list[Parameter]] = {}
    points: dict[str, NamedPoint] = {}
    derived: list[Derived] = []
    for name in _order(root, entries):
        kind, data = entries[name]
        before = len(root.problems)
        if kind == "points":
            points[name], made = read_point(root, name, data)
            derived += made
        else:
            found = read_parameter(root, name, data)
            parameters[name] = [part for part in found if isinstance(part, Parameter)]
            derived += [part for part in found if isinstance(part, Derived)]
        if len(root.problems) > before or root.scope.failed & set(_named_in(data)):
            root.scope.failed.add(name)
    plain = tuple(part for name in entries for part in parameters.get(name, ()))
    return Declarations(
        plain,
        tuple(_with_tunables(derived, plain)),
        tuple(points[name] for name in entries if name in points),
    )


def _entries(root: Table) -> dict[str, tuple[str, Any]]:
    """Return what is declared, by name, with its kind; a name stands for one thing."""
    found: dict[str, tuple[str, Any]] = {}
    for kind, word in KINDS.items():
        table = root.raw(kind, {})
        if not isinstance(table, Mapping):
            remedy = f"write [{kind}] with {_EXAMPLES[kind]}"
            root.problem(kind, f"found {show(table)}", remedy)
            continue
        for name, data in table.items():
            if name in found:
                other = KINDS[found[name][0]]
                where = root.inner(f'{word} "{shortened(name)}"', {})
                where.problem("", f"a {other} has this name, too", "rename one")
            else:
                found[name] = kind, data
    return found


def _order(root: Table, entries: dict[str, tuple[str, Any]]) -> list[str]:
    """Return names so that each comes after those it follows from, always in the same way."""
    place = {name: k for k, name in enumerate(entries)}
    needs: dict[str, list[str]] = {
        name: sorted(set(_named_in(data)) & place.keys(), key=place.__getitem__)
        for name, (_, data) in entries.items()
    }
    while True:
        try:
            return list(TopologicalSorter(needs).static_order())
        except CycleError as error:
            circle: list[str] = error.args[1][::-1]  # each follows from the next
            _tell_circle(root, entries, circle)
            root.scope.failed.update(circle)
            for name in circle:
                needs[name] = []
                entries[name] = _number_instead(*entries[name])


def _number_instead(kind: str, data: Any) -> tuple[str, Any]:
    """Return a declaration that follows from nothing."""
    key, value = ("at", [0.0, 0.0, 0.0]) if kind == "points" else ("value", 1.0)
    return kind, {**data, key: value} if isinstance(data, Mapping) else value


def _tell_circle(root: Table, entries: Mapping[str, tuple[str, Any]], circle: list[str]) -> None:
    kind = KINDS[entries[circle[0]][0]]
    where = root.inner(f'{kind} "{shortened(circle[0])}"', {})
    path = " -> ".join(map(shortened, circle[:8])) + (" -> ..." if len(circle) > 8 else "")
    where.problem("", f"follows from itself: {path}", "give one of them a number")


def _named_in(data: Any) -> Iterator[str]:
    """Yield all that a declaration may name."""
    value = data
    if isinstance(data, Mapping):
        value = data.get("value", data.get("at"))
    for text in value if isinstance(value, list | tuple) else [value]:
        yield from possible_names(text)


def _with_tunables(derived: Iterable[Derived], plain: Iterable[Parameter]) -> Iterator[Derived]:
    """Yield what follows from something that may change between steps as such."""
    tunable = {parameter.name for parameter in plain if parameter.tunable}
    for made in derived:
        if made.value.names & tunable:
            tunable.add(made.name)
            yield replace(made, tunable=True)
        else:
            yield made
