"""A state to ask about: parameters, inputs, coordinates and velocities that fit together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mbd_fmu.analysis.checks import refuse_unusable
from mbd_fmu.errors import DataError, nearest
from mbd_fmu.mechanics.constrained import ConstrainedSolution
from mbd_fmu.reference.assembly import Assembly, AssemblyError
from mbd_fmu.reference.manifold import GenericRank
from mbd_fmu.reference.run import Run, parameter_vector, refuse_long_quaternions
from mbd_fmu.spatial import Array
from mbd_fmu.system.held_starts import Hold
from mbd_fmu.system.plant import Equations, Plant, plant_of
from mbd_fmu.system.prescribed import start_name
from mbd_fmu.system.system import System
from mbd_fmu.system.variable import refused_setting
from mbd_fmu.system.weightless import refuse_weightless


@dataclass(frozen=True)
class OperatingPoint:
    """Where a mechanism is looked at: states x under what acts, u, with parameters p."""

    plant: Plant
    x: Array
    u: Array  # all that acts
    generic_rank: GenericRank | None  # of the rows; a tree has none

    @property
    def system(self) -> System:
        """Whose state it is."""
        return self.plant.system

    @property
    def p(self) -> Array:
        """The parameters."""
        return self.plant.p

    @property
    def q(self) -> Array:
        """Coordinates of the states."""
        return self.x[: len(self.system.state_q)]

    @property
    def v(self) -> Array:
        """The free velocities."""
        n = len(self.system.state_q)
        return self.x[n : n + len(self.system.state_v)]

    @property
    def inputs(self) -> Array:
        """The inputs, in the order of the table."""
        return self.u[list(self.system.table.acting)]

    @property
    def rank(self) -> int | None:
        """Rank of all rows in general position."""
        return self.generic_rank.all if self.generic_rank else None

    @cached_property
    def equations(self) -> Equations:
        """The equations of the free velocities."""
        return self.plant.equations(self.x, self.u)

    @property
    def M(self) -> Array:
        """Inertia of the free velocities."""
        return self.equations.M

    @property
    def J(self) -> Array:
        """Rows of the constraints."""
        return self.equations.J

    @cached_property
    def _solution(self) -> Array:
        return self.plant.solution(self.x, self.u, self.rank)

    @property
    def rates(self) -> Array:
        """x'."""
        return self._solution[: self.system.nx]

    @property
    def vd(self) -> Array:
        """Accelerations of the free velocities."""
        n = len(self.system.state_q)
        return self._solution[n : n + len(self.system.state_v)]

    @property
    def multipliers(self) -> Array:
        """Those of the rows, with the least loads."""
        return self._solution[self.system.nx : self.system.nx + len(self.system.rows)]

    @cached_property
    def _constrained(self) -> ConstrainedSolution:
        return self.plant.accelerated(self.x, self.u, self.rank, feedback=False)

    @property
    def null_multipliers(self) -> Array:
        """Multipliers that load the mechanism and move nothing."""
        if not self.system.rows:
            return np.zeros((0, 0))
        return self._constrained.null_multipliers

    @cached_property
    def y(self) -> Array:
        """All outputs."""
        return self.plant.all_outputs(self.x, self.u, self.rank)

    def output(self, name: str) -> float:
        """Return an output by name."""
        names = [v.name for v in self.system.table.outputs]
        if name not in names:
            raise DataError(f'no output "{name}"; {nearest(name, names)}')
        return float(self.y[names.index(name)])

    def with_parts(
        self, x: Array | None = None, u: Array | None = None, p: Array | None = None
    ) -> OperatingPoint:
        """Return the same with other states, inputs or parameters; nothing is fitted."""
        plant = self.plant if p is None else plant_of(self.system, p)
        return replace(
            self,
            plant=plant,
            x=self.x if x is None else x,
            u=self.u if u is None else u,
        )


