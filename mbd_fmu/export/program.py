"""A routine as a sequence of calls of kernels: what becomes C.

A kernel is straight-line code with numbered operands: inputs first, then constants, then results.
Pieces of work that are alike but for their numbers, the same work at other joints, are calls of one
kernel with other inputs and constants. A routine that nobody cuts is one call of one kernel, with
its numbers written into it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import copysign
from operator import or_
from typing import NamedTuple

import numpy as np

from mbd_fmu.spatial import Array


class Operation(NamedTuple):
    """One step of a kernel: ``result = name(arguments)``; a ``const`` has its value instead."""

    name: str
    arguments: tuple[int, ...]
    constant: float = 0.0


@dataclass(frozen=True, eq=False)
class Kernel:
    """Operand k is input k, then constant k - n_inputs, then the result of an operation."""

    n_inputs: int
    n_constants: int
    operations: tuple[Operation, ...]
    outputs: tuple[int, ...]  # operands

    @property
    def n_given(self) -> int:
        """Inputs and constants."""
        return self.n_inputs + self.n_constants


class Call(NamedTuple):
    """One piece of work: values in, values out."""

    kernel: Kernel
    inputs: tuple[int, ...]
    constants: tuple[float, ...]
    outputs: tuple[int, ...]


class Value(NamedTuple):
    """A result that some call puts out, or that is an entry of an argument."""

    number: int


Result = Value | float  # a float is always the same


@dataclass(frozen=True)
class Program:
    """A routine. Values are numbered; each is an entry of an argument or an output of one call."""

    name: str
    arguments: tuple[tuple[str, int], ...]  # names and sizes
    sources: Mapping[int, tuple[str, int]]  # value <- argument, index
    calls: tuple[Call, ...]
    results: Mapping[str, tuple[Result, ...]]  # by output

    @property
    def n_operations(self) -> int:
        """How many are carried out."""
        return sum(len(call.kernel.operations) for call in self.calls)

    @property
    def n_values(self) -> int:
        """One more than the largest number of a value."""
        made = [n for call in self.calls for n in call.outputs]
        return 1 + max([*self.sources, *made], default=-1)

    def takes(self, argument: str) -> bool:
        """Whether an argument has a say."""
        return any(name == argument for name, _ in self.sources.values())

    def is_there(self, output: str, columns: int) -> Array:
        """Return which entries of a matrix are not always zero."""
        found = [isinstance(r, Value) or r != 0.0 for r in self.results[output]]
        return np.array(found, dtype=bool).reshape(-1, columns)

    def pattern(self, output: str, argument: str) -> Array:
        """Return which entries of an output depend on which of an argument, as booleans."""
        return self.patterns({output: 1}, argument)[output]

    def patterns(self, outputs: Mapping[str, int], argument: str) -> dict[str, Array]:
        """Return the same of several; of rows of a matrix where an output has several columns."""
        depends = self._dependence(argument)
        n = dict(self.arguments)[argument]
        found = {}
        for output, columns in outputs.items():
            entries = [
                depends[r.number] if isinstance(r, Value) else 0 for r in self.results[output]
            ]
            rows = (entries[k : k + columns] for k in range(0, len(entries), columns))
            found[output] = _unpacked([reduce(or_, row) for row in rows], n)
        return found

    def _dependence(self, argument: str) -> dict[int, int]:
        """Return which entries of an argument values depend on, as the bits of whole numbers."""
        depends = {n: 1 << k if name == argument else 0 for n, (name, k) in self.sources.items()}
        for call in self.calls:
            bits = [*(depends[n] for n in call.inputs), *([0] * len(call.constants))]
            for operation in call.kernel.operations:
                found = 0
                for k in operation.arguments:
                    found |= bits[k]
                bits.append(found)
            depends |= {n: bits[k] for n, k in zip(call.outputs, call.kernel.outputs, strict=True)}
        return depends

    def with_results(self, results: Mapping[str, tuple[Result, ...]]) -> Program:
        """Return the program with other results of the same values."""
        return replace(self, results=results)

    def bound(self, name: str, arguments: Sequence[str], to: Mapping[str, str]) -> Program:
        """Return the program with some arguments read from others; those it has are told anew."""
        sizes = {to[key]: n for key, n in self.arguments if key in to} | dict(self.arguments)
        sources = {n: (to.get(key, key), k) for n, (key, k) in self.sources.items()}
        first: dict[tuple[str, int], int] = {}
        same = {n: first.setdefault(source, n) for n, source in sources.items()}
        calls = tuple(
            call._replace(inputs=tuple(same.get(n, n) for n in call.inputs)) for call in self.calls
        )
        results = {
            key: tuple(
                Value(same.get(r.number, r.number)) if isinstance(r, Value) else r for r in rs
            )
            for key, rs in self.results.items()
        }
        kept = {n: sources[n] for n in first.values()}
        told = tuple((key, sizes[key]) for key in arguments)
        return Program(name, told, kept, calls, results)


def _unpacked(rows: Sequence[int], n: int) -> Array:
    """Return the n bits of each number as booleans."""
    size = (n + 7) // 8
    data = np.frombuffer(b"".join(row.to_bytes(size, "little") for row in rows), dtype=np.uint8)
    in_bytes = data.reshape(len(rows), size)
    return np.unpackbits(in_bytes, axis=1, count=n, bitorder="little").view(bool)


class Kernels:
    """All kernels of a model: those that are alike are one."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Kernel] = {}
        self._used: dict[tuple[Kernel, tuple[int, ...]], _Used] = {}

    def kernel(
        self,
        n_inputs: int,
        n_constants: int,
        operations: Iterable[Operation],
        outputs: Iterable[int],
    ) -> Kernel:
        """Return the kernel with these operations, new or known."""
        made = Kernel(n_inputs, n_constants, tuple(operations), tuple(outputs))
        # 0.0 and -0.0 are equal, but not the same
        zeros = tuple(copysign(1.0, op.constant) for op in made.operations if op.name == "const")
        key = (made.n_inputs, made.n_constants, made.operations, made.outputs, zeros)
        return self._known.setdefault(key, made)

    def pruned(self, program: Program) -> Program:
        """Leave out what no result takes."""
        results = program.results
        needed = {r.number for rs in results.values() for r in rs if isinstance(r, Value)}
        calls: list[Call] = []
        for call in reversed(program.calls):
            places = tuple(k for k, n in enumerate(call.outputs) if n in needed)
            if not places:
                continue
            used = self._restricted(call.kernel, places)
            inputs = tuple(call.inputs[k] for k in used.inputs)
            constants = tuple(call.constants[k] for k in used.constants)
            needed.update(inputs)
            calls.append(
                Call(used.kernel, inputs, constants, tuple(call.outputs[k] for k in places))
            )
        sources = {n: source for n, source in program.sources.items() if n in needed}
        return Program(program.name, program.arguments, sources, tuple(reversed(calls)), results)

    def inlined(self, program: Program) -> Program:
        """Return the program as one call."""
        inputs = tuple(program.sources)
        place = {n: k for k, n in enumerate(inputs)}
        operations: list[Operation] = []
        made: list[int] = []
        for call in program.calls:
            operands = [place[n] for n in call.inputs]
            for operation in (
                *(Operation("const", (), c) for c in call.constants),
                *call.kernel.operations,
            ):
                taken = tuple(operands[k] for k in operation.arguments)
                operands.append(len(inputs) + len(operations))
                operations.append(operation._replace(arguments=taken))
            place |= {
                n: operands[k] for n, k in zip(call.outputs, call.kernel.outputs, strict=True)
            }
            made += call.outputs
        kernel = self.kernel(len(inputs), 0, operations, (place[n] for n in made))
        return self.pruned(replace(program, calls=(Call(kernel, inputs, (), tuple(made)),)))

    def _restricted(self, kernel: Kernel, places: tuple[int, ...]) -> _Used:
        """Return the part of a kernel that some of its outputs take."""
        found = self._used.get((kernel, places))
        if found is None:
            found = self._used[kernel, places] = self._part(kernel, places)
        return found

    def _part(self, kernel: Kernel, places: tuple[int, ...]) -> _Used:
        is_live = [False] * (kernel.n_given + len(kernel.operations))
        for k in places:
            is_live[kernel.outputs[k]] = True
        for k in reversed(range(len(kernel.operations))):
            if is_live[kernel.n_given + k]:
                for a in kernel.operations[k].arguments:
                    is_live[a] = True
        inputs = tuple(k for k in range(kernel.n_inputs) if is_live[k])
        constants = tuple(k for k in range(kernel.n_constants) if is_live[kernel.n_inputs + k])
        place = {n: k for k, n in enumerate(n for n, there in enumerate(is_live) if there)}
        operations = [
            Operation(op.name, tuple(place[a] for a in op.arguments), op.constant)
            for k, op in enumerate(kernel.operations)
            if is_live[kernel.n_given + k]
        ]
        outputs = [place[kernel.outputs[k]] for k in places]
        part = self.kernel(len(inputs), len(constants), operations, outputs)
        return _Used(part, inputs, constants)


class _Used(NamedTuple):
    """A part of a kernel, and which inputs and constants it takes."""

    kernel: Kernel
    inputs: tuple[int, ...]
    constants: tuple[int, ...]
