"""The generated half of the C: the equations, one function per routine.

Each operation becomes one constant: ``const double a7 = a3 * a5;``. Long routines are cut into
functions of some thousand operations, because compilers take more than linear time for long
ones; what one part hands to the next goes through an array. Compilers put the parts of one file
together again. Those of each step are left to them in model.c, for it makes steps faster. All
others go into files of their own, which several compilers work on at once. Which part is in which
file depends on the mechanism alone, so the library has the same bytes from every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mbd_fmu.errors import CompileError
from mbd_fmu.export.casadi_door import Operation, Routine
from mbd_fmu.export.model_tables import model_tables, number
from mbd_fmu.export.symbols import Symbols
from mbd_fmu.system.system import System

CHUNK = 1000  # operations in one C function
PARTS = 10  # functions in one C file
PART, PARTS_HEADER = "model_part_", "model_parts.h"  # names of their files begin so; declarations
EACH_STEP = (
    *("derivatives", "jacobian"),
    *("equations", "closure", "rates", "retract", "displacement"),
    *("motion", "gaps"),
)

_TEMPLATES = {
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


# Stands in model.c until the GUID, a hash of all sources, is known.
_NO_GUID = "00000000-0000-0000-0000-000000000000"


def model_sources(system: System, symbols: Symbols) -> dict[str, str]:
    """Write the generated files, by name: model.c, without its GUID, and parts of long routines.

    model.c holds the Model, its tables, and the equations or who calls their parts.
    """
    here: list[_Function] = []
    apart: list[_Function] = []
    for routine in symbols.routines:
        *parts, whole = _functions(routine)
        (here if routine.name in EACH_STEP else apart).extend(parts)
        here.append(whole)
    head = '#include "model.h"\n\n#include <math.h>\n'
    texts = [head, *(f"static {f.text}" for f in here)]
    texts.append(model_tables(system, symbols.routines, symbols.elimination, _NO_GUID))
    if not apart:
        return {"model.c": "\n".join(texts)}
    head = f'#include "{PARTS_HEADER}"\n\n#include <math.h>\n'
    files = [apart[k : k + PARTS] for k in range(0, len(apart), PARTS)]
    return {
        "model.c": "\n".join([head, *texts[1:]]),
        PARTS_HEADER: _header(apart),
        **{
            f"{PART}{k}.c": "\n".join([head, *(f.text for f in file)])
            for k, file in enumerate(files, start=1)
        },
    }


def identified(sources: Mapping[str, str], guid: str) -> dict[str, str]:
    """Return the sources with the GUID in model.c."""
    return {**sources, "model.c": sources["model.c"].replace(_NO_GUID, guid, 1)}


@dataclass(frozen=True)
class _Function:
    """A function of C: what it is declared as, and all of it."""

    head: str
    body: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join([self.head, "{", *(f"    {line}" for line in self.body), "}", ""])


def _header(functions: Iterable[_Function]) -> str:
    """Declare functions that stand in other files than their callers."""
    name = PARTS_HEADER.replace(".", "_").upper()
    return "\n".join(
        [
            "/* Parts of long routines, in files of their own. */",
            *(f"#ifndef {name}", f"#define {name}", "", '#include "model.h"', ""),
            *("BEGIN_HIDDEN", "", *(f"{f.head};" for f in functions), "", "END_HIDDEN", ""),
            *("#endif", ""),
        ]
    )


def _functions(routine: Routine) -> list[_Function]:
    """Write one routine, last; before it its parts, which share an array, if it is long."""
    names = [*routine.arguments, *(name for name, _ in routine.outputs)]
    formals = ", ".join(
        f"double *{name}" if k >= len(routine.arguments) else f"const double *{name}"
        for k, name in enumerate(names)
    )
    head = f"void model_{routine.name}({formals})"
    operations = routine.operations
    chunks = [operations[k : k + CHUNK] for k in range(0, len(operations), CHUNK)] or [()]
    if len(chunks) == 1:
        return [_Function(head, tuple(_body(routine, chunks[0])))]

    place = _shared(chunks)
    parts = [
        _Function(
            f"void model_{routine.name}_{k}({formals}, double *shared)",
            tuple(_body(routine, chunk, place, is_first=k == 0)),
        )
        for k, chunk in enumerate(chunks)
    ]
    actuals = ", ".join([*names, "shared"])
    calls = [f"model_{routine.name}_{k}({actuals});" for k in range(len(chunks))]
    whole = _Function(head, (f"double shared[{max(len(place), 1)}];", *calls))
    return [*parts, whole]


def _body(
    routine: Routine,
    chunk: Sequence[Operation],
    place: dict[int, int] | None = None,
    *,
    is_first: bool = True,
) -> Iterator[str]:
    """Write a chunk: what it needs, what it computes, what it hands on and puts out."""
    outputs = [name for name, _ in routine.outputs]
    for name in (*routine.arguments, *outputs, *([] if place is None else ["shared"])):
        yield f"(void){name};"
    place = place or {}
    own = {operation.result for operation in chunk}
    needed = {n for operation in chunk for n in operation.arguments} - own
    given = {n: f"{routine.arguments[a]}[{i}]" for n, a, i in routine.inputs}
    for n in sorted(needed):
        yield f"const double a{n} = {given[n] if n in given else f'shared[{place[n]}]'};"
    turned = set()
    for operation in chunk:
        if operation.name in ("sin", "cos") and operation.arguments not in turned:
            turned.add(operation.arguments)
            yield "const SinCos sincos_a{0} = own_sincos(a{0});".format(*operation.arguments)
        yield f"const double a{operation.result} = {_expression(operation)};"
    for operation in chunk:
        if operation.result in place:
            yield f"shared[{place[operation.result]}] = a{operation.result};"
    written = {(k, index): source for k, index, source in routine.results}
    for k, (output, size) in enumerate(routine.outputs):
        for index in range(size):
            source = written.get((k, index))
            if source in own:
                yield f"{output}[{index}] = a{source};"
            elif is_first and source in (None, *given):
                yield f"{output}[{index}] = {'0.0' if source is None else given[source]};"


def _shared(chunks: Sequence[Sequence[Operation]]) -> dict[int, int]:
    """Give each result that another chunk uses a place in the shared array."""
    home = {operation.result: k for k, chunk in enumerate(chunks) for operation in chunk}
    crossing = {
        n
        for k, chunk in enumerate(chunks)
        for operation in chunk
        for n in operation.arguments
        if home.get(n, k) != k
    }
    return {n: i for i, n in enumerate(sorted(crossing))}


def _expression(operation: Operation) -> str:
    if operation.name == "const":
        return number(operation.constant)
    if operation.name not in _TEMPLATES:
        raise CompileError(f'the operation "{operation.name}" has no counterpart in C')
    return _TEMPLATES[operation.name].format(*(f"a{n}" for n in operation.arguments))
