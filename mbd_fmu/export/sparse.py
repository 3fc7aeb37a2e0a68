"""The fast way of mechanisms with constraints: the motion in one routine.

Which rows take part, and how they are eliminated, is chosen at the assembled start. The C runtime
takes this way as long as its pivots vouch for it, else the dense one, which needs no choice:
``runtime/sparse.c``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.export.program import Program
from mbd_fmu.export.recorder import LONGEST_MOTION, Recorder, Symbol
from mbd_fmu.mechanics.body_elimination import (
    BodyElimination,
    body_elimination_of,
    factorise_along,
)
from mbd_fmu.mechanics.body_factor import BodyFactor
from mbd_fmu.mechanics.elimination import (
    Elimination,
    SparseFactor,
    elimination_of,
    factorise,
    independent_rows,
)
from mbd_fmu.reference.assembly import nominal_start
from mbd_fmu.spatial import Array, array, is_number
from mbd_fmu.system.plant import Closure, Equations, Plant
from mbd_fmu.system.system import System

LITTLE = 300  # products of an elimination that is not worth another look


@dataclass(frozen=True)
class FastWay:
    """What the runtime has to know of it."""

    rows: tuple[int, ...]  # that take part
    least_share: float  # of their pivots, down to which it is trusted
    n_factor: int  # numbers that a solution takes


def reach_of(system: System) -> Array:
    """Return the length at which each row is measured, in its own unit."""
    found: Array = system.length / system.row_weight
    return found


def chosen_eliminations(system: System, equations: Program) -> list[Elimination | BodyElimination]:
    """Choose rows and order for the equations; none where no pivots are sound at the start."""
    try:
        assembly, start = nominal_start(system.spec)
    except MbdFmuError:
        return []  # who builds is told by others
    reach, n = reach_of(system), len(system.state_v)
    there = equations.is_there("M", n), equations.is_there("J", n)
    for x in (start.x, assembly.beside(start.x)):
        at = assembly.plant.equations(x, assembly.u)
        with np.errstate(all="ignore"):
            rows = independent_rows(at.M, at.J, reach, start.generic_rank.all)
            joints = elimination_of(at.M, at.J, reach, rows, there)
        found: list[Elimination | BodyElimination] = [] if joints is None else [joints]
        if (joints is None or joints.work > LITTLE) and not _has_rotors_in_cuts(system):
            now = assembly.plant.instant(x, assembly.u)
            bodies = body_elimination_of(now.tree, now.configuration, now.rows.acting, rows, reach)
            found += [] if bodies is None else [bodies]
        if found:
            return found
    return []


def _has_rotors_in_cuts(system: System) -> bool:
    """They add to M what no body feels."""
    return any(system.spec.joints[k].armature for k in system.forest.cut)


def sparse_routines(
    recorder: Recorder,
    plant: Plant,
    parts: tuple[Equations, Closure],
    it: Symbol,
    equations: Program,
) -> tuple[list[Program], FastWay | None]:
    """Return the motion and a solution with its factor, and what the rows miss, each at a stroke.

    Of several ways the one with the fewest operations is taken.
    """
    eq, left = parts
    ways = [_Way(plant, chosen, eq, it) for chosen in chosen_eliminations(plant.system, equations)]
    if not ways:
        return [], None
    way = ways[recorder.least("motion", [way.motion for way in ways])]
    held = {
        "factor": recorder.tape.symbols(len(way.motion["factor"])),
        "force": it.vd,
        "row": it.lam,
    }
    gaps = {name: getattr(left, name) for name in ("sigma", "phi", "rounding")}
    routines = [
        recorder.routine("motion", it.given, way.motion, LONGEST_MOTION),
        recorder.routine("solution", held, {"v": way.solution(*held.values())}, LONGEST_MOTION),
        recorder.routine("gaps", it.given, gaps, LONGEST_MOTION),
    ]
    chosen = way.chosen
    return routines, FastWay(chosen.rows, chosen.least_share, len(held["factor"]))


class _Way:
    """The motion by one elimination."""

    def __init__(
        self, plant: Plant, chosen: Elimination | BodyElimination, eq: Equations, it: Symbol
    ) -> None:
        self.chosen = chosen
        reach = reach_of(plant.system)
        self.factor: SparseFactor | BodyFactor
        if isinstance(chosen, Elimination):
            self.factor = factorise(chosen, eq.M, eq.J, reach)
        else:
            at = plant.instant(it.x, it.u)
            where = at.tree, at.configuration, at.rows.acting
            self.factor = factorise_along(chosen, *where, reach)
        vd, lam = self.factor.solve(eq.f, plant.asked(eq))
        self.varying = {
            entry.node: entry
            for entries in self.factor.entries
            for entry in entries.flat
            if not is_number(entry)
        }
        self.motion = {
            "xd": plant.rates(it.x, it.u, vd),
            "lam": lam,
            "factor": array([*self.varying.values()]),
            "doubt": array([self.factor.doubt, self.factor.loss]),
        }

    def solution(self, factor: Array, force: Array, row: Array) -> Array:
        """Return the velocities that other right-hand sides give, with the numbers of a factor."""
        given = dict(zip(self.varying, factor, strict=True))
        entries = [_put(entries, given) for entries in self.factor.entries]
        return self.factor.with_entries(entries).solve(force, row)[0]


def _put(entries: Array, given: Mapping[int, object]) -> Array:
    """Put others where symbols are."""
    found = entries.copy()
    for place, entry in np.ndenumerate(entries):
        if not is_number(entry):
            found[place] = given[entry.node]
    return found
