"""A model without its points, vectors and derived parameters: each is written out where it stands.

Bodies that are left out because they carry a point are named, for nothing carries what has no name.
What else a model may leave out is left out here, too. A vector parameter becomes three numbers with
names of their own, ``hub_1`` to ``hub_3``, which is what a model file could declare before there
were vectors.
"""

from __future__ import annotations

import ast
from typing import Any

from mbd_fmu.quantities.components import Expansion
from mbd_fmu.quantities.qualified_names import tree_of_qualified

EXPRESSIONS = frozenset(  # keys of bodies, joints, forces and outputs that hold them
    {"mass", "com", "length", "radius", "axis", "from", "to", "point", "point2"}
    | {"through", "stiffness", "damping", "value"}
)
ENDS = {"parent": "point", "child": "point2", "body": "point"}  # who carries what is left out


def written_out(table: dict[str, Any]) -> dict[str, Any]:
    """Return the same mechanism with the same parameters open, none of them a vector."""
    names = _Names(table)
    plain = {key: names.out(entry) for key, entry in table.items() if key != "points"}
    return plain | {"parameters": names.open}


class _Names:
    """What a model declares: what stays open, and what stands for all else."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.open: dict[str, Any] = {}
        self.vectors: dict[str, tuple[float | str, ...]] = {}
        self.meaning: dict[str, ast.expr] = {}  # of what follows from others
        self.carriers: dict[str, str] = {}
        for name, entry in table["parameters"].items():
            self._parameter(name, entry)
        for name, point in table["points"].items():
            told = point if isinstance(point, dict) else {"at": point}
            self._follows(name, told["at"])
            self._note_carrier(name, told)

    def _note_carrier(self, name: str, told: dict[str, Any]) -> None:
        if "body" in told:
            self.carriers[name] = told["body"]

    def _parameter(self, name: str, entry: dict[str, Any]) -> None:
        self._note_carrier(name, entry)
        entry = {key: told for key, told in entry.items() if key != "body"}
        value = entry["value"]
        if isinstance(value, str):
            self._follows(name, value)
        elif isinstance(value, list):
            self.vectors[name] = tuple(f"{name}_{k + 1}" for k in range(len(value)))
            for part, number in zip(self.vectors[name], value, strict=True):
                self.open[str(part)] = entry | {"value": number}
        else:
            self.open[name] = entry

    def _follows(self, name: str, text: str) -> None:
        found = self._expanded(text)
        if isinstance(found, list):
            self.vectors[name] = tuple(f"{name}_{k + 1}" for k in range(len(found)))
            self.meaning |= zip(map(str, self.vectors[name]), found, strict=True)
        else:
            self.meaning[name] = found

    def _expanded(self, text: str) -> ast.expr | list[ast.expr]:
        tree = tree_of_qualified(text)
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        scalars = {*self.open, *self.meaning, *(name for name in names if "." in name)}
        found = Expansion(text, scalars, self.vectors, (), "name").of(tree)
        put = _Put(self.meaning).visit
        return [put(part) for part in found] if isinstance(found, list) else put(found)

    def out(self, entry: Any, key: str = "") -> Any:
        """Return what stands for an entry of a table."""
        match entry:
            case dict():
                told = self._bodies(entry) | entry
                return {key: self.out(inner, key) for key, inner in told.items()}
            case list():
                return [self.out(inner, key) for inner in entry]
            case str() if key in EXPRESSIONS:
                found = self._expanded(entry)
                is_vector = isinstance(found, list)
                return [_text(part) for part in found] if is_vector else _text(found)
        return entry

    def _bodies(self, entry: dict[str, Any]) -> dict[str, str]:
        """Return the bodies that its points name instead of it."""
        keys = ("parent", "child") if "point2" in entry else ("body",)
        keys = () if "parent" in entry else keys
        points = {key: entry.get(ENDS[key]) for key in keys if key not in entry}
        bodies = {key: self.carriers.get(p) for key, p in points.items() if isinstance(p, str)}
        return {key: body for key, body in bodies.items() if body}


class _Put(ast.NodeTransformer):
    def __init__(self, meaning: dict[str, ast.expr]) -> None:
        self.meaning = meaning

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.meaning.get(node.id, node)


def _text(node: ast.expr) -> float | str:
    """Return it as a model says it: a number, or a text."""
    try:
        return ast.literal_eval(node)
    except ValueError:
        return ast.unparse(node)
