"""Exact derivatives in symbols: of outputs and motion along a direction, and for the stiff solver.

A tangent of y(x, u, ..., p) along (dx, du, ..., dp) is its derivative in that direction: one
routine gives any directional derivative, and along the motion itself the derivative of outputs in
time. Parameters are directions, too: initialization asks what follows from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from mbd_fmu.export.casadi_door import (
    Column,
    Routine,
    by_rows,
    column,
    entries,
    gradient,
    routine,
    slope,
    stacked,
    symbols,
    tangent,
    tangents,
)
from mbd_fmu.spatial import array
from mbd_fmu.system.plant import Equations, Plant
from mbd_fmu.system.system import System


@dataclass(frozen=True)
class Symbol:
    """Parameters, inputs, states and solution, with directions; second rates of inputs."""

    p: Column
    u: Column
    x: Column
    z: Column
    dx: Column
    du: Column
    dz: Column
    ddu: Column
    dp: Column

    @property
    def directions(self) -> dict[str, Column]:
        """How that may change."""
        return {"dx": self.dx, "du": self.du, "dp": self.dp}

    @property
    def along(self) -> list[tuple[Column, Column]]:
        """Both, in pairs."""
        return [(self.x, self.dx), (self.u, self.du), (self.p, self.dp)]

    @property
    def given(self) -> dict[str, Column]:
        """What everything is a function of."""
        return {"x": self.x, "u": self.u, "p": self.p}


def tangent_of(name: str, outputs: Mapping[str, Column], it: Symbol) -> Routine:
    """Return the tangent of a function of x, u and p."""
    arguments = {**it.given, **it.directions}
    return routine(f"{name}_tangent", arguments, tangents(outputs, it.along))


def start_tangent(start: Column, it: Symbol) -> Routine:
    """Return the tangent of the start values, as far as they are told."""
    change = tangent(start, [(it.p, it.dp)])
    return routine("start_tangent", {"p": it.p, "dp": it.dp}, {"dx": change})


def assembly_tangents(
    closure: Mapping[str, Column], retract: Column, cut_coordinates: Column, d: Column, it: Symbol
) -> Iterator[Routine]:
    """Yield the tangents of what brings start values to the constraints."""
    yield tangent_of("closure", closure, it)
    yield tangent_of("cut_coordinates", {"moved": cut_coordinates}, it)
    (dd,) = symbols(dd=d.shape[0])
    arguments = {"x": it.x, "u": it.u, "d": d, "p": it.p, **it.directions, "dd": dd}
    change = tangent(retract, [*it.along, (d, dd)])
    yield routine("retract_tangent", arguments, {"dmoved": change})


def stage_tangents(stages: Mapping[str, Column], it: Symbol) -> Iterator[Routine]:
    """Yield the tangents of outputs, stage by stage."""
    arguments = {"x": it.x, "u": it.u, "z": it.z, "p": it.p}
    directions = {**it.directions, "dz": it.dz}
    for name, y in stages.items():
        along = tangent(y, [*it.along, (it.z, it.dz)])
        yield routine(f"{name}_tangent", {**arguments, **directions}, {"dy": along})


def second_rates(
    system: System, plant: Plant, stages: Mapping[str, Column], it: Symbol
) -> Iterator[Routine]:
    """Yield the second derivatives in time of outputs that are positions.

    They follow from q, q' and q'': with z = (q', v', ...) the last is the tangent of q'(q, v).
    """
    if "positions" not in stages:
        return
    at = plant.instant(entries(it.x), entries(it.u))
    rates = column(*at.rates())
    q_rate = stacked([rates[int(k)] for k in system.state_q])
    zeros = column(np.zeros(system.nx - len(system.state_q)))
    # along the motion: q moves by z's first part, v by its second
    moving = [(it.x, it.z[: system.nx]), (it.u, it.du)]
    first = tangent(stages["positions"], [(it.x, stacked([q_rate, zeros])), (it.u, it.du)])
    second = tangent(first, [*moving, (it.du, it.ddu)])
    arguments = {"x": it.x, "u": it.u, "z": it.z, "p": it.p, "du": it.du, "ddu": it.ddu}
    yield routine("positions_second", arguments, {"ddy": second})


def residual_jacobians(
    system: System,
    eq: Equations,
    functions: tuple[Column, Column],
    unknowns: tuple[Column, Column],
    it: Symbol,
) -> Iterator[Routine]:
    """Yield derivatives of what the equations of loops leave over, vd and lam held.

    force = f - M vd + J^T lam and row = gamma - J vd are zero; so the changes of vd and lam follow
    from theirs.
    """
    rates, loads = functions
    vd, lam = unknowns
    dvd, dlam, w, mu = symbols(dvd=vd.shape[0], dlam=lam.shape[0], w=loads.shape[0], mu=vd.shape[0])
    force = column(eq.f - eq.M @ entries(vd) + eq.J.T @ entries(lam))
    row = eq.gamma - eq.J @ entries(vd)
    at = {"x": it.x, "u": it.u, "vd": vd, "lam": lam, "p": it.p}
    yield routine(
        "residual_tangent",
        {**at, **it.directions},
        tangents({"force": force, "row": column(row)}, it.along),
    )
    yield routine(
        "rates_tangent",
        {"x": it.x, "u": it.u, "vd": vd, "p": it.p, **it.directions, "dvd": dvd},
        {"dxd": tangent(rates, [*it.along, (vd, dvd)])},
    )
    yield routine(
        "loads_tangent",
        {**at, **it.directions, "dvd": dvd, "dlam": dlam},
        {"dloads": tangent(loads, [*it.along, (vd, dvd), (lam, dlam)])},
    )
    # For null multipliers: the gradient of w . loads + mu . J^T lam in lam, and its tangent.
    pull = entries(mu) @ (eq.J.T @ entries(lam))
    along_lam = gradient(column(array([entries(w) @ entries(loads) + pull])), lam)
    on = {"x": it.x, "u": it.u, "p": it.p, "w": w, "mu": mu}
    yield routine("load_gradient", on, {"gradient": along_lam})
    change = tangent(along_lam, it.along)
    yield routine("load_gradient_tangent", {**on, **it.directions}, {"dgradient": change})
    if system.spec.fmu.solver == "stiff":
        if system.table.gains is not None:
            alpha, beta = entries(it.p)[system.table.gains : system.table.gains + 2]
            row = row - array([2.0 * alpha * sigma for sigma in eq.sigma])
            for k, phi in enumerate(eq.phi):
                row[k] = row[k] - beta * beta * phi
        by_x = {
            name: slope(y, it.x, [(it.u, it.du)])
            for name, y in (("force", force), ("row", column(row)), ("rates", rates))
        }
        arguments = {"x": it.x, "u": it.u, "du": it.du, "vd": vd, "lam": lam, "p": it.p}
        yield routine("residual_jacobian", arguments, {**by_x, "by_vd": by_rows(rates, vd)})
