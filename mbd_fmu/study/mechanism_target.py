"""A mechanism in a study: its equations as compiled code, many cases side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from mbd_fmu.export.identity import identity
from mbd_fmu.model.spec import Spec
from mbd_fmu.signals.schedule import communication_points
from mbd_fmu.spatial import Array
from mbd_fmu.study.batch import run_batch
from mbd_fmu.study.targets import Course, Outcome, outcome_of
from mbd_fmu.system.system import System, system_of
from mbd_fmu.system.variable import Variable


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
    def derived(self) -> Sequence[Variable]:
        """Parameters that follow from others."""
        return self._system.table.derived

    @property
    def inputs(self) -> Sequence[Variable]:
        """Inputs alone."""
        return self._system.table.inputs

    @property
    def outputs(self) -> Sequence[Variable]:
        """All outputs."""
        return self._system.table.outputs

    @property
    def is_foreign(self) -> bool:
        """It runs nobody else's code."""
        return False

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
