"""The generated half of the C: the equations, one function per routine.

Each operation becomes one constant: ``const double a7 = a3 * a5;``. Long routines are cut into
functions of some thousand operations, because compilers take more than linear time for long
ones; what one part hands to the next goes through an array. Compilers would put the parts together
again. Routines of each step are left to them, for it makes these faster; of all others the parts
stay apart, for it makes building faster.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mbd_fmu.errors import CompileError
from mbd_fmu.export.casadi_door import Operation, Routine
from mbd_fmu.export.model_tables import model_tables, number
from mbd_fmu.export.symbols import Symbols
from mbd_fmu.system.system import System

CHUNK = 1000  # operations in one C function
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


# Stands in model.c until its GUID, which is a hash of it, is known.
_NO_GUID = "00000000-0000-0000-0000-000000000000"


def model_source(system: System, symbols: Symbols) -> str:
    """Write model.c, without its GUID: the equations, the tables, and the Model that holds both."""
    parts = ['#include "model.h"\n\n#include <math.h>\n']
    parts += [_function(routine) for routine in symbols.routines]
    parts.append(model_tables(system, symbols.routines, symbols.elimination, _NO_GUID))
    return "\n".join(parts)


def identified(model_c: str, guid: str) -> str:
    """Return model.c with its GUID."""
    return model_c.replace(_NO_GUID, guid, 1)


def _function(routine: Routine) -> str:
    """Write one routine; a long one as several functions that share an array."""
    names = [*routine.arguments, *(name for name, _ in routine.outputs)]
    formals = ", ".join(
        f"double *{name}" if k >= len(routine.arguments) else f"const double *{name}"
        for k, name in enumerate(names)
    )
    head = f"static void model_{routine.name}({formals})"
    operations = routine.operations
    chunks = [operations[k : k + CHUNK] for k in range(0, len(operations), CHUNK)] or [()]
    if len(chunks) == 1:
        return _block(head, _body(routine, chunks[0], {}, is_first=True))

    place = _shared(chunks)
    how = "static" if routine.name in EACH_STEP else "APART static"
    parts = [
        _block(
            f"{how} void {routine.name}_{k}({formals}, double *shared)",
            _body(routine, chunk, place, is_first=k == 0),
        )
        for k, chunk in enumerate(chunks)
    ]
    actuals = ", ".join([*names, "shared"])
    calls = [f"{routine.name}_{k}({actuals});" for k in range(len(chunks))]
    return "\n".join([*parts, _block(head, [f"double shared[{max(len(place), 1)}];", *calls])])


def _block(head: str, body: Iterable[str]) -> str:
    return "\n".join([head, "{", *(f"    {line}" for line in body), "}", ""])


def _body(
    routine: Routine, chunk: Sequence[Operation], place: dict[int, int], *, is_first: bool
) -> Iterator[str]:
    """Write a chunk: what it needs, what it computes, what it hands on and puts out."""
    outputs = [name for name, _ in routine.outputs]
    for name in (*routine.arguments, *outputs, *(["shared"] if place else [])):
        yield f"(void){name};"
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