def operating_point(
    system: System,
    settings: Mapping[str, float] | None = None,
    state: Mapping[str, float] | None = None,
) -> OperatingPoint:
    """Return the start of a mechanism, or another state: loops closed, rates on the constraints.

    ``settings`` are parameters and inputs by name; ``state`` are coordinates and velocities of
    joints by name (``elbow.q``, ``elbow.qd``): they are held while the others follow.
    """
    settings = dict(settings or {})
    inputs = {v.name: k for k, v in enumerate(system.table.inputs)}
    acting = {name: settings.pop(name) for name in list(settings) if name in inputs}
    told = _start_values(system, state or {})
    known = [v.name for v in system.table.parameters]
    for name in settings:
        if name not in known:
            derived = [v.name for v in system.table.derived]
            raise DataError(refused_setting(name, [*known, *inputs], derived))
    refuse_unusable(system)
    run = Run(system, settings)
    if acting:
        run.u = run.u.copy()
        for name, value in acting.items():
            run.u[inputs[name]] = value
        run.restart()
    rank = run.assembled.generic_rank if run.assembled else None
    x = _led(run, settings | told, list(state)) if state else run.x
    return OperatingPoint(run.plant, x, run.acting, rank)


def point_of(
    system: System,
    settings: Mapping[str, float] | None,
    state: Mapping[str, float] | OperatingPoint | None,
) -> OperatingPoint:
    """Return the point that is meant: one that is there already, or the one of a state."""
    if not isinstance(state, OperatingPoint):
        return operating_point(system, settings, state)
    if settings:
        raise ValueError("an operating point has its settings already")
    return state


def held_freedoms(system: System, given_q: Array) -> Array:
    """Return the free velocities whose coordinates are given, of those of the tree."""
    forest, held = system.forest, np.zeros(system.forest.nv, dtype=bool)
    for at, dof in zip(forest.q, forest.v, strict=True):
        same = at.stop - at.start == dof.stop - dof.start
        held[dof] = given_q[at] if same else given_q[at].any()
    return held[system.state_v]


def _led(run: Run, settings: Mapping[str, float], names: Sequence[str]) -> Array:
    """Return the state with what is named as the settings say; the rest stays, or follows.

    What the model gives stays too, if it can.
    """
    system, n_q = run.system, len(run.system.state_q)
    plant = plant_of(system, parameter_vector(system, settings))
    refuse_long_quaternions(plant)
    told = np.isin(system.states.names, names)
    for k in system.states.quaternions:
        told[k : k + 4] = told[k : k + 4].any()
    x = run.stepper.normalized(np.where(told, plant.start(), run.x))
    if system.rows:
        given_q = np.zeros(system.forest.nq, dtype=bool)
        tree_q = system.state_q < system.forest.nq
        given_q[system.state_q[tree_q]] = told[:n_q][tree_q]
        assembly = Assembly(run.plant, run.acting)
        for level, fit, held in (
            ("q", assembly.posed, held_freedoms(system, given_q)),
            ("v", assembly.going, told[n_q : n_q + len(system.state_v)]),
        ):
            by_model = system.held(run.p, level) > Hold.OPEN
            try:
                x = fit(x, held | by_model)
            except AssemblyError:
                x = fit(x, held)
    refuse_weightless(run.plant, x, run.acting)
    return x


def _start_values(system: System, state: Mapping[str, float]) -> dict[str, float]:
    """Return the parameters that start a state."""
    parameters = {v.name for v in system.table.parameters}
    of = {name: _started(system, name) for name in system.states.names}
    found = {}
    for name, value in state.items():
        start = of.get(name, name)
        if start not in parameters:
            known = [n for n, s in of.items() if s in parameters]
            why = _why_follows(system, name) if name in of else nearest(name, known)
            raise DataError(f'no coordinate or velocity "{name}" to set; {why}')
        found[start] = float(value)
    return found


def _why_follows(system: System, name: str) -> str:
    """Say why a state has no start value of its own."""
    cut = [system.spec.joints[k].name for k in system.forest.cut]
    if any(name.startswith(system.shown(f"{joint}.")) for joint in cut):
        return "its joint closes a loop and follows the others; give theirs, or cut another"
    return "its start value is an expression of parameters; set those"


def _started(system: System, name: str) -> str:
    joint = next(
        (j.name for j in system.spec.joints if name.startswith(system.shown(f"{j.name}."))), ""
    )
    own = name.removeprefix(system.shown(f"{joint}."))
    return system.shown(f"{joint}.{start_name(own)}")
