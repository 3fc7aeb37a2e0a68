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
from mbd_fmu.model.spec import Joint, Spec
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.spatial import Array, Scalar
from mbd_fmu.system.interface import variable_table
from mbd_fmu.system.outputs.energy import WORK_STATES
from mbd_fmu.system.outputs.quality import QUALITIES
from mbd_fmu.system.start_values import start_position, start_velocity
from mbd_fmu.system.units import rate_unit
from mbd_fmu.system.variables import Table, Variable, flat_name
from mbd_fmu.topology.connect import connected
from mbd_fmu.topology.forest import Forest, forest_of

# Start quaternions as people write them down are that near to length 1; they are made exactly that.
QUATERNION_SLACK = 1e-2


@dataclass(frozen=True)
class Start:
    """Where start values come from: which parameters, and whether they stay when loops close."""

    held: int  # 2 marked fixed, 1 given in the model, 0 neither
    parameter: int  # index of the first one
    count: int


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

    @property
    def free_joints(self) -> tuple[int, ...]:
        """Joints of the tree whose coordinates are states."""
        prescribed = {motion.joint for motion in self.table.motions}
        return tuple(i for i in range(len(self.forest)) if i not in prescribed)

    @property
    def state_joints(self) -> tuple[int, ...]:
        """All joints whose coordinates are states: those of cut joints are, too."""
        n = len(self.forest)
        return (*self.free_joints, *range(n, n + len(self.forest.cut)))

    @cached_property
    def state_q(self) -> Array:
        """Where the states' coordinates stand in q."""
        return _indices(self.forest.every_q, self.state_joints)

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
        return tuple(place[self.forest.every_q[i].start] for i in self._turning)

    @property
    def quaternion_joints(self) -> tuple[Joint, ...]:
        """The joints they belong to."""
        return tuple(self.joint(i) for i in self._turning)

    @property
    def _turning(self) -> tuple[int, ...]:
        return tuple(i for i in self.state_joints if self.joint(i).kind.quaternion)

    def joint(self, i: int) -> Joint:
        """Return joint i, of the tree or, counted on, cut."""
        return self.spec.joints[self.forest.every_joint[i]]

    @property
    def state_names(self) -> tuple[str, ...]:
        """What each state is called in messages."""
        kept = [self.joint(i) for i in self.state_joints]
        free = [self.joint(i) for i in self.free_joints]
        names = [f"{j.name}.{c.name}" for j in kept for c in j.kind.names.positions]
        names += [f"{j.name}.{c.name}" for j in free for c in j.kind.names.velocities]
        names = [*names, "energy.input_work", "energy.dissipated"][: self.nx]
        return tuple(map(self.shown, names))

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
        found: dict[str, tuple[Start, ...]] = {}
        places = iter(self.table.start)
        for level, given, joints, slices in (
            ("q", "position", self.state_joints, self.forest.every_q),
            ("v", "velocity", self.free_joints, self.forest.every_v),
        ):
            starts: list[Start] = []
            for i in joints:
                joint = self.joint(i)
                entries = [next(places) for _ in range(slices[i].stop - slices[i].start)]
                numbers = [k for entry in entries for k in entry.own_parameters]
                held = 2 if joint.fixed else int(getattr(joint, given) is not None)
                start = Start(held, numbers[0] if numbers else 0, len(numbers))
                if i in self.free_joints:
                    starts += [start] * (self.forest.v[i].stop - self.forest.v[i].start)
            found[level] = tuple(starts)
        return found

    def held(self, p: Array, level: str) -> Array:
        """Which start values stay in assembly: 2 fixed; 1 given, there or by parameters; 0 none."""
        declared = self.nominal_parameters()

        def changed(start: Start) -> bool:
            own = slice(start.parameter, start.parameter + start.count)
            return bool(np.any(p[own] != declared[own]))

        return np.array([s.held or int(changed(s)) for s in self.starts[level]], dtype=int)

    @cached_property
    def state_variables(self) -> tuple[Variable, ...]:
        """States, then their derivatives, as an integrator outside sees them."""
        kept = [self.joint(i) for i in self.state_joints]
        free = [self.joint(i) for i in self.free_joints]
        units = [c.unit for j in kept for c in j.kind.names.positions]
        units += [c.unit for j in free for c in j.kind.names.velocities]
        units = [*units, "J", "J"][: self.nx]
        is_flat = self.spec.fmu.naming == "flat"
        nominal = self._nominal_of
        states = [
            Variable(
                f"state{'_' if is_flat else '.'}{name}",
                "local",
                unit,
                f"state {name}",
                nominal=nominal[unit],
                may_jump=k in self._jumping,
            )
            for k, (name, unit) in enumerate(zip(self.state_names, units, strict=True))
        ]
        rates = [
            Variable(
                f"der_{v.name}" if is_flat else f"der({v.name})",
                "local",
                rate_unit(v.unit),
                f"derivative of {v.name} in time",
            )
            for v in states
        ]
        return (*states, *rates)

    @property
    def _nominal_of(self) -> dict[str, float]:
        """Size of a state by its unit: what moves by its own length, and turns by 1 rad, in 1 s."""
        masses = [value_of(body.mass, self.spec.nominal) for body in self.spec.bodies]
        energy = float(sum(masses)) * self.length**2
        turn = {"1": 1.0, "rad": 1.0, "rad/s": 1.0}
        return turn | {"m": self.length, "m/s": self.length, "J": energy if energy > 0.0 else 1.0}

    @property
    def _jumping(self) -> range | set[int]:
        """States that an event may change: those on constraints, and unit quaternions."""
        if self.rows:
            return range(len(self.state_q) + len(self.state_v))
        return {k + n for k in self.quaternions for n in range(4)}

    @property
    def all_variables(self) -> tuple[Variable, ...]:
        """In the order of the value references."""
        return (*self.table.variables, *self.state_variables)

    def nominal_parameters(self) -> Array:
        """Return p with the declared values."""
        return np.array([v.start for v in self.table.parameters], dtype=float)

    def nominal_inputs(self) -> Array:
        """Return u, all that acts on the equations, with the start values."""
        inputs = np.array([v.start for v in self.table.inputs], dtype=float)
        return self.acting(inputs, self.nominal_parameters())

    def acting(self, inputs: Array, p: Array) -> Array:
        """Return u where the values of the inputs are all that is known: at the start."""
        u = np.zeros(self.table.n_acting)
        u[list(self.table.acting)] = inputs
        for k, parameter in self.table.made:
            u[k] = 0.0 if parameter is None else p[parameter]
        return u

    def named(self, p: Array) -> dict[str, Scalar]:
        """Return the declared parameters by name; they come first in p."""
        return dict(zip((v.name for v in self.spec.parameters), p, strict=False))


def _indices(slices: tuple[slice, ...], joints: tuple[int, ...]) -> Array:
    return np.array([n for i in joints for n in range(slices[i].start, slices[i].stop)], dtype=int)


def _cut_problems(joint: Joint) -> Iterator[Problem]:
    """A joint that closes a loop follows the others: it cannot be told what to do."""
    remedy = "let another joint of the loop close it: mark that one with cut = true"
    if joint.drive == "motion":
        found = "its motion is prescribed, but it is the one that closes a loop"
        yield Problem(f'joint "{joint.name}", drive', found, remedy)
    if joint.fixed:
        found = "its start values are fixed, but it is the one that closes a loop"
        yield Problem(f'joint "{joint.name}", fixed', found, remedy)


def system_of(spec: Spec) -> System:
    """Settle the structure of a mechanism."""
    spec = connected(spec)
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
            *spec.parameters,
        )
        for element in elements:
            if element.name == "constraint":
                kind = type(element).__name__.removeprefix("Output").lower()
                found = "the name is taken by the outputs of the group quality"
                yield Problem(f'{kind} "constraint"', found, "choose another")
