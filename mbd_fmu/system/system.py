"""The mechanism as an input-output system: what its states, inputs, outputs and rows are.

Vectors follow the table of variables: p and u are its parameters and inputs, y the outputs of a
stage. With parameters put in it becomes a ``Plant``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mbd_fmu.errors import Problem, SpecError
from mbd_fmu.mechanics.frames import Frames, choose_frames
from mbd_fmu.mechanics.reactions import characteristic_length
from mbd_fmu.mechanics.row_table import Row, row_table
from mbd_fmu.model.bounds import Need, open_needs
from mbd_fmu.model.named_outputs import NamedOutput
from mbd_fmu.model.spec import Joint, Spec, Specified, spec_of
from mbd_fmu.spatial import Array, Scalar
from mbd_fmu.system.held_starts import Start, held_starts
from mbd_fmu.system.interface import variable_table
from mbd_fmu.system.outputs.quality import QUALITIES
from mbd_fmu.system.start_values import start_position, start_velocity
from mbd_fmu.system.states import States
from mbd_fmu.system.variable import Variable
from mbd_fmu.system.variables import Table, flat_name
from mbd_fmu.topology.connect import connected
from mbd_fmu.topology.forest import Forest, forest_of

# Start quaternions as people write them down are that near to length 1; they are made exactly that.
QUATERNION_SLACK = 1e-2


@dataclass(frozen=True)
class System:
    """Structure of a mechanism with its interface. Everything but the parameters is settled."""

    spec: Spec
    forest: Forest
    frames: Frames
    table: Table
    rows: tuple[Row, ...]  # of the constraints; none of a tree
    length: float  # characteristic: makes torques comparable with forces

    @property
    def n_holonomic(self) -> int:
        """Rows on positions; they come first."""
        return sum(row.holonomic for row in self.rows)

    @cached_property
    def has_rows_on_cuts(self) -> bool:
        """Whether constraints compare coordinates of cut joints."""
        cuts = {self.spec.joints[k].name for k in self.forest.cut}
        return any(cuts.intersection(constraint.joints) for constraint in self.spec.constraints)

    @cached_property
    def row_weight(self) -> Array:
        """What makes a row on angles comparable with one on lengths."""
        return np.array([self.length if row.turns else 1.0 for row in self.rows])

    @cached_property
    def positive(self) -> tuple[Need, ...]:
        """What must not be negative, and may be with parameters within their limits."""
        return tuple(open_needs(self.spec))

    @property
    def n_drives(self) -> int:
        """Velocities of all joints."""
        return self.forest.every_v[-1].stop if len(self.forest) else 0

    @property
    def nz(self) -> int:
        """Derivatives, multipliers, and the quality of the constraints."""
        return self.nx + (len(self.rows) + len(QUALITIES) if self.rows else 0)

    @cached_property
    def states(self) -> States:
        """What the states are."""
        prescribed = frozenset(motion.joint for motion in self.table.motions)
        has_work, has_rows = self.table.has_work, bool(self.rows)
        return States(self.spec, self.forest, prescribed, has_work, has_rows, self.length)

    @property
    def nx(self) -> int:
        """Number of states."""
        return self.states.number

    @property
    def state_q(self) -> Array:
        """Where the states' coordinates stand in q."""
        return self.states.q

    @property
    def state_v(self) -> Array:
        """Where the states' velocities stand in v."""
        return self.states.v

    @property
    def free_joints(self) -> tuple[int, ...]:
        """Joints of the tree whose coordinates are states."""
        return self.states.free_joints

    def joint(self, i: int) -> Joint:
        """Return joint i, of the tree or, counted on, cut."""
        return self.states.joint(i)

    def shown(self, name: str) -> str:
        """Return the name of a variable as the user sees it."""
        return flat_name(name) if self.spec.fmu.naming == "flat" else name

    @property
    def n_loads(self) -> int:
        """Forces and torques whose squares the reactions make least."""
        n = len(self.forest)
        prescribed = [motion.joint for motion in self.table.motions]
        drives = sum(self.forest.v[i].stop - self.forest.v[i].start for i in prescribed)
        own = sum(not row.is_joint for row in self.rows)
        return 6 * (n + len(self.forest.cut)) + drives + own

    @cached_property
    def starts(self) -> dict[str, tuple[Start, ...]]:
        """For each free velocity, where the start values of its coordinates and of it come from."""
        return held_starts(self.states, self.table.start)

    def held(self, p: Array, level: str) -> Array:
        """How firmly each start value is held in assembly, with the parameters p."""
        declared = self.nominal_parameters()
        return np.array([start.held_with(p, declared) for start in self.starts[level]], dtype=int)

    @property
    def all_variables(self) -> tuple[Variable, ...]:
        """In the order of the value references."""
        return (*self.table.variables, *self.states.variables)

    def nominal_parameters(self) -> Array:
        """Return p with the declared values."""
        return np.array([v.start for v in self.table.parameters], dtype=float)

    def nominal_inputs(self) -> Array:
        """Return u, all that acts on the equations, with the start values."""
        inputs = np.array([v.start for v in self.table.inputs], dtype=float)
        return self.acting(inputs, self.nominal_parameters())

    def acting(self, inputs: Array, p: Array, time: float = 0.0) -> Array:
        """Return u where the values of the inputs are all that is known: at the start."""
        u = np.zeros(self.table.n_acting)
        u[list(self.table.acting)] = inputs
        for k, parameter in self.table.made:
            u[k] = 0.0 if parameter is None else p[parameter]
        if self.table.time is not None:
            u[self.table.time] = time
        return u

    def named(self, p: Array) -> dict[str, Scalar]:
        """Return the declared parameters by name, and all that follows; they come first in p."""
        return self.spec.named(p)


