"""Signals that do not change over a run, but for rounding."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array
from mbd_fmu.validate.comparison import ZERO, aligned, vector_of
from mbd_fmu.validate.signal_groups import numbered_of

# Of the largest value of its vector: far below what solvers keep, far above what rounding does.
STILL = 1e-9


def still_signals(
    result: Trajectory,
    reference: Trajectory | None = None,
    units: Mapping[str, str] | None = None,
) -> frozenset[str]:
    """Return those that stay where they are, and where their reference is."""
    units = units or {}
    found = _within(result, np.ptp(result.values, axis=0), units)
    if reference is None:
        return found
    actual, expected = aligned(result, reference)
    there = Trajectory(reference.time, reference.names, actual)
    gaps = np.abs(actual - expected).max(axis=0)
    return found - (frozenset(reference.names) - _within(there, gaps, units))


def _within(table: Trajectory, spans: Array, units: Mapping[str, str]) -> frozenset[str]:
    """Return the signals whose span is nothing beside their vector; what is no number is not.

    Numbers ``name[1]``, ``name[2]`` are one vector as far as they have one unit.
    """
    vectors = [(numbered_of(vector_of(name)), units.get(name)) for name in table.names]
    sizes: dict[tuple[str, str | None], float] = {}
    for vector, size in zip(vectors, np.abs(table.values).max(axis=0), strict=True):
        sizes[vector] = max(sizes.get(vector, 0.0), float(size))
    return frozenset(
        name
        for name, vector, span in zip(table.names, vectors, spans, strict=True)
        if span <= max(STILL * sizes[vector], ZERO)
    )
