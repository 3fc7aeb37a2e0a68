"""Exact derivatives of programs, kernel by kernel: the chain rule goes along their calls.

    tangent     how results change when arguments do: forward, call by call
    gradient    how a weighted sum of results changes with each entry of an argument: backward

Kernels are differentiated once, whatever the number of calls: a mechanism of a thousand joints
takes no more of that than one of ten.

Source   Griewank & Walther, Evaluating Derivatives (2008), ch. 3.
Checked  tests/unit/test_calculus.py
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

from mbd_fmu.export import casadi_door
from mbd_fmu.export.program import Call, Kernels, Operation, Program, Result, Value


class Calculus:
    """Derivatives of programs that share their kernels."""

    def __init__(self, kernels: Kernels) -> None:
        self.kernels = kernels
        self._forward = cache(partial(casadi_door.forward, kernels))
        self._backward = cache(partial(casadi_door.backward, kernels))
        self._simplified = cache(partial(casadi_door.simplified, kernels))

    def simplified(self, program: Program) -> Program:
        """Carry no operation out twice in a kernel, and none that no result takes."""
        merged = (self._merged(call) for call in program.calls)
        calls = tuple(call._replace(kernel=self._simplified(call.kernel)) for call in merged)
        numbers = dict(found for call in calls for found in _numbers(call))
        results = {
            name: tuple(numbers.get(r.number, r) if isinstance(r, Value) else r for r in entries)
            for name, entries in program.results.items()
        }
        return self.kernels.pruned(replace(program, calls=calls, results=results))

    def _merged(self, call: Call) -> Call:
        """Take each value once."""
        place = {n: k for k, n in enumerate(dict.fromkeys(call.inputs))}
        if len(place) == len(call.inputs):
            return call
        kernel, less = call.kernel, len(call.inputs) - len(place)
        inputs = [place[n] for n in call.inputs]

        def moved(k: int) -> int:
            return inputs[k] if k < kernel.n_inputs else k - less

        operations = (
            op._replace(arguments=tuple(map(moved, op.arguments))) for op in kernel.operations
        )
        outputs = map(moved, kernel.outputs)
        return call._replace(
            kernel=self.kernels.kernel(len(place), kernel.n_constants, operations, outputs),
            inputs=tuple(place),
        )

    def tangent(self, program: Program, along: Mapping[str, str]) -> Program:
        """Return the change of all results when arguments change as further ones tell.

        ``along`` gives each such argument the name of its change.
        """
        sizes = dict(program.arguments)
        made = _Made(program, {along[name]: sizes[name] for name in along})
        change = {
            n: made.argument(along[name])[k]
            for n, (name, k) in program.sources.items()
            if name in along
        }
        for call in program.calls:
            active = tuple(n in change for n in call.inputs)
            if not any(active):
                made.calls.append(call)
                continue
            kernel, moves = self._forward(call.kernel, active)
            inputs = (*call.inputs, *(change[n] for n in call.inputs if n in change))
            moved = [n for n, does in zip(call.outputs, moves, strict=True) if does]
            tangents = made.values(len(moved))
            change |= dict(zip(moved, tangents, strict=True))
            made.calls.append(Call(kernel, inputs, call.constants, (*call.outputs, *tangents)))
        changes = {
            f"d{name}": tuple(_moved(change, result) for result in results)
            for name, results in program.results.items()
        }
        return self.kernels.pruned(made.program(f"{program.name}_tangent", changes))

    def gradient(self, program: Program, weights: Mapping[str, str], by: str) -> Program:
        """Return the derivatives of a weighted sum of results in the entries of one argument.

        ``weights`` gives outputs the name of the argument that holds theirs.
        """
        further = {weights[name]: len(program.results[name]) for name in weights}
        made = _Made(program, further)
        made.calls += program.calls
        pulls: defaultdict[int, list[int]] = defaultdict(list)
        for name, argument in weights.items():
            for result, weight in zip(program.results[name], made.argument(argument), strict=True):
                if isinstance(result, Value):
                    pulls[result.number].append(weight)
        is_active = _active(program, by)
        for call in reversed(program.calls):
            pulled = tuple(bool(pulls[n]) and n in is_active for n in call.outputs)
            active = tuple(n in is_active for n in call.inputs)
            if not (any(pulled) and any(active)):
                continue
            kernel, moves = self._backward(call.kernel, active, pulled)
            taken = [pulls[n] for n, does in zip(call.outputs, pulled, strict=True) if does]
            inputs = (*call.inputs, *self._sums(made, taken))
            exerted = [n for n, does in zip(call.inputs, active, strict=True) if does]
            exerted = [n for n, does in zip(exerted, moves, strict=True) if does]
            found = made.values(len(exerted))
            made.calls.append(Call(kernel, inputs, call.constants, tuple(found)))
            for n, pull in zip(exerted, found, strict=True):
                pulls[n].append(pull)
        entries = {
            k: pulls[n] for n, (name, k) in program.sources.items() if name == by and pulls[n]
        }
        at = dict(zip(entries, self._sums(made, [*entries.values()]), strict=True))
        size = dict(program.arguments)[by]
        gradient = tuple(Value(at[k]) if k in at else 0.0 for k in range(size))
        whole = made.program(f"{program.name}_gradient", {"gradient": gradient})
        if len(program.calls) > 1:
            return self.kernels.pruned(whole)
        return self.simplified(self.kernels.inlined(self.kernels.pruned(whole)))

    def jacobian(self, program: Program, by: str, along: Mapping[str, str]) -> Program:
        """Return, row by row, the derivatives of results in an argument; of a single call.

        ``along`` names the changes of other arguments, by which a last column is made.
        """
        sizes = dict(program.arguments)
        made = _Made(program, {along[name]: sizes[name] for name in along})
        source, results = program.sources, program.results
        (call,) = program.calls or (Call(self.kernels.kernel(0, 0, (), ()), (), (), ()),)
        call = self._merged(call)
        columns = {source[n][1]: k for k, n in enumerate(call.inputs) if source[n][0] == by}
        moving = {k: source[n] for k, n in enumerate(call.inputs) if source[n][0] in along}
        rates = [made.argument(along[name])[k] for name, k in moving.values()]
        kernel = casadi_door.jacobian(self.kernels, call.kernel, [*columns.values()], [*moving])
        width = len(columns) + 1
        entries = made.values(len(call.outputs) * width)
        made.calls.append(Call(kernel, (*call.inputs, *rates), call.constants, tuple(entries)))
        first = {n: k * width for k, n in enumerate(call.outputs)}

        def row(result: Result) -> list[Result]:
            found: list[Result] = [0.0] * (sizes[by] + bool(along))
            if not isinstance(result, Value):
                return found
            if result.number in source:  # it is an entry of an argument itself
                name, k = source[result.number]
                if name == by:
                    found[k] = 1.0
                elif name in along:
                    found[-1] = Value(made.argument(along[name])[k])
                return found
            at = first[result.number]
            for place, k in enumerate(columns):
                found[k] = Value(entries[at + place])
            if along:
                found[-1] = Value(entries[at + width - 1])
            return found

        by_row = {name: tuple(e for r in rs for e in row(r)) for name, rs in results.items()}
        return self.kernels.pruned(made.program(f"{program.name}_jacobian", by_row))

    def _sums(self, made: _Made, terms: Sequence[Sequence[int]]) -> list[int]:
        """Add up what pulls at each of some values, all at once."""
        if all(len(those) == 1 for those in terms):
            return [those[0] for those in terms]
        inputs = tuple(n for those in terms for n in those)
        operations: list[Operation] = []
        outputs: list[int] = []
        first = 0
        for those in terms:
            total = first
            for k in range(1, len(those)):
                operations.append(Operation("add", (total, first + k)))
                total = len(inputs) + len(operations) - 1
            first += len(those)
            outputs.append(total)
        kernel = self.kernels.kernel(len(inputs), 0, operations, outputs)
        values = made.values(len(outputs))
        made.calls.append(Call(kernel, inputs, (), tuple(values)))
        return values


class _Made:
    """A program in the making, from another one with further arguments."""

    def __init__(self, program: Program, further: Mapping[str, int]) -> None:
        self.arguments = (*program.arguments, *further.items())
        self.sources = dict(program.sources)
        self.calls: list[Call] = []
        self._next = program.n_values
        self._further = {}
        for name, size in further.items():
            numbers = self.values(size)
            self.sources |= {n: (name, k) for k, n in enumerate(numbers)}
            self._further[name] = numbers

    def argument(self, name: str) -> Sequence[int]:
        """Return the values of a further argument."""
        return self._further[name]

    def values(self, n: int) -> list[int]:
        """Return numbers of so many new values."""
        self._next += n
        return list(range(self._next - n, self._next))

    def program(self, name: str, results: Mapping[str, tuple[Result, ...]]) -> Program:
        return Program(name, self.arguments, self.sources, tuple(self.calls), results)


def _moved(change: Mapping[int, int], result: Result) -> Result:
    if isinstance(result, Value) and result.number in change:
        return Value(change[result.number])
    return 0.0


def _active(program: Program, argument: str) -> set[int]:
    """Return the values that depend on an argument."""
    found = {n for n, (name, _) in program.sources.items() if name == argument}
    for call in program.calls:
        if not found.isdisjoint(call.inputs):
            found.update(call.outputs)
    return found


def _numbers(call: Call) -> Iterator[tuple[int, float]]:
    """Yield the outputs of a call that are always the same."""
    kernel = call.kernel
    for n, k in zip(call.outputs, kernel.outputs, strict=True):
        if k >= kernel.n_given and kernel.operations[k - kernel.n_given].name == "const":
            yield n, kernel.operations[k - kernel.n_given].constant
