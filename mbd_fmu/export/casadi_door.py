"""The door to CasADi: it simplifies kernels, differentiates them, and carries programs out.

Everything that leaves this file is a kernel, a program or numbers; no other file knows that CasADi
exists.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import casadi as ca
import numpy as np

from mbd_fmu.export.program import Kernel, Kernels, Operation, Program, Value
from mbd_fmu.spatial import Array

Column = Any  # a column of symbols, or of what was computed from them

_OPERATORS = {
    name.removeprefix("OP_").lower(): getattr(ca, name)
    for name in dir(ca)
    if name.startswith("OP_")
}
_OPERATION_NAME = {code: name for name, code in _OPERATORS.items()}
_BINARY = frozenset({"add", "sub", "mul", "div", "pow", "constpow", "atan2", "fmin", "fmax", "le"})


def simplified(kernels: Kernels, kernel: Kernel) -> Kernel:
    """Return a kernel that puts out the same with the operations that CasADi finds it takes."""
    given = ca.SX.sym("given", kernel.n_given)
    return _kernel(kernels, (kernel.n_inputs, kernel.n_constants), given, _results(kernel, given))


class Moved(NamedTuple):
    """A kernel with derivatives, and of which outputs, or inputs, there are any."""

    kernel: Kernel
    moves: tuple[bool, ...]


def forward(kernels: Kernels, kernel: Kernel, active: Sequence[bool]) -> Moved:
    """Return a kernel that also puts out tangents, behind its outputs.

    Those of its active inputs are further inputs of it.
    """
    given, along = ca.SX.sym("given", kernel.n_given), ca.SX.sym("along", sum(active))
    results = _results(kernel, given)
    tangents = ca.jtimes(results, _active(given, active), along)
    moves = _there(tangents)
    inputs = _between(given, kernel.n_inputs, along)
    sizes = (kernel.n_inputs + sum(active), kernel.n_constants)
    outputs = _stacked([results, _active(tangents, moves)])
    return Moved(_kernel(kernels, sizes, inputs, outputs), moves)


def backward(
    kernels: Kernels, kernel: Kernel, active: Sequence[bool], pulled: Sequence[bool]
) -> Moved:
    """Return a kernel that puts out what pulls at outputs exert on active inputs.

    Its further inputs are the pulls at those outputs that are pulled; it puts out nothing else.
    """
    given, pulls = ca.SX.sym("given", kernel.n_given), ca.SX.sym("pulls", sum(pulled))
    results = _active(_results(kernel, given), pulled)
    exerted = ca.jtimes(results, _active(given, active), pulls, True)  # noqa: FBT003
    moves = _there(exerted)
    inputs = _between(given, kernel.n_inputs, pulls)
    sizes = (kernel.n_inputs + sum(pulled), kernel.n_constants)
    return Moved(_kernel(kernels, sizes, inputs, _active(exerted, moves)), moves)


def jacobian(kernels: Kernels, kernel: Kernel, by: Sequence[int], along: Sequence[int]) -> Kernel:
    """Return a kernel that puts out, row by row, derivatives of all outputs in some inputs.

    In a last column stands the derivative along changes of others, which are further inputs.
    """
    given, rates = ca.SX.sym("given", kernel.n_given), ca.SX.sym("rates", len(along))
    results = _results(kernel, given)
    in_entries = ca.jacobian(results, _stacked([given[k] for k in by]))
    in_time = ca.jtimes(results, _stacked([given[k] for k in along]), rates)
    inputs = _between(given, kernel.n_inputs, rates)
    sizes = (kernel.n_inputs + len(along), kernel.n_constants)
    return _kernel(kernels, sizes, inputs, ca.vec(ca.densify(ca.horzcat(in_entries, in_time)).T))


def _between(given: Column, n: int, further: Column) -> Column:
    """Put further inputs behind the first n entries; slices of a single entry are not to be had."""
    entries = given.elements()
    return _stacked([*entries[:n], further, *entries[n:]])


def _active(columns: Column, active: Sequence[bool]) -> Column:
    """Return those entries of a column that are active."""
    return _stacked([columns[k] for k, is_active in enumerate(active) if is_active])


def _there(columns: Column) -> tuple[bool, ...]:
    entries: list[Column] = ca.densify(columns).elements()
    return tuple(not x.is_zero() for x in entries)


def _results(kernel: Kernel, given: Column) -> Column:
    """Carry a kernel out on symbols."""
    operands = given.elements()
    for operation in kernel.operations:
        if operation.name == "const":
            operands.append(ca.SX(operation.constant))
            continue
        code, own = _OPERATORS[operation.name], [operands[k] for k in operation.arguments]
        operands.append(ca.SX.binary(code, *own) if len(own) > 1 else ca.SX.unary(code, *own))
    return _stacked([operands[k] for k in kernel.outputs])


def _kernel(kernels: Kernels, sizes: tuple[int, int], given: Column, outputs: Column) -> Kernel:
    """List the operations of expressions; each result gets a number of its own."""
    function = ca.Function("kernel", [given], [ca.cse(ca.densify(outputs))])
    operations: list[Operation] = []
    results = [0] * outputs.shape[0]
    register: dict[int, int] = {}  # CasADi reuses registers; we do not
    for k in range(function.n_instructions()):
        name = _OPERATION_NAME[function.instruction_id(k)]
        source, target = function.instruction_input(k), function.instruction_output(k)
        if name == "output":
            results[target[1]] = register[source[0]]
            continue
        if name == "input":
            register[target[0]] = source[1]
            continue
        if name == "const":
            operations.append(Operation(name, (), float(function.instruction_constant(k))))
        else:
            taken = source[: 2 if name in _BINARY else 1]
            operations.append(Operation(name, tuple(register[r] for r in taken)))
        register[target[0]] = given.shape[0] + len(operations) - 1
    return kernels.kernel(*sizes, operations, results)


def _stacked(columns: Sequence[Column]) -> Column:
    """Return columns one below the other."""
    return ca.vertcat(ca.SX(0, 1), *columns)


# --- Programs, in numbers ---


def evaluator(program: Program) -> Callable[..., Array]:
    """Return a function of the program's arguments that gives its results, one after the other."""
    given = {name: ca.SX.sym(name, size) for name, size in program.arguments}
    value = {n: given[name][k] for n, (name, k) in program.sources.items()}
    for call in program.calls:
        operands = _stacked([*(value[n] for n in call.inputs), *map(ca.SX, call.constants)])
        value |= dict(zip(call.outputs, _results(call.kernel, operands).elements(), strict=True))
    results = [
        value[r.number] if isinstance(r, Value) else ca.SX(r)
        for found in program.results.values()
        for r in found
    ]
    function = ca.Function(program.name, list(given.values()), [_stacked(results)])
    return lambda *numbers: np.asarray(function(*numbers), dtype=float).ravel()
