"""From the tape to programs: pieces of work become calls of kernels.

Passes over the same joints in the same direction are done in one, where what the later one takes
is there by then: three kernels per joint for the articulated-body algorithm, not six.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mbd_fmu.export.program import Call, Kernels, Operation, Program, Value
from mbd_fmu.export.tape import CONST, INPUT, Tape, Traced, flat
from mbd_fmu.spatial import Array

Named = Mapping[str, Array]  # arguments or outputs, in order

_EXPONENT = 1  # of pow: a number there is part of the formula


def straight(kernels: Kernels, tape: Tape, name: str, given: Named, outputs: Named) -> Program:
    """Return a routine as one call; ``given`` are its arguments."""
    nodes = [n for n in tape.live(flat(outputs)) if tape.names[n] not in (INPUT, CONST)]
    pieces = [nodes] if nodes else []
    return _Recording(kernels, tape, pieces, cut=False).program(name, given, outputs)


def cut(kernels: Kernels, tape: Tape, name: str, given: Named, outputs: Named) -> Program:
    """Return a routine as calls, one for each piece of work."""
    pieces = [nodes for nodes in _pieces(tape, tape.live(flat(outputs))) if nodes]
    return _Recording(kernels, tape, pieces, cut=True).program(name, given, outputs)


@dataclass(frozen=True)
class _Recording:
    kernels: Kernels
    tape: Tape
    pieces: Sequence[Sequence[int]]
    cut: bool  # constants are told to kernels, not written into them

    def program(self, name: str, given: Named, outputs: Named) -> Program:
        tape = self.tape
        results = {
            key: tuple(Value(x.node) if x.__class__ is Traced else float(x) for x in array.ravel())
            for key, array in outputs.items()
        }
        handed = {r.number for rs in results.values() for r in rs if isinstance(r, Value)}
        home = {n: k for k, piece in enumerate(self.pieces) for n in piece}
        for n, k in home.items():
            handed.update(a for a in tape.arguments[n] if home.get(a, k) != k)
        calls = tuple(self._call(piece, handed) for piece in self.pieces)
        taken = {n for call in calls for n in call.inputs} | handed
        entry = {x.node: (key, k) for key, entries in given.items() for k, x in enumerate(entries)}
        sources = {n: entry[n] for n in sorted(taken) if tape.names[n] == INPUT}
        sizes = tuple((key, len(entries)) for key, entries in given.items())
        return Program(name, sizes, sources, calls, results)

    def _call(self, piece: Sequence[int], handed: set[int]) -> Call:
        """Number operands by first use: alike pieces become the same kernel."""
        tape, own = self.tape, set(piece)
        inputs: dict[int, int] = {}
        constants: dict[int, int] = {}
        written: dict[int, int] = {}  # numbers that are part of the formula
        for n in piece:
            for place, a in enumerate(tape.arguments[n]):
                if self._is_written(n, place, a):
                    written.setdefault(a, len(written))
                elif tape.names[a] == CONST:
                    constants.setdefault(a, len(constants))
                elif a not in own:
                    inputs.setdefault(a, len(inputs))
        place_of = inputs | {a: len(inputs) + k for a, k in constants.items()}
        first = len(place_of)
        operations = [Operation(CONST, (), tape.constants[a]) for a in written]
        for n in piece:
            operands = tuple(
                first + written[a] if self._is_written(n, place, a) else place_of[a]
                for place, a in enumerate(tape.arguments[n])
            )
            place_of[n] = first + len(operations)
            operations.append(Operation(tape.names[n], operands))
        outputs = [n for n in piece if n in handed]
        kernel = self.kernels.kernel(
            len(inputs), len(constants), operations, (place_of[n] for n in outputs)
        )
        numbers = tuple(tape.constants[a] for a in constants)
        return Call(kernel, tuple(inputs), numbers, tuple(outputs))

    def _is_written(self, n: int, place: int, a: int) -> bool:
        """Whether an argument is a number that a kernel is written with: all of them, uncut."""
        names = self.tape.names
        is_exponent = names[n] == "pow" and place == _EXPONENT
        return names[a] == CONST and (is_exponent or not self.cut)


@dataclass
class _Pass:
    """Nodes by item, in the order of the items; where there are none, one list, of no pass."""

    items: tuple[int, ...]
    nodes: list[list[int]]


def _pieces(tape: Tape, live: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield the nodes of each piece of work, passes that can be done in one put together.

    A later pass can join the last one over the same items, if all it takes is there by then.
    """
    passes: list[_Pass] = []
    last: dict[tuple[int, ...], int] = {}  # pass over these items
    place: dict[int, tuple[int, int]] = {}  # of nodes: in which pass, and at which of its items
    for found in _passes(tape, live):
        at = last.get(found.items) if found.items else None
        if at is None or not _is_there(tape, found, place, at):
            at = last[found.items] = len(passes)
            passes.append(_Pass(found.items, [[] for _ in found.nodes]))
        for k, more in enumerate(found.nodes):
            passes[at].nodes[k].extend(more)
            place.update(dict.fromkeys(more, (at, k)))
    for one in passes:
        yield from one.nodes


def _is_there(tape: Tape, found: _Pass, place: Mapping[int, tuple[int, int]], joined: int) -> bool:
    """Whether what a pass takes is there when each of its items is done in one with another's.

    It must not take what passes behind that one have made, nor what that one makes for later items.
    """
    none = (-1, -1)
    return all(
        place.get(a, none) <= (joined, k)
        for k, nodes in enumerate(found.nodes)
        for n in nodes
        for a in tape.arguments[n]
    )


def _passes(tape: Tape, live: Sequence[int]) -> Iterator[_Pass]:
    """Yield passes as they were carried out."""
    number, current = -2, _Pass((), [])
    rank: dict[int, int] = {}
    for n in live:
        if tape.names[n] in (INPUT, CONST):
            continue
        work = tape.works[tape.work_of[n]]
        if work.pass_number != number:
            if current.nodes:
                yield current
            number, rank = work.pass_number, {item: k for k, item in enumerate(work.items)}
            current = _Pass(work.items, [[] for _ in work.items] or [[]])
        current.nodes[rank.get(work.item, 0)].append(n)
    if current.nodes:
        yield current
