"""The routines that are derivatives: of outputs and motion along a direction, and in time.

A tangent of y(x, u, ..., p) along (dx, du, ..., dp) is its derivative in that direction: one
routine gives any directional derivative, and along the motion itself the derivative of outputs in
time. Parameters are directions, too: initialization asks what follows from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from mbd_fmu.export.program import Program
from mbd_fmu.export.recorder import Recorder, Symbol
from mbd_fmu.system.plant import Equations, Plant
from mbd_fmu.system.system import System

_GIVEN = {"x": "dx", "u": "du", "p": "dp"}  # what everything is a function of, and how it changes


def tangent_of(recorder: Recorder, program: Program, *further: str) -> Program:
    """Return the tangent of a function of x, u and p, and further arguments."""
    return recorder.calculus.tangent(program, _GIVEN | {name: f"d{name}" for name in further})


def start_tangent(recorder: Recorder, start: Program) -> Program:
    """Return the tangent of the start values, as far as they are told."""
    found = recorder.calculus.tangent(start, {"p": "dp"})
    return found.bound(found.name, ("p", "dp"), {})


def second_rates(
    recorder: Recorder, system: System, plant: Plant, positions: Program, it: Symbol
) -> Iterator[Program]:
    """Yield the second derivatives in time: of coordinates, and of outputs that are positions.

    z = (q', v', ...) tells how x moves: q'' is the tangent of q'(q, v), and positions follow from
    q, q' and q''.
    """
    moving = {"x": "dx", "u": "du"}
    rates = np.concatenate([np.zeros(0), *plant.instant(it.x, it.u).rates()])[system.state_q]
    coordinates = recorder.routine("coordinates", it.given, {"q": rates})
    second = recorder.calculus.tangent(coordinates, moving)
    given: tuple[str, ...] = ("x", "u", "z", "p", "du")
    yield _named(recorder, second, "coordinates_second", given, {"dx": "z"}, "ddq")
    once = recorder.calculus.tangent(positions, moving)
    twice = {"x": "z", "u": "u_rate", "dx": "ddq", "du": "ddu"}
    second = recorder.calculus.tangent(once, twice)
    given = ("x", "u", "z", "p", "du", "ddq", "ddu")
    yield _named(recorder, second, "positions_second", given, {"dx": "z", "u_rate": "du"}, "ddy")


def _named(
    recorder: Recorder,
    program: Program,
    name: str,
    arguments: tuple[str, ...],
    to: dict[str, str],
    output: str,
) -> Program:
    """Give a program of one output its name and arguments, and that output its own."""
    bound = program.bound(name, arguments, to)
    ((_, results),) = bound.results.items()
    return recorder.calculus.simplified(bound.with_results({output: results}))


def load_gradients(recorder: Recorder, plant: Plant, it: Symbol) -> Iterator[Program]:
    """Yield the gradient of w . loads + mu . J^T lam in lam, and its tangent; for null multipliers.

    Both are linear in lam, and what accelerations add is left out.
    """
    still = np.zeros(len(it.vd))
    loads = plant.loads(it.x, it.u, still, it.lam)
    pull = plant.pull(it.x, it.u, it.lam)
    loaded = recorder.routine("load", {**it.given, "lam": it.lam}, {"loads": loads, "pull": pull})
    gradient = recorder.calculus.gradient(loaded, {"loads": "w", "pull": "mu"}, by="lam")
    gradient = gradient.bound("load_gradient", ("x", "u", "p", "w", "mu"), {})
    yield gradient
    yield tangent_of(recorder, gradient)


def residual_tangents(recorder: Recorder, plant: Plant, it: Symbol) -> Iterator[Program]:
    """Yield derivatives of what the equations of loops leave over, vd and lam held.

    f - M vd + J^T lam and gamma - J vd are zero; so the changes of vd and lam follow from theirs.
    """
    held = {"x": it.x, "u": it.u, "vd": it.vd, "lam": it.lam, "p": it.p}
    left = plant.residual(it.x, it.u, it.vd, it.lam)
    residual = recorder.routine("residual", held, {"force": left.force, "row": left.row})
    yield tangent_of(recorder, residual)


def residual_jacobians(
    recorder: Recorder, plant: Plant, eq: Equations, rates: Program, it: Symbol
) -> Iterator[Program]:
    """Yield derivatives of residuals and rates in x, in time and in vd: for the stiff method.

    That of the rows with the feedback that is chosen. None where routines are cut into kernels:
    then they are made of tangents, column by column.
    """
    left = plant.residual(it.x, it.u, it.vd, it.lam)
    row = plant.asked(replace(eq, gamma=left.row))
    held = {"x": it.x, "u": it.u, "vd": it.vd, "lam": it.lam, "p": it.p}
    outputs = {"force": left.force, "row": row, "rates": plant.rates(it.x, it.u, it.vd)}
    residual = recorder.routine("residual", held, outputs)
    if len(residual.calls) > 1 or len(rates.calls) > 1:
        return
    by_x = recorder.calculus.jacobian(residual, "x", {"u": "du"})
    yield by_x.bound("residual_jacobian", ("x", "u", "du", "vd", "lam", "p"), {})
    by_vd = recorder.calculus.jacobian(rates, "vd", {})
    yield by_vd.bound("rates_by_vd", ("x", "u", "vd", "p"), {}).with_results(
        {"by_vd": by_vd.results["xd"]}
    )


def jacobian(recorder: Recorder, derivatives: Program) -> Iterator[Program]:
    """Yield the derivatives of x' in x and in time, of a tree; none as above."""
    if len(derivatives.calls) > 1:
        return
    found = recorder.calculus.jacobian(derivatives, "x", {"u": "du"})
    by_x = found.bound("jacobian", ("x", "u", "du", "p"), {})
    yield by_x.with_results({"jacobian": found.results["xd"]})
