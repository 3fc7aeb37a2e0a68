"""The generated half of the C: sizes in config.h, equations and tables in model.c.

Each operation becomes one constant: ``const double a7 = a3 * a5;``. Long routines are cut into
functions of some thousand operations, because compilers take more than linear time for long
ones; what one part hands to the next goes through an array.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from mbd_fmu.errors import CompileError
from mbd_fmu.export.symbols import Operation, Routine, Symbols
from mbd_fmu.export.system import System
from mbd_fmu.export.variables import STAGES, Table

CHUNK = 1000  # operations in one C function

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
    "pow": "pow({0}, {1})",
    "constpow": "pow({0}, {1})",
    "atan2": "atan2({0}, {1})",
    "fmin": "fmin({0}, {1})",
    "fmax": "fmax({0}, {1})",
    **{
        f: f + "({0})"
        for f in ("sqrt", "tanh", "sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "fabs")
    },
}


def config_header(system: System, guid: str) -> str:
    """Write config.h: the sizes."""
    table = system.table
    lines = {
        "N_X": system.nx,
        "N_MOTION": len(system.state_q) + len(system.state_v),
        "N_P": table.n_parameters,
        "N_U": table.n_inputs,
        "N_Y": len(table.outputs),
        "N_STAGES": len(_stages(table)),
        "N_QUATERNIONS": len(system.quaternions),
        "N_SIGNALS": sum(len(motion.signals) for motion in table.motions),
        "N_TURNS": sum(motion.turn is not None for motion in table.motions),
        "SOLVER_RK4": int(system.spec.fmu.solver == "rk4"),
        "P_TOLERANCE": table.tolerance,
        "P_STEP": table.step or 0,
        "MODEL_GUID": f'"{guid}"',
    }
    return "".join(f"#define {key} {value}\n" for key, value in lines.items())


def model_source(system: System, symbols: Symbols) -> str:
    """Write model.c: the equations and the tables."""
    parts = ['#include "model.h"\n\n#include <math.h>\n']
    parts += [_function(routine) for routine in symbols.routines]
    parts.append(_tables(system, symbols))
    return "\n".join(parts)


def _stages(table: Table) -> list[str]:
    return [stage for stage in STAGES if table.stage_range(stage)]


def _function(routine: Routine) -> str:
    """Write one routine, in chunks if it is long."""
    static = "" if routine.name in ("start", "derivatives") else "static "
    chunks = [
        routine.operations[k : k + CHUNK] for k in range(0, len(routine.operations), CHUNK)
    ] or [()]
    formals = ", ".join(f"const double *{a}" for a in routine.arguments)
    head = f"{static}void model_{routine.name}({formals}, double *out)"
    unused = _ignore(routine)
    if len(chunks) == 1:
        body = [*unused, *_chunk(routine, chunks[0], {}, {}), *_results(routine, {})]
        return _block(head, body)

    slot = _shared(routine, chunks)
    parts = []
    for k, chunk in enumerate(chunks):
        body = [*_ignore(routine, chunk), *_chunk(routine, chunk, slot, slot)]
        formals_w = f"{formals}, double *w"
        parts.append(_block(f"static void {routine.name}_{k}({formals_w})", body))
    actuals = ", ".join(routine.arguments)
    calls = [f"double w[{max(len(slot), 1)}];"]
    calls += [f"{routine.name}_{k}({actuals}, w);" for k in range(len(chunks))]
    direct = {number: f"{routine.arguments[a]}[{i}]" for number, a, i in routine.inputs}
    shared = {number: f"w[{i}]" for number, i in slot.items()}
    return "\n".join([*parts, _block(head, [*calls, *_results(routine, direct | shared)])])


def _block(head: str, body: Iterable[str]) -> str:
    return "\n".join([head, "{", *(f"    {line}" for line in body), "}", ""])


def _ignore(routine: Routine, chunk: Sequence[Operation] | None = None) -> list[str]:
    """Silence warnings about arguments that are not used."""
    if chunk is None:
        used = {a for _, a, _ in routine.inputs}
    else:
        needed = {n for operation in chunk for n in operation.arguments}
        used = {a for number, a, _ in routine.inputs if number in needed}
    return [f"(void){name};" for k, name in enumerate(routine.arguments) if k not in used]


def _chunk(
    routine: Routine, chunk: Sequence[Operation], load: dict[int, int], store: dict[int, int]
) -> Iterator[str]:
    """Write the operations of one chunk, with what comes from before it and goes beyond it."""
    here = {operation.result for operation in chunk}
    whole = not load and not store
    needed = {n for operation in chunk for n in operation.arguments}
    if whole:
        needed |= {number for _, number in routine.outputs}
    for number, argument, index in routine.inputs:
        if number in needed:
            yield f"const double a{number} = {routine.arguments[argument]}[{index}];"
    for number in sorted(needed - here):
        if number in load:
            yield f"const double a{number} = w[{load[number]}];"
    for operation in chunk:
        yield f"const double a{operation.result} = {_expression(operation)};"
    for operation in chunk:
        if operation.result in store:
            yield f"w[{store[operation.result]}] = a{operation.result};"


def _shared(routine: Routine, chunks: Sequence[Sequence[Operation]]) -> dict[int, int]:
    """Find the results used outside their chunk and give each a place in the array w."""
    home = {op.result: k for k, chunk in enumerate(chunks) for op in chunk}
    crossing = {number for _, number in routine.outputs if number in home}
    for k, chunk in enumerate(chunks):
        for operation in chunk:
            crossing |= {n for n in operation.arguments if home.get(n, k) != k}
    return {number: i for i, number in enumerate(sorted(crossing))}


def _results(routine: Routine, source: dict[int, str]) -> Iterator[str]:
    written = dict(routine.outputs)
    for index in range(routine.size):
        if index in written:
            number = written[index]
            yield f"out[{index}] = {source.get(number, f'a{number}')};"
        else:
            yield f"out[{index}] = 0.0;"
    if not routine.size:
        yield "(void)out;"


def _expression(operation: Operation) -> str:
    if operation.name == "const":
        return number(operation.constant)
    if operation.name not in _TEMPLATES:
        raise CompileError(f'the operation "{operation.name}" has no counterpart in C')
    return _TEMPLATES[operation.name].format(*(f"a{n}" for n in operation.arguments))


def number(value: float) -> str:
    """Write a double so that it reads back bit by bit."""
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(float(value))


def _tables(system: System, symbols: Symbols) -> str:
    table = system.table
    stages = _stages(table)
    depends_on_rate = {
        r.name: any(r.arguments[a] == "xd" for _, a, _ in r.inputs) for r in symbols.routines
    }
    first_output = table.n_parameters + table.n_inputs
    stage_rows, stage_of = [], []
    for k, stage in enumerate(stages):
        places = table.stage_range(stage)
        needs = int(depends_on_rate[stage])
        stage_rows.append(
            f'{{"{stage}", model_{stage}, {places.start - first_output}, {len(places)}, {needs}}}'
        )
        stage_of += [str(k)] * len(places)
    infinite = math.inf
    parameters = table.parameters
    return "\n".join(
        [
            _array("const Stage", "model_stage[N_STAGES]", stage_rows),
            _array("const int", "model_stage_of[N_Y + 1]", [*stage_of, "0"]),
            _array(
                "const char *const", "model_name[N_REAL]", _quoted(v.name for v in table.variables)
            ),
            _array("const char *const", "model_state_name[N_X]", _quoted(system.state_names)),
            _array(
                "const double", "model_p_start[N_P]", [number(v.start or 0.0) for v in parameters]
            ),
            _array(
                "const double",
                "model_u_start[N_U + 1]",
                [*(number(v.start or 0.0) for v in table.inputs), "0.0"],
            ),
            _array(
                "const int",
                "model_signal[N_SIGNALS + 1][3]",
                [_triple(t) for motion in table.motions for t in motion.signals] + ["{0, 0, 0}"],
            ),
            _array(
                "const int",
                "model_turn[N_TURNS + 1][3]",
                [_triple(m.turn) for m in table.motions if m.turn] + ["{0, 0, 0}"],
            ),
            _array(
                "const double",
                "model_p_min[N_P]",
                [number(-infinite if v.min is None else v.min) for v in parameters],
            ),
            _array(
                "const double",
                "model_p_max[N_P]",
                [number(infinite if v.max is None else v.max) for v in parameters],
            ),
            _array(
                "const int",
                "model_quaternion[N_QUATERNIONS + 1]",
                [*map(str, system.quaternions), "0"],
            ),
        ]
    )


def _triple(places: tuple[int, int, int]) -> str:
    return "{" + ", ".join(map(str, places)) + "}"


def _quoted(names: Iterable[str]) -> list[str]:
    return [f'"{name}"' for name in names]


def _array(kind: str, declaration: str, entries: Iterable[str]) -> str:
    rows = "".join(f"    {entry},\n" for entry in entries)
    return f"{kind} {declaration} = {{\n{rows}}};\n"
