"""What expressions of a model may name: parameters, vectors of them, and points.

A vector is known by its components: numbers, or names such as ``hub[1]``, which are scalars. A
point is a vector that a body carries. Drawn in local frames, its numbers are those of that body.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from mbd_fmu.quantities.components import Components, Expansion
from mbd_fmu.quantities.expressions import (
    Expression,
    ExpressionError,
    Quantity,
    checked,
    constant_value,
    is_finite,
    tree_of,
)
from mbd_fmu.quantities.qualified_names import tree_of_qualified


@dataclass
class Scope:
    """Names that are known; those that are being declared are added by and by."""

    scalars: set[str] = field(default_factory=set)  # components of vectors among them
    vectors: dict[str, Components] = field(default_factory=dict)  # points among them
    carriers: dict[str, str] = field(default_factory=dict)  # point -> body
    declared: set[str] = field(default_factory=set)  # all that there will be
    is_local: bool = False  # points of different bodies are given in different frames

    def with_variables(self, names: Iterable[str]) -> Scope:
        """Return a scope with more scalars."""
        return replace(self, scalars=self.scalars | set(names), declared=self.declared | set(names))

    def add_scalar(self, name: str) -> None:
        """Let a single number be named."""
        self.declared.add(name)
        self.scalars.add(name)

    def add_vector(self, name: str, components: Components) -> None:
        """Let a vector be named, and what its components are called."""
        self.declared.add(name)
        self.vectors[name] = components
        self.scalars.update(c for c in components if isinstance(c, str))

    def add_point(self, name: str, components: Components, body: str) -> None:
        """Let a point be named."""
        self.add_vector(name, components)
        self.carriers[name] = body

    def read(self, text: str, *, dotted: bool = False) -> Expression | tuple[Quantity, ...]:
        """Check a text; a vector comes by components, numbers where nothing is named in them.

        Where ``dotted`` names are allowed, variables of the mechanism, they are among its names;
        whether they name anything is not known.
        """
        tree = tree_of_qualified(text) if dotted else tree_of(text)
        self._check_frames(text)
        known = self.scalars | {name for name in _names_of(tree) if "." in name}
        what = "parameter or point" if self.carriers else "parameter"
        found = Expansion(text, known, self.vectors, self.declared, what).of(tree)
        if isinstance(found, list):
            parts = (checked(node, text, known, is_part=True) for node in found)
            return tuple(map(folded, parts))
        return checked(found, text, known)

    def points_in(self, text: str) -> dict[str, str]:
        """Return the points that a text names, with their bodies."""
        found = possible_names(text) if self.carriers else ()
        return {name: body for name, body in self.carriers.items() if name in found}

    def _check_frames(self, text: str) -> None:
        """In local frames only points of one body can be compared."""
        first: dict[str, str] = {}
        for name, body in self.points_in(text).items() if self.is_local else ():
            first.setdefault(body, name)
        if len(first) > 1:
            (body, name), (other_body, other) = list(first.items())[:2]
            raise ExpressionError(
                f'"{name}" is a point of "{body}", "{other}" of "{other_body}": '
                "in local frames their numbers do not go together",
                "use points of one body",
            )


def possible_names(text: object) -> frozenset[str]:
    """Return all that looks like a name in what may be an expression."""
    try:
        return _names_of(tree_of_qualified(text)) if isinstance(text, str) else frozenset()
    except ExpressionError:
        return frozenset()


def _names_of(tree: ast.expr) -> frozenset[str]:
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def folded(expression: Expression) -> Quantity:
    """Return the number that an expression without names is, if it is one."""
    value = None if expression.names else constant_value(expression.tree)
    return value if value is not None and is_finite(value) else expression
