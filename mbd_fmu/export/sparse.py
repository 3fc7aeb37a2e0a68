"""The fast way of mechanisms with constraints: the motion in one routine.

Which rows and which order are chosen at the assembled start. The C runtime takes this way as long
as its pivots vouch for it, else the dense one, which needs no choice: ``runtime/sparse.c``.
"""

from __future__ import annotations

import numpy as np

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.export.program import Program
from mbd_fmu.export.recorder import LONGEST_MOTION, Recorder, Symbol
from mbd_fmu.mechanics.elimination import (
    Elimination,
    elimination_of,
    factorise,
    independent_rows,
)
from mbd_fmu.reference.assembly import nominal_start
from mbd_fmu.spatial import Array, array
from mbd_fmu.system.plant import Closure, Equations, Plant
from mbd_fmu.system.system import System


def reach_of(system: System) -> Array:
    """Return the length at which each row is measured, in its own unit."""
    found: Array = system.length / system.row_weight
    return found


def chosen_elimination(system: System, equations: Program) -> Elimination | None:
    """Choose rows and order for the equations; None where only the dense way is right.

    That is where a velocity moves no mass, and where no order has sound pivots at the start.
    """
    try:
        assembly, start = nominal_start(system.spec)
    except MbdFmuError:
        return None  # who builds is told by others
    reach, n = reach_of(system), len(system.state_v)
    there = equations.is_there("M", n), equations.is_there("J", n)
    for x in (start.x, assembly.beside(start.x)):
        at = assembly.plant.equations(x, assembly.u)
        if not (np.diag(at.M) > 0.0).all():
            continue
        with np.errstate(all="ignore"):
            rows = independent_rows(at.M, at.J, reach, start.generic_rank.all)
            found = elimination_of(at.M, at.J, reach, rows, there)
        if found is not None:
            return found
    return None


def sparse_routines(
    recorder: Recorder,
    plant: Plant,
    elimination: Elimination | None,
    parts: tuple[Equations, Closure],
    it: Symbol,
) -> list[Program]:
    """Return the motion, and what the rows miss, each at a stroke."""
    if elimination is None:
        return []
    eq, left = parts
    factor = factorise(elimination, eq.M, eq.J, reach_of(plant.system))
    vd, lam = factor.solve(eq.f, plant.asked(eq))
    motion = {
        "xd": plant.rates(it.x, it.u, vd),
        "lam": lam,
        "L": array([entry for below in factor.L for entry in below]),
        "d_inverse": array(factor.d_inverse),
        "doubt": array([factor.doubt, factor.loss]),
    }
    gaps = {name: getattr(left, name) for name in ("sigma", "phi", "rounding")}
    return [
        recorder.routine("motion", it.given, motion, LONGEST_MOTION),
        recorder.routine("gaps", it.given, gaps, LONGEST_MOTION),
    ]
