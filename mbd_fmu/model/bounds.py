"""Limits of parameters that follow from where they stand: a mass is not negative, nor is ``m/2``.

A quantity that must be ``limit`` or more bounds a parameter p in it where that can be read off the
expression, step by step from the outside in:

    a + c >= l   ->   a >= l - c              a * c >= l   ->   a >= l / c, or <= for negative c
    a * b >= 0   ->   a >= 0 where b > 0      a / b >= 0   ->   likewise, of both
    a ** n >= 0  ->   a >= 0 for odd n        -a >= l      ->   a <= -l

with c a number, and the sign of b known from what it is made of: squares, roots, exponentials,
parameters with limits. What is not of this kind bounds nothing.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mbd_fmu.model.expressions import Expression, Quantity, constant_value
from mbd_fmu.model.limits import SMALLEST
from mbd_fmu.model.spec import Shape, Spec

# what a force's constants are called, of those that must not be negative
NOT_NEGATIVE = {
    "spring_damper": ("stiffness", "damping", "length"),
    "bushing": ("stiffness",) * 6 + ("damping",) * 6,
}


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
        for p in spec.parameters
    }
    needs = [(q, low) for q, low in needed(spec) if isinstance(q, Expression)]
    while True:  # what bounds one may be the sign that another waits for
        before = dict(limits)
        for quantity, low in needs:
            for name, bound in _bounds(quantity.tree, Limits(low), limits):
                limits[name] = limits[name].within(bound)
        if limits == before:
            return limits


def needed(spec: Spec) -> Iterator[tuple[Quantity, float]]:
    """Yield the quantities that must be at least something, and what."""
    for body in spec.bodies:
        yield body.mass, 0.0
        if isinstance(body.inertia, Shape):
            yield from ((size, 0.0) for size in body.inertia.size)
        else:
            yield from ((body.inertia[k][k], 0.0) for k in range(3))
    for joint in spec.joints:
        passive = (*joint.stiffness, *joint.damping, *joint.friction, *joint.stop[:2])
        yield from ((quantity, 0.0) for quantity in passive)
        yield from ((quantity, SMALLEST) for quantity in (joint.friction_speed, *joint.stop[2:]))
    for force in spec.forces:
        n = len(NOT_NEGATIVE.get(force.type, ()))
        yield from ((quantity, 0.0) for quantity in force.constants[:n])
    for constraint in spec.constraints:
        if constraint.length is not None:
            yield constraint.length, SMALLEST


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
