"""The table of variables: one table makes the XML, the C and the Python slave.

A value reference is an index into it. The order is: parameters, inputs, then outputs stage by
stage. A stage is what is computed together, and only when one of its variables is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

from mbd_fmu.elements.names import Component
from mbd_fmu.mechanics.motion import GIVEN_LEVELS, level_of, parts_of
from mbd_fmu.quantities.expressions import Expression

WORK = "work"  # this stage copies states, and the next what the solver says: no formulas
QUALITY = "quality"
STAGES = ("positions", "velocities", "energies", WORK, "accelerations", "reactions", QUALITY)
RATE_STAGES = ("accelerations", "reactions", QUALITY)  # these follow from x', too


@dataclass(frozen=True)
class Variable:
    """One scalar of the FMU."""

    name: str
    causality: str  # "parameter", "input" or "output"
    unit: str
    description: str
    start: float | None = None
    min: float | None = None
    max: float | None = None
    is_tunable: bool = False  # a parameter that may change between steps
    nominal: float | None = None  # size of a state
    may_jump: bool = False  # a state that may be brought back to its constraints


@dataclass(frozen=True)
class Block:
    """Consecutive outputs that come from one formula of ``mechanics.equations``."""

    stage: str
    formula: str
    index: int  # body, joint or point, as the formula counts them
    components: tuple[Component, ...]  # names are whole


@dataclass(frozen=True)
class PrescribedMotion:
    """A joint whose motion is prescribed, and where what tells it stands among all that acts."""

    joint: int  # forest index
    kind: str  # joint type
    inputs: slice
    level: str = "full"  # "full", "position" or "velocity": the others are made from it
    name: str = ""

    @property
    def parts(self) -> dict[str, range]:
        """Where position, velocity and acceleration stand, by the names of their parts."""
        every = range(self.inputs.start, self.inputs.stop)
        return {name: every[at] for name, at in parts_of(self.kind, len(every) // 3).items()}

    def is_given(self, part: str) -> bool:
        """Tell whether a part is an input of the FMU."""
        return level_of(part) in GIVEN_LEVELS[self.level]

    def _levels(self, turns: bool) -> list[range]:
        """Return position, velocity, acceleration of what slides or turns about given axes."""
        turning = ("quat", "w", "alpha")
        return [at for part, at in self.parts.items() if (part in turning) == turns]

    @property
    def signals(self) -> list[tuple[int, int, int]]:
        """What belongs together as position, velocity and acceleration of one scalar."""
        levels = self._levels(turns=False)
        return [(q, v, a) for q, v, a in zip(*levels, strict=True)] if levels else []

    @property
    def turn(self) -> tuple[int, int, int] | None:
        """Where quaternion, angular velocity and angular acceleration begin, if there are any."""
        levels = self._levels(turns=True)
        return (levels[0].start, levels[1].start, levels[2].start) if levels else None


@dataclass(frozen=True)
class Table:
    """All variables in the order of their value references, and where they come from."""

    variables: tuple[Variable, ...]
    n_parameters: int
    n_inputs: int
    n_acting: int  # what acts on the equations: inputs, and what is made of them
    acting: tuple[int, ...]  # input k is entry acting[k] of what acts
    # what acts and is no input: entry, and the parameter with its start value, if it has one
    made: tuple[tuple[int, int | None], ...]
    blocks: tuple[Block, ...]  # in the order of the outputs
    # of q, q of cut joints and v: an expression, a parameter's index, or a number
    start: tuple[Expression | int | float, ...]
    driven: tuple[tuple[int, int], ...]  # entry k of what acts drives component n of v: (k, n)
    motions: tuple[PrescribedMotion, ...]
    first_force_input: int  # from here on, what acts belongs to forces
    has_work: bool
    tolerance: int  # which parameter is the solver's tolerance
    step: int | None  # which one is its step, if it has one
    gains: int | None  # from where on they are Baumgarte's, if it is chosen

    @property
    def parameters(self) -> tuple[Variable, ...]:
        """The parameters."""
        return self.variables[: self.n_parameters]

    @property
    def inputs(self) -> tuple[Variable, ...]:
        """The inputs."""
        return self.variables[self.n_parameters : self.n_parameters + self.n_inputs]

    @property
    def outputs(self) -> tuple[Variable, ...]:
        """The outputs."""
        return self.variables[self.n_parameters + self.n_inputs :]

    @property
    def waiting(self) -> tuple[bool, ...]:
        """Which inputs act by and by in co-simulation: they lead a motion that never jumps."""
        by_step = {
            k
            for motion in self.motions
            for part, at in motion.parts.items()
            for k in at
            if motion.level != "full" or level_of(part) != "acceleration"
        }
        return tuple(k in by_step for k in self.acting)

    @property
    def is_stepped(self) -> bool:
        """Tell whether a motion needs communication steps: its rates are made from step to step."""
        return any(motion.level != "full" for motion in self.motions)

    def stage_range(self, stage: str) -> range:
        """Value references of a stage."""
        first = self.n_parameters + self.n_inputs
        for name in STAGES:
            n = sum(len(b.components) for b in self.blocks if b.stage == name)
            if name == stage:
                return range(first, first + n)
            first += n
        raise ValueError(stage)


def flat_name(name: str) -> str:
    """Simulink makes buses of dots and brackets."""
    return name.replace(".", "_").replace("[", "_").replace("]", "")
