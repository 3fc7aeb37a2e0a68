"""Laws of forces that a model writes out, and where their work is booked.

A law is a sum of terms. It acts along something of its own, a length or a coordinate x with the
rate x'; its terms may also name the time, and coordinates and velocities of joints.

    terms of x alone                     hold energy: the integral from a given place on
    terms of x and x'                    likewise at x' = 0, and what x' adds is lost
    terms that name the time or a joint  work on the mechanism, as an input does

The integral is Gauss' rule, of polynomials in x up to degree 2 ORDER - 1 exactly; of what is linear
in x the mean of both ends, times the way: a spring that is written out holds what a spring holds.

Source   Davis & Rabinowitz, Methods of Numerical Integration (1984), sec. 2.7: Gauss' rule.
Checked  tests/laws/test_nonlinear_springs.py, tests/laws/test_joint_law.py
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from mbd_fmu.elements.force import Motion
from mbd_fmu.elements.keys import Key
from mbd_fmu.elements.places import Places
from mbd_fmu.quantities.expressions import TIME, Law, names_in, value_of_tree
from mbd_fmu.quantities.forms import LAW, Form
from mbd_fmu.quantities.table import REQUIRED, Table
from mbd_fmu.spatial import Scalar

ORDER = 12  # points of Gauss' rule


@dataclass(frozen=True)
class LawKey(Key):
    """An expression of an element's own variables, of time, joints and parameters."""

    variables: tuple[str, ...] = field(default=(), kw_only=True)

    @property
    def form(self) -> Form:
        """What it may be."""
        return LAW

    def read(self, table: Table) -> Law | None:
        """Take a text; whether the joints in it exist is seen when all of them are known."""
        if self.default is not REQUIRED and not table.has(self.name):
            return None
        return table.law(self.name, (*self.variables, TIME), dotted=True)


@dataclass(frozen=True)
class Along:
    """What a law acts along: its value and rate."""

    x: Scalar
    rate: Scalar


@dataclass(frozen=True)
class PlacedLaw:
    """A law with numbers or symbols put in for the parameters."""

    law: Law
    parameters: dict[str, Scalar]
    own: tuple[frozenset[str], frozenset[str]]  # names of x and of x'
    joints: Mapping[str, tuple[int, str]]  # names of others: a joint, and what of it

    def value(self, motion: Motion, at: Along) -> Scalar:
        """Return the whole law."""
        return value_of_tree(self.law.expression.tree, self._values(motion, at))

    def held(self, at: Along, start: Scalar) -> Scalar:
        """Integrate the terms of x, and of x' at rest, from a start to x."""
        if all(_degree(term.node, self.own[0]) <= 1 for term in self._passive_terms):
            ends = (self._passive(Along(x, 0.0)) for x in (start, at.x))
            return sum(ends, 0.0) * ((at.x - start) / 2.0)
        nodes, weights = np.polynomial.legendre.leggauss(ORDER)
        half = (at.x - start) / 2.0
        values = (self._passive(Along(start + half * (1.0 + node), 0.0)) for node in nodes)
        return sum((float(w) * half * value for w, value in zip(weights, values, strict=True)), 0.0)

    def resisting(self, at: Along) -> Scalar:
        """Return what the rate adds to the law."""
        terms = [term for term in self._passive_terms if names_in(term.node) & self.own[1]]
        moving = _sum(terms, self.parameters | self._own(at))
        return moving - _sum(terms, self.parameters | self._own(Along(at.x, 0.0)))

    def working(self, motion: Motion, at: Along) -> Scalar:
        """Return the terms that name the time or a joint."""
        terms = [term for term in self._terms if term not in self._passive_terms]
        return _sum(terms, self._values(motion, at))

    def _passive(self, at: Along) -> Scalar:
        values = self.parameters | self._own(at)
        if self.is_passive:
            return value_of_tree(self.law.expression.tree, values)
        return _sum(self._passive_terms, values)

    @property
    def is_passive(self) -> bool:
        """Neither the time nor a joint stands in it."""
        return len(self._passive_terms) == len(self._terms)

    @cached_property
    def _terms(self) -> tuple[_Term, ...]:
        return tuple(_terms(self.law.expression.tree))

    @cached_property
    def _passive_terms(self) -> tuple[_Term, ...]:
        outside = {TIME, *self.joints}
        return tuple(term for term in self._terms if not names_in(term.node) & outside)

    def _own(self, at: Along) -> dict[str, Scalar]:
        return dict.fromkeys(self.own[0], at.x) | dict.fromkeys(self.own[1], at.rate)

    def _values(self, motion: Motion, at: Along) -> dict[str, Scalar]:
        named = {name: motion.joint_value(*place) for name, place in self.joints.items()}
        return {**self.parameters, **named, **self._own(at), TIME: motion.time}


@dataclass(frozen=True)
class _Term:
    """A part of a sum, added or taken away."""

    node: ast.expr
    is_added: bool


def _terms(node: ast.expr, *, is_added: bool = True) -> Iterator[_Term]:
    """Yield what a sum is made of, in the order in which it is written."""
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            yield from _terms(left, is_added=is_added)
            yield from _terms(right, is_added=is_added == isinstance(op, ast.Add))
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=inner):
            yield from _terms(inner, is_added=is_added == isinstance(sign, ast.UAdd))
        case _:
            yield _Term(node, is_added)


def _degree(node: ast.expr, names: frozenset[str]) -> float:
    """Return of which degree in some names a part is, as it is written; infinite: no polynomial."""
    match node:
        case ast.Name(id=name):
            return int(name in names)
        case ast.UnaryOp(operand=inner):
            return _degree(inner, names)
        case ast.BinOp(left=left, op=op, right=right):
            degrees = _degree(left, names), _degree(right, names)
            match op:
                case ast.Add() | ast.Sub():
                    return max(degrees)
                case ast.Mult():
                    return sum(degrees)
                case ast.Div() if not degrees[1]:
                    return degrees[0]
    return math.inf if names_in(node) & names else 0


def _sum(terms: Any, values: Mapping[str, Scalar]) -> Scalar:
    total: Scalar = 0.0
    for term in terms:
        value = value_of_tree(term.node, values)
        total = total + value if term.is_added else total - value
    return total


def joint_names(law: Law) -> frozenset[str]:
    """Return the names in a law that are those of joints: they have dots."""
    return frozenset(name for name in law.names if "." in name)


def placed_law(law: Law, places: Places, own: tuple[frozenset[str], frozenset[str]]) -> PlacedLaw:
    """Put numbers in; ``own`` are the names of what it acts along, and of its rate."""
    others = joint_names(law) - own[0] - own[1]
    joints = {}
    for name in sorted(others):
        joint, _, what = name.partition(".")
        joints[name] = (places.joint[joint], what)
    return PlacedLaw(law, dict(places.parameters), own, joints)
