"""The table of variables: one table makes the XML, the C and the Python slave.

A value reference is an index into it. The order is: parameters, inputs, parameters that are derived
from others, then outputs stage by stage.
"""

from __future__ import annotations

from dataclasses import dataclass

from mbd_fmu.elements.motion_of_time import MotionOfTime
from mbd_fmu.elements.prescribed import ACCELERATION, JointMotion, Places, PrescribedLayout
from mbd_fmu.quantities.time_functions import TimeFunction
from mbd_fmu.quantities.vectors import Values
from mbd_fmu.spatial import Array, Scalar
from mbd_fmu.system.outputs.block import STAGES, Block, Stage
from mbd_fmu.system.starts import StartValue
from mbd_fmu.system.variable import Variable


@dataclass(frozen=True)
class PrescribedMotion:
    """A joint whose motion is prescribed, and where its inputs stand among all that acts.

    One that is a function of time has none.
    """

    joint: int  # forest index
    layout: PrescribedLayout
    first: int  # among all that acts
    level: str = "full"  # "full", "position" or "velocity": the others are made from it; "time"
    name: str = ""
    of_time: MotionOfTime | None = None

    @property
    def is_told(self) -> bool:
        """Inputs tell it."""
        return self.of_time is None

    def prescribed(self, u: Array, time: Scalar, parameters: Values) -> JointMotion:
        """Return the motion, from all that acts or from the time."""
        if self.of_time is None:
            return self.layout.motion(u[self.inputs])
        return self.layout.motion(self.of_time.inputs(self.layout, time, parameters))

    @property
    def inputs(self) -> slice:
        """All that prescribes it."""
        return slice(self.first, self.first + self.layout.size)

    @property
    def parts(self) -> dict[str, range]:
        """Where each part of the layout stands."""
        every = range(self.inputs.start, self.inputs.stop)
        return {name: every[at] for name, at in self.layout.slices.items()}

    @property
    def signals(self) -> list[tuple[int, int, int]]:
        """What belongs together as position, velocity and acceleration of one scalar."""
        first = self.first
        return [(first + q, first + v, first + a) for q, v, a in self.layout.signals]

    @property
    def turn(self) -> Places | None:
        """Where quaternion, angular velocity and angular acceleration stand, if there are any."""
        if self.layout.turn is None:
            return None
        q, v, a = (range(self.first + at.start, self.first + at.stop) for at in self.layout.turn)
        return q, v, a


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
    start: tuple[StartValue, ...]  # of q, q of cut joints and v
    driven: tuple[tuple[int, int], ...]  # entry k of what acts drives component n of v: (k, n)
    torques: tuple[tuple[int, TimeFunction], ...]  # what drives component n of v: (n, function)
    motions: tuple[PrescribedMotion, ...]
    first_force_input: int  # from here on, what acts belongs to forces,
    time: int | None  # but for the time, which acts last, if anything hangs on it
    has_work: bool
    tolerance: int  # which parameter is the solver's tolerance
    step: int | None  # which one is its step, if it has one
    gains: int | None  # from where on they are Baumgarte's, if it is chosen

    @property
    def told(self) -> tuple[PrescribedMotion, ...]:
        """Motions that inputs tell."""
        return tuple(motion for motion in self.motions if motion.is_told)

    def time_of(self, u: Array) -> Scalar:
        """Return the time among all that acts; 0 where nothing hangs on it."""
        return 0.0 if self.time is None else u[self.time]

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
        return self.variables[self.first_computed + self.n_derived :]

    @property
    def derived(self) -> tuple[Variable, ...]:
        """Parameters that follow from others."""
        return self.variables[self.first_computed :][: self.n_derived]

    @property
    def first_computed(self) -> int:
        """Value reference of the first variable that is not set but computed."""
        return self.n_parameters + self.n_inputs

    @property
    def n_derived(self) -> int:
        """How many parameters follow from others."""
        return len(self.stage_range(Stage.DERIVED))

    @property
    def waiting(self) -> tuple[bool, ...]:
        """Which inputs act by and by in co-simulation: they lead a motion that never jumps."""
        by_step = {
            k
            for motion in self.told
            for part in motion.layout.parts
            for k in motion.parts[part.name]
            if motion.level != "full" or part.level != ACCELERATION
        }
        return tuple(k in by_step for k in self.acting)

    @property
    def tracks(self) -> list[tuple[PrescribedMotion, Places]]:
        """All scalars of prescribed motions, then all turns: each one goes its own way."""
        scalars = [
            (motion, (range(q, q + 1), range(v, v + 1), range(a, a + 1)))
            for motion in self.told
            for q, v, a in motion.signals
        ]
        return scalars + [(motion, motion.turn) for motion in self.told if motion.turn]

    @property
    def is_stepped(self) -> bool:
        """Tell whether a motion needs communication steps: its rates are made from step to step."""
        return any(motion.level != "full" for motion in self.told)

    def stage_range(self, stage: str) -> range:
        """Value references of a stage."""
        first = self.first_computed
        for name in STAGES:
            n = sum(len(b.components) for b in self.blocks if b.stage == name)
            if name == stage:
                return range(first, first + n)
            first += n
        raise ValueError(stage)


def flat_name(name: str) -> str:
    """Simulink makes buses of dots and brackets."""
    return name.replace(".", "_").replace("[", "_").replace("]", "")
