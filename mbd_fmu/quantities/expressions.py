"""Arithmetic on declared parameters: ``"m1*L1**2/12"``.

The grammar is small on purpose: numbers, names, + - * / **, parentheses, and some functions
(``functions.py``). A text is parsed by Python's own parser, then only these nodes are let through;
nothing is ever evaluated as code. The same expression works on floats and on symbols. Laws may also
name variables of the mechanism, ``crank.q`` or ``ball.q[2]``; who reads one says which there are.

Floats follow IEEE 754, as they do in the FMU: what has no value is not a number, what is too
large is infinite, and who asks looks for that. No complex numbers, no exceptions, no warnings.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from mbd_fmu.errors import nearest, shortened
from mbd_fmu.quantities.functions import FUNCTIONS, Scalar, applied

TIME = "time"  # what laws and functions of time call it
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
CONSTANTS = {"pi": math.pi}
REDUCTIONS = {"norm": 1, "dot": 2}  # of vectors, with the number of them: components.py
RESERVED = frozenset(CONSTANTS) | frozenset(FUNCTIONS) | frozenset(REDUCTIONS)


class ExpressionError(ValueError):
    """A text is no expression; ``found`` and ``remedy`` say why and what would be one."""

    def __init__(self, found: str, remedy: str) -> None:
        self.found, self.remedy = found, remedy
        super().__init__(f"{found}; {remedy}")


class KindError(ExpressionError):
    """Vectors and numbers do not go together so."""


@dataclass(frozen=True)
class Expression:
    """A checked expression. ``names`` are the parameters it needs."""

    text: str
    names: frozenset[str]
    tree: ast.expr = field(repr=False, compare=False)
    vectors: frozenset[str] = field(
        default=frozenset(), repr=False
    )  # outputs whose components are among the names

    def value(self, parameters: Mapping[str, Scalar]) -> Scalar:
        """Put numbers or symbols in."""
        return value_of_tree(self.tree, parameters)


Quantity = float | Expression  # what a model file may hold where a number is wanted


@dataclass(frozen=True)
class Law:
    """An expression of parameters and of variables that follow the motion."""

    expression: Expression

    @property
    def text(self) -> str:
        """As it was written."""
        return self.expression.text

    @property
    def names(self) -> frozenset[str]:
        """Parameters and variables."""
        return self.expression.names

    def value(self, parameters: Mapping[str, Scalar], variables: Mapping[str, Scalar]) -> Scalar:
        """Put numbers or symbols in for both."""
        return self.expression.value({**parameters, **variables})


def value_of(quantity: Quantity, parameters: Mapping[str, Scalar]) -> Scalar:
    """Put parameters into a quantity; numbers stay what they are."""
    return quantity.value(parameters) if isinstance(quantity, Expression) else quantity


def parse(text: str, known: Collection[str]) -> Expression:
    """Check a text against the grammar and the declared parameters."""
    return checked(tree_of(text), text, known)


def tree_of(text: str, *, shown: str = "") -> ast.expr:
    """Return what a text is made of, whether that is arithmetic or not.

    Where another text stands in for what was written, messages quote what is ``shown``.
    """
    written = shown or text
    quoted = shortened(written)
    if len(written) > LONGEST:
        found = f'"{quoted}" has {len(written)} letters'
        raise ExpressionError(found, f"declare parameters for its parts: {LONGEST} are the most")
    if "#" in text:
        raise ExpressionError(f'"{quoted}": what follows # would be left out', "take it out")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        raise ExpressionError(
            f'"{quoted}" is no expression', 'write arithmetic, for example "m1*L1**2/12"'
        ) from None


def checked(
    tree: ast.expr, text: str, known: Collection[str], *, is_part: bool = False
) -> Expression:
    """Check what a text is made of; a part of it has a text of its own."""
    names: set[str] = set()
    _check(tree, _Grammar(shortened(text), known, names))
    return Expression(ast.unparse(tree) if is_part else text, frozenset(names), tree)


@dataclass(frozen=True)
class _Grammar:
    """What a text may name, and what it does name."""

    text: str  # what messages quote
    known: Collection[str]
    names: set[str]  # that were found


def nested_too_deeply(quoted: str) -> ExpressionError:
    """Refuse an expression that has too many levels."""
    remedy = f"declare parameters for its parts: {NESTED} levels are the most"
    return ExpressionError(f'"{quoted}" is nested too deeply', remedy)


def unknown_name(
    name: str, quoted: str, known: Collection[str], what: str = "parameter"
) -> ExpressionError:
    """Refuse a name that stands for nothing."""
    found = f'no {what} "{shortened(name)}" in "{quoted}"'
    only = "only laws and functions of time know the time"
    return ExpressionError(found, only if name == TIME else nearest(name, known))


def _check(node: ast.AST, by: _Grammar, depth: int = 0) -> None:
    """Collect the names."""
    if depth > NESTED:
        raise nested_too_deeply(by.text)
    match node:
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            if not is_finite(node.value):
                remedy = "write a smaller number"
                raise ExpressionError(f'a number in "{by.text}" is too large', remedy)
        case ast.Name(id=name) if name in by.known:
            by.names.add(name)
        case ast.Name(id=name) if name in CONSTANTS:
            return
        case ast.Name(id=name):
            raise unknown_name(name, by.text, by.known)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            _check(left, by, depth + 1)
            _check(right, by, depth + 1)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            _check(operand, by, depth + 1)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if "." not in name:
            _check_call(name, len(arguments), by)
            for argument in arguments:
                _check(argument, by, depth + 1)
        case _:
            raise ExpressionError(
                f'"{by.text}" is more than arithmetic',
                f"use numbers, parameters, + - * / ** and {', '.join(sorted(FUNCTIONS))}",
            )


def _check_call(name: str, count: int, by: _Grammar) -> None:
    if name not in FUNCTIONS:
        found = f'no function "{shortened(name)}" in "{by.text}"'
        raise ExpressionError(found, nearest(name, FUNCTIONS))
    function = FUNCTIONS[name]
    if not function.least <= count <= function.most:
        found = f'{name} takes {function.arguments}, in "{by.text}" {count}'
        raise ExpressionError(found, f"write {function.shown}")


def is_finite(value: object) -> bool:
    """Tell whether a value is a number that a float can hold."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def names_in(node: ast.expr) -> frozenset[str]:
    """Return the parameters and variables of a part of an expression."""
    if isinstance(node, ast.Name):
        return frozenset((node.id,)) - frozenset(CONSTANTS)
    parts = node.args if isinstance(node, ast.Call) else ast.iter_child_nodes(node)
    inner = (names_in(part) for part in parts if isinstance(part, ast.expr))
    return frozenset[str]().union(*inner)


def constant_value(node: ast.expr) -> float | None:
    """Return the value of a part of an expression, if it holds no parameter."""
    try:
        return float(value_of_tree(node, {}))
    except KeyError:
        return None


def value_of_tree(node: ast.expr, parameters: Mapping[str, Scalar]) -> Scalar:
    """Put numbers or symbols into a part of an expression that was checked."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name):
            return CONSTANTS[name] if name in CONSTANTS else parameters[name]
        case ast.BinOp(left=left, op=op, right=right):
            a, b = value_of_tree(left, parameters), value_of_tree(right, parameters)
            return applied(_BINARY[type(op)], a, b)
        case ast.UnaryOp(op=op, operand=operand):
            return _UNARY[type(op)](value_of_tree(operand, parameters))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return FUNCTIONS[name].value(*(value_of_tree(a, parameters) for a in arguments))
    raise TypeError(f"unchecked node {node!r}")
