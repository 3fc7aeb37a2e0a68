"""The mechanism as an input-output system: x' = f(x, u, p), y = g(x, u, x', p), x(0) = s(p).

Vectors follow the table of variables: p and u are its parameters and inputs, y the outputs of a
stage. Floats in, floats out; symbols in, symbols out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mbd_fmu.errors import Problem, SpecError
from mbd_fmu.export.interface import variable_table
from mbd_fmu.export.variables import STAGES, WORK, Table, flat_name
from mbd_fmu.mechanics.equations import FORMULAS, Instant
from mbd_fmu.mechanics.frames import Frames, choose_frames
from mbd_fmu.mechanics.joints import JOINTS
from mbd_fmu.mechanics.motion import JointMotion, motion_of
from mbd_fmu.mechanics.tree import Tree, tree_of
from mbd_fmu.model.expressions import Expression
from mbd_fmu.model.spec import NOT_YET, Spec
from mbd_fmu.reference.assemble import start_velocity
from mbd_fmu.spatial import Array, Scalar, array, scaled
from mbd_fmu.topology.connect import connected
from mbd_fmu.topology.forest import Forest, forest_of

WORK_STATES = 2  # input work, dissipated energy


@dataclass(frozen=True)
class System:
    """Structure of a mechanism with its interface. Everything but the parameters is settled."""

    spec: Spec
    forest: Forest
    frames: Frames
    table: Table

    @property
    def free_joints(self) -> tuple[int, ...]:
        """Forest indices of the joints whose coordinates are states."""
        told = {motion.joint for motion in self.table.motions}
        return tuple(i for i in range(len(self.forest)) if i not in told)

    @cached_property
    def state_q(self) -> Array:
        """Where the states' coordinates stand in q."""
        return _indices(self.forest.q, self.free_joints)

    @cached_property
    def state_v(self) -> Array:
        """Where the states' velocities stand in v."""
        return _indices(self.forest.v, self.free_joints)

    @property
    def nx(self) -> int:
        """Number of states."""
        return len(self.state_q) + len(self.state_v) + WORK_STATES * self.table.has_work

    @property
    def quaternions(self) -> tuple[int, ...]:
        """Where in x a unit quaternion begins."""
        place = {int(q): k for k, q in enumerate(self.state_q)}
        kinds = {i: JOINTS[self.spec.joints[self.forest.joint[i]].type] for i in self.free_joints}
        return tuple(place[self.forest.q[i].start] for i, kind in kinds.items() if kind.quaternion)

    @property
    def state_names(self) -> tuple[str, ...]:
        """What each state is called in messages."""
        joints = [self.spec.joints[self.forest.joint[i]] for i in self.free_joints]
        names = [f"{j.name}.{c.name}" for j in joints for c in JOINTS[j.type].names.positions]
        names += [f"{j.name}.{c.name}" for j in joints for c in JOINTS[j.type].names.velocities]
        names = [*names, "energy.input_work", "energy.dissipated"][: self.nx]
        is_flat = self.spec.fmu.naming == "flat"
        return tuple(flat_name(name) if is_flat else name for name in names)

    def nominal_parameters(self) -> Array:
        """Return p with the declared values."""
        return np.array([v.start for v in self.table.parameters], dtype=float)

    def nominal_inputs(self) -> Array:
        """Return u with the start values."""
        return np.array([v.start for v in self.table.inputs], dtype=float)

    def named(self, p: Array) -> dict[str, Scalar]:
        """Return the declared parameters by name; they come first in p."""
        return dict(zip((v.name for v in self.spec.parameters), p, strict=False))

    def plant(self, p: Array) -> Plant:
        """Put parameters in."""
        return Plant(self, p, tree_of(self.spec, self.forest, self.frames, self.named(p)))


