"""The generated half of the C: sizes and tables, and the Model that names them and the equations.

The fields are those of ``Model`` in runtime/model.h, which says what they mean; a name that is not
there, or a routine with other arguments than there, is an error of the compiler.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from mbd_fmu.export.program import Program
from mbd_fmu.export.sparse import FastWay
from mbd_fmu.system.outputs.block import STAGES, Stage
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import System
from mbd_fmu.system.variables import Table

_TEXT = "char *const"


def model_tables(
    system: System,
    routines: Sequence[Program],
    fast_way: FastWay | None,
    memory: int,
    guid: str,
) -> str:
    """Write the tables, and the Model; its routines take so much memory."""
    stages = _stages(system.table)
    tables = {
        name: (kind, entries)
        for name, kind, entries in (
            *_variable_tables(system),
            *_motion_tables(system.table),
            *_state_tables(system),
            *_row_tables(system),
            *_fast_tables(fast_way),
            *_stage_tables(system.table, stages, routines),
        )
        if entries  # C has no arrays of no entries
    }
    fields = _quantities(system, stages, guid)
    fields["n_memory"] = str(memory)
    if fast_way is not None:
        fields["n_chosen"] = str(len(fast_way.rows))
        fields["n_factor"] = str(fast_way.n_factor)
        fields["least_share"] = number(fast_way.least_share)
    fields |= {name: f"{name}_table" for name in tables}
    fields |= {
        routine.name: f"model_{routine.name}"
        for routine in routines
        if routine.name.removesuffix("_tangent") not in stages
    }
    lines = "".join(f"    .{name} = {value},\n" for name, value in fields.items())
    arrays = [
        array_text(f"{name}_table", kind, entries) for name, (kind, entries) in tables.items()
    ]
    return "\n".join([*arrays, f"const Model this_model = {{\n{lines}}};\n"])


def _quantities(system: System, stages: Sequence[str], guid: str) -> dict[str, str]:
    """All that is no table: what the mechanism is, its sizes, places of parameters."""
    table, fmu = system.table, system.spec.fmu
    stepped = _quoted(motion.name for motion in table.told if motion.level != "full")
    sizes = {
        "n_p": table.n_parameters,
        "n_u": table.n_inputs,
        "n_y": table.n_derived + len(table.outputs),
        "n_derived": table.n_derived,
        "n_x": system.nx,
        "n_q": len(system.state_q),
        "n_v": len(system.state_v),
        "n_z": system.nz,
        "n_w": table.n_acting,
        "n_rows": len(system.rows),
        "n_holonomic": system.n_holonomic,
        "n_loads": system.n_loads,
        "n_branches": len(_branch_joints(system)) if system.rows else 0,
        "n_quaternions": len(system.states.quaternions),
        "n_positive": len(system.positive),
        "n_made": len(table.made),
        "n_stages": len(stages),
        "n_signals": sum(len(motion.signals) for motion in table.told),
        "n_turns": sum(motion.turn is not None for motion in table.told),
        "p_tolerance": table.tolerance,
        "p_step": -1 if table.step is None else table.step,
        "p_gains": table.gains or 0,
        "positions": stages.index("positions") if "positions" in stages else -1,
    }
    return {
        "guid": f'"{guid}"',
        "mechanism": "&loop_mechanism" if system.rows else "&tree_mechanism",
        "method": f"&{fmu.solver}_method",
        **({"motions": "&prescribed_motions"} if table.told else {}),
        "stabilization": f"STABILIZATION_{fmu.stabilization.upper()}",
        "length": number(system.length),
        **({"stepped": stepped[0]} if stepped else {}),
        **{name: str(size) for name, size in sizes.items()},
        **({"has_time": "1"} if table.time is not None else {}),
        **({"has_rows_on_cuts": "1"} if system.has_rows_on_cuts else {}),
    }


_Table = tuple[str, str, list[str]]  # field of the Model, type of its entries, entries


def _variable_tables(system: System) -> Iterator[_Table]:
    """Yield what is known of parameters, inputs and all variables."""
    parameters, inputs = system.table.parameters, system.table.inputs
    yield "name", _TEXT, _quoted(v.name for v in system.all_variables)
    yield "p_start", "double", [number(v.start or 0.0) for v in parameters]
    yield "p_min", "double", [number(-math.inf if v.min is None else v.min) for v in parameters]
    yield "p_max", "double", [number(math.inf if v.max is None else v.max) for v in parameters]
    yield "p_tunable", "int", [str(int(v.is_tunable)) for v in parameters]
    yield "u_start", "double", [number(v.start or 0.0) for v in inputs]
    yield "positive_name", _TEXT, _quoted(need.where for need in system.positive)


def _motion_tables(table: Table) -> Iterator[_Table]:
    """Yield what is known of prescribed motions."""
    input_of = {place: k for k, place in enumerate(table.acting)}
    tracks = [(motion, tuple(at.start for at in places)) for motion, places in table.tracks]
    yield (
        "track",
        "Track",
        [
            f'{{"{motion.name}", PRESCRIBED_{motion.level.upper()}, {_braced(places)}, '
            f"{_braced(input_of.get(k, -1) for k in places)}}}"
            for motion, places in tracks
        ],
    )
    made = [_braced((k, -1 if parameter is None else parameter)) for k, parameter in table.made]
    yield "made", "Made", made
    yield "acting", "int", [str(place) for place in table.acting]
    yield "waits", "int", [str(int(waits)) for waits in table.waiting]


def _state_tables(system: System) -> Iterator[_Table]:
    """Yield what the states are called, how large they are, and which of them are quaternions."""
    yield "state_name", _TEXT, _quoted(system.states.names)
    sizes = [number(v.nominal or 1.0) for v in system.states.variables[: system.nx]]
    yield "nominal", "double", sizes
    yield "quaternion", "int", [str(place) for place in system.states.quaternions]
    yield (
        "quaternion_joint",
        _TEXT,
        _quoted(joint.name for joint in system.states.quaternion_joints),
    )


def _row_tables(system: System) -> Iterator[_Table]:
    """Yield what is known of the rows of constraints."""
    if not system.rows:
        return
    elements = _quoted(row.element for row in system.rows)
    rows = zip(elements, system.rows, strict=True)
    yield "row", "Row", [f"{{{element}, {int(row.turns)}}}" for element, row in rows]
    yield "row_weight", "double", [number(weight) for weight in system.row_weight]
    yield "branch_joint", _TEXT, _quoted(_branch_joints(system))
    for level, starts in system.starts.items():
        entries = [_braced((start.held, start.parameter, start.count)) for start in starts]
        yield f"start_{level}", "Start", entries


def _branch_joints(system: System) -> tuple[str, ...]:
    """For each of the ``branch_cosines``, the joint it belongs to."""
    plant, u = plant_of(system, system.nominal_parameters()), system.nominal_inputs()
    cuts = plant.instant(plant.start(), u).cuts
    names = [system.spec.joints[k].name for k in system.forest.cut]
    return tuple(n for n, cut in zip(names, cuts, strict=True) for _ in cut.branch_cosines())


def _fast_tables(fast_way: FastWay | None) -> Iterator[_Table]:
    """Yield which rows the fast way takes."""
    if fast_way is not None:
        yield "chosen", "int", [str(row) for row in fast_way.rows]


def _stages(table: Table) -> list[str]:
    return [stage for stage in STAGES if table.stage_range(stage)]


def _stage_tables(
    table: Table, stages: Sequence[str], routines: Sequence[Program]
) -> Iterator[_Table]:
    """Yield what is known of the stages of outputs."""
    needs = {
        routine.name: "NEEDS_Z" if routine.takes("z") else "NEEDS_X" for routine in routines
    } | {Stage.DERIVED.value: "NEEDS_P"}
    places = {stage: table.stage_range(stage) for stage in stages}
    yield (
        "stage",
        "Stage",
        [
            f'{{"{stage}", model_{stage}, model_{stage}_tangent, '
            f"{found.start - table.first_computed}, {len(found)}, {needs[stage]}}}"
            for stage, found in places.items()
        ],
    )
    yield "stage_of", "int", [str(k) for k, stage in enumerate(stages) for _ in places[stage]]


def number(value: float) -> str:
    """Write a double so that it reads back bit by bit."""
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(float(value))


def _braced(places: Iterable[int]) -> str:
    return "{" + ", ".join(map(str, places)) + "}"


def _quoted(names: Iterable[str]) -> list[str]:
    return ['"{}"'.format(name.replace('"', '\\"')) for name in names]


def array_text(name: str, kind: str, entries: Iterable[str]) -> str:
    """Write an array of constants."""
    rows = "".join(f"    {entry},\n" for entry in entries)
    return f"static const {kind} {name}[] = {{\n{rows}}};\n"