def _cut_problems(joint: Joint) -> Iterator[Problem]:
    """A joint that closes a loop follows the others: its motion cannot be prescribed."""
    remedy = "let another joint of the loop close it: mark that one with cut = true"
    if joint.drive == "motion":
        found = "its motion is prescribed, but it is the one that closes a loop"
        yield Problem(f'joint "{joint.name}", drive', found, remedy)
    if joint.fixed:
        found = "its start values are fixed, but it is the one that closes a loop"
        yield Problem(f'joint "{joint.name}", fixed', found, remedy)


def system_of(model: Spec | Specified) -> System:
    """Settle the structure of a mechanism."""
    spec = connected(spec_of(model))
    forest = forest_of(spec)
    problems = [problem for k in forest.cut for problem in _cut_problems(spec.joints[k])]
    if problems:
        raise SpecError(spec.name, problems)
    frames = choose_frames(spec, forest)
    position = start_position(spec, forest, frames)
    velocity = start_velocity(spec, forest, frames)
    system = System(
        spec,
        forest,
        frames,
        variable_table(spec, forest, position, velocity),
        row_table(spec, forest),
        characteristic_length(spec),
    )
    if problems := [*_taken_names(system), *_twins(system.all_variables)]:
        raise SpecError(spec.name, problems)
    return system


def _twins(variables: tuple[Variable, ...]) -> Iterator[Problem]:
    """Names that two variables of the FMU would have."""
    seen: set[str] = set()
    for v in variables:
        if v.name in seen:
            found = "two elements of the model would both have it"
            remedy = "rename the body, joint, point or parameter"
            yield Problem(f'variable "{v.name}"', found, remedy)
        seen.add(v.name)


def _taken_names(system: System) -> Iterator[Problem]:
    """Yield what only here is known to be taken: a loop has outputs of its quality."""
    spec = system.spec
    if "quality" in spec.groups and system.rows:
        elements: tuple[Any, ...] = (
            *spec.bodies,
            *spec.joints,
            *spec.forces,
            *spec.points,
            *spec.outputs,
            *spec.parameters,
            *spec.derived_parameters,
        )
        for element in elements:
            if element.name == "constraint":
                is_output = isinstance(element, NamedOutput)
                kind = element.kind if is_output else type(element).__name__.lower()
                kind = "parameter" if kind == "derived" else kind
                found = "the name is taken by the outputs of the group quality"
                yield Problem(f'{kind} "constraint"', found, "choose another")
