"""Targets whose motion is known, and that end the process they run in; importable by workers."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mbd_fmu.study.plan import Plan
from mbd_fmu.study.targets import outcome_of
from mbd_fmu.system.variable import Variable


def plan_of(columns):
    """Make a plan of columns, one value for each case."""
    return Plan(tuple(columns), np.column_stack(list(columns.values())))


@dataclass(frozen=True)
class Sine:
    """y = a sin t over one period. Some values of ``a`` are deadly: always, or once."""

    deadly: float | None = None
    once: tuple[float, str] | None = None  # a value, and a file that remembers
    pause: float = 0.0  # s for each case
    most_in_chunk: int = 4
    name, is_foreign = "sine", True
    settable = (Variable("a", "parameter", "m", ""),)
    inputs = ()
    outputs = (Variable("y", "output", "m", ""),)

    def digest(self):
        return b"sine"

    def times(self, _stop, _step):
        return np.linspace(0, 2 * np.pi, 101), 0.02 * np.pi

    def run(self, course, cases, _threads):
        for (a,) in cases:
            time.sleep(self.pause)
            if a == self.deadly:
                os.kill(os.getpid(), signal.SIGKILL)
            if self.once and a == self.once[0] and not Path(self.once[1]).exists():
                Path(self.once[1]).touch()
                os.kill(os.getpid(), signal.SIGKILL)
        values = np.array([a * np.sin(course.times)[:, None] for (a,) in cases])
        return outcome_of(course, values, {}, {})
