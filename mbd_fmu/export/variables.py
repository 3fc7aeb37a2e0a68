"""The table of variables: one table makes the XML, the C and the Python slave.

A value reference is an index into it. The order is: parameters, inputs, then outputs stage by
stage. A stage is what is computed together, and only when one of its variables is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

from mbd_fmu.mechanics.joints import Component
from mbd_fmu.model.expressions import Expression

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
class Motion:
    """A joint whose motion is prescribed, and where its inputs stand among all inputs."""

    joint: int  # forest index
    kind: str  # joint type
    inputs: slice

    @property
    def signals(self) -> list[tuple[int, int, int]]:
        """Inputs that belong together as position, velocity and acceleration of one scalar."""
        first = self.inputs.start
        if self.kind == "spherical":
            return []
        if self.kind == "free":
            return [(first + k, first + 7 + k, first + 13 + k) for k in range(3)]
        n = (self.inputs.stop - first) // 3
        return [(first + k, first + n + k, first + 2 * n + k) for k in range(n)]

    @property
    def turn(self) -> tuple[int, int, int] | None:
        """Where quaternion, angular velocity and angular acceleration begin, if there are any."""
        first = self.inputs.start
        if self.kind == "spherical":
            return first, first + 4, first + 7
        return (first + 3, first + 10, first + 16) if self.kind == "free" else None


@dataclass(frozen=True)
class Table:
    """All variables in the order of their value references, and where they come from."""

    variables: tuple[Variable, ...]
    n_parameters: int
    n_inputs: int
    blocks: tuple[Block, ...]  # in the order of the outputs
    # of q, q of cut joints and v: an expression, a parameter's index, or a number
    start: tuple[Expression | int | float, ...]
    driven: tuple[tuple[int, int], ...]  # input k acts on component n of v: (k, n)
    motions: tuple[Motion, ...]
    first_wrench: int  # from here on, inputs are wrenches from outside, six each
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
