"""Directional derivatives of a mechanism's motion and outputs in numbers, exact: from the symbols.

Directions are small changes of what a state is made of,

    d   displacements of the tree, one per free velocity,      v   those velocities,
    u   what acts on the equations,                            p   parameters,

a column each. The equations of motion M dv/dt = f + J^T lam, J dv/dt = gamma leave nothing over:

    force = f - M dv/dt + J^T lam = 0,    row = gamma - J dv/dt = 0                           (1)

so the changes of dv/dt and lam follow from those of force and row at held dv/dt and lam, by the
same solve. Displacements d are told in axes that go along with the child, so they change by

    d(d)/dt = v + [what the axes turn meanwhile]                                              (2)

which is v alone for joints that turn and slide about given axes. Of redundant rows the multipliers
are those of the least loads w = L lam + ...; with J mu = -L^T w their changes follow, too.    (3)

Source   Eich-Soellner & Fuehrer (1998), ch. 2: linear constrained motion; (2) is the variational
         equation on a group, see Mueller & Terze, Mech. Mach. Theory 82 (2014), p. 173.
Checked  tests/laws/test_linearization.py
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from mbd_fmu.analysis.operating_point import OperatingPoint
from mbd_fmu.export.casadi_door import evaluator
from mbd_fmu.export.program import Program
from mbd_fmu.export.recorder import Recorder
from mbd_fmu.export.tangents import load_gradients
from mbd_fmu.mechanics.constrained import solve_constrained
from mbd_fmu.spatial import Array
from mbd_fmu.system.outputs.block import OUTPUT_STAGES
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import System
from mbd_fmu.system.weightless import COARSE_RANK


class Tangents:
    """See above. What is asked for first takes the time to make it; then it is there."""

    def __init__(self, system: System) -> None:
        self.system = system
        n_u, n_p, n_v = system.table.n_acting, system.table.n_parameters, len(system.state_v)
        self.sizes = {"d": n_v, "v": n_v, "u": n_u, "p": n_p}
        self._recorder = Recorder()
        self._symbol = self._recorder.symbols(system)
        self._plant = plant_of(system, self._symbol.p)

    def directions(self, **parts: Array) -> Array:
        """Return directions, a column each; parts that are not named stay as they are."""
        count = next(iter(parts.values())).shape[1]
        return np.vstack(
            [parts.get(name, np.zeros((size, count))) for name, size in self.sizes.items()]
        )

    def closure(self, at: OperatingPoint, directions: Array) -> tuple[Array, Array]:
        """How phi and sigma of the rows change."""
        size = self.system.n_holonomic + len(self.system.rows)
        found = self._each(self._closure, at, (at.x, at.u, at.p), directions, size)
        return found[: self.system.n_holonomic], found[self.system.n_holonomic :]

    def accelerations(self, at: OperatingPoint, directions: Array) -> Array:
        """How the accelerations of the free velocities change."""
        return self._solution(at, directions)[: self.sizes["v"]]

    def displacement_rates(self, at: OperatingPoint, directions: Array) -> Array:
        """How the rates of displacements change; see (2)."""
        nv, n_q = self.sizes["v"], len(self.system.state_q)
        rate = np.concatenate([at.rates[:n_q], np.zeros(self.system.nx - n_q)])
        given = at.x, at.u, at.p
        turned = [
            self._displacement(*given, along, rate) - self._displacement(*given, rate, along)
            for along in self.states(at, directions).T
        ]
        return directions[nv : 2 * nv] - _columns(turned, nv)

    def states(self, at: OperatingPoint, directions: Array) -> Array:
        """How the states x change, coordinates of cut joints with the others."""
        return self._split(at, directions)[0]

    def outputs(self, at: OperatingPoint, directions: Array) -> Array:
        """How all outputs change, in the order of the table."""
        changes = self._solution(at, directions)
        nv = self.sizes["v"]
        vd, lam = changes[:nv], self._least_loads(at, directions, changes)
        given = (at.x, at.u, at.p, at.vd, at.multipliers)
        parts = zip(*(part.T for part in (*self._split(at, directions), vd, lam)), strict=True)
        return _columns([self._outputs(*given, *part) for part in parts], len(at.y))

    # --- The solve ---

    def _solution(self, at: OperatingPoint, directions: Array) -> Array:
        """How accelerations and multipliers change: (1)."""
        nv = self.sizes["v"]
        given = (at.x, at.u, at.p, at.vd, at.multipliers)
        residual = self._each(self._residual, at, given, directions, nv + len(at.multipliers))
        found = []
        for change in residual.T:
            if not len(at.multipliers):
                found.append(np.linalg.solve(at.M, change))
                continue
            solved = solve_constrained(
                at.M,
                change[:nv],
                at.J,
                change[nv:],
                self.system.row_weight,
                at.rank,
                COARSE_RANK,
                self.system.length,
            )
            found.append(np.concatenate([solved.v, solved.multipliers]))
        return _columns(found, nv + len(at.multipliers))

    def _least_loads(self, at: OperatingPoint, directions: Array, changes: Array) -> Array:
        """How the multipliers change where rows are redundant: (3)."""
        nv, N = self.sizes["v"], at.null_multipliers
        dlam = changes[nv:]
        if not N.shape[1] or not dlam.shape[1]:
            return dlam
        given = (at.x, at.u, at.p, at.vd, at.multipliers)
        load = self._loads(*given)
        L = self._loads_by_multipliers(*given)
        mu = np.linalg.lstsq(at.J, -(L.T @ load), rcond=COARSE_RANK)[0]
        parts = self._split(at, directions)
        found = []
        for k, along in enumerate(zip(*(part.T for part in parts), strict=True)):
            moved = self._loads_tangent(*given, *along, changes[:nv, k])
            turned = self._gradient_tangent(at.x, at.u, at.p, load, mu, *along)
            asked = N.T @ (L.T @ (moved + L @ dlam[:, k]) + turned)
            found.append(dlam[:, k] - N @ np.linalg.solve(N.T @ L.T @ L @ N, asked))
        return _columns(found, len(at.multipliers))

    def _each(
        self,
        function: Callable[..., Array],
        at: OperatingPoint,
        given: tuple[Array, ...],
        directions: Array,
        size: int,
    ) -> Array:
        parts = self._split(at, directions)
        found = [function(*given, *along) for along in zip(*(p.T for p in parts), strict=True)]
        return _columns(found, size)

    def _split(self, at: OperatingPoint, directions: Array) -> tuple[Array, Array, Array]:
        """Return the changes of x, u and p."""
        ends = np.cumsum(list(self.sizes.values()))[:-1]
        d, v, u, p = np.split(directions, ends)
        moved = [self._moved(at.x, at.u, at.p, *part) for part in zip(d.T, u.T, p.T, strict=True)]
        x = _columns(moved, self.system.nx)
        n = len(self.system.state_q)
        x[n : n + len(v)] = v
        return x, u, p

    # --- In symbols ---

    def _recorded(self, *names: str, **outputs: Array) -> Program:
        """Return outputs as a function of x, u, p and what else is named."""
        given = {**self._symbol.given, **{name: getattr(self._symbol, name) for name in names}}
        return self._recorder.routine("outputs", given, outputs)

    def _change(self, program: Program, *names: str) -> Callable[..., Array]:
        """Return the change of a program with x, u, p and what else is named, behind its own."""
        along = {name: f"d{name}" for name in ("x", "u", "p", *names)}
        return evaluator(self._recorder.calculus.tangent(program, along))

    @cached_property
    def _moved(self) -> Callable[..., Array]:
        """Change of x with d, u and p; velocities stay."""
        it = self._symbol
        moved = self._plant.retract(it.x, it.u, it.vd)
        if self.system.forest.cut:
            moved = self._plant.cut_coordinates(moved, it.u)
        program = self._recorder.routine("moved", {**it.given, "d": it.vd}, {"x": moved})
        change = self._recorder.calculus.tangent(program, {"d": "dd", "u": "du", "p": "dp"})
        whole, still = evaluator(change), np.zeros(self.sizes["d"])
        return lambda x, u, p, *along: whole(x, u, p, still, *along)

    @cached_property
    def _closure(self) -> Callable[..., Array]:
        left = self._plant.closure(self._symbol.x, self._symbol.u)
        return self._change(self._recorded(phi=left.phi, sigma=left.sigma))

    @cached_property
    def _residual(self) -> Callable[..., Array]:
        it = self._symbol
        left = self._plant.residual(it.x, it.u, it.vd, it.lam)
        return self._change(self._recorded("vd", "lam", force=left.force, row=left.row))

    @cached_property
    def _displacement(self) -> Callable[..., Array]:
        """The change along dx of the displacement that w, a change of x, is."""
        it = self._symbol
        found = self._plant.displacement(it.x, it.u, it.dx)
        program = self._recorder.routine("displacement", {**it.given, "w": it.dx}, {"d": found})
        change = evaluator(self._recorder.calculus.tangent(program, {"x": "dx"}))
        return lambda x, u, p, dx, w: change(x, u, p, w, dx)

    @cached_property
    def _outputs(self) -> Callable[..., Array]:
        """The change of all outputs, accelerations and multipliers changing by dvd and dlam."""
        it, n = self._symbol, len(self.system.state_q)
        z: Array = np.zeros(self.system.nz, dtype=object)
        z[n : n + len(it.vd)] = it.vd
        z[self.system.nx : self.system.nx + len(it.lam)] = it.lam
        y = [self._plant.outputs(stage, it.x, it.u, z) for stage in OUTPUT_STAGES]
        program = self._recorded("vd", "lam", y=np.concatenate(y))
        return self._change(program, "vd", "lam")

    @cached_property
    def _load_program(self) -> Program:
        it = self._symbol
        loads = self._plant.loads(it.x, it.u, it.vd, it.lam)
        return self._recorded("vd", "lam", loads=loads)

    @cached_property
    def _loads(self) -> Callable[..., Array]:
        return evaluator(self._load_program)

    @cached_property
    def _loads_by_multipliers(self) -> Callable[..., Array]:
        """The derivatives of the loads in the multipliers, a column each."""
        along = evaluator(self._recorder.calculus.tangent(self._load_program, {"lam": "dlam"}))
        units = np.eye(len(self._symbol.lam))
        return lambda *given: np.stack([along(*given, unit) for unit in units], axis=1)

    @cached_property
    def _loads_tangent(self) -> Callable[..., Array]:
        return self._change(self._load_program, "vd")

    @cached_property
    def _gradient_tangent(self) -> Callable[..., Array]:
        """The change of L^T w + J mu with w and mu held; neither depends on vd and lam."""
        _, change = load_gradients(self._recorder, self._plant, self._symbol)
        return evaluator(change)


def _columns(found: list[Array], size: int) -> Array:
    return np.stack(found, axis=1) if found else np.zeros((size, 0))
