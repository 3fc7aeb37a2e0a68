"""The mechanism as an input-output system: x' = f(x, u, p), y = g(x, u, x', p), x(0) = s(p).

Vectors follow the table of variables: p and u are its parameters and inputs, y the outputs of a
stage. Floats in, floats out; symbols in, symbols out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mbd_fmu.export.variables import STAGES, WORK, Table, variable_table
from mbd_fmu.mechanics.equations import FORMULAS, WORK_STATES, derivatives, instant, state_of
from mbd_fmu.mechanics.frames import Frames, choose_frames
from mbd_fmu.mechanics.joints import JOINTS
from mbd_fmu.mechanics.tree import Tree, tree_of
from mbd_fmu.model.expressions import Expression
from mbd_fmu.model.spec import Spec
from mbd_fmu.reference.assemble import start_velocity
from mbd_fmu.spatial import Array, Scalar, array
from mbd_fmu.topology.forest import Forest, forest_of


@dataclass(frozen=True)
class System:
    """Structure of a mechanism with its interface. Everything but the parameters is settled."""

    spec: Spec
    forest: Forest
    frames: Frames
    table: Table

    @property
    def nx(self) -> int:
        """Number of states."""
        return self.forest.nq + self.forest.nv + (WORK_STATES if self.table.has_work else 0)

    @property
    def quaternions(self) -> tuple[int, ...]:
        """Where in x a unit quaternion begins."""
        return tuple(
            at.start
            for at, k in zip(self.forest.q, self.forest.joint, strict=True)
            if JOINTS[self.spec.joints[k].type].quaternion
        )

    @property
    def state_names(self) -> tuple[str, ...]:
        """What each state is called in messages."""
        joints = [self.spec.joints[k] for k in self.forest.joint]
        names = [f"{j.name}.{c.name}" for j in joints for c in JOINTS[j.type].positions]
        names += [f"{j.name}.{c.name}" for j in joints for c in JOINTS[j.type].velocities]
        return (*names, "energy.input_work", "energy.dissipated")[: self.nx]

    def nominal_parameters(self) -> Array:
        """Return p with the declared values."""
        return np.array([v.start for v in self.table.parameters], dtype=float)

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
        x = [
            entry.value(values) if isinstance(entry, Expression) else self.p[entry]
            for entry in self.system.table.start
        ]
        return array([*x, *([0.0] * (self.system.nx - len(x)))])

    def derivatives(self, x: Array, u: Array) -> Array:
        """x' under the inputs u."""
        drive = np.zeros(self.system.forest.nv, dtype=u.dtype)
        drive[list(self.system.table.driven)] = u
        return derivatives(self.tree, x, drive)

    def outputs(self, stage: str, x: Array, xd: Array) -> Array:
        """Return the outputs of one stage."""
        if stage == WORK:
            return state_of(self.tree, x).work
        at = instant(self.tree, x, xd)
        blocks = [b for b in self.system.table.blocks if b.stage == stage]
        return np.concatenate([np.zeros(0), *(FORMULAS[b.formula](at, b.index) for b in blocks)])

    def all_outputs(self, x: Array, u: Array) -> Array:
        """Return the outputs of all stages, in the order of the table."""
        xd = self.derivatives(x, u)
        return np.concatenate([self.outputs(stage, x, xd) for stage in STAGES])


def system_of(spec: Spec) -> System:
    """Settle the structure of a mechanism."""
    forest = forest_of(spec)
    frames = choose_frames(spec, forest)
    velocity = start_velocity(spec, forest, frames)
    return System(spec, forest, frames, variable_table(spec, forest, velocity))
