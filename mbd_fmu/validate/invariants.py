"""What no motion may change, judged on the outputs of a run.

Each law says how far it was broken, how far it may be, and where that limit comes from.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array
from mbd_fmu.validate.comparison import energy_drift, quaternion_columns, vector_of

# Quaternions are made of length 1 after every step; what is left is the rounding of a product along
# a chain of joints, some 1e-16 each.
UNIT_LENGTH = 1e-12
AS_SIGNALS = "as for signals"


@dataclass(frozen=True)
class Invariant:
    """One law: the worst of a run against what is allowed."""

    name: str
    worst: float
    allowed: float
    unit: str  # of both
    reason: str  # for what is allowed

    @property
    def passed(self) -> bool:
        """The law held; what is no number did not."""
        return self.worst <= self.allowed

    def __str__(self) -> str:
        unit = "" if self.unit == "1" else f" {self.unit}"
        return (
            f"{self.name}: off by {self.worst:.3g}{unit}; allowed {self.allowed:.3g}, {self.reason}"
        )


def invariants_of(result: Trajectory, tolerance: float) -> list[Invariant]:
    """Return the laws that the outputs let us judge."""
    return _energy(result, tolerance) + _closure(result, tolerance) + _unit_length(result)


def _energy(result: Trajectory, tolerance: float) -> list[Invariant]:
    drift = energy_drift(result)
    if drift is None:
        return []
    return [Invariant("energy balance", drift[1], tolerance, "of what moves", AS_SIGNALS)]


@dataclass(frozen=True)
class ClosureError:
    """The largest residual of the constraints in a run, and what it is held against."""

    name: str  # of the signal
    worst: float
    at: float  # s
    scale: float  # the largest coordinate, or speed, of a body
    unit: str
    what: str  # the scale is

    @property
    def floor(self) -> float:
        """What rounding leaves of it: the last place of the numbers it is the difference of."""
        return float(np.finfo(float).eps) * self.scale


def closure_errors(result: Trajectory) -> list[ClosureError]:
    """Return how far the constraints were from closed, on positions and on velocities."""
    size, speed = _size_and_speed(result)
    found = []
    for level, scale, unit, what in (
        ("position", size, "m", "coordinate of a body"),
        ("velocity", speed, "m/s", "speed of a body"),
    ):
        for name in (f"constraint.{level}_error", f"constraint_{level}_error"):
            if name in result:
                errors = np.abs(result.column(name))
                k = int(np.argmax(errors))  # of what is no number: the first such
                at = float(result.time[k])
                found.append(ClosureError(name, float(errors[k]), at, scale, unit, what))
    return found


def _closure(result: Trajectory, tolerance: float) -> list[Invariant]:
    """Hold the errors of constraints against the size and the speed of the mechanism."""
    return [
        Invariant(
            e.name, e.worst, tolerance * e.scale, e.unit, f"{tolerance:g} of the largest {e.what}"
        )
        for e in closure_errors(result)
    ]


def _size_and_speed(result: Trajectory) -> tuple[float, float]:
    """Return how far from the world's origin bodies get, and how fast; one where none is told."""
    columns = [k for k, name in enumerate(result.names) if vector_of(name)[-4:] in (".com", "_com")]
    if not columns or len(result.time) < 2:
        return 1.0, 1.0
    values = result.values[:, columns]
    steps: Array = np.diff(result.time)[:, None]
    size = float(np.abs(values).max())
    speed = float((np.abs(np.diff(values, axis=0)) / steps).max())
    # of what hardly moves: its size over the length of the run
    return size, max(speed, size / float(result.time[-1] - result.time[0]))


def _unit_length(result: Trajectory) -> list[Invariant]:
    columns = quaternion_columns(result.names)
    if not columns:
        return []
    lengths = np.stack([np.linalg.norm(result.values[:, c], axis=1) for c in columns])
    worst = float(np.abs(lengths - 1.0).max())
    return [Invariant("length of quaternions", worst, UNIT_LENGTH, "1", "rounding")]
