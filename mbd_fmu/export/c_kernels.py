"""Routines of many calls as tables: which kernel, how often, on what.

All values of a routine lie in one row of memory: its arguments, numbers that results may be, then
the outputs of one call after the other. A call says where its runs of consecutive inputs begin, and
where its outputs go; ``runtime/kernels.h`` goes through the calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate, groupby

from mbd_fmu.export.c_functions import DOUBLES, Arithmetic, Block, Function, formals_of
from mbd_fmu.export.model_tables import array_text, number
from mbd_fmu.export.program import Call, Kernel, Program, Value

Reads = tuple[tuple[int, int], ...]  # of each input: which run, and how far in it


@dataclass(frozen=True)
class Shape:
    """A kernel, and how what it takes lies in memory: what one function of C is written for."""

    kernel: Kernel
    reads: Reads
    n_runs: int

    @property
    def n_places(self) -> int:
        """Places that a call tells: where runs begin, where outputs go, where parts may share."""
        return self.n_runs + 2


@dataclass(frozen=True)
class Layout:
    """Where the values of a program lie."""

    base: Mapping[str, int]  # of the arguments that are taken
    numbers: Mapping[str, int]  # that results may be, as they are written
    place: Mapping[int, int]  # of values
    free: int  # behind all of them


def layout_of(program: Program) -> Layout:
    """Lay arguments, numbers and outputs of calls out."""
    taken = {name for name, _ in program.sources.values()}
    base: dict[str, int] = {}
    free = 0
    for name, size in program.arguments:
        if name in taken:
            base[name] = free
            free += size
    numbers: dict[str, int] = {}
    for results in program.results.values():
        for result in results:
            if not isinstance(result, Value) and number(result) not in numbers:
                numbers[number(result)] = free
                free += 1
    place = {n: base[name] + k for n, (name, k) in program.sources.items()}
    for call in program.calls:
        place |= {n: free + k for k, n in enumerate(call.outputs)}
        free += len(call.outputs)
    return Layout(base, numbers, place, free)


def placed(call: Call, layout: Layout) -> tuple[Shape, list[int]]:
    """Return the shape of a call, and the places it tells."""
    places = [layout.place[n] for n in call.inputs]
    known = set(places)
    first = {p: p for p in sorted(known) if p - 1 not in known}
    for p in sorted(known):
        first.setdefault(p, first.get(p - 1, p))
    begins = {p: k for k, p in enumerate(dict.fromkeys(first[p] for p in places))}
    reads = tuple((begins[first[p]], p - first[p]) for p in places)
    outputs = layout.place[call.outputs[0]]
    return Shape(call.kernel, reads, len(begins)), [*begins, outputs, layout.free]


class KernelCode:
    """The functions of C that the programs of a model call, and the programs as tables."""

    def __init__(self, arithmetic: Arithmetic = DOUBLES) -> None:
        self.arithmetic = arithmetic
        self.memory = 0  # that the largest program takes
        self._names: dict[Shape, str] = {}

    def functions(self, program: Program) -> list[Function]:
        """Write those functions that no program before has called."""
        layout = layout_of(program)
        shapes = dict.fromkeys(placed(call, layout)[0] for call in program.calls)
        new = [shape for shape in shapes if shape not in self._names]
        for shape in new:
            self._names[shape] = f"{self.arithmetic.prefix}_kernel_{len(self._names)}"
        return [f for shape in new for f in self._written(shape)]

    def routine(self, program: Program) -> str:
        """Write a program as tables, and the routine that goes through them."""
        layout, name = layout_of(program), f"{self.arithmetic.prefix}_{program.name}"
        shapes, places = zip(*(placed(call, layout) for call in program.calls), strict=True)
        shared = max(len(self._block(shape).shared()) for shape in dict.fromkeys(shapes))
        self.memory = max(self.memory, layout.free + shared)
        runs = [(shape, len([*same])) for shape, same in groupby(shapes)]
        constants = [c for call in program.calls for c in call.constants]
        tables: dict[str, tuple[str, Iterable[str]]] = {
            "runs": ("Run", (self._run(shape, n) for shape, n in runs)),
            "places": ("int", (str(p) for told in places for p in told)),
            "constants": ("double", (number(c) for c in constants or [0.0])),
        }
        if layout.numbers:
            tables["numbers"] = ("double", layout.numbers)
        gathered = [
            layout.place[r.number] if isinstance(r, Value) else layout.numbers[number(r)]
            for results in program.results.values()
            for r in results
        ]
        tables["results"] = ("int", map(str, gathered or [0]))
        texts = [array_text(f"{name}_{key}", *table) for key, table in tables.items()]
        formals, names = formals_of(program, self.arithmetic)
        lines = [f"(void){formal};" for formal in names]
        sizes = dict(program.arguments)
        for argument, base in layout.base.items():
            lines.append(f"take_in({sizes[argument]}, {argument}, memory + {base});")
        if layout.numbers:
            at = min(layout.numbers.values())
            lines.append(f"spread({len(layout.numbers)}, {name}_numbers, memory + {at});")
        lines.append(
            f"run_kernels({len(runs)}, {name}_runs, {name}_places, {name}_constants, memory);"
        )
        ends = [*accumulate((len(r) for r in program.results.values()), initial=0)]
        for output, first, end in zip(program.results, ends, ends[1:], strict=False):
            if end > first:
                lines.append(f"put_out({end - first}, {name}_results + {first}, memory, {output});")
        texts.append("static " + Function(f"void {name}({formals})", tuple(lines), 0).text)
        return "\n".join(texts)

    def _run(self, shape: Shape, n: int) -> str:
        kernel = shape.kernel
        return f"{{{self._names[shape]}, {n}, {shape.n_places}, {kernel.n_constants}}}"

    def _block(self, shape: Shape) -> Block:
        given = [f"r{run}[{k}]" for run, k in shape.reads]
        given += [
            self.arithmetic.constant.format(f"c[{k}]") for k in range(shape.kernel.n_constants)
        ]
        written = [(f"out[{k}]", a) for k, a in enumerate(shape.kernel.outputs)]
        return Block(shape.kernel, given, written, self.arithmetic)

    def _written(self, shape: Shape) -> list[Function]:
        """Write a kernel as a function that does a number of calls, and its parts if it is long."""
        kind, name, block = self.arithmetic.number, self._names[shape], self._block(shape)
        n, constants = shape.n_places, shape.kernel.n_constants
        where = [f"const {kind} *r{k} = memory + at[{k}];" for k in range(shape.n_runs)]
        where.append(f"{kind} *out = memory + at[{shape.n_runs}];")
        formals = f"const int *at, const double *c, {kind} *memory"
        head = f"void {name}(int n, {formals})"
        chunks, shared = block.chunks(), block.shared()
        loop = f"for (; n > 0; --n, at += {n}, c += {constants}) {{"
        if len(chunks) == 1:
            inside = [*where, *block.lines(chunks[0], {})]
            lines = ["(void)c;", loop, *(f"    {line}" for line in inside), "}"]
            return [Function(head, tuple(lines), len(chunks[0]))]
        where.append(f"{kind} *shared = memory + at[{shape.n_runs + 1}];")
        unused = [f"(void)r{k};" for k in range(shape.n_runs)]
        unused.append("(void)c, (void)out, (void)shared;")
        parts = [
            Function(
                f"void {name}_{k}({formals})",
                (*where, *unused, *block.lines(chunk, shared)),
                len(chunk),
            )
            for k, chunk in enumerate(chunks)
        ]
        calls = [f"    {name}_{k}(at, c, memory);" for k in range(len(chunks))]
        return [*parts, Function(head, (loop, *calls, "}"), 0)]
