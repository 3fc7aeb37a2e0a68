"""An FMU in a study, ours or another's, by its own library.

Its processes begin with what this file imports: little, so that they begin soon.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from mbd_fmu.spatial import Array
from mbd_fmu.study.kept_fmus import kept_fmu
from mbd_fmu.study.targets import Course, Outcome, outcome_of
from mbd_fmu.system.variable import DERIVED, Variable
from mbd_fmu.validate.runner import Fmu
from mbd_fmu.version import VERSION


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
    def derived(self) -> Sequence[Variable]:
        """Parameters that follow from others."""
        return self._fmu.variables(DERIVED)

    @property
    def inputs(self) -> Sequence[Variable]:
        """Inputs that are real numbers."""
        return self._fmu.variables("input")

    @property
    def outputs(self) -> Sequence[Variable]:
        """Outputs that are real numbers."""
        return self._fmu.variables("output")

    @property
    def is_foreign(self) -> bool:
        """It may end the process it runs in."""
        return True

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
        values = np.empty((len(cases), len(course.times), len(course.outputs)))
        failed: dict[int, str] = {}
        warnings: dict[int, str] = {}
        for k, case in enumerate(cases):
            ran = kept.run(course, dict(zip(course.names, map(float, case), strict=True)))
            values[k] = ran.values
            if ran.failure is not None:
                failed[k] = ran.failure
            elif ran.warnings:
                warnings[k] = "\n".join(ran.warnings)
        return outcome_of(course, values, failed, warnings)
