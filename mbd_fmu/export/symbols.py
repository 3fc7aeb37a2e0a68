"""The equations in symbols: routines for the code, and on what each output depends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mbd_fmu.export.casadi_door import (
    Column,
    Routine,
    column,
    entries,
    evaluator,
    pattern,
    routine,
    slope,
    stacked,
    symbols,
)
from mbd_fmu.export.dependencies import (
    Assembling,
    assembled_patterns,
    feeds,
    solution_patterns,
    without_effect,
)
from mbd_fmu.export.sparse import sparse_routines
from mbd_fmu.export.tangents import (
    Symbol,
    assembly_tangents,
    residual_jacobians,
    second_rates,
    stage_tangents,
    start_tangent,
    tangent_of,
)
from mbd_fmu.mechanics.elimination import Elimination
from mbd_fmu.spatial import Array, array
from mbd_fmu.system.outputs.block import STAGES
from mbd_fmu.system.plant import Plant, plant_of
from mbd_fmu.system.system import System


@dataclass(frozen=True)
class Symbols:
    """The equations of a system, ready to be written in any language."""

    routines: tuple[Routine, ...]
    depends_on_input: Array  # (n outputs, n inputs), bool
    depends_on_state: Array  # (n outputs, n states), bool
    rates_depend: Array  # (n states, n inputs + n states), bool
    depends_initially: Array  # (n outputs + 2 n states, n parameters + n inputs), bool
    elimination: Elimination | None = None  # of the constraints, where they have a fast way


def symbols_of(system: System) -> Symbols:
    """Run the equations on symbols."""
    n_p, n_u, n_x = system.table.n_parameters, system.table.n_acting, system.nx
    sizes = {"p": n_p, "u": n_u, "x": n_x, "z": system.nz}
    sizes |= {"dx": n_x, "du": n_u, "dz": system.nz, "ddu": n_u, "dp": n_p}
    it = Symbol(*symbols(**sizes))
    plant = plant_of(system, entries(it.p))
    start = column(plant.start())
    stage = {
        name: column(plant.outputs(name, entries(it.x), entries(it.u), entries(it.z)))
        for name in STAGES
        if system.table.stage_range(name)
    }
    motion = (_constrained if system.rows else _free)(system, plant, start, it)
    z_of, x_of = motion.solution, motion.start
    at = {"x": it.x, "u": it.u, "z": it.z, "p": it.p}
    routines = [
        routine("start", {"p": it.p}, {"x": column(plant.given_start())}),
        start_tangent(start, it),
        *_positive(system, it),
        *motion.routines,
        *(routine(name, at, {"y": y}) for name, y in stage.items()),
        *stage_tangents(stage, it),
        *second_rates(system, plant, stage, it),
    ]
    y = stacked(list(stage.values()))
    y_of_u = pattern(y, it.u) | pattern(y, it.z) @ z_of["u"]
    y_of_u &= ~without_effect(system)
    y_of_x = pattern(y, it.x) | pattern(y, it.z) @ z_of["x"]
    xd_of = {name: depends[:n_x] for name, depends in z_of.items()}
    at_once, at_start = feeds(system)

    def initially(of_p: Array, of_u: Array, of_x: Array) -> Array:
        depends = (of_u | of_x @ x_of["u"]) @ at_start
        depends[:, :n_p] |= of_p | of_x @ x_of["p"]
        return depends

    y_of_p = pattern(y, it.p) | pattern(y, it.z) @ z_of["p"]
    return Symbols(
        tuple(routines),
        y_of_u @ at_once,
        y_of_x,
        np.hstack([xd_of["u"] @ at_once, xd_of["x"]]),
        np.vstack(
            [
                initially(y_of_p, y_of_u, y_of_x),
                initially(x_of["p"], x_of["u"], np.zeros((n_x, n_x), dtype=bool)),
                initially(xd_of["p"], xd_of["u"], xd_of["x"]),
            ]
        ),
        motion.elimination,
    )


def _positive(system: System, it: Symbol) -> list[Routine]:
    """By how much things are not negative that must not be, and that no limit keeps so."""
    if not system.positive:
        return []
    values = system.named(entries(it.p))
    beyond = [need.quantity.value(values) - need.least for need in system.positive]
    return [routine("positive", {"p": it.p}, {"beyond": column(array(beyond))})]


class _MotionRoutines(NamedTuple):
    """Routines of the motion; what its solution z depends on, and what the start values do."""

    routines: list[Routine]
    solution: dict[str, Array]
    start: dict[str, Array]
    elimination: Elimination | None = None


def _free(system: System, plant: Plant, start: Column, it: Symbol) -> _MotionRoutines:
    """Of a tree."""
    rate = column(plant.derivatives(entries(it.x), entries(it.u)))
    outputs = {"xd": rate}
    routines = [routine("derivatives", it.given, outputs), tangent_of("derivatives", outputs, it)]
    if system.spec.fmu.solver == "stiff":
        arguments = {"x": it.x, "u": it.u, "du": it.du, "p": it.p}
        jacobian = slope(rate, it.x, [(it.u, it.du)])
        routines.append(routine("jacobian", arguments, {"jacobian": jacobian}))
    return _MotionRoutines(
        routines,
        {name: pattern(rate, s) for name, s in it.given.items()},
        {name: pattern(start, it.given[name]) for name in ("p", "u")},
    )


def _constrained(system: System, plant: Plant, start: Column, it: Symbol) -> _MotionRoutines:
    """Of a mechanism with constraints."""
    vd, lam = symbols(vd=len(system.state_v), lam=len(system.rows))
    at = entries(it.x), entries(it.u)
    eq = plant.equations(*at)
    left = plant.closure(*at)
    missed = {"sigma": column(left.sigma), "phi": column(left.phi)}
    rates = column(plant.rates(*at, entries(vd)))
    loads = column(plant.loads(*at, entries(vd), entries(lam)))
    retract, cut_coordinates = (
        column(plant.retract(*at, entries(vd))),
        column(plant.cut_coordinates(*at)),
    )
    displacement = column(plant.displacement(*at, entries(it.dx)))
    given, xu = it.given, {"x": it.x, "u": it.u}
    matrices = {"M": column(eq.M.ravel()), "f": column(eq.f), "J": column(eq.J.ravel())}
    rows = {name: column(getattr(eq, name)) for name in ("gamma", "sigma", "phi", "rounding")}
    closure = {"J": column(left.J.ravel()), **missed, "rounding": column(left.rounding)}
    sparse, elimination = sparse_routines(system, plant, eq, left, it)
    routines = [
        routine("equations", given, matrices | rows),
        routine("closure", given, closure),
        routine("rates", {**xu, "vd": vd, "p": it.p}, {"xd": rates}),
        routine("retract", {**xu, "d": vd, "p": it.p}, {"moved": retract}),
        routine("displacement", {**xu, "dx": it.dx, "p": it.p}, {"d": displacement}),
        routine("cut_coordinates", given, {"moved": cut_coordinates}),
        routine("branch_cosines", given, {"cosines": column(plant.branch_cosines(*at))}),
        routine("loads", {**xu, "vd": vd, "lam": lam, "p": it.p}, {"loads": loads}),
        *residual_jacobians(system, eq, (rates, loads), (vd, lam), it),
        *assembly_tangents(missed, retract, cut_coordinates, vd, it),
        *sparse,
    ]
    return _MotionRoutines(
        routines,
        solution_patterns(eq, rates, vd, it),
        assembled_patterns(system, Assembling(eq, start, cut_coordinates), it),
        elimination,
    )


def function_of(system: System) -> Callable[..., Array]:
    """Return (x, u, p) -> dx/dt and all outputs of a tree, by CasADi's own machine; for tests."""
    table = system.table
    p, u, x = symbols(p=table.n_parameters, u=table.n_acting, x=system.nx)
    plant = plant_of(system, entries(p))
    rate = plant.derivatives(entries(x), entries(u))
    outputs = [plant.outputs(stage, entries(x), entries(u), rate) for stage in STAGES]
    return evaluator([x, u, p], column(rate, *outputs))


def operation_count(routines: Sequence[Routine]) -> dict[str, int]:
    """Return the number of operations of each routine."""
    return {routine.name: len(routine.operations) for routine in routines}
