"""The equations in symbols: routines for the code, and on what each output depends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from mbd_fmu.export.casadi_door import (
    Column,
    Routine,
    column,
    entries,
    evaluator,
    is_there,
    pattern,
    routine,
    slope,
    stacked,
    symbols,
)
from mbd_fmu.export.plant import Equations, Plant
from mbd_fmu.export.system import System
from mbd_fmu.export.tangents import Symbol, second_rates, slopes, stage_tangents, tangents_of
from mbd_fmu.export.variables import RATE_STAGES, STAGES
from mbd_fmu.model.spec import GROUND
from mbd_fmu.spatial import Array, array
from mbd_fmu.topology.connect import BASE_BODY


@dataclass(frozen=True)
class Symbols:
    """The equations of a system, ready to be written in any language."""

    routines: tuple[Routine, ...]
    depends_on_input: Array  # (n outputs, n inputs), bool
    depends_on_state: Array  # (n outputs, n states), bool
    rates_depend: Array  # (n states, n inputs + n states), bool
    depends_initially: Array  # (n outputs + 2 n states, n parameters + n inputs), bool


def symbols_of(system: System) -> Symbols:
    """Run the equations on symbols."""
    n_p, n_u, n_x = system.table.n_parameters, system.table.n_acting, system.nx
    it = Symbol(*symbols(p=n_p, u=n_u, x=n_x, z=system.nz, dx=n_x, du=n_u, dz=system.nz, ddu=n_u))
    plant = system.plant(entries(it.p))
    start = column(plant.start())
    stage = {
        name: column(plant.outputs(name, entries(it.x), entries(it.u), entries(it.z)))
        for name in STAGES
        if system.table.stage_range(name)
    }
    motion, z_of = (_constrained if system.rows else _free)(system, plant, it)
    at = {"x": it.x, "u": it.u, "z": it.z, "p": it.p}
    routines = [
        routine("start", {"p": it.p}, start),
        *_positive(system, it),
        *motion,
        *(routine(name, at, y) for name, y in stage.items()),
        *stage_tangents(stage, it),
        *second_rates(system, plant, stage, it),
    ]
    y = stacked(list(stage.values()))
    y_of_u = pattern(y, it.u) | pattern(y, it.z) @ z_of["u"]
    y_of_u &= ~_without_effect(system)
    y_of_x = pattern(y, it.x) | pattern(y, it.z) @ z_of["x"]
    xd_of = {name: depends[:n_x] for name, depends in z_of.items()}
    x_of_p = pattern(start, it.p)
    x_of_u = np.zeros((n_x, n_u), dtype=bool)
    if system.rows:  # assembled from all start values, and where loops follow a motion, from that
        x_of_p[:] = x_of_p.any(axis=0)
        told = [k for motion in system.table.motions for k in range(n_u)[motion.inputs]]
        x_of_u[:, told] = True
    at_once, at_start = _feeds(system)

    def initially(of_p: Array, of_u: Array, of_x: Array) -> Array:
        depends = (of_u | of_x @ x_of_u) @ at_start
        depends[:, :n_p] |= of_p | of_x @ x_of_p
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
                initially(x_of_p, x_of_u, np.zeros((n_x, n_x), dtype=bool)),
                initially(xd_of["p"], xd_of["u"], xd_of["x"]),
            ]
        ),
    )


def _positive(system: System, it: Symbol) -> list[Routine]:
    """By how much things are not negative that must not be, and that no limit keeps so."""
    if not system.positive:
        return []
    values = system.named(entries(it.p))
    beyond = [need.quantity.value(values) - need.least for need in system.positive]
    return [routine("positive", {"p": it.p}, column(array(beyond)))]


def _free(system: System, plant: Plant, it: Symbol) -> tuple[list[Routine], dict[str, Array]]:
    """Routines of a tree; and on what its derivatives depend."""
    rate = column(plant.derivatives(entries(it.x), entries(it.u)))
    at = {"x": it.x, "u": it.u, "p": it.p}
    routines = [routine("derivatives", at, rate), *tangents_of({"derivatives": rate}, at, it)]
    if system.spec.fmu.solver == "stiff":
        arguments = {"x": it.x, "u": it.u, "du": it.du, "p": it.p}
        routines.append(routine("jacobian", arguments, slope(rate, it.x, [(it.u, it.du)])))
    return routines, {name: pattern(rate, s) for name, s in it.given.items()}


def _constrained(
    system: System, plant: Plant, it: Symbol
) -> tuple[list[Routine], dict[str, Array]]:
    """Routines of a mechanism with constraints; and on what its solution z depends."""
    vd, lam = symbols(vd=len(system.state_v), lam=len(system.rows))
    at = entries(it.x), entries(it.u)
    eq = plant.equations(*at)
    left = plant.closure(*at)
    gap = np.zeros(1)  # C has no arrays of no entries: see Closure in runtime/model.h
    closure = column(left.J.ravel(), left.sigma, left.phi, gap, left.rounding)
    rates = column(plant.rates(*at, entries(vd)))
    loads = column(plant.loads(*at, entries(vd), entries(lam)))
    displacement = column(plant.displacement(*at, entries(it.dx)))
    xu = {"x": it.x, "u": it.u}
    routines = [
        routine("equations", {**xu, "p": it.p}, stacked([_gathered(eq), column(gap, eq.rounding)])),
        routine("closure", {**xu, "p": it.p}, closure),
        routine("rates", {**xu, "vd": vd, "p": it.p}, rates),
        routine("moved", {**xu, "d": vd, "p": it.p}, column(plant.moved(*at, entries(vd)))),
        routine("displacement", {**xu, "dx": it.dx, "p": it.p}, displacement),
        routine("measured", {**xu, "p": it.p}, column(plant.measured(*at))),
        routine("upright", {**xu, "p": it.p}, column(plant.upright(*at))),
        routine("loads", {**xu, "vd": vd, "lam": lam, "p": it.p}, loads),
        *slopes(system, eq, (rates, loads), (vd, lam), it),
    ]
    depends = _coupled_patterns(eq, rates, vd, it)
    return routines, depends


def _gathered(eq: Equations) -> Column:
    return column(eq.M.ravel(), eq.f, eq.J.ravel(), eq.gamma, eq.sigma, eq.phi)


def _coupled_patterns(eq: Equations, rates: Column, vd: Column, it: Symbol) -> dict[str, Array]:
    """Accelerations and multipliers feel everything they are coupled with by M and J."""
    m, n = eq.J.shape
    coupled = np.zeros((n + m, n + m), dtype=bool)
    coupled[:n, :n], coupled[n:, :n] = is_there(eq.M), is_there(eq.J)
    coupled |= coupled.T | np.eye(n + m, dtype=bool)
    for _ in range(int(np.ceil(np.log2(n + m + 1)))):
        coupled = coupled @ coupled
    z_of = {}
    for name, symbol in it.given.items():
        direct = pattern(column(eq.f, eq.gamma), symbol)
        # M and J themselves act on all that they couple
        of_entries = pattern(column(eq.M.ravel(), eq.J.ravel()), symbol)
        direct |= of_entries.reshape(n + m, n, -1).any(axis=1)
        solved = coupled @ direct
        of_rates = pattern(rates, symbol) | pattern(rates, vd) @ solved[:n]
        of_quality = pattern(column(eq.sigma, eq.phi), symbol).any(axis=0, keepdims=True)
        of_rank = pattern(_gathered(eq), symbol).any(axis=0, keepdims=True)
        z_of[name] = np.vstack([of_rates, solved[n:], of_quality, of_quality, of_rank])
    return z_of


def _feeds(system: System) -> tuple[Array, Array]:
    """Which inputs are felt at once in what acts; and which parameters and inputs at the start.

    Where steps make a motion of what is told, it is felt later. An FMU that model exchange can use,
    too, says what holds there: all inputs are felt at once.
    """
    table = system.table
    n_p, acting = table.n_parameters, list(table.acting)
    waits = np.array(table.waiting, dtype=bool) & table.is_stepped
    inputs = np.arange(table.n_inputs)
    at_once = np.zeros((table.n_acting, table.n_inputs), dtype=bool)
    at_once[acting, inputs] = ~waits
    at_start = np.zeros((table.n_acting, n_p + table.n_inputs), dtype=bool)
    at_start[acting, n_p + inputs] = True
    for k, parameter in table.made:
        if parameter is not None:
            at_start[k, parameter] = True
    return at_once, at_start


def _without_effect(system: System) -> Array:
    """Which outputs do not feel which inputs although the operations mention them.

    Galilei: the velocity of a base that carries everything changes no acceleration and no force.
    """
    table = system.table
    void = np.zeros((len(table.outputs), table.n_acting), dtype=bool)
    on_ground = [j.name for j in system.spec.joints if GROUND in (j.parent, j.child)]
    if on_ground != [BASE_BODY] or not system.spec.moving_base:
        return void
    velocity = [signal[1] for motion in table.motions[:1] for signal in motion.signals]
    first_output = table.n_parameters + table.n_inputs
    for stage in RATE_STAGES:
        rows = [vr - first_output for vr in table.stage_range(stage)]
        void[np.ix_(rows, velocity)] = True
    return void


def function_of(system: System) -> Callable[..., Array]:
    """Return (x, u, p) -> dx/dt and all outputs of a tree, by CasADi's own machine; for tests."""
    table = system.table
    p, u, x = symbols(p=table.n_parameters, u=table.n_acting, x=system.nx)
    plant = system.plant(entries(p))
    rate = plant.derivatives(entries(x), entries(u))
    outputs = [plant.outputs(stage, entries(x), entries(u), rate) for stage in STAGES]
    return evaluator([x, u, p], column(rate, *outputs))


def operation_count(routines: Sequence[Routine]) -> dict[str, int]:
    """Return the number of operations of each routine."""
    return {routine.name: len(routine.operations) for routine in routines}
