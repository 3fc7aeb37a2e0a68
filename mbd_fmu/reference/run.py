"""A mechanism in motion in NumPy, with the behaviour of an instance of its FMU."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from mbd_fmu.errors import DataError
from mbd_fmu.mechanics.constrained import ConstrainedSolution, MasslessError
from mbd_fmu.model.checks import refuse_impossible
from mbd_fmu.reference.assembly import Assembled, Assembly
from mbd_fmu.reference.contradictions import Contradictions, Stairs, said_of, said_of_stairs
from mbd_fmu.reference.manifold import Manifold
from mbd_fmu.reference.motions import Motions, Way
from mbd_fmu.reference.step import Stepper
from mbd_fmu.spatial import Array
from mbd_fmu.system.outputs.block import RATE_STAGES
from mbd_fmu.system.plant import Plant, plant_of
from mbd_fmu.system.system import QUATERNION_SLACK, System
from mbd_fmu.system.variable import Variable, refused_setting
from mbd_fmu.system.weightless import refuse_weightless

SINGULAR = (
    "the next step passes a singular position, where the mechanism could go on another way; "
    'only stabilization = "projection" in [fmu] keeps it on its own'
)
STIFF = (
    "the motion is stiff: stability, not accuracy, keeps the steps of dopri5 short; "
    'write solver = "stiff" into [fmu]'
)


class Run:
    """A mechanism in motion: the NumPy twin of an FMU instance."""

    def __init__(self, system: System, settings: Mapping[str, float] | None = None) -> None:
        self.system = system
        self.p = parameter_vector(system, settings or {})
        self.u = np.array([v.start for v in system.table.inputs], dtype=float)
        self.time = 0.0
        self.restart()

    def restart(self) -> None:
        """Begin anew with the present parameters."""
        table, spec = self.system.table, self.system.spec
        self.plant = plant_of(self.system, self.p)
        self.stepper = Stepper(
            spec.fmu.solver,
            float(self.p[table.tolerance]),
            float(self.p[table.step]) if table.step is not None else 0.0,
            self.system.states.quaternions,
            sizes=(len(self.system.state_q), len(self.system.state_v)),
        )
        self.motions = Motions(self.system)
        self.watched = [Contradictions(track) for track in self.motions.tracks]
        self.stairs = [Stairs() for _ in self.motions.tracks]
        self.notices: list[str] = []  # what the last step found worth saying
        self._said: set[str] = set()
        refuse_long_quaternions(self.plant)
        self.x = self.stepper.normalized(self.plant.start())
        self.assembled: Assembled | None = None
        if self.system.rows:
            self.assembled = Assembly(self.plant, self.acting).assemble(self.x)
            self.x = self.assembled.x
        self.passes_singular = False  # and nothing keeps it on its way
        refuse_weightless(self.plant, self.x, self.acting)

    def retune(self) -> None:
        """Go on with parameters that have changed: x stays, or follows the constraints."""
        check_parameters(self.system, self.p)
        plant = plant_of(self.system, self.p)
        if self.assembled:
            self.x = Manifold(plant, self.acting).project(self.x, self.assembled.generic_rank)
        self.plant = plant

    @property
    def acting(self) -> Array:
        """All that acts on the equations now."""
        return self.motions.acting(self.u, self.p, self.time)

    @property
    def _rank(self) -> int | None:
        """Rank of the constraints in general position."""
        return self.assembled.generic_rank.all if self.assembled else None

    @property
    def _projects(self) -> bool:
        return self.system.spec.fmu.stabilization == "projection"

    def _settled(self, u: Array, x: Array) -> Array:
        """Bring x back to the constraints, or at least cut joints to their coordinates."""
        if self.assembled and self._projects:
            return Manifold(self.plant, u).project(x, self.assembled.generic_rank)
        return self.plant.cut_coordinates(x, u)

    def step(self, length: float, u_rate: Array | None = None) -> None:
        """Advance by one communication step; inputs are held, or move on at ``u_rate``."""
        rates = np.zeros_like(self.u) if u_rate is None else u_rate
        way = self.motions.way(self.acting, self.u, rates, length)

        seen: list[ConstrainedSolution] = []  # since the last error was asked for

        def rate(t: float, x: Array) -> Array:
            if not self.system.rows:
                return self.plant.derivatives(x, way.at(t))
            try:
                found = self.plant.accelerated(x, way.at(t), self._rank)
            except MasslessError:
                return np.full_like(x, np.nan)  # as in the FMU: a shorter step may have some
            seen.append(found)
            return self.plant.rates(x, way.at(t), found.v)

        def settled(t: float, x: Array) -> Array:
            return self._settled(way.at(t), x)

        def staying(x: Array, error: Array) -> Array:
            at, stays = Manifold(self.plant, way.acting), error
            if self._projects:
                stays = at.tangential(x, error, self.stepper.tolerance, seen)
            else:
                self.passes_singular |= at.passes_singular(seen)
            seen.clear()
            return stays

        if self.system.rows:
            self.stepper.settled, self.stepper.staying = settled, staying
        u_end = way.inputs_at_end(self.u, way.at(length))
        refuse_infinite("at the end of the step", self.system.table.inputs, u_end)
        self.x = self.stepper.advance(rate, length, self.x)
        self.notices = list(self._found_in(way))
        self.motions.arrive(way)
        self.u = u_end  # they have moved on
        self.time += length

    def _found_in(self, way: Way) -> Iterator[str]:
        """Yield, once each, what was told and can hardly be meant; and that the motion is stiff."""
        found: dict[str, str] = {}
        for k, (track, prescribed) in enumerate(zip(self.motions.tracks, way.said, strict=True)):
            motion, table = track.motion, self.system.table
            if motion.level != "full":
                if self.stairs[k].find(prescribed[track.lead], is_led=k in way.memory.led):
                    found.setdefault(f"{motion.name}, stairs", said_of_stairs(track))
            elif (level := self.watched[k].find(prescribed, way.length)) is not None:
                found.setdefault(motion.name, said_of(track, level, table))
        for track in way.astray:
            text = (
                f'the derivative told of the {track.motion.level} of "{track.motion.name}" did not '
                "lead to the value told next: it is left out from now on"
            )
            found.setdefault(f"{track.motion.name}, derivative", text)
        if self.stepper.is_strained:
            found["stiff"] = STIFF
        if self.passes_singular:
            found["singular"] = SINGULAR
        yield from (text for key, text in found.items() if key not in self._said)
        self._said |= set(found)

    def outputs(self) -> Array:
        """Return all outputs now."""
        return self.plant.all_outputs(self.x, self.acting, self._rank)

    def stage(self, name: str) -> Array:
        """Return the outputs of one stage now."""
        needs_rate = name in RATE_STAGES
        z = np.zeros(self.system.nz)
        if needs_rate:
            z = self.plant.solution(self.x, self.acting, self._rank)
        return self.plant.outputs(name, self.x, self.acting, z)


def refuse_long_quaternions(plant: Plant) -> None:
    """Refuse start quaternions that are not of length 1, as far as people write it down."""
    given, system = plant.given_start().astype(float), plant.system
    lengths = [float(np.linalg.norm(given[k : k + 4])) for k in system.states.quaternions]
    wrong = [
        f'the quaternion of joint "{joint.name}" has length {length:g}'
        for joint, length in zip(system.states.quaternion_joints, lengths, strict=True)
        if not abs(length - 1.0) <= QUATERNION_SLACK
    ]
    if wrong:
        remedy = f"give one of length 1, within {QUATERNION_SLACK:g}"
        raise DataError(f"start: {'; '.join(wrong)}; {remedy}")


def refuse_infinite(when: str, variables: Sequence[Variable], values: Array) -> None:
    """Refuse numbers that are none: whoever reads them could do nothing with them."""
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        found = f"{variables[wrong[0]].name} is {values[wrong[0]]:g}"
        raise DataError(f"{when} {found}; is every input and parameter of a sane size?")


def split_settings(
    system: System, settings: Mapping[str, float] | None
) -> tuple[dict[str, float], dict[str, float]]:
    """Tell settings of parameters from inputs that stay as they are set."""
    inputs = {v.name for v in system.table.inputs}
    given = dict(settings or {})
    constant = {name: given.pop(name) for name in list(given) if name in inputs}
    return given, constant


def parameter_vector(system: System, settings: Mapping[str, float]) -> Array:
    """Return p with some parameters set."""
    names = [v.name for v in system.table.parameters]
    p = system.nominal_parameters()
    for name, value in settings.items():
        if name not in names:
            derived = [v.name for v in system.table.derived]
            raise DataError(refused_setting(name, names, derived, "parameter"))
        p[names.index(name)] = value
    check_parameters(system, p)
    return p


def check_parameters(system: System, p: Array) -> None:
    """Refuse parameters outside their limits, or with which no mechanism can be."""
    for variable, value in zip(system.table.parameters, p, strict=True):
        check_limits(variable, value)
    own = zip(system.spec.parameters, p, strict=False)
    changed = tuple(replace(parameter, value=float(value)) for parameter, value in own)
    if changed != system.spec.parameters:
        refuse_impossible(replace(system.spec, parameters=changed))


def check_limits(variable: Variable, value: float) -> None:
    """Refuse a value outside the limits of its variable."""
    low = -np.inf if variable.min is None else variable.min
    high = np.inf if variable.max is None else variable.max
    if not (np.isfinite(value) and low <= value <= high):
        raise DataError(f"{variable.name} = {value:g} is outside {low:g} to {high:g}")
