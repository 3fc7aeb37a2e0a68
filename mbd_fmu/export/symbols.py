"""The equations in symbols: routines for the code, and on what each output depends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mbd_fmu.export.dependencies import (
    Assembling,
    assembled_patterns,
    feeds,
    product,
    solution_patterns,
    without_effect,
)
from mbd_fmu.export.program import Program
from mbd_fmu.export.recorder import LONGEST_MOTION, Recorder, Symbol
from mbd_fmu.export.sparse import FastWay, sparse_routines
from mbd_fmu.export.tangents import (
    jacobian,
    load_gradients,
    residual_jacobians,
    residual_tangents,
    second_rates,
    start_tangent,
    tangent_of,
)
from mbd_fmu.options import AUTO
from mbd_fmu.spatial import Array, array
from mbd_fmu.system.outputs.block import STAGES
from mbd_fmu.system.plant import Closure, Equations, Plant, plant_of
from mbd_fmu.system.system import System


@dataclass(frozen=True)
class Symbols:
    """The equations of a system, ready to be written in any language."""

    routines: tuple[Program, ...]
    depends_on_input: Array  # (n computed, n inputs), bool; derived parameters, then outputs
    depends_on_state: Array  # (n computed, n states), bool
    rates_depend: Array  # (n states, n inputs + n states), bool
    depends_initially: Array  # (n computed + 2 n states, n parameters + n inputs), bool
    fast_way: FastWay | None = None  # of the constraints, where they have one


def symbols_of(system: System, code: str = AUTO, like: System | None = None) -> Symbols:
    """Run the equations on symbols; ``like`` another system, code has the shape that its has."""
    cuts = None
    if like is not None:
        first = Recorder(code)
        with first.tape.listening():
            _recorded(first, like)
        cuts = first.cuts
    recorder = Recorder(code, cuts)
    with recorder.tape.listening():
        return _recorded(recorder, system)


def _recorded(recorder: Recorder, system: System) -> Symbols:
    it = recorder.symbols(system)
    n_p, n_x = system.table.n_parameters, system.nx
    plant = plant_of(system, it.p)
    start = recorder.routine("start", {"p": it.p, "u": it.u}, {"x": plant.start()})
    stage = {
        name: plant.outputs(name, it.x, it.u, it.z)
        for name in STAGES
        if system.table.stage_range(name)
    }
    motion = (_constrained if system.rows else _free)(recorder, system, plant, start, it)
    z_of, x_of = motion.solution, motion.start
    at = {"x": it.x, "u": it.u, "z": it.z, "p": it.p}
    outputs = {name: recorder.routine(name, at, {"y": y}) for name, y in stage.items()}
    routines = [
        recorder.routine("start", {"p": it.p}, {"x": plant.given_start()}),
        start_tangent(recorder, start),
        *_positive(recorder, system, it),
        *motion.routines,
        *outputs.values(),
        *(tangent_of(recorder, routine, "z") for routine in outputs.values()),
    ]
    if "positions" in stage:
        routines += second_rates(recorder, system, plant, outputs["positions"], it)
    y_of = {
        name: np.vstack(
            [
                np.zeros((0, len(symbols)), dtype=bool),
                *(routine.pattern("y", name) for routine in outputs.values()),
            ]
        )
        for name, symbols in at.items()
    }
    y_of_u = y_of["u"] | product(y_of["z"], z_of["u"])
    y_of_u &= ~without_effect(system)
    y_of_x = y_of["x"] | product(y_of["z"], z_of["x"])
    xd_of = {name: depends[:n_x] for name, depends in z_of.items()}
    at_once, at_start = feeds(system)

    def initially(of_p: Array, of_u: Array, of_x: Array) -> Array:
        depends = product(of_u | product(of_x, x_of["u"]), at_start)
        depends[:, :n_p] |= of_p | product(of_x, x_of["p"])
        return depends

    y_of_p = y_of["p"] | product(y_of["z"], z_of["p"])
    return Symbols(
        tuple(routines),
        product(y_of_u, at_once),
        y_of_x,
        np.hstack([product(xd_of["u"], at_once), xd_of["x"]]),
        np.vstack(
            [
                initially(y_of_p, y_of_u, y_of_x),
                initially(x_of["p"], x_of["u"], np.zeros((n_x, n_x), dtype=bool)),
                initially(xd_of["p"], xd_of["u"], xd_of["x"]),
            ]
        ),
        motion.fast_way,
    )


def _positive(recorder: Recorder, system: System, it: Symbol) -> list[Program]:
    """By how much things are not negative that must not be, and that no limit keeps so."""
    if not system.positive:
        return []
    values = system.named(it.p)
    beyond = [need.quantity.value(values) - need.least for need in system.positive]
    return [recorder.routine("positive", {"p": it.p}, {"beyond": array(beyond)})]


class _MotionRoutines(NamedTuple):
    """Routines of the motion; what its solution z depends on, and what the start values do."""

    routines: list[Program]
    solution: dict[str, Array]
    start: dict[str, Array]
    fast_way: FastWay | None = None


def _free(
    recorder: Recorder, system: System, plant: Plant, start: Program, it: Symbol
) -> _MotionRoutines:
    """Of a tree."""
    rates = {"xd": plant.derivatives(it.x, it.u)}
    derivatives = recorder.routine("derivatives", it.given, rates, LONGEST_MOTION)
    in_pieces = recorder.routine("derivatives", it.given, rates)  # nobody waits for its tangents
    routines = [derivatives, tangent_of(recorder, in_pieces)]
    if system.spec.fmu.solver == "stiff":
        routines += jacobian(recorder, in_pieces)
    return _MotionRoutines(
        routines,
        {name: derivatives.pattern("xd", name) for name in it.given},
        {name: start.pattern("x", name) for name in ("p", "u")},
    )


def _constrained(
    recorder: Recorder, system: System, plant: Plant, start: Program, it: Symbol
) -> _MotionRoutines:
    """Of a mechanism with constraints."""
    at = it.x, it.u
    eq, left = plant.equations(*at), plant.closure(*at)
    given, xu = it.given, {"x": it.x, "u": it.u}
    each_step = {
        "equations": (given, {"M": eq.M.ravel(), "f": eq.f, "J": eq.J.ravel(), **_missed(eq)}),
        "closure": (given, {"J": left.J.ravel(), **_missed(left)}),
        "rates": ({**xu, "vd": it.vd, "p": it.p}, {"xd": plant.rates(*at, it.vd)}),
        "retract": ({**xu, "d": it.vd, "p": it.p}, {"moved": plant.retract(*at, it.vd)}),
        "displacement": ({**xu, "dx": it.dx, "p": it.p}, {"d": plant.displacement(*at, it.dx)}),
        "cut_coordinates": (given, {"moved": plant.cut_coordinates(*at)}),
        "branch_cosines": (given, {"cosines": plant.branch_cosines(*at)}),
        "loads": (
            {**xu, "vd": it.vd, "lam": it.lam, "p": it.p},
            {"loads": plant.loads(*at, it.vd, it.lam)},
        ),
    }
    named = {name: recorder.routine(name, *parts) for name, parts in each_step.items()}
    missed = recorder.routine("closure", given, {"sigma": left.sigma, "phi": left.phi})
    sparse, fast_way = sparse_routines(recorder, plant, (eq, left), it, named["equations"])
    routines = [
        *named.values(),
        *residual_tangents(recorder, plant, it),
        tangent_of(recorder, named["rates"], "vd"),
        tangent_of(recorder, named["loads"], "vd", "lam"),
        *load_gradients(recorder, plant, it),
        tangent_of(recorder, missed),
        tangent_of(recorder, named["cut_coordinates"]),
        tangent_of(recorder, named["retract"], "d"),
        *sparse,
    ]
    if system.spec.fmu.solver == "stiff":
        routines += residual_jacobians(recorder, plant, eq, named["rates"], it)
    return _MotionRoutines(
        routines,
        solution_patterns(
            *(named[name] for name in ("equations", "rates", "loads")),
            is_shared=fast_way is None or len(fast_way.rows) < len(system.rows),
        ),
        assembled_patterns(system, Assembling(named["equations"], start, named["cut_coordinates"])),
        fast_way,
    )


def _missed(rows: Equations | Closure) -> dict[str, Array]:
    """What rows miss, as the C takes it."""
    names = ("gamma", "sigma", "phi", "rounding")
    return {name: getattr(rows, name) for name in names if hasattr(rows, name)}


def operation_count(routines: Sequence[Program]) -> dict[str, int]:
    """Return the number of operations of each routine."""
    return {routine.name: routine.n_operations for routine in routines}
