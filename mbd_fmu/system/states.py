"""The states of a mechanism: coordinates, velocities, and what counts work."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mbd_fmu.model.spec import Joint, Spec
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.spatial import Array
from mbd_fmu.system.outputs.energy import WORK_STATES
from mbd_fmu.system.units import rate_unit
from mbd_fmu.system.variable import Variable
from mbd_fmu.system.variables import flat_name
from mbd_fmu.topology.forest import Forest

_WORK = tuple((f"energy.{name}", "J") for name in WORK_STATES)


@dataclass(frozen=True)
class States:
    """What the states are, in order: q of the tree and of cut joints, v of the tree, work."""

    spec: Spec
    forest: Forest
    prescribed: frozenset[int]  # joints whose coordinates are no states
    has_work: bool
    has_rows: bool
    length: float  # characteristic: how far things move

    @cached_property
    def free_joints(self) -> tuple[int, ...]:
        """Joints of the tree whose coordinates are states."""
        return tuple(i for i in range(len(self.forest)) if i not in self.prescribed)

    @cached_property
    def joints(self) -> tuple[int, ...]:
        """All joints whose coordinates are states: those of cut joints are, too."""
        n = len(self.forest)
        return (*self.free_joints, *range(n, n + len(self.forest.cut)))

    def joint(self, i: int) -> Joint:
        """Return joint i, of the tree or, counted on, cut."""
        return self.spec.joints[self.forest.every_joint[i]]

    @cached_property
    def q(self) -> Array:
        """Where the states' coordinates stand in q."""
        return _indices(self.forest.every_q, self.joints)

    @cached_property
    def v(self) -> Array:
        """Where the states' velocities stand in v."""
        return _indices(self.forest.v, self.free_joints)

    @property
    def number(self) -> int:
        """Number of states."""
        return len(self.q) + len(self.v) + len(_WORK) * self.has_work

    @cached_property
    def quaternions(self) -> tuple[int, ...]:
        """Where in x a unit quaternion begins."""
        place = {int(q): k for k, q in enumerate(self.q)}
        return tuple(place[self.forest.every_q[i].start] for i in self._turning)

    @property
    def quaternion_joints(self) -> tuple[Joint, ...]:
        """The joints they belong to."""
        return tuple(self.joint(i) for i in self._turning)

    @cached_property
    def _turning(self) -> tuple[int, ...]:
        return tuple(i for i in self.joints if self.joint(i).kind.quaternion)

    @cached_property
    def _components(self) -> tuple[tuple[str, str], ...]:
        """Name and unit of each."""
        kept = [self.joint(i) for i in self.joints]
        free = [self.joint(i) for i in self.free_joints]
        of_joints = [
            *((j, c) for j in kept for c in j.kind.names.positions),
            *((j, c) for j in free for c in j.kind.names.velocities),
        ]
        found = [(f"{joint.name}.{c.name}", c.unit) for joint, c in of_joints]
        return (*found, *(_WORK if self.has_work else ()))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each is called in messages."""
        names = (name for name, _ in self._components)
        return tuple(map(flat_name, names) if self._is_flat else names)

    @property
    def _is_flat(self) -> bool:
        return self.spec.fmu.naming == "flat"

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """States, then their derivatives, as an integrator outside sees them."""
        nominal = self._nominal_of
        states = [
            Variable(
                f"state{'_' if self._is_flat else '.'}{name}",
                "local",
                unit,
                f"state {name}",
                nominal=nominal[unit],
                may_jump=k in self._jumping,
            )
            for k, (name, (_, unit)) in enumerate(zip(self.names, self._components, strict=True))
        ]
        rates = [
            Variable(
                f"der_{v.name}" if self._is_flat else f"der({v.name})",
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

    @cached_property
    def _jumping(self) -> range | set[int]:
        """States that an event may change: those on constraints, and unit quaternions."""
        if self.has_rows:
            return range(len(self.q) + len(self.v))
        return {k + n for k in self.quaternions for n in range(4)}


def _indices(slices: tuple[slice, ...], joints: tuple[int, ...]) -> Array:
    return np.array([n for i in joints for n in range(slices[i].start, slices[i].stop)], dtype=int)
