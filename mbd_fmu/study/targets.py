"""What is run in a study: a mechanism, by compiled code, or any FMU, by its own library.

Targets go to other processes and machines, so they hold all they need.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

import numpy as np

from mbd_fmu.errors import FmuError
from mbd_fmu.export.identity import identity
from mbd_fmu.model.spec import Spec
from mbd_fmu.signals.schedule import communication_points
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array
from mbd_fmu.study.batch import run_batch
from mbd_fmu.study.kept_fmus import kept_fmu
from mbd_fmu.study.summary import summaries
from mbd_fmu.system.system import System, system_of
from mbd_fmu.system.variables import Variable
from mbd_fmu.validate.runner import Fmu
from mbd_fmu.version import VERSION


@dataclass(frozen=True)
class Course:
    """How each case of a study is run, and what is kept of it."""

    names: tuple[str, ...]  # of what each case sets
    times: Array
    step: float
    outputs: tuple[str, ...]
    inputs: Trajectory | None = None
    interpolate: bool = False
    trajectories: bool = False  # are kept beside the summaries


@dataclass(frozen=True)
class Outcome:
    """What some cases gave, a row for each; of those that failed NaN and a message."""

    summaries: Array
    trajectories: Array | None  # (cases, times, outputs)
    failed: Array
    messages: dict[int, str]  # why they failed, and what others warn of


class Target(Protocol):
    """What a study asks of what it runs."""

    @property
    def name(self) -> str:
        """The model's."""

    @property
    def settable(self) -> Sequence[Variable]:
        """Parameters and inputs."""

    @property
    def inputs(self) -> Sequence[Variable]:
        """Inputs alone."""

    @property
    def outputs(self) -> Sequence[Variable]:
        """All outputs."""

    @property
    def most_in_chunk(self) -> int:
        """Cases that are run, and written, together."""

    def digest(self) -> bytes:
        """Tell it, and what runs it, from any other."""

    def times(self, stop: float | None, step: float | None) -> tuple[Array, float]:
        """Points of a run, and the step between them; its own where they are not given."""

    def run(self, course: Course, cases: Array, threads: int) -> Outcome:
        """Run some cases."""


@dataclass(frozen=True)
class MechanismTarget:
    """A mechanism."""

    spec: Spec

    @cached_property
    def _system(self) -> System:
        return system_of(self.spec)

    def __getstate__(self) -> dict[str, object]:
        return {"spec": self.spec}  # a system is made where it is needed

    @property
    def name(self) -> str:
        """The model's."""
        return self.spec.name

    @property
    def settable(self) -> Sequence[Variable]:
        """Parameters and inputs."""
        return (*self._system.table.parameters, *self._system.table.inputs)

    @property
    def inputs(self) -> Sequence[Variable]:
        """Inputs alone."""
        return self._system.table.inputs

    @property
    def outputs(self) -> Sequence[Variable]:
        """All outputs."""
        return self._system.table.outputs

    @property
    def most_in_chunk(self) -> int:
        """Many: they are run side by side."""
        return 256

    def digest(self) -> bytes:
        """Tell it, and this package, from any other."""
        return identity(self.spec, b"study")

    def times(self, stop: float | None, step: float | None) -> tuple[Array, float]:
        """Points of a run; the model's own where they are not given."""
        step = step or self.spec.fmu.communication_step
        return communication_points(0.0, stop or self.spec.fmu.stop_time, step), step

    def run(self, course: Course, cases: Array, threads: int) -> Outcome:
        """Run some cases, side by side."""
        found = run_batch(
            self._system,
            dict(zip(course.names, cases.T, strict=True)),
            inputs=course.inputs,
            interpolate=course.interpolate,
            stop=float(course.times[-1]),
            step=course.step,
            outputs=course.outputs,
            threads=threads,
        )
        messages = {k: "\n".join(texts) for k, texts in found.warnings.items()}
        return outcome_of(course, found.values, found.failed, messages)


@dataclass(frozen=True)
class FmuTarget:
    """An FMU, ours or another's, with all its bytes."""

    source: str  # where it came from, for messages
    content: bytes

    @classmethod
    def read(cls, path: Path) -> FmuTarget:
        """Take an FMU from a file; what cannot be run is refused."""
        target = cls(str(path), path.read_bytes())
        target._fmu.variables("output")
        return target

    @cached_property
    def _fmu(self) -> Fmu:
        return Fmu(self.source)  # what it says; its library is loaded where it runs

    def __getstate__(self) -> dict[str, object]:
        return {"source": self.source, "content": self.content}

    @property
    def name(self) -> str:
        """The model's."""
        return str(self._fmu.description.modelName)

    @property
    def settable(self) -> Sequence[Variable]:
        """Parameters and inputs that are real numbers."""
        return (*self._fmu.variables("parameter"), *self.inputs)

    @property
    def inputs(self) -> Sequence[Variable]:
        """Inputs that are real numbers."""
        return self._fmu.variables("input")

    @property
    def outputs(self) -> Sequence[Variable]:
        """Outputs that are real numbers."""
        return self._fmu.variables("output")

    @property
    def most_in_chunk(self) -> int:
        """Fewer: each of them takes longer."""
        return 32

    def digest(self) -> bytes:
        """Tell it from any other."""
        return hashlib.sha256(VERSION.encode() + self.content).digest()

    def times(self, stop: float | None, step: float | None) -> tuple[Array, float]:
        """Points of a run; those of its default experiment where they are not given."""
        times = self._fmu.times(stop, step)
        return times, float(times[1] - times[0])

    def run(self, course: Course, cases: Array, threads: int) -> Outcome:  # noqa: ARG002
        """Run some cases one after the other; an FMU that is loaded once is in one thread."""
        kept = kept_fmu(self.source, self.content)
        values = np.full((len(cases), len(course.times), len(course.outputs)), np.nan)
        failed: dict[int, str] = {}
        warnings: dict[int, str] = {}
        for k, case in enumerate(cases):
            try:
                settings = dict(zip(course.names, map(float, case), strict=True))
                values[k], said = kept.run(course, settings)
            except FmuError as error:
                failed[k] = str(error)
            else:
                warnings |= {k: "\n".join(said)} if said else {}
        return outcome_of(course, values, failed, warnings)


def outcome_of(
    course: Course, values: Array, failed: Mapping[int, str], warnings: Mapping[int, str]
) -> Outcome:
    """Summarise runs; of those that failed there are no numbers."""
    is_failed = np.zeros(len(values), dtype=bool)
    is_failed[list(failed)] = True
    found = summaries(course.times, values)
    found[is_failed] = np.nan
    kept = values if course.trajectories else None
    return Outcome(found, kept, is_failed, {**warnings, **failed})


def lost_outcome(course: Course, why: str) -> Outcome:
    """Return what one case gives that ended the process it ran in."""
    nothing = np.full((1, len(course.times), len(course.outputs)), np.nan)
    return outcome_of(course, nothing, {0: why}, {})
