"""Kernels and routines as functions of C.

Each operation becomes one constant: ``const double a7 = a3 * a5;``. Long ones are cut into
functions of some thousand operations, because compilers take more than linear time for long ones;
what one part hands to the next goes through memory that the caller lends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mbd_fmu.errors import CompileError
from mbd_fmu.export.model_tables import number
from mbd_fmu.export.program import Kernel, Operation, Program, Value

CHUNK = 1000  # operations in one C function
# Numbers that parts hand on in an array of their caller, which compilers that put parts together
# again make registers of: a quadruped is a quarter faster for it. More go through lent memory.
FEW = 4000

OPERATIONS = {
    "assign": "{0}",
    "add": "{0} + {1}",
    "sub": "{0} - {1}",
    "mul": "{0} * {1}",
    "div": "{0} / {1}",
    "neg": "-{0}",
    "sq": "{0} * {0}",
    "twice": "2.0 * {0}",
    "inv": "1.0 / {0}",
    "sqrt": "sqrt({0})",
    "fabs": "fabs({0})",
    # the C libraries disagree on these: functions.c has our own
    "sin": "sincos_{0}.sin",
    "cos": "sincos_{0}.cos",
    "pow": "own_pow({0}, {1})",
    "constpow": "own_pow({0}, {1})",
    "atan2": "own_atan2({0}, {1})",
    "fmin": "own_fmin({0}, {1})",
    "fmax": "own_fmax({0}, {1})",
    **{f: f"own_{f}({{0}})" for f in ("tan", "asin", "acos", "atan", "exp", "log", "tanh")},
    # in derivatives of fabs, fmin and fmax
    "sign": "(double)(({0} > 0.0) - ({0} < 0.0))",
    "le": "(double)({0} <= {1})",
}


@dataclass(frozen=True)
class Arithmetic:
    """What the numbers of a routine are in C, and how they are computed with."""

    number: str  # their type
    prefix: str  # of the names of routines
    constant: str  # one of them from a plain number
    sincos: str  # the function of both, and the type of what it returns
    both: str
    operations: Mapping[str, str]


DOUBLES = Arithmetic("double", "model", "{}", "own_sincos", "SinCos", OPERATIONS)


@dataclass(frozen=True)
class Function:
    """A function of C: what it is declared as, and all of it."""

    head: str
    body: tuple[str, ...]
    size: int  # operations

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join([self.head, "{", *(f"    {line}" for line in self.body), "}", ""])


@dataclass(frozen=True)
class Block:
    """A kernel with names of C: of what is given, and of where results go."""

    kernel: Kernel
    given: Sequence[str]  # inputs and constants
    written: Sequence[tuple[str, int]]  # place <- operand
    arithmetic: Arithmetic

    def chunks(self) -> list[range]:
        """Cut the operations into pieces of bounded length."""
        n = len(self.kernel.operations)
        return [range(k, min(k + CHUNK, n)) for k in range(0, n, CHUNK)] or [range(0)]

    def shared(self) -> dict[int, int]:
        """Give each result that another chunk uses a place in the memory they share."""
        first = self.kernel.n_given
        crossing = {
            a
            for chunk in self.chunks()
            for k in chunk
            for a in self.kernel.operations[k].arguments
            if first <= a < first + chunk.start
        }
        return {a: k for k, a in enumerate(sorted(crossing))}

    def lines(self, chunk: range, shared: Mapping[int, int]) -> Iterator[str]:
        """Write a chunk: what it needs, what it computes, what it hands on and puts out."""
        kernel, kind = self.kernel, self.arithmetic.number
        own = range(kernel.n_given + chunk.start, kernel.n_given + chunk.stop)
        needed = {a for k in chunk for a in kernel.operations[k].arguments if a not in own}
        for a in sorted(needed):
            taken = self.given[a] if a < kernel.n_given else f"shared[{shared[a]}]"
            yield f"const {kind} a{a} = {taken};"
        turned = set()
        for k in chunk:
            operation = kernel.operations[k]
            if operation.name in ("sin", "cos") and operation.arguments not in turned:
                turned.add(operation.arguments)
                angle = f"a{operation.arguments[0]}"
                yield (
                    f"const {self.arithmetic.both} sincos_{angle} = "
                    f"{self.arithmetic.sincos}({angle});"
                )
            yield f"const {kind} a{kernel.n_given + k} = {self._expression(operation)};"
        yield from (f"shared[{shared[a]}] = a{a};" for a in own if a in shared)
        for place, a in self.written:
            if a in own:
                yield f"{place} = a{a};"
            elif a < kernel.n_given and chunk.start == 0:
                yield f"{place} = {self.given[a]};"

    def _expression(self, operation: Operation) -> str:
        if operation.name == "const":
            return self.arithmetic.constant.format(number(operation.constant))
        if operation.name not in self.arithmetic.operations:
            raise CompileError(f'the operation "{operation.name}" has no counterpart in C')
        form = self.arithmetic.operations[operation.name]
        return form.format(*(f"a{a}" for a in operation.arguments))


def formals_of(program: Program, arithmetic: Arithmetic) -> tuple[str, list[str]]:
    """Return the parameters of a routine in C, and their names."""
    kind = arithmetic.number
    taken, given = [name for name, _ in program.arguments], [*program.results, "memory"]
    declared = [*(f"const {kind} *{name}" for name in taken), *(f"{kind} *{n}" for n in given)]
    return ", ".join(declared), [*taken, *given]


def straight_functions(program: Program, arithmetic: Arithmetic = DOUBLES) -> list[Function]:
    """Write a routine of one call, last; before it its parts, if it is long."""
    formals, names = formals_of(program, arithmetic)
    block, fixed = _block_of(program, arithmetic)
    name_in_c = f"{arithmetic.prefix}_{program.name}"
    unused = [f"(void){name};" for name in names]
    chunks, shared = block.chunks(), block.shared()
    head = f"void {name_in_c}({formals})"
    if len(chunks) == 1:
        lines = (*unused, *block.lines(chunks[0], {}), *fixed)
        return [Function(head, lines, len(chunks[0]))]
    unused[-1:] = [f"{arithmetic.number} *shared = memory;", "(void)shared;"]
    parts = [
        Function(
            f"void {name_in_c}_{k}({formals})", (*unused, *block.lines(chunk, shared)), len(chunk)
        )
        for k, chunk in enumerate(chunks)
    ]
    own = 0 < len(shared) <= FEW
    actuals = ", ".join([*names[:-1], "shared" if own else "memory"])
    calls = [f"{name_in_c}_{k}({actuals});" for k in range(len(chunks))]
    place = [f"{arithmetic.number} shared[{len(shared)}];", "(void)memory;"] if own else []
    return [*parts, Function(head, (*place, *calls, *fixed), 0)]


def straight_memory(program: Program) -> int:
    """Return how many numbers the parts of a routine of one call hand on in memory."""
    n = len(_block_of(program, DOUBLES)[0].shared())
    return n if n > FEW else 0


def _block_of(program: Program, arithmetic: Arithmetic) -> tuple[Block, list[str]]:
    """Return what is computed with its names, and lines for results that are not."""
    source = {n: f"{name}[{k}]" for n, (name, k) in program.sources.items()}
    kernel, given, place = Kernel(0, 0, (), ()), list[str](), dict[int, int]()
    for call in program.calls:
        kernel = call.kernel
        constants = (arithmetic.constant.format(number(c)) for c in call.constants)
        given = [*(source[n] for n in call.inputs), *constants]
        place = dict(zip(call.outputs, kernel.outputs, strict=True))
    written: list[tuple[str, int]] = []
    fixed: list[str] = []
    for output, results in program.results.items():
        for k, result in enumerate(results):
            if isinstance(result, Value) and result.number in place:
                written.append((f"{output}[{k}]", place[result.number]))
                continue
            text = source[result.number] if isinstance(result, Value) else number(result)
            if not isinstance(result, Value):
                text = arithmetic.constant.format(text)
            fixed.append(f"{output}[{k}] = {text};")
    return Block(kernel, given, written, arithmetic), fixed
