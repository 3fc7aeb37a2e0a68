"""What drives must do for a motion, and what the joints then carry.

The motion is known: x and dv/dt, all constraints met. With r what the free velocities need beyond
forces that are known, by recursive Newton-Euler, and B what drives of 1 give them,

    B tau + J^T lam = r                                                                        (1)

Motions N that no row forbids are blind to lam: N^T B tau = N^T r. Where drives are redundant, of
all solutions the one of least sum of squares of forces, and of torques per characteristic length,
is taken, times weights that may be given; where they are too few, what no drive gives is missing,
and is told for each motion that nothing drives. Multipliers that are not unique follow the rule of
all reactions: the least load.

Source   Featherstone, Rigid Body Dynamics Algorithms (2008), sec. 5.3 and ch. 8; Golub & Van Loan,
         Matrix Computations (2013), sec. 5.5: least squares of least norm; Nakamura & Ghodoussi
         (1989), IEEE Trans. Robotics and Automation 5(3): redundantly driven loops.
Checked  tests/analysis/test_inverse.py, tests/oracles/test_inverse_pinocchio.py
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import lstsq, null_space

from mbd_fmu.analysis.driven import freedom_name
from mbd_fmu.errors import DataError, nearest
from mbd_fmu.mechanics.constrained import (
    ConstrainedSolution,
    rank_tolerance,
    solve_constrained,
)
from mbd_fmu.mechanics.equations import Instant
from mbd_fmu.mechanics.kinematics import accelerations
from mbd_fmu.model.spec import Spec
from mbd_fmu.spatial import Array, cross_force
from mbd_fmu.system.free_motions import leading_entry, leading_motions
from mbd_fmu.system.plant import Plant
from mbd_fmu.system.system import System
from mbd_fmu.system.variables import flat_name

RANK = 1e-9  # of the largest singular value: below it drives do not move a freedom


@dataclass(frozen=True)
class Lack:
    """What no drive gives to a motion that is led by one coordinate."""

    freedom: str
    unit: str
    size: float


@dataclass(frozen=True)
class Driving:
    """What drives a motion at one instant."""

    drives: Array  # one per name of the drives
    u: Array  # all that acts, the drives put in
    z: Array  # what the plant's outputs follow from: derivatives, multipliers, quality
    lacks: tuple[Lack, ...]  # of motions that nothing drives; as small as rounding if all is well
    redundant: int  # drives beyond those that are needed
    largest: float  # weight or mass force of a body; torques per characteristic length


class InverseDynamics:
    """A plant whose drives are asked for, by names of its inputs; others act as they are told."""

    def __init__(
        self, plant: Plant, drives: Sequence[str], weights: Mapping[str, float] | None = None
    ) -> None:
        self.plant, self.system, self.drives = plant, plant.system, tuple(drives)
        table = self.system.table
        inputs = {v.name: (k, v) for k, v in zip(table.acting, table.inputs, strict=True)}
        if strange := [name for name in self.drives if name not in inputs]:
            raise DataError(f'no drive "{strange[0]}"; {nearest(strange[0], inputs)}')
        weights = dict(weights or {})
        if strange := [name for name in weights if name not in self.drives]:
            raise DataError(f'no drive "{strange[0]}" to weigh; {nearest(strange[0], self.drives)}')
        if strange := [name for name, weight in weights.items() if not 0.0 < weight < np.inf]:
            found = f"{strange[0]} = {weights[strange[0]]:g}"
            raise DataError(f"the weight of {found}; give a positive number")
        self.places = [inputs[name][0] for name in self.drives]
        units = [inputs[name][1].unit for name in self.drives]
        own = [1.0 / self.system.length if unit == "N.m" else 1.0 for unit in units]
        given = [weights.get(name, 1.0) for name in self.drives]
        self.weight = np.array([a * b for a, b in zip(own, given, strict=True)])

    def at(self, x: Array, u: Array, vd: Array, generic_rank: int | None = None) -> Driving:
        """Solve (1) where the motion is x and dv/dt; drives that u holds are not looked at."""
        u = u.copy()
        u[self.places] = 0.0
        r = self._needed(x, u, vd)
        free = self._held(x, u, r, generic_rank).free
        B = self._given(x, u, vd, r)
        A = free.T @ B / self.weight
        tau, _, rank, _ = _least(A, free.T @ r)
        u[self.places] = tau / self.weight
        left = r - B @ (tau / self.weight)
        z = self.plant.answered(x, u, vd, self._held(x, u, left, generic_rank))
        lacks = self._lacks(free, A, r)
        largest = self._largest(self.plant.solved(x, u, z).at)
        return Driving(u[self.places], u, z, lacks, len(self.drives) - rank, largest)

    @property
    def _turns(self) -> Array:
        names = (c for i in self.system.free_joints for c in self.system.joint(i).kind.names.drives)
        return np.array([c.unit == "N.m" for c in names], dtype=bool)

    def _needed(self, x: Array, u: Array, vd: Array) -> Array:
        """Return r: what the free velocities need beyond what acts."""
        at = self.plant.instant(x, u, vd)
        return (at.driving - at.drive[: self.system.forest.nv])[self.system.state_v]

    def _given(self, x: Array, u: Array, vd: Array, r: Array) -> Array:
        """Return B; forces are linear in drives, so that a large difference is exact."""
        step, columns = 1.0 + np.abs(r).max(initial=0.0), []
        for k in self.places:
            acting = u.copy()
            acting[k] = step
            columns.append((r - self._needed(x, acting, vd)) / step)
        return np.stack(columns, axis=1) if columns else np.zeros((len(r), 0))

    def _largest(self, at: Instant) -> float:
        """Return the largest of what acts on masses: all that rounding can be compared with."""
        tree, still = at.tree, np.zeros(6)
        A_B = accelerations(tree, at.configuration, at.V_B, at.v, at.vd, still)
        per = np.repeat([1.0 / self.system.length, 1.0], 3)
        parts = [np.linalg.norm(tree.gravity_W) * np.array(tree.mass)]
        for I_B, A, V in zip(tree.I_B, A_B, at.V_B, strict=True):
            parts += [per * (I_B @ A), per * cross_force(V, I_B @ V)]
        return float(max(np.abs(part).max(initial=0.0) for part in parts))

    def _held(self, x: Array, u: Array, r: Array, generic_rank: int | None) -> ConstrainedSolution:
        """Return the multipliers that take as much of r as rows can, and the free motions."""
        eq, weight, length = self.plant.equations(x, u), self.system.row_weight, self.system.length
        tolerance = rank_tolerance(eq.rounding, weight, length)
        zeros = np.zeros(len(eq.J))
        return solve_constrained(eq.M, -r, eq.J, zeros, weight, generic_rank, tolerance, length)

    def _lacks(self, free: Array, A: Array, r: Array) -> tuple[Lack, ...]:
        """Return what motions need that no drive acts on: blind to drives as to multipliers."""
        undriven = null_space(A.T, rcond=RANK) if A.size else np.eye(free.shape[1])
        found = []
        for motion in leading_motions((free @ undriven).T):
            leading = leading_entry(motion)
            unit = "N.m" if self._turns[leading] else "N"
            name = freedom_name(self.plant, leading)
            found.append(Lack(name, unit, float(motion @ r)))
        return tuple(found)


def _least(A: Array, b: Array) -> tuple[Array, Array, int, Array]:
    """Least squares of least norm; LAPACK does not like what is empty."""
    if not A.size:
        return np.zeros(A.shape[1]), np.zeros(0), 0, np.zeros(0)
    found: tuple[Array, Array, int, Array] = lstsq(A, b, cond=RANK)
    return found


def drives_of(system: System) -> tuple[str, ...]:
    """Return the inputs that drive: torques and forces of joints, controls of actuators."""
    table = system.table
    driven = {k for k, _ in table.driven}
    controls = {c.name for force in system.spec.forces if force.joints for c in force.inputs}
    return tuple(
        v.name
        for k, v in zip(table.acting, table.inputs, strict=True)
        if k in driven or v.name in {system.shown(name) for name in controls}
    )


def with_drives(spec: Spec, names: Sequence[str]) -> tuple[Spec, tuple[str, ...]]:
    """Return a mechanism in which joints are driven, and the inputs that drive it.

    A name is that of an input, or of a joint, which is driven then whatever the model says.
    """
    joints = {joint.name: joint for joint in spec.joints}
    driven = {name for name in names if name in joints}
    if still := [name for name in driven if not joints[name].kind.names.drives]:
        raise DataError(f'joint "{still[0]}" has no freedom to drive; name another')
    spec = replace(
        spec,
        joints=tuple(
            replace(joint, drive="torque", torque=(), of_time=None)
            if joint.name in driven
            else joint
            for joint in spec.joints
        ),
    )
    flat = spec.fmu.naming == "flat"
    found: list[str] = []
    for name in names:
        own = [f"{name}.{c.name}" for c in joints[name].kind.names.drives] if name in joints else []
        found += [flat_name(entry) if flat else entry for entry in own] or [name]
    return spec, tuple(found)
