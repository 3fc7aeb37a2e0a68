"""A system with its parameters put in: the functions that become code.

    tree        x' = f(x, u)
    loops       M dv/dt = f + J^T lam,  J dv/dt = gamma;   x' = r(x, u, dv/dt)
    outputs     y = g(x, u, z),  z = (x', lam, quality)

Floats in, floats out; symbols in, symbols out. Only what solves the equations of loops is for
numbers alone: in the FMU, ``runtime/constrained.c`` does it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mbd_fmu.mechanics.constrained import ConstrainedSolution, rank_tolerance, solve_constrained
from mbd_fmu.mechanics.equations import Instant
from mbd_fmu.mechanics.passes import each
from mbd_fmu.mechanics.tree import Tree, tree_of
from mbd_fmu.spatial import Array, array, scaled, times
from mbd_fmu.system.outputs.block import OUTPUT_STAGES, Solved
from mbd_fmu.system.system import System


@dataclass(frozen=True)
class Equations:
    """Of the free velocities: M dv/dt = f + J^T lam, J dv/dt = gamma; and what the rows miss."""

    M: Array
    f: Array
    J: Array
    gamma: Array
    phi: Array  # of the holonomic rows
    sigma: Array
    rounding: Array  # of phi, in shares of the machine epsilon


@dataclass(frozen=True)
class Closure:
    """What the rows miss, J of the free velocities, and how well phi can be known at all."""

    J: Array
    sigma: Array
    phi: Array
    rounding: Array  # of phi, in shares of the machine epsilon


@dataclass(frozen=True)
class Residual:
    """What the equations leave over: f - M dv/dt + J^T lam, and gamma - J dv/dt."""

    force: Array
    row: Array


@dataclass(frozen=True)
class Plant:
    """See above."""

    system: System
    p: Array
    tree: Tree
    drives: Array | None = None  # of every velocity; where inputs drive a joint, theirs count

    def start(self) -> Array:
        """x(0), as far as it is given, quaternions of length 1."""
        return self._normalized(self.given_start())

    def given_start(self) -> Array:
        """Return the start values as they are written down."""
        named = self.system.named(self.p)
        given = [entry.value(self.p, named) for entry in self.system.table.start]
        return array([*given, *([0.0] * (self.system.nx - len(given)))])

    def _normalized(self, x: Array) -> Array:
        x = x.copy()
        for k in self.system.states.quaternions:
            length = np.sqrt(array([times(x[k : k + 4], x[k : k + 4])]))[0]
            x[k : k + 4] = scaled(1.0 / length, x[k : k + 4])
        return x

    def coordinates(self, x: Array, u: Array) -> tuple[Array, Array, Array]:
        """q of all joints, v of the tree, and the accelerations that are prescribed."""
        system, forest = self.system, self.system.forest
        n = len(system.state_q)
        kind = np.result_type(x, u)
        n_q = forest.every_q[-1].stop if len(forest) else 0
        q, v, vd = (np.zeros(k, dtype=kind) for k in (n_q, forest.nv, forest.nv))
        q[system.state_q], v[system.state_v] = x[:n], x[n : n + len(system.state_v)]
        time, parameters = system.table.time_of(u), self.tree.places.parameters
        for motion in system.table.motions:
            prescribed = motion.prescribed(u, time, parameters)
            at, dof = forest.q[motion.joint], forest.v[motion.joint]
            q[at], v[dof], vd[dof] = prescribed.q, prescribed.v, prescribed.vd
        return q, v, vd

    def instant(
        self, x: Array, u: Array, vd: Array | None = None, lam: Array | None = None
    ) -> Instant:
        """Return the instant at x; ``vd`` holds accelerations of the states, if they are known."""
        table = self.system.table
        q, v, known = self.coordinates(x, u)
        if vd is not None:
            known = known.astype(np.result_type(known, vd))
            known[self.system.state_v] = vd
        drive = np.zeros(self.system.n_drives, dtype=u.dtype)
        if self.drives is not None:
            drive[:] = self.drives
        for k, n in table.driven:
            drive[n] = u[k]
        time = table.time_of(u)
        for n, torque in table.torques:
            drive[n] = drive[n] + torque.value(time, self.tree.places.parameters)
        forces = u[table.first_force_input : table.time]
        return Instant(
            self.tree, q, v, vd=known, drive=drive, force_inputs=forces, lam=lam, time=time
        )

    # --- Trees ---

    def derivatives(self, x: Array, u: Array, generic_rank: int | None = None) -> Array:
        """x' under the inputs u; of loops, for numbers only."""
        if self.system.rows:
            return self.rates(x, u, self.accelerated(x, u, generic_rank).v)
        at = self.instant(x, u)
        vd, taken = at.accelerate()
        return self._rates(at, vd[self.system.state_v], taken)

    def _rates(self, at: Instant, vd: Array, taken: Array) -> Array:
        rates = np.concatenate([np.zeros(0), *at.rates()])
        power = at.powers(taken) if self.system.table.has_work else []
        return np.concatenate([rates[self.system.state_q], vd, array(power)])

    # --- Loops ---

    def equations(self, x: Array, u: Array) -> Equations:
        """Return the equations of the free velocities."""
        at, free = self.instant(x, u), self.system.state_v
        return Equations(
            M=at.inertia[np.ix_(free, free)],
            f=at.generalized_force[free],
            J=at.rows.J[:, free],
            gamma=at.rows.gamma,
            phi=at.rows.phi,
            sigma=at.rows.sigma,
            rounding=self._rounding(at),
        )

    def residual(self, x: Array, u: Array, vd: Array, lam: Array) -> Residual:
        """Return what the equations leave over, from the forces that such a motion takes."""
        at, nv = self.instant(x, u, vd, lam), self.system.forest.nv
        missing = at.drive[:nv] - at.driving
        return Residual(missing[self.system.state_v], at.rows.gamma)

    def pull(self, x: Array, u: Array, lam: Array) -> Array:
        """J^T lam: what multipliers exert along the free velocities."""
        found: Array = self.instant(x, u).pull(lam)[self.system.state_v]
        return found

    def asked(self, eq: Equations) -> Array:
        """Return gamma with Baumgarte's feedback where it is chosen."""
        gains = self.system.table.gains
        if gains is None:
            return eq.gamma
        alpha, beta = self.p[gains], self.p[gains + 1]
        found = [g - 2.0 * alpha * sigma for g, sigma in zip(eq.gamma, eq.sigma, strict=True)]
        for k, phi in enumerate(eq.phi):
            found[k] = found[k] - beta * beta * phi
        return array(found)

    def inertia(self, x: Array, u: Array) -> Array:
        """Return M of the free velocities; no force is looked at."""
        free = self.system.state_v
        found: Array = self.instant(x, u).inertia[np.ix_(free, free)]
        return found

    def closure(self, x: Array, u: Array) -> Closure:
        """Return what the rows miss, with J of the free velocities."""
        at = self.instant(x, u)
        rows = at.rows
        return Closure(rows.J[:, self.system.state_v], rows.sigma, rows.phi, self._rounding(at))

    def _rounding(self, at: Instant) -> Array:
        """How well phi is known; never better than lengths of the characteristic one are."""
        weight = self.system.row_weight[: self.system.n_holonomic]
        return at.rounding + self.system.length / weight

    def rates(self, x: Array, u: Array, vd: Array) -> Array:
        """x' when the free velocities accelerate by vd.

        What prescribed motions take follows from the power all joints transmit: constraints do no
        work.
        """
        at = self.instant(x, u, vd)
        rates = self._rates(at, vd, at.drive)
        if self.system.table.motions and self.system.table.has_work:
            free, through = self.system.state_v, at.driving.copy()
            through[free] = through[free] - at.drive[free]
            rates[len(rates) - 2] = rates[len(rates) - 2] + times(through, at.v)
        return rates

    def retract(self, x: Array, u: Array, d: Array) -> Array:
        """x with the coordinates of the tree displaced by d, a small motion per free velocity.

        Joints with prescribed motion stay where they are: no time passes. Coordinates of cut
        joints go along where rows look at them.
        """
        system = self.system
        n, q = len(system.state_q), self.coordinates(x, u)[0]
        v = np.zeros(system.forest.nv, dtype=np.result_type(q, d))
        v[system.state_v] = d
        rates = np.concatenate([np.zeros(0), *Instant(self.tree, q, v).rates()])
        moved = self._normalized(np.concatenate([x[:n] + rates[system.state_q], x[n:]]))
        return self.seen_by_rows(moved, u)

    def displacement(self, x: Array, u: Array, dx: Array) -> Array:
        """Return the d by which x is displaced when its coordinates change by those of dx."""
        q, dq = (self.coordinates(part, u)[0] for part in (x, dx))
        at, forest = self.instant(x, u), self.system.forest
        found = np.zeros(forest.nv, dtype=np.result_type(q, dq))
        for i in each(range(len(forest))):
            kind, place, dof = at.tree.joint[i], forest.q[i], forest.v[i]
            # columns of dq/dt = B v are orthogonal, whatever the joint
            columns = [kind.rate(q[place], unit) for unit in np.eye(dof.stop - dof.start)]
            found[dof] = array([times(b, dq[place]) / times(b, b) for b in columns])
        return found[self.system.state_v]

    def seen_by_rows(self, x: Array, u: Array) -> Array:
        """x with coordinates of cut joints as the bodies say, where rows look at them."""
        return self.cut_coordinates(x, u) if self.system.has_rows_on_cuts else x

    def cut_coordinates(self, x: Array, u: Array) -> Array:
        """x with the coordinates of cut joints as the bodies say."""
        cuts = self.instant(x, u).cuts
        q = [cuts[k].cut_coordinates() for k in each(range(len(cuts)))]
        n = len(self.system.state_q)
        first = n - sum(map(len, q))
        return np.concatenate([x[:first], *q, x[n:]])

    def branch_cosines(self, x: Array, u: Array) -> Array:
        """Cosines that are negative where a cut joint is closed the wrong way round."""
        cuts = self.instant(x, u).cuts
        cosines = (cuts[k].branch_cosines() for k in each(range(len(cuts))))
        return np.concatenate([np.zeros(0), *cosines])

    def loads(self, x: Array, u: Array, vd: Array, lam: Array) -> Array:
        """All forces, and torques per characteristic length, whose squares reactions make least.

        Those of every joint on its child, with what prescribed motions take, and the multipliers
        of constraints.
        """
        system = self.system
        at = self.instant(x, u, vd, lam)
        per_length = 1.0 / system.length
        parts = []
        for i in each(range(len(at.reactions))):
            reaction = at.reactions[i]
            parts += [scaled(per_length, reaction[:3]), reaction[3:]]
            if i < len(system.forest) and self.tree.prescribed[i]:
                parts.append(at.drive_of(i))
        own = [k for k, row in enumerate(system.rows) if not row.is_joint]
        weight = system.row_weight
        parts.append(array([lam[k] / weight[k] for k in own]))
        return np.concatenate(parts)

    # --- Loops, in numbers ---

    def accelerated(
        self,
        x: Array,
        u: Array,
        generic_rank: int | None = None,
        *,
        feedback: bool = True,
        tolerance: float | None = None,
    ) -> ConstrainedSolution:
        """Solve the equations; with Baumgarte's feedback where it is chosen."""
        eq = self.equations(x, u)
        gamma = self.asked(eq) if feedback else eq.gamma
        weight, length = self.system.row_weight, self.system.length
        if tolerance is None:
            tolerance = rank_tolerance(eq.rounding, weight, length)
        return solve_constrained(eq.M, eq.f, eq.J, gamma, weight, generic_rank, tolerance, length)

    def solution(self, x: Array, u: Array, generic_rank: int | None = None) -> Array:
        """z: derivatives without feedback, multipliers, and the quality of the constraints."""
        if not self.system.rows:
            return self.derivatives(x, u)
        found = self.accelerated(x, u, generic_rank, feedback=False)
        return self.answered(x, u, found.v, found)

    def answered(self, x: Array, u: Array, vd: Array, found: ConstrainedSolution) -> Array:
        """Return z where the accelerations are known, with the multipliers that were found.

        Of others that make the same motion, those are taken that load the mechanism least.
        """
        rates = self.rates(x, u, vd)
        if not self.system.rows:
            return rates
        lam = found.multipliers
        if found.null_multipliers.shape[1]:
            load = self.loads(x, u, vd, lam)
            null_multipliers = (
                1.0 + np.abs(lam).max()
            ) * found.null_multipliers  # as large as lam, for differences
            change = [self.loads(x, u, vd, lam + n) - load for n in null_multipliers.T]
            share = np.linalg.lstsq(np.stack(change, axis=1), -load, rcond=None)[0]
            lam = lam + times(null_multipliers, share)
        left = self.closure(x, u)
        worst = [np.abs(left.phi).max(initial=0.0), np.abs(left.sigma).max(initial=0.0)]
        return np.concatenate([rates, lam, worst, [found.rank]])

    # --- Outputs ---

    def outputs(self, stage: str, x: Array, u: Array, z: Array) -> Array:
        """Return the outputs of one stage."""
        return self._stage(stage, self.solved(x, u, z))

    def all_outputs(self, x: Array, u: Array, generic_rank: int | None = None) -> Array:
        """Return the outputs of all stages, in the order of the table."""
        return self.outputs_of(x, u, self.solution(x, u, generic_rank))

    def outputs_of(self, x: Array, u: Array, z: Array) -> Array:
        """Return the outputs of all stages where z is known."""
        now = self.solved(x, u, z)
        return np.concatenate([self._stage(stage, now) for stage in OUTPUT_STAGES])

    def solved(self, x: Array, u: Array, z: Array) -> Solved:
        """Return the instant that z makes of x and u."""
        system = self.system
        n, m = len(system.state_q), len(system.state_v)
        lam = z[system.nx : system.nx + len(system.rows)] if system.rows else None
        return Solved(x, u, z, self.instant(x, u, z[n : n + m], lam))

    def _stage(self, stage: str, now: Solved) -> Array:
        blocks = [block for block in self.system.table.blocks if block.stage == stage]
        outputs = (blocks[k].formula(now) for k in each(range(len(blocks))))
        return np.concatenate([np.zeros(0), *outputs])


def plant_of(system: System, p: Array) -> Plant:
    """Put parameters, numbers or symbols, into a system."""
    return Plant(system, p, tree_of(system.spec, system.forest, system.frames, system.named(p)))
