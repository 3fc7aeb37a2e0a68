"""Signals that do not change over a run, but for rounding."""

from __future__ import annotations

import numpy as np

from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array
from mbd_fmu.validate.comparison import ZERO, aligned, vector_of

# Of the largest value of its vector: far below what solvers keep, far above what rounding does.
STILL = 1e-9


def still_signals(result: Trajectory, reference: Trajectory | None = None) -> frozenset[str]:
    """Return those that stay where they are, and where their reference is."""
    found = _within(result, np.ptp(result.values, axis=0))
    if reference is None:
        return found
    actual, expected = aligned(result, reference)
    there = Trajectory(reference.time, reference.names, actual)
    gaps = np.abs(actual - expected).max(axis=0)
    return found - (frozenset(reference.names) - _within(there, gaps))


def _within(table: Trajectory, spans: Array) -> frozenset[str]:
    """Return the signals whose span is nothing beside their vector; what is no number is not."""
    sizes: dict[str, float] = {}
    for name, size in zip(table.names, np.abs(table.values).max(axis=0), strict=True):
        sizes[vector_of(name)] = max(sizes.get(vector_of(name), 0.0), float(size))
    return frozenset(
        name
        for name, span in zip(table.names, spans, strict=True)
        if span <= max(STILL * sizes[vector_of(name)], ZERO)
    )
