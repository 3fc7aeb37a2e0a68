"""The fast way of mechanisms with constraints: the motion in one straight-line routine.

Which rows and which order are chosen at the assembled start. The C runtime takes this way as long
as its pivots vouch for it, else the dense one, which needs no choice: ``runtime/sparse.c``.
"""

from __future__ import annotations

import numpy as np

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.export.casadi_door import Routine, column, entries, is_there, routine
from mbd_fmu.export.tangents import Symbol
from mbd_fmu.mechanics.elimination import (
    Elimination,
    elimination_of,
    factorise,
    independent_rows,
)
from mbd_fmu.reference.assembly import Assembly
from mbd_fmu.spatial import Array, array
from mbd_fmu.system.plant import Closure, Equations, Plant, plant_of
from mbd_fmu.system.system import System

LONGEST = 20_000  # operations of the motion; forty four-bars in a row have half of that, and
# building them takes a quarter longer for it: beyond, the compiler would take minutes


def reach_of(system: System) -> Array:
    """Return the length at which each row is measured, in its own unit."""
    found: Array = system.length / system.row_weight
    return found


def chosen_elimination(system: System, eq: Equations) -> Elimination | None:
    """Choose rows and order for the equations; None where only the dense way is right.

    That is without projection, where rows that are left out would drift from the others, where a
    velocity moves no mass, and where no order has sound pivots at the start.
    """
    if system.spec.fmu.stabilization != "projection":
        return None
    plant, u = plant_of(system, system.nominal_parameters()), system.nominal_inputs()
    assembly = Assembly(plant, u)
    try:
        start = assembly.assemble(plant.start())
    except MbdFmuError:
        return None  # who builds is told by others
    there, reach = (is_there(eq.M), is_there(eq.J)), reach_of(system)
    for x in (start.x, assembly.beside(start.x)):
        at = plant.equations(x, u)
        if not (np.diag(at.M) > 0.0).all():
            continue
        with np.errstate(all="ignore"):
            rows = independent_rows(at.M, at.J, reach, start.generic_rank.all)
            found = elimination_of(at.M, at.J, reach, rows, there)
        if found is not None:
            return found
    return None


def sparse_routines(
    system: System, plant: Plant, eq: Equations, left: Closure, it: Symbol
) -> tuple[list[Routine], Elimination | None]:
    """Return the motion and what the rows miss, each at a stroke, and how the rows were chosen."""
    chosen = chosen_elimination(system, eq)
    if chosen is None:
        return [], None
    factor = factorise(chosen, eq.M, eq.J, reach_of(system))
    vd = factor.solve(eq.f, eq.gamma)
    motion = {
        "xd": column(plant.rates(entries(it.x), entries(it.u), vd)),
        "L": column(array([entry for below in factor.L for entry in below])),
        "d_inverse": column(array(factor.d_inverse)),
        "doubt": column(array([factor.doubt])),
    }
    gaps = {name: column(getattr(left, name)) for name in ("sigma", "phi", "rounding")}
    found = routine("motion", it.given, motion)
    if len(found.operations) > LONGEST:
        return [], None
    return [found, routine("gaps", it.given, gaps)], chosen
