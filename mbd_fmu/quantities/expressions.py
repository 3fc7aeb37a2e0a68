"""Arithmetic on declared parameters: ``"m1*L1**2/12"``.

The grammar is small on purpose: numbers, names, + - * / **, parentheses, and the functions
below. A text is parsed by Python's own parser, then only these nodes are let through;
nothing is ever evaluated as code. The same expression works on floats and on symbols.

Floats follow IEEE 754, as they do in the FMU: what has no value is not a number, what is too
large is infinite, and who asks looks for that. No complex numbers, no exceptions, no warnings.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mbd_fmu.errors import nearest, shortened

Scalar = Any
NESTED = 100  # steps of an expression one inside the other, at most
LONGEST = 2000  # letters of it, at most

_BINARY: dict[type[ast.operator], Callable[[Scalar, Scalar], Scalar]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_UNARY: dict[type[ast.unaryop], Callable[[Scalar], Scalar]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}
_CONSTANTS = {"pi": math.pi}
FUNCTIONS: dict[str, Callable[[Scalar], Scalar]] = {
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sqrt": np.sqrt,
    "exp": np.exp,
    "log": np.log,
}
RESERVED = frozenset(_CONSTANTS) | frozenset(FUNCTIONS)


class ExpressionError(ValueError):
    """A text is no expression; ``found`` and ``remedy`` say why and what would be one."""

    def __init__(self, found: str, remedy: str) -> None:
        self.found, self.remedy = found, remedy
        super().__init__(f"{found}; {remedy}")


@dataclass(frozen=True)
class Expression:
    """A checked expression. ``names`` are the parameters it needs."""

    text: str
    names: frozenset[str]
    tree: ast.expr = field(repr=False, compare=False)

    def value(self, parameters: Mapping[str, Scalar]) -> Scalar:
        """Put numbers or symbols in."""
        return _value(self.tree, parameters)


Quantity = float | Expression  # what a model file may hold where a number is wanted


@dataclass(frozen=True)
class Law:
    """An expression of parameters and of variables that follow the motion."""

    expression: Expression

    @property
    def text(self) -> str:
        """As it was written."""
        return self.expression.text

    def value(self, parameters: Mapping[str, Scalar], **variables: Scalar) -> Scalar:
        """Put numbers or symbols in for both."""
        return self.expression.value({**parameters, **variables})


def value_of(quantity: Quantity, parameters: Mapping[str, Scalar]) -> Scalar:
    """Put parameters into a quantity; numbers stay what they are."""
    return quantity.value(parameters) if isinstance(quantity, Expression) else quantity


def parse(text: str, known: frozenset[str]) -> Expression:
    """Check a text against the grammar and the declared parameters."""
    quoted = shortened(text)
    if len(text) > LONGEST:
        found = f'"{quoted}" has {len(text)} letters'
        raise ExpressionError(found, f"declare parameters for its parts: {LONGEST} are the most")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        raise ExpressionError(
            f'"{quoted}" is no expression', 'write arithmetic, for example "m1*L1**2/12"'
        ) from None
    names: set[str] = set()
    _check(tree, quoted, known, names)
    return Expression(text, frozenset(names), tree)


def _check(
    node: ast.AST, text: str, known: frozenset[str], names: set[str], depth: int = 0
) -> None:
    """Collect the names; ``text`` is what messages quote."""
    if depth > NESTED:
        remedy = f"declare parameters for its parts: {NESTED} levels are the most"
        raise ExpressionError(f'"{text}" is nested too deeply', remedy)
    match node:
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            if not is_finite(node.value):
                remedy = "write a smaller number"
                raise ExpressionError(f'a number in "{text}" is too large', remedy)
        case ast.Name(id=name) if name in known:
            names.add(name)
        case ast.Name(id=name) if name in _CONSTANTS:
            return
        case ast.Name(id=name):
            found = f'no parameter "{shortened(name)}" in "{text}"'
            raise ExpressionError(found, nearest(name, known))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            _check(left, text, known, names, depth + 1)
            _check(right, text, known, names, depth + 1)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            _check(operand, text, known, names, depth + 1)
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]):
            if name not in FUNCTIONS:
                found = f'no function "{shortened(name)}" in "{text}"'
                raise ExpressionError(found, nearest(name, FUNCTIONS))
            _check(argument, text, known, names, depth + 1)
        case _:
            raise ExpressionError(
                f'"{text}" is more than arithmetic',
                f"use numbers, parameters, + - * / ** and {', '.join(sorted(FUNCTIONS))}",
            )


def is_finite(value: object) -> bool:
    """Tell whether a value is a number that a float can hold."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def constant_value(node: ast.expr) -> float | None:
    """Return the value of a part of an expression, if it holds no parameter."""
    try:
        return float(_value(node, {}))
    except KeyError:
        return None


def _value(node: ast.expr, parameters: Mapping[str, Scalar]) -> Scalar:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name):
            return _CONSTANTS[name] if name in _CONSTANTS else parameters[name]
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _value(left, parameters), _value(right, parameters)
            return _applied(_BINARY[type(op)], a, b)
        case ast.UnaryOp(op=op, operand=operand):
            return _UNARY[type(op)](_value(operand, parameters))
        case ast.Call(func=ast.Name(id=name), args=[argument]):
            value = _value(argument, parameters)
            if isinstance(value, int | float | np.number):
                return _applied(FUNCTIONS[name], value)
            # through an object array, so that NumPy asks the symbol and not the other way round
            return FUNCTIONS[name](np.array([value], dtype=object))[0]
    raise TypeError(f"unchecked node {node!r}")


def _applied(operation: Callable[..., Scalar], *operands: Scalar) -> Scalar:
    """Apply to numbers by IEEE 754, to symbols as they like."""
    if not all(isinstance(x, int | float | np.number) for x in operands):
        return operation(*operands)
    with np.errstate(all="ignore"):  # the result says it: not a number, or infinite
        return float(operation(*map(np.float64, operands)))
