"""Symbols for the mechanics to run on, and routines of what comes out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mbd_fmu.export.calculus import Calculus
from mbd_fmu.export.program import Kernels, Program
from mbd_fmu.export.recording import Named, cut, straight
from mbd_fmu.export.tape import INPUT, Tape, flat
from mbd_fmu.options import AUTO, KERNELS
from mbd_fmu.spatial import Array
from mbd_fmu.system.system import System

# Operations beyond which a routine is cut into kernels: of what steps wait for, and of the rest.
# Measured: docs/decisions.md, "Straight-line code and kernels".
LONGEST_MOTION, LONGEST = 20_000, 2_000


@dataclass(frozen=True)
class Symbol:
    """Parameters, inputs, states and solution; accelerations and multipliers of loops."""

    p: Array
    u: Array
    x: Array
    z: Array
    vd: Array
    lam: Array
    dx: Array  # a change of x

    @property
    def given(self) -> dict[str, Array]:
        """What everything is a function of."""
        return {"x": self.x, "u": self.u, "p": self.p}


class Recorder:
    """What is done with symbols is recorded, and becomes programs.

    Routines are cut by their length, or as another recorder has cut its own of the same names:
    constants are folded within pieces, so only the same cuts have the same bits.
    """

    def __init__(self, code: str = AUTO, cuts: Mapping[str, int] | None = None) -> None:
        self.tape, self._kernels, self._code = Tape(), Kernels(), code
        self.calculus = Calculus(self._kernels)
        self.cuts: dict[
            str, int
        ] = {}  # by name, numbered where several have it; and what was least
        self._known, self._named = cuts or {}, Counter[str]()

    def symbols(self, system: System) -> Symbol:
        """Return symbols for all that a system is a function of."""
        n_p, n_u = system.table.n_parameters, system.table.n_acting
        n_v, m = len(system.state_v), len(system.rows)
        sizes = (n_p, n_u, system.nx, system.nz, n_v, m, system.nx)
        return Symbol(*(self.tape.symbols(size) for size in sizes))

    def routine(self, name: str, given: Named, outputs: Named, longest: int = LONGEST) -> Program:
        """Return the program of outputs as a function of what is given."""
        is_cut = self._code == KERNELS
        self._named[name] += 1
        key = f"{name} {self._named[name]}"
        if self._code == AUTO:
            is_cut = bool(self._known.get(key, self.operations(outputs) > longest))
        self.cuts[key] = is_cut
        record = cut if is_cut else straight
        return self.calculus.simplified(record(self._kernels, self.tape, name, given, outputs))

    def least(self, name: str, ways: Sequence[Named]) -> int:
        """Return which of several ways to the same takes the fewest operations."""
        taken = [self.operations(outputs) for outputs in ways]
        self.cuts[name] = self._known.get(name, taken.index(min(taken)))
        return self.cuts[name]

    def operations(self, outputs: Named) -> int:
        """Count what outputs take."""
        names = self.tape.names
        return sum(names[n] != INPUT for n in self.tape.live(flat(outputs)))
