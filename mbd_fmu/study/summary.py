"""What is kept of each output of a run: a few numbers.

The bits do not depend on how many runs are summarised together: least, greatest and last values
are values of the run, and the mean square is summed over time in one order, element by element.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mbd_fmu.spatial import Array

# least and greatest value; the last; root of the mean square over time, by the trapezoidal rule;
# when the absolute value was greatest, the first time of several
CACHED = 2**22  # bytes of runs that are summarised together, near the processor: twice as fast
SUMMARIES = ("min", "max", "final", "rms", "peak_time")


def summary_names(outputs: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the columns that ``summaries`` gives."""
    return tuple(f"{output}.{summary}" for output in outputs for summary in SUMMARIES)


def summaries(time: Array, values: Array) -> Array:
    """Summarise runs, (cases, times, outputs): a row for each case. NaN anywhere gives NaN."""
    n = len(values)
    some = max(1, CACHED // max(1, values[0].nbytes if n else 1))
    found = [_summaries(time, values[k : k + some]) for k in range(0, n, some)]
    return np.concatenate(found) if found else np.empty((0, len(SUMMARIES) * values.shape[2]))


def _summaries(time: Array, values: Array) -> Array:
    lengths = np.diff(time)
    weights = np.append(lengths, 0.0) + np.append(0.0, lengths)  # twice those of the rule
    square = np.zeros((values.shape[0], values.shape[2]))
    for weight, row in zip(weights, np.moveaxis(values, 1, 0), strict=True):
        square += weight * row * row
    mean = square / (2 * (time[-1] - time[0]))
    peak = time[np.argmax(np.abs(values), axis=1)]
    is_number = ~np.isnan(square)
    found = np.stack(
        [
            values.min(axis=1),
            values.max(axis=1),
            values[:, -1],
            np.sqrt(mean),
            np.where(is_number, peak, np.nan),
        ],
        axis=2,
    )
    return found.reshape(len(values), -1)
