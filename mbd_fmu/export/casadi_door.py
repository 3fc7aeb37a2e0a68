"""The door to CasADi: symbols, their derivatives and sparsity, and the operations they take.

Everything that leaves this file behaves like a number or is plain data; no other file knows that
CasADi exists.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partialmethod
from typing import Any

import casadi as ca
import numpy as np

from mbd_fmu.spatial import Array, Scalar

Column = Any  # a column of symbols, or of what was computed from them

# NumPy's functions meet our symbols inside object arrays only; the notice does not concern us.
ca.GlobalOptions.setNumpyMode(-1)

_OPERATORS = {
    name.removeprefix("OP_").lower(): getattr(ca, name)
    for name in dir(ca)
    if name.startswith("OP_")
}
_OPERATION_NAME = {code: name for name, code in _OPERATORS.items()}
_BINARY = frozenset({"add", "sub", "mul", "div", "pow", "constpow", "atan2", "fmin", "fmax", "le"})


class Entry:
    """One entry of a column, as mechanics takes it: something to calculate with.

    CasADi's own operators find out each time what they are given, and that takes ten times as long
    as the operation; here it is named. Most entries of matrices are zeros, for which nobody is
    asked. What comes out is the same.
    """

    __slots__ = ("symbol",)
    __array_ufunc__ = None  # a number of NumPy leaves the operation to us

    def __init__(self, symbol: Column) -> None:
        self.symbol = symbol

    def _with(self, operation: int, other: Entry) -> Entry:
        return Entry(ca.SX.binary(operation, self.symbol, other.symbol))

    def __add__(self, other: Scalar) -> Entry:
        other = _entry(other)
        if self is _ZERO or other is _ZERO:
            return other if self is _ZERO else self
        return self._with(ca.OP_ADD, other)

    def __sub__(self, other: Scalar) -> Entry:
        other = _entry(other)
        if self is _ZERO or other is _ZERO:
            return -other if self is _ZERO else self
        return self._with(ca.OP_SUB, other)

    def __mul__(self, other: Scalar) -> Entry:
        other = _entry(other)
        if self is _ZERO or other is _ZERO:
            return _ZERO
        if self is _ONE or other is _ONE:
            return other if self is _ONE else self
        return self._with(ca.OP_MUL, other)

    def __truediv__(self, other: Scalar) -> Entry:
        return _ZERO if self is _ZERO else self._with(ca.OP_DIV, _entry(other))

    def __pow__(self, other: Scalar) -> Entry:
        return self._with(ca.OP_POW, _entry(other))

    def __radd__(self, other: Scalar) -> Entry:
        return _entry(other) + self

    def __rsub__(self, other: Scalar) -> Entry:
        return _entry(other) - self

    def __rmul__(self, other: Scalar) -> Entry:
        return _entry(other) * self

    def __rtruediv__(self, other: Scalar) -> Entry:
        return _entry(other) / self

    def __rpow__(self, other: Scalar) -> Entry:
        return _entry(other) ** self

    def __pos__(self) -> Entry:
        return self

    def __neg__(self) -> Entry:
        return _ZERO if self is _ZERO else Entry(-self.symbol)

    def _of(self, operation: int) -> Entry:
        return Entry(ca.SX.unary(operation, self.symbol))

    __abs__ = partialmethod(_of, ca.OP_FABS)
    # by these names NumPy calls them, of each entry of an array
    sqrt = partialmethod(_of, ca.OP_SQRT)
    exp = partialmethod(_of, ca.OP_EXP)
    log = partialmethod(_of, ca.OP_LOG)
    sin = partialmethod(_of, ca.OP_SIN)
    cos = partialmethod(_of, ca.OP_COS)
    tan = partialmethod(_of, ca.OP_TAN)
    tanh = partialmethod(_of, ca.OP_TANH)
    arcsin = partialmethod(_of, ca.OP_ASIN)
    arccos = partialmethod(_of, ca.OP_ACOS)
    arctan = partialmethod(_of, ca.OP_ATAN)


def _entry(x: Scalar) -> Entry:
    return x if x.__class__ is Entry else _constant(float(x))


@cache
def _constant(value: float) -> Entry:
    return Entry(ca.SX(value))


_ZERO, _ONE = _constant(0.0), _constant(1.0)


@dataclass(frozen=True)
class Operation:
    """One step of straight-line code: ``result = name(arguments)``; results are numbered."""

    name: str
    result: int
    arguments: tuple[int, ...]
    constant: float = 0.0


@dataclass(frozen=True)
class Routine:
    """Straight-line code of one function with named arguments and outputs."""

    name: str
    arguments: tuple[str, ...]
    outputs: tuple[tuple[str, int], ...]  # names and sizes
    inputs: tuple[tuple[int, int, int], ...]  # result number <- argument, index
    operations: tuple[Operation, ...]
    results: tuple[tuple[int, int, int], ...]  # output, index <- result number; others are zero


def symbols(**sizes: int) -> list[Column]:
    """Return columns of fresh symbols, by name and size."""
    return [ca.SX.sym(name, n) for name, n in sizes.items()]


def entries(symbol: Column) -> Array:
    """Return a column of symbols as an object array, the form in which mechanics takes them."""
    found = np.empty(symbol.shape[0], dtype=object)
    found[:] = [Entry(x) for x in ca.densify(symbol).elements()]
    return found


def column(*parts: Array) -> Column:
    """Return the entries of arrays, one below the other."""
    values = np.concatenate([np.zeros(0), *parts])
    return stacked([_entry(x).symbol for x in values])


def pattern(y: Column, x: Column) -> Array:
    """Return which entries of y depend on which of x, as booleans."""
    rows, columns = ca.jacobian_sparsity(y, x).get_triplet()
    found = np.zeros((y.shape[0], x.shape[0]), dtype=bool)
    found[rows, columns] = True
    return found


def routine(name: str, arguments: Mapping[str, Column], outputs: Mapping[str, Column]) -> Routine:
    """List the operations of expressions; each result gets a number of its own."""
    together = stacked([ca.densify(y) for y in outputs.values()])
    function = ca.Function(name, list(arguments.values()), [ca.cse(together)])
    places = [(k, i) for k, y in enumerate(outputs.values()) for i in range(y.shape[0])]
    inputs: list[tuple[int, int, int]] = []
    operations: list[Operation] = []
    results: list[tuple[int, int, int]] = []
    register: dict[int, int] = {}  # CasADi reuses registers; we do not
    for k in range(function.n_instructions()):
        operation = _OPERATION_NAME[function.instruction_id(k)]
        source, target = function.instruction_input(k), function.instruction_output(k)
        if operation == "output":
            results.append((*places[target[1]], register[source[0]]))
            continue
        number = len(inputs) + len(operations)
        if operation == "input":
            inputs.append((number, source[0], source[1]))
        elif operation == "const":
            value = float(function.instruction_constant(k))
            operations.append(Operation("const", number, (), value))
        else:
            arity = 2 if operation in _BINARY else 1
            operands = tuple(register[r] for r in source[:arity])
            operations.append(Operation(operation, number, operands))
        register[target[0]] = number
    sizes = tuple((output, y.shape[0]) for output, y in outputs.items())
    return Routine(name, tuple(arguments), sizes, tuple(inputs), tuple(operations), tuple(results))


def stacked(columns: Sequence[Column]) -> Column:
    """Return columns one below the other."""
    return ca.vertcat(ca.SX(0, 1), *columns)


def by_rows(y: Column, x: Column) -> Column:
    """Return the derivatives of y in x, row by row."""
    return _flat(ca.jacobian(y, x))


def slope(y: Column, x: Column, along: Sequence[tuple[Column, Column]]) -> Column:
    """Return the derivatives of y in x and, in a last column, along a direction; row by row."""
    return _flat(ca.horzcat(ca.jacobian(y, x), tangent(y, along)))


def tangent(y: Column, along: Sequence[tuple[Column, Column]]) -> Column:
    """Return the derivative of y along a direction, given as pairs of symbols and their rates."""
    return ca.jtimes(y, stacked([x for x, _ in along]), stacked([dx for _, dx in along]))


def tangents(
    outputs: Mapping[str, Column], along: Sequence[tuple[Column, Column]]
) -> dict[str, Column]:
    """Return the derivatives of several outputs, found together: by their names after a d."""
    sizes = [y.shape[0] for y in outputs.values()]
    parts = ca.vertsplit(
        tangent(stacked(list(outputs.values())), along), [0, *np.cumsum(sizes).tolist()]
    )
    return {f"d{name}": part for name, part in zip(outputs, parts, strict=True)}


def gradient(y: Column, x: Column) -> Column:
    """Return the derivatives of a single y in x."""
    return ca.gradient(y, x)


def _flat(matrix: Column) -> Column:
    return ca.vec(ca.densify(matrix).T)


def is_there(matrix: Array) -> Array:
    """Which entries of a matrix are not structurally zero."""
    found = [not _entry(x).symbol.is_zero() for x in matrix.flat]
    return np.array(found, dtype=bool).reshape(matrix.shape)


def evaluator(arguments: Sequence[Column], result: Column) -> Callable[..., Array]:
    """Return a function of numbers, computed by CasADi's own machine."""
    function = ca.Function("f", list(arguments), [result])
    return lambda *numbers: np.asarray(function(*numbers)).ravel()
