"""The points of a run: where its steps end, where results are wanted, where inputs change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mbd_fmu.errors import DataError
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array

MOST_POINTS = 5_000_000  # of a run: more fill the memory before anybody sees a result


def merged_times(times: Array, inputs: Trajectory | None) -> Array:
    """Return the times of a run with those at which an input row begins, without near doubles."""
    if inputs is None:
        return times
    inside = inputs.time[(inputs.time > times[0]) & (inputs.time < times[-1])]
    merged = np.union1d(times, inside)
    near = np.concatenate([[False], np.diff(merged) <= 1e-9 * (1 + np.abs(merged[1:]))])
    kept = merged[~near]
    # of two near ones the time that was asked for stays
    after = np.searchsorted(kept, times).clip(1, len(kept) - 1)
    nearest = after - (times - kept[after - 1] <= kept[after] - times)
    kept[nearest] = times
    return kept


@dataclass(frozen=True)
class Point:
    """A point of a run at which a step ends and the next begins."""

    time: float
    length: float | None  # of the next step; None at the end
    values: Array | None  # inputs to set; None where no new row has begun
    rates: Array | None  # at which they move on; None where they are held
    is_asked: bool  # outputs are wanted here


def schedule(times: Array, inputs: Trajectory | None, *, interpolate: bool) -> Iterator[Point]:
    """Walk through a run: the times asked for, and those at which rows of inputs begin between."""
    if inputs is not None and inputs.time[0] > times[0] + 1e-9 * (1 + abs(times[0])):
        raise DataError(
            f"the inputs begin at {inputs.time[0]:g} s, the run at {times[0]:g} s; add a row there"
        )
    points = merged_times(times, inputs)
    asked = times[np.searchsorted(times, points).clip(max=len(times) - 1)] == points
    last_row = -1
    for k, t in enumerate(points):
        length = float(points[k + 1] - t) if k + 1 < len(points) else None
        values = rates = None
        if inputs is not None and interpolate:
            values = inputs.interpolated(t)
            if length is not None:
                rates = (inputs.interpolated(points[k + 1]) - values) / length
        elif inputs is not None:
            row = inputs.row_at(t)
            values = inputs.values[row] if row != last_row else None
            last_row = row
        yield Point(float(t), length, values, rates, bool(asked[k]))


def communication_points(start: float, stop: float, step: float) -> Array:
    """Return the times of a run; the last interval may be shorter."""
    count = (stop - start) / step
    if not count <= MOST_POINTS:
        raise DataError(
            f"{stop - start:g} s in steps of {step:g} s are {count:.3g} communication points, at "
            f"most {MOST_POINTS:,} are run; shorten the time (--stop) or lengthen the step (--step)"
        )
    n = int(np.floor(count * (1 + 1e-12) + 1e-9))
    times = start + step * np.arange(n + 1)
    if stop - times[-1] > 1e-9 * step:
        times = np.append(times, stop)
    return times
