"""From what a user gives to a state: coordinates, velocities, drives and inputs put together.

What is open stays at the start values; where constraints are, it follows from what is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mbd_fmu.analysis.operating_point import OperatingPoint, held_freedoms
from mbd_fmu.api.state import State
from mbd_fmu.api.vectors import (
    Given,
    coordinate_vector,
    drive_vector,
    finite_number,
    velocity_vector,
)
from mbd_fmu.errors import DataError, nearest
from mbd_fmu.reference.assembly import Assembled, Assembly
from mbd_fmu.reference.run import parameter_vector
from mbd_fmu.spatial import Array
from mbd_fmu.system.plant import Plant, plant_of
from mbd_fmu.system.prescribing import prescribed
from mbd_fmu.system.system import System

SAME = 1e-9  # rad or m, and per second: what is given back is what was read


@dataclass(frozen=True)
class Posing:
    """A mechanism with its parameters, to be put into any state."""

    plant: Plant

    @property
    def _system(self) -> System:
        return self.plant.system

    def state(self, q: Given, v: Given, tau: Given, inputs: Mapping[str, float] | None) -> State:
        """Return the state that is given; of v, what is open is 0, or follows."""
        system, forest = self._system, self._system.forest
        plant, u = self._driven(tau, self._acting(inputs or {}))
        _, told_v, told_vd = plant.coordinates(plant.start(), u)
        start = self._started(u).x if system.rows else plant.start()
        base = plant.coordinates(start, u)[0]
        every_q, given_q = coordinate_vector(system).read(q, base[: forest.nq])
        at_rest = told_v.copy()  # but for motions that are prescribed
        at_rest[system.state_v] = 0.0
        every_v, given_v = velocity_vector(system).read(v, at_rest)
        _refuse_other_motions(system, (base, told_v), (every_q, every_v))
        u = prescribed(system, u, every_q, every_v, told_vd)
        base[: forest.nq] = every_q
        extra = start[len(system.state_q) + len(system.state_v) :]
        x = np.concatenate([base[system.state_q], every_v[system.state_v], extra])
        if not system.rows:
            return State(OperatingPoint(plant, x, u, None))
        assembly = Assembly(plant, u)
        if given_q.any():
            x = assembly.posed(x, held_freedoms(system, given_q))
        if system.table.motions or np.any(every_v):
            x = assembly.going(x, given_v[system.state_v])
        return State(OperatingPoint(plant, x, u, self._nominal.generic_rank))

    @cached_property
    def _nominal(self) -> Assembled:
        """The start, assembled under the inputs that the model begins with."""
        u = self._acting({})
        return Assembly(self.plant, u).assemble(self.plant.start())

    def _started(self, u: Array) -> Assembled:
        """The start under other inputs; of these, only prescribed motions close loops."""
        nominal, motions = self._acting({}), self._system.table.told
        if all(np.array_equal(u[m.inputs], nominal[m.inputs]) for m in motions):
            return self._nominal
        return Assembly(self.plant, u).assemble(self.plant.start())

    def _acting(self, inputs: Mapping[str, float]) -> Array:
        """Return all that acts, with some inputs set."""
        table = self._system.table
        values = {v.name: float(v.start or 0.0) for v in table.inputs}
        for name, value in inputs.items():
            if name not in values:
                raise DataError(f'no input "{name}"; {nearest(name, values)}')
            values[name] = finite_number(name, value)
        return self._system.acting(np.array(list(values.values())), self.plant.p)

    def _driven(self, tau: Given, u: Array) -> tuple[Plant, Array]:
        """Return who is driven by tau: by inputs where there are some, else besides them."""
        if tau is None:
            return self.plant, u
        driven = {n: k for k, n in self._system.table.driven}
        base = np.zeros(self._system.n_drives)
        for n, k in driven.items():
            base[n] = u[k]
        drives, given = drive_vector(self._system).read(tau, base)
        told = [n for n, k in driven.items() if given[n] and u[k] != 0.0]
        if told:
            name = drive_vector(self._system).names[told[0]]
            raise DataError(f'"{name}" is given by tau and by inputs; give it once')
        u = u.copy()
        for n, k in driven.items():
            u[k] = drives[n]
        return replace(self.plant, drives=drives), u


def _refuse_other_motions(
    system: System, led: tuple[Array, Array], given: tuple[Array, Array]
) -> None:
    """Refuse coordinates that a function of time says otherwise; nobody could move them there."""
    forest = system.forest
    for motion in system.table.motions:
        places = (forest.q[motion.joint], forest.v[motion.joint])
        same = all(
            np.allclose(one[at], other[at], rtol=0.0, atol=SAME)
            for one, other, at in zip(led, given, places, strict=True)
        )
        if not (motion.is_told or same):
            found = f'the motion of "{motion.name}" is a function of time, here at time = 0'
            raise DataError(f"{found}; leave it out of q and v")


def posing_of(system: System, parameters: Mapping[str, float]) -> Posing:
    """Put parameters in; those not named are as the model declares them."""
    return Posing(plant_of(system, parameter_vector(system, parameters)))
