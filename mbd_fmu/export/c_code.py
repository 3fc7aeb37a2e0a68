"""The generated half of the C: sizes in config.h, equations and tables in model.c.

Each operation becomes one constant: ``const double a7 = a3 * a5;``. Long routines are cut into
functions of some thousand operations, because compilers take more than linear time for long
ones; what one part hands to the next goes through an array.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from mbd_fmu.errors import CompileError
from mbd_fmu.export.casadi_door import Operation, Routine
from mbd_fmu.export.symbols import Symbols
from mbd_fmu.system.outputs.block import STAGES
from mbd_fmu.system.plant import branch_joints
from mbd_fmu.system.system import QUATERNION_SLACK, System
from mbd_fmu.system.variables import Table

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


def config_header(system: System, guid: str) -> str:
    """Write config.h: the sizes."""
    table = system.table
    lines = {
        "N_X": system.nx,
        "N_Z": system.nz,
        "N_Q": len(system.state_q),
        "N_V": len(system.state_v),
        "N_ROWS": len(system.rows),
        "N_HOLONOMIC": system.n_holonomic,
        "N_LOADS": system.n_loads,
        "N_SIDED": len(branch_joints(system)) if system.rows else 0,
        "LENGTH": number(system.length),
        "PROJECTION": int(system.spec.fmu.stabilization == "projection"),
        "BAUMGARTE": int(system.spec.fmu.stabilization == "baumgarte"),
        "P_GAINS": table.gains or 0,
        "N_MOTION": len(system.state_q) + len(system.state_v),
        "N_P": table.n_parameters,
        "N_U": table.n_inputs,
        "N_W": table.n_acting,
        "N_MADE": len(table.made),
        "N_POSITIVE": len(system.positive),
        "N_Y": len(table.outputs),
        "N_STAGES": len(_stages(table)),
        "POSITIONS": _stages(table).index("positions") if table.stage_range("positions") else -1,
        "N_QUATERNIONS": len(system.quaternions),
        "QUATERNION_SLACK": number(QUATERNION_SLACK),
        "N_SIGNALS": sum(len(motion.signals) for motion in table.motions),
        "N_TURNS": sum(motion.turn is not None for motion in table.motions),
        "SOLVER_RK4": int(system.spec.fmu.solver == "rk4"),
        "SOLVER_STIFF": int(system.spec.fmu.solver == "stiff"),
        "P_TOLERANCE": table.tolerance,
        "P_STEP": table.step or 0,
        "STEPPED": _quoted([m.name for m in table.motions if m.level != "full"][:1] or [""])[0],
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
    """Write one routine; a long one as several functions that share an array."""
    static = "static " if routine.name.removesuffix("_tangent") in STAGES else ""
    formals = ", ".join(f"const double *{a}" for a in routine.arguments)
    head = f"{static}void model_{routine.name}({formals}, double *out)"
    operations = routine.operations
    chunks = [operations[k : k + CHUNK] for k in range(0, len(operations), CHUNK)] or [()]
    if len(chunks) == 1:
        return _block(head, _body(routine, chunks[0], {}, is_first=True))

    place = _shared(chunks)
    parts = [
        _block(
            f"static void {routine.name}_{k}({formals}, double *shared, double *out)",
            _body(routine, chunk, place, is_first=k == 0),
        )
        for k, chunk in enumerate(chunks)
    ]
    actuals = ", ".join(routine.arguments)
    calls = [f"{routine.name}_{k}({actuals}, shared, out);" for k in range(len(chunks))]
    return "\n".join([*parts, _block(head, [f"double shared[{max(len(place), 1)}];", *calls])])


def _block(head: str, body: Iterable[str]) -> str:
    return "\n".join([head, "{", *(f"    {line}" for line in body), "}", ""])


def _body(
    routine: Routine, chunk: Sequence[Operation], place: dict[int, int], *, is_first: bool
) -> Iterator[str]:
    """Write a chunk: what it needs, what it computes, what it hands on and puts out."""
    for name in (*routine.arguments, "out", *(["shared"] if place else [])):
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
    written = dict(routine.outputs)
    for index in range(routine.size):
        source = written.get(index)
        if source in own:
            yield f"out[{index}] = a{source};"
        elif is_first and source in (None, *given):
            yield f"out[{index}] = {'0.0' if source is None else given[source]};"


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


def number(value: float) -> str:
    """Write a double so that it reads back bit by bit."""
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(float(value))


def _tables(system: System, symbols: Symbols) -> str:
    table = system.table
    stages = _stages(table)
    depends_on_rate = {
        r.name: any(r.arguments[a] == "z" for _, a, _ in r.inputs) for r in symbols.routines
    }
    first_output = table.n_parameters + table.n_inputs
    stage_rows, stage_of = [], []
    for k, stage in enumerate(stages):
        places = table.stage_range(stage)
        needs = int(depends_on_rate[stage])
        stage_rows.append(
            f'{{"{stage}", model_{stage}, model_{stage}_tangent, '
            f"{places.start - first_output}, {len(places)}, {needs}}}"
        )
        stage_of += [str(k)] * len(places)
    infinite = math.inf
    parameters = table.parameters
    return "\n".join(
        [
            *_state_tables(system),
            *_row_tables(system),
            _array(
                "const char *const",
                "model_positive_name[N_POSITIVE + 1]",
                [*_quoted(need.where for need in system.positive), '""'],
            ),
            _array("const Stage", "model_stage[N_STAGES]", stage_rows),
            _array("const int", "model_stage_of[N_Y + 1]", [*stage_of, "0"]),
            _array(
                "const char *const",
                "model_name[N_REAL]",
                _quoted(v.name for v in system.all_variables),
            ),
            _array(
                "const double", "model_p_start[N_P]", [number(v.start or 0.0) for v in parameters]
            ),
            _array(
                "const double",
                "model_u_start[N_U + 1]",
                [*(number(v.start or 0.0) for v in table.inputs), "0.0"],
            ),
            *_motion_tables(table),
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
            _array("const int", "model_tunable[N_P]", [str(int(v.is_tunable)) for v in parameters]),
        ]
    )


def _motion_tables(table: Table) -> Iterator[str]:
    """Write what the runtime needs to know about prescribed motions."""
    input_of = {place: k for k, place in enumerate(table.acting)}
    tracks = [(motion, tuple(at.start for at in places)) for motion, places in table.tracks]
    rows = [
        f'{{"{motion.name}", TOLD_{motion.level.upper()}, {_braced(places)}, '
        f"{_braced(tuple(input_of.get(k, -1) for k in places))}}}"
        for motion, places in tracks
    ]
    yield _array("const Track", "model_track[N_TRACKS + 1]", [*rows, '{"", 0, {0}, {0}}'])
    made = (_braced((k, -1 if parameter is None else parameter)) for k, parameter in table.made)
    yield _array("const Made", "model_made[N_MADE + 1]", [*made, "{0, 0}"])
    yield _array("const int", "model_acting[N_U + 1]", [*map(str, table.acting), "0"])
    waits = [str(int(waits)) for waits in table.waiting]
    yield _array("const int", "model_waits[N_U + 1]", [*waits, "0"])


def _state_tables(system: System) -> Iterator[str]:
    """Write what the states are called, how large they are, and which of them are quaternions."""
    yield _array("const char *const", "model_state_name[N_X]", _quoted(system.state_names))
    sizes = (number(v.nominal or 1.0) for v in system.state_variables[: system.nx])
    yield _array("const double", "model_nominal[N_X]", sizes)
    places = [*map(str, system.quaternions), "0"]
    yield _array("const int", "model_quaternion[N_QUATERNIONS + 1]", places)
    joints = [*_quoted(joint.name for joint in system.quaternion_joints), '""']
    yield _array("const char *const", "model_quaternion_joint[N_QUATERNIONS + 1]", joints)


def _row_tables(system: System) -> Iterator[str]:
    """Write what the runtime needs to know about the rows of constraints."""
    if not system.rows:
        return
    rows = system.rows
    yield _array("const double", "model_row_weight[N_ROWS]", map(number, system.row_weight))
    names = _quoted(row.element for row in rows)
    yield _array("const char *const", "model_row_element[N_ROWS]", names)
    yield _array("const int", "model_row_turns[N_ROWS]", (str(int(row.turns)) for row in rows))
    sided = [*_quoted(branch_joints(system)), '""']
    yield _array("const char *const", "model_sided[N_SIDED + 1]", sided)
    for level, starts in system.starts.items():
        entries = (_braced((start.held, start.parameter, start.count)) for start in starts)
        yield _array("const Start", f"model_start_{level}[N_V]", entries)


def _braced(places: tuple[int, ...]) -> str:
    return "{" + ", ".join(map(str, places)) + "}"


def _quoted(names: Iterable[str]) -> list[str]:
    return ['"{}"'.format(name.replace('"', '\\"')) for name in names]


def _array(kind: str, declaration: str, entries: Iterable[str]) -> str:
    rows = "".join(f"    {entry},\n" for entry in entries)
    return f"{kind} {declaration} = {{\n{rows}}};\n"
