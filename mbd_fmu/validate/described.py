"""What an FMU says of itself: variables, units, the experiment it is meant for."""

from __future__ import annotations

import math
from functools import cached_property
from pathlib import Path
from typing import Any

from mbd_fmu.errors import DataError, FmuError
from mbd_fmu.signals.schedule import communication_points
from mbd_fmu.spatial import Array
from mbd_fmu.system.variable import DERIVED, Variable, refused_setting


class Described:
    """An FMU by its description, as fmpy reads it."""

    path: Path
    description: Any

    @cached_property
    def reference(self) -> dict[str, int]:
        """Value references by name."""
        return {v.name: v.valueReference for v in self.description.modelVariables}

    @cached_property
    def _units(self) -> dict[str, str | None]:
        return {v.name: v.unit for v in self.description.modelVariables}

    @cached_property
    def settable(self) -> frozenset[str]:
        """Names of parameters and inputs."""
        return frozenset(self.names("parameter") + self.names("input"))

    def names(self, causality: str) -> list[str]:
        """Return the names of all variables of a causality."""
        return [v.name for v in self.description.modelVariables if v.causality == causality]

    def variables(self, causality: str) -> tuple[Variable, ...]:
        """Return all real variables of a causality as ours are."""
        return tuple(
            Variable(
                v.name,
                causality,
                v.unit or "1",
                v.description or "",
                _real(v.start),
                _real(v.min),
                _real(v.max),
                is_tunable=v.variability == "tunable",
            )
            for v in self.description.modelVariables
            if v.causality == causality and v.type == "Real"
        )

    def unit(self, name: str) -> str:
        """Return the unit of a variable."""
        return self._units.get(name) or "1"

    def times(self, stop: float | None = None, step: float | None = None) -> Array:
        """Return the points of a run: as asked for, else by the default experiment."""
        stop = stop or self._default("stopTime", 1.0)
        step = step or self._default("stepSize", 0.01)
        try:
            return communication_points(0.0, stop, step)
        except DataError as error:
            raise FmuError(
                f"{self.path}: {error}; validate takes the times of --reference"
            ) from None

    def _default(self, key: str, otherwise: float) -> float:
        experiment = self.description.defaultExperiment
        text = getattr(experiment, key, None) if experiment else None
        value = float(text) if text is not None else otherwise
        if not 0 < value < math.inf:
            raise FmuError(
                f"{self.path}: {key} of its default experiment is {value:g}, no positive number; "
                "give --stop and --step, or validate with --reference, whose times then count"
            )
        return value

    def refuse_unsettable(self, *names: str) -> None:
        """Refuse names that are neither parameters nor inputs."""
        for name in names:
            if name not in self.settable:
                there = self.names("parameter") + self.names("input")
                raise DataError(refused_setting(name, there, self.names(DERIVED)))


def _real(text: str | float | None) -> float | None:
    return None if text is None else float(text)
