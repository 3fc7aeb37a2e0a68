"""What is run in a study, and what comes of it.

Targets go to other processes and machines, so they hold all they need.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array
from mbd_fmu.study.summary import summaries
from mbd_fmu.system.variable import Variable


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
    def derived(self) -> Sequence[Variable]:
        """Parameters that follow from others."""

    @property
    def inputs(self) -> Sequence[Variable]:
        """Inputs alone."""

    @property
    def outputs(self) -> Sequence[Variable]:
        """All outputs."""

    @property
    def is_foreign(self) -> bool:
        """It may end the process it runs in."""

    @property
    def most_in_chunk(self) -> int:
        """Cases that are run, and written, together."""

    def digest(self) -> bytes:
        """Tell it, and what runs it, from any other."""

    def times(self, stop: float | None, step: float | None) -> tuple[Array, float]:
        """Points of a run, and the step between them; its own where they are not given."""

    def run(self, course: Course, cases: Array, threads: int) -> Outcome:
        """Run some cases."""


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
