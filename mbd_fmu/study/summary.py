"""What is kept of each output of a run: a few numbers.

Compiled code goes over each run once. The bits do not depend on how many are summarised together.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from functools import cache

import numpy as np

from mbd_fmu.export.libraries import hand_written_library
from mbd_fmu.spatial import Array

# least and greatest value; the last; root of the mean square over time, by the trapezoidal rule;
# when the absolute value was greatest, the first time of several; in the order of
# runtime/summaries.h
SUMMARIES = ("min", "max", "final", "rms", "peak_time")


def summary_names(outputs: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the columns that ``summaries`` gives."""
    return tuple(f"{output}.{summary}" for output in outputs for summary in SUMMARIES)


def summaries(time: Array, values: Array) -> Array:
    """Summarise runs, (cases, times, outputs): a row for each case. NaN anywhere gives NaN."""
    n, n_times, n_outputs = values.shape
    values = np.ascontiguousarray(values, dtype=float)
    time = np.ascontiguousarray(time, dtype=float)
    lengths = np.diff(time)
    weights = (np.append(lengths, 0.0) + np.append(0.0, lengths)) / (2 * (time[-1] - time[0]))
    found = np.empty((n, len(SUMMARIES), n_outputs))
    peak = np.empty(n_outputs)
    arrays = (time, weights, values, found, peak)
    _library().summarise(n, n_times, n_outputs, *(array.ctypes.data for array in arrays))
    return found.transpose(0, 2, 1).reshape(n, len(SUMMARIES) * n_outputs)


@cache
def _library() -> ctypes.CDLL:
    c = hand_written_library("summaries.c")
    c.summarise.restype = None
    c.summarise.argtypes = [ctypes.c_size_t] * 3 + [ctypes.c_void_p] * 5
    return c
