"""What expressions of a model may name: parameters, vectors of them, and points.

A vector is known by its components: numbers, or names such as ``hub[1]``, which are scalars. A
point is a vector that a body carries. Drawn in local frames, its numbers are those of that body.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from mbd_fmu.quantities.components import XYZ, Components, Expansion
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
    unclaimed: set[str] = field(default_factory=set)  # points that no body is said to carry
    declared: set[str] = field(default_factory=set)  # all that there will be
    failed: set[str] = field(default_factory=set)  # refused as declared: their kind is a guess
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

    def add_point(
        self, name: str, components: Components, body: str, *, is_claimed: bool = True
    ) -> None:
        """Let a point be named; the ground has those that no body claims."""
        self.add_vector(name, components)
        self.carriers[name] = body
        if not is_claimed:
            self.unclaimed.add(name)

    def carrier_of(self, value: object) -> str:
        """Return which body is said to carry what stands alone as a named point; "" if none."""
        name = value.strip() if isinstance(value, str) else ""
        return "" if name in self.unclaimed else self.carriers.get(name, "")

    def read(
        self, text: str, *, dotted: bool = False, has_vectors: bool = False
    ) -> Expression | tuple[Quantity, ...]:
        """Check a text; a vector comes by components, numbers where nothing is named in them.

        Where ``dotted`` names are allowed, variables of the mechanism, they are among its names;
        whether they name anything is not known. They may be vectors where it ``has_vectors``.
        """
        tree = tree_of_qualified(text) if dotted else tree_of(text)
        self._check_frames(text)
        variables = {name for name in _names_of(tree) if "." in name}
        known = self.scalars | variables
        what = "parameter or point" if self.carriers else "parameter"
        may_be = variables if has_vectors else frozenset[str]()
        expansion = Expansion(text, known, self.vectors, self.declared, what, may_be)
        found = expansion.of(tree)
        known |= {f"{name}.{x}" for name in expansion.taken for x in XYZ}
        if isinstance(found, list):
            parts = (checked(node, text, known, is_part=True) for node in found)
            return tuple(map(folded, parts))
        return replace(checked(found, text, known), vectors=frozenset(expansion.taken))

    def is_doubtful(self, text: object) -> bool:
        """Tell whether a text names what was refused where it is declared."""
        return bool(self.failed and self.failed & possible_names(text))

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