@dataclass(frozen=True)
class Plant:
    """A system with its parameters put in."""

    system: System
    p: Array
    tree: Tree

    def start(self) -> Array:
        """x(0)."""
        values = self.system.named(self.p)
        given = [
            entry.value(values) if isinstance(entry, Expression) else self.p[entry]
            for entry in self.system.table.start
        ]
        x = array([*given, *([0.0] * (self.system.nx - len(given)))])
        for k in self.system.quaternions:
            length = np.sqrt(array([x[k : k + 4] @ x[k : k + 4]]))[0]
            x[k : k + 4] = scaled(1.0 / length, x[k : k + 4])
        return x

    def coordinates(self, x: Array, u: Array) -> tuple[Array, Array, Array]:
        """q and v of all joints, and the accelerations of those whose motion is prescribed."""
        system, forest = self.system, self.system.forest
        n = len(system.state_q)
        kind = np.result_type(x, u)
        q, v, vd = (np.zeros(k, dtype=kind) for k in (forest.nq, forest.nv, forest.nv))
        q[system.state_q], v[system.state_v] = x[:n], x[n : n + len(system.state_v)]
        for motion in system.table.motions:
            told: JointMotion = motion_of(motion.kind, u[motion.inputs])
            at, dof = forest.q[motion.joint], forest.v[motion.joint]
            q[at], v[dof], vd[dof] = told.q, told.v, told.vd
        return q, v, vd

    def derivatives(self, x: Array, u: Array) -> Array:
        """x' under the inputs u."""
        system, forest = self.system, self.system.forest
        q, v, told = self.coordinates(x, u)
        at = Instant(self.tree, q, v, wrenches=u[system.table.first_wrench :])
        drive = np.zeros(forest.nv, dtype=u.dtype)
        for k, n in system.table.driven:
            drive[n] = u[k]
        vd, taken = at.accelerate(drive, told)
        rates = np.concatenate([np.zeros(0), *at.rates()])
        power = at.powers(taken) if system.table.has_work else []
        return np.concatenate([rates[system.state_q], vd[system.state_v], array(power)])

    def outputs(self, stage: str, x: Array, u: Array, xd: Array) -> Array:
        """Return the outputs of one stage."""
        return self._stage(stage, x, self._instant(x, u, xd))

    def all_outputs(self, x: Array, u: Array) -> Array:
        """Return the outputs of all stages, in the order of the table."""
        at = self._instant(x, u, self.derivatives(x, u))
        return np.concatenate([self._stage(stage, x, at) for stage in STAGES])

    def _instant(self, x: Array, u: Array, xd: Array) -> Instant:
        system = self.system
        n, m = len(system.state_q), len(system.state_v)
        q, v, vd = self.coordinates(x, u)
        vd = vd.astype(np.result_type(vd, xd))
        vd[system.state_v] = xd[n : n + m]
        return Instant(self.tree, q, v, vd, u[system.table.first_wrench :])

    def _stage(self, stage: str, x: Array, at: Instant) -> Array:
        table = self.system.table
        if stage == WORK:
            n = len(table.stage_range(WORK))
            return x[len(x) - n :]
        blocks = [b for b in table.blocks if b.stage == stage]
        return np.concatenate([np.zeros(0), *(FORMULAS[b.formula](at, b.index) for b in blocks)])


def _indices(slices: tuple[slice, ...], joints: tuple[int, ...]) -> Array:
    return np.array([n for i in joints for n in range(slices[i].start, slices[i].stop)], dtype=int)


def system_of(spec: Spec) -> System:
    """Settle the structure of a mechanism."""
    spec = connected(spec)
    forest = forest_of(spec)
    if forest.cut:
        raise SpecError(spec.name, [_loop_problem(spec, k) for k in forest.cut])
    frames = choose_frames(spec, forest)
    velocity = start_velocity(spec, forest, frames)
    return System(spec, forest, frames, variable_table(spec, forest, velocity))


def _loop_problem(spec: Spec, k: int) -> Problem:
    joint = spec.joints[k]
    return Problem(
        f'joint "{joint.name}"',
        f'closes a loop: "{joint.parent}" and "{joint.child}" are connected already',
        f"remove it; closed loops are {NOT_YET}, but for simulate --formulation absolute",
    )
