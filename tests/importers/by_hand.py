"""FMUs in fmpy, one call at a time: what every other importer is compared with."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Self

import fmpy
import numpy as np
from fmpy.fmi2 import FMU2Slave


class ByHand:
    """One instance, from instantiation to initialization mode while the ``with`` block lasts."""

    def __init__(self, path: Path, settings: Mapping[str, float] | None = None) -> None:
        description = fmpy.read_model_description(str(path))
        self.reference = {v.name: v.valueReference for v in description.modelVariables}
        self._folder = fmpy.extract(str(path))
        self.slave = FMU2Slave(
            guid=description.guid,
            unzipDirectory=self._folder,
            modelIdentifier=description.coSimulation.modelIdentifier,
            instanceName="by hand",
        )
        self.slave.instantiate()
        self.slave.setupExperiment(startTime=0.0)
        self.set(settings or {})
        self.slave.enterInitializationMode()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.slave.terminate()
        self.slave.freeInstance()
        shutil.rmtree(self._folder, ignore_errors=True)

    def set(self, values: Mapping[str, float]) -> None:
        self.slave.setReal([self.reference[name] for name in values], list(values.values()))

    def get(self, names: Sequence[str]) -> list[float]:
        return list(self.slave.getReal([self.reference[name] for name in names]))


def names_of(path: Path) -> list[str]:
    """All variables, in their order."""
    return [v.name for v in fmpy.read_model_description(str(path)).modelVariables]


def drive(names: Sequence[str], k: int) -> dict[str, float]:
    """Inputs over step k: small, different, and never on a straight line."""
    return {name: 0.05 * (i + 1) * ((3 * k) % 7) for i, name in enumerate(names)}


def values_by_hand(
    path: Path,
    schedule: Sequence[tuple[float, float]],
    inputs: Sequence[str],
    settings: Mapping[str, float],
    names: Sequence[str],
) -> np.ndarray:
    """The variables named after each step; inputs are set before it."""
    with ByHand(path, settings) as fmu:
        fmu.slave.exitInitializationMode()
        rows = []
        for k, (time, step) in enumerate(schedule):
            fmu.set(drive(inputs, k))
            fmu.slave.doStep(time, step)
            rows.append(fmu.get(names))
    return np.array(rows)


# ---- The clocks of importers, which differ by rounding


def summed(step: float, n: int) -> list[tuple[float, float]]:
    """Time added up, steps all alike: ecos, and fmucontainer inside."""
    times = [0.0]
    for _ in range(n):
        times.append(times[-1] + step)
    return [(time, step) for time in times[:-1]]


def nanoseconds(step: float, n: int) -> list[tuple[float, float]]:
    """Time in whole nanoseconds, steps are differences and so not all alike: libcosim."""
    ticks = round(step * 1e9)
    times = [k * ticks / 1e9 for k in range(n + 1)]
    return [(a, b - a) for a, b in pairwise(times)]
