"""Limits of parameters that follow from where they stand: a mass is not negative, nor is ``m/2``.

A quantity that must be ``limit`` or more bounds a parameter p in it where that can be read off the
expression, step by step from the outside in:

    a + c >= l   ->   a >= l - c              a * c >= l   ->   a >= l / c, or <= for negative c
    a * b >= 0   ->   a >= 0 where b > 0      a / b >= 0   ->   likewise, of both
    a ** n >= 0  ->   a >= 0 for odd n        -a >= l      ->   a <= -l

with c a number, and the sign of b known from what it is made of: squares, roots, exponentials,
parameters with limits. What is not of this kind bounds nothing.

What is derived from parameters has limits as they have, declared or as they follow; keeping them is
needed of the expression that it is, which bounds what it is made of in turn.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from mbd_fmu.model.bodies import LEAST
from mbd_fmu.model.joints import bounded_values
from mbd_fmu.model.spec import Derived, Shape, Spec
from mbd_fmu.quantities.expressions import Expression, Quantity, constant_value


class Limits(NamedTuple):
    """Smallest and largest value of a parameter; infinite where there is none."""

    low: float = -math.inf
    high: float = math.inf

    def scaled(self, factor: float) -> Limits:
        """Return the limits of ``factor`` times as much."""
        ends = sorted((factor * self.low, factor * self.high))
        return Limits(ends[0], ends[1])

    def moved(self, shift: float) -> Limits:
        """Return the limits of so much more."""
        return Limits(self.low + shift, self.high + shift)

    def within(self, other: Limits) -> Limits:
        """Return the stricter ones of both."""
        return Limits(max(self.low, other.low), min(self.high, other.high))


def parameter_limits(spec: Spec) -> dict[str, Limits]:
    """Return the limits of all parameters: those declared and those that follow, the stricter."""
    limits = {
        p.name: Limits(-math.inf if p.min is None else p.min, math.inf if p.max is None else p.max)
        for p in spec.declared
    }
    needs = needed(spec)
    while True:  # what bounds one may be the sign that another waits for
        before = dict(limits)
        for need in needs:
            _tighten(limits, need.quantity, Limits(need.least))
        for made in reversed(spec.derived):  # from what is bounded to what it is made of
            _tighten(limits, made.value, limits[made.name])
        if limits == before:
            return limits


def _tighten(limits: dict[str, Limits], quantity: Expression, ends: Limits) -> None:
    for name, bound in _bounds(quantity.tree, ends, limits):
        limits[name] = limits[name].within(bound)


class Need(NamedTuple):
    """An expression that must be at least something."""

    where: str
    quantity: Expression
    least: float


def open_needs(spec: Spec) -> list[Need]:
    """Return those that the limits of parameters do not guarantee: values must be looked at."""
    limits = parameter_limits(spec)
    needs = [*needed(spec), *_of_derived(spec.derived, limits)]
    return [need for need in needs if not _is_guaranteed(need, limits)]


def _of_derived(derived: Iterable[Derived], limits: Mapping[str, Limits]) -> Iterator[Need]:
    """Yield that what is derived keeps its limits."""
    for made in derived:
        low, high = limits[made.name]
        word = "parameter" if made.is_parameter else "point"
        if low > -math.inf:
            of = f" less its least, {low:g}" if low else ""
            yield Need(f'{word} "{made.name}"{of}', made.value, low)
        if high < math.inf:
            tree = ast.UnaryOp(ast.USub(), made.value.tree)
            text = f"-({made.value.text})"
            where = f'{high:g}, the most of {word} "{made.name}", less it'
            yield Need(where, Expression(text, made.value.names, tree), -high)


def _is_guaranteed(need: Need, limits: Mapping[str, Limits]) -> bool:
    tree = need.quantity.tree
    if need.least <= 0.0 and _sign(tree, limits) > 0:
        return True
    # a parameter that stands there once, and nothing beside it: the steps are equivalences
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in limits]
    return len(names) == 1 and any(_bounds(tree, Limits(need.least), limits))


def needed(spec: Spec) -> list[Need]:
    """List the expressions that must not be negative, or must be above 0."""
    found: list[tuple[str, Quantity, float]] = []
    for body in spec.bodies:
        where = f'body "{body.name}"'
        found.append((f"{where}, mass", body.mass, LEAST["mass"]))
        if isinstance(body.inertia, Shape):
            found += [(f"{where}, inertia", size, LEAST["size"]) for size in body.inertia.size]
        else:
            found += [(f"{where}, inertia", body.inertia[k][k], 0.0) for k in range(3)]
    for joint in spec.joints:
        where = f'joint "{joint.name}"'
        found += [(f"{where}, {key}", q, least) for key, q, least in bounded_values(joint)]
        for key, value in zip(joint.kind.keys, joint.own, strict=True):
            found += [(f"{where}, {key.name}", q, least) for q, least in key.needs(value)]
    for force in spec.forces:
        found += [(f'force "{force.name}", {key}', q, least) for key, q, least in force.needs()]
    for c in spec.constraints:
        found += [(f'constraint "{c.name}", {key}', q, least) for key, q, least in c.needs()]
    return [Need(w, q, least) for w, q, least in found if isinstance(q, Expression)]


def _bounds(
    node: ast.expr, ends: Limits, limits: Mapping[str, Limits]
) -> Iterator[tuple[str, Limits]]:
    """Yield the limits that a value between two ends sets to parameters; see above."""
    match node:
        case ast.Name(id=name) if name in limits:
            yield name, ends
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            yield from _bounds(inner, ends.scaled(-1.0), limits)
        case ast.UnaryOp(operand=inner):
            yield from _bounds(inner, ends, limits)
        case ast.BinOp(left=a, op=ast.Add() | ast.Sub() as op, right=b):
            sign = 1.0 if isinstance(op, ast.Add) else -1.0
            if (c := constant_value(b)) is not None:
                yield from _bounds(a, ends.moved(-sign * c), limits)
            if (c := constant_value(a)) is not None:
                yield from _bounds(b, ends.moved(-c).scaled(sign), limits)
        case ast.BinOp(left=a, op=ast.Mult(), right=b):
            for one, other in ((a, b), (b, a)):
                if c := constant_value(other):
                    yield from _bounds(one, ends.scaled(1.0 / c), limits)
                else:
                    yield from _signed(one, ends, _sign(other, limits), limits)
        case ast.BinOp(left=a, op=ast.Div(), right=b):
            if c := constant_value(b):
                yield from _bounds(a, ends.scaled(c), limits)
            else:
                yield from _signed(a, ends, _sign(b, limits), limits)
                yield from _signed(b, ends, _sign(a, limits), limits)
        case ast.BinOp(left=a, op=ast.Pow(), right=b):
            c = constant_value(b)
            yield from _signed(a, ends, int(c is not None and c % 2 == 1), limits)


def _signed(
    node: ast.expr, ends: Limits, sign: int, limits: Mapping[str, Limits]
) -> Iterator[tuple[str, Limits]]:
    """Yield what signs say where sizes are unknown: node times ``sign`` is between the ends."""
    if sign and ends.low >= 0.0:
        yield from _bounds(node, Limits(low=0.0).scaled(sign), limits)
    if sign and ends.high <= 0.0:
        yield from _bounds(node, Limits(high=0.0).scaled(sign), limits)


def _sign(node: ast.expr, limits: Mapping[str, Limits]) -> int:
    """Return 1 where a value cannot be below 0, -1 where not above, 0 where it may be either."""
    if (c := constant_value(node)) is not None:
        return int(math.copysign(1, c)) if c else 0
    match node:
        case ast.Name(id=name):
            return int(limits[name].low >= 0.0) - int(limits[name].high <= 0.0)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_sign(inner, limits)
        case ast.UnaryOp(operand=inner):
            return _sign(inner, limits)
        case ast.BinOp(left=a, op=ast.Mult() | ast.Div(), right=b):
            return _sign(a, limits) * _sign(b, limits)
        case ast.BinOp(left=a, op=ast.Add(), right=b):
            return _sign(a, limits) if _sign(a, limits) == _sign(b, limits) else 0
        case ast.BinOp(left=a, op=ast.Pow(), right=b):
            c = constant_value(b)
            return 1 if c is not None and c % 2 == 0 else max(_sign(a, limits), 0)
        case ast.Call(func=ast.Name(id="exp" | "sqrt")):
            return 1
    return 0
