"""Columns over time: what goes into a simulation, what comes out, what it is compared with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from mbd_fmu.errors import DataError
from mbd_fmu.spatial import Array

LONG, FEW = 40, 10  # letters of a field, and names, that a message quotes


@dataclass(frozen=True)
class Trajectory:
    """Named columns, one row per instant; times ascend."""

    time: Array  # (n,)
    names: tuple[str, ...]
    values: Array  # (n, len(names))

    def column(self, name: str) -> Array:
        """Return one signal."""
        return self.values[:, self.names.index(name)]

    def __contains__(self, name: str) -> bool:
        return name in self.names

    def row_at(self, t: float) -> int:
        """Return the last row that begins at or before t, forgiving rounding."""
        return max(
            0, int(np.searchsorted(self.time, t + 1e-9 * max(1.0, abs(t)), side="right")) - 1
        )

    def interpolated(self, t: float) -> Array:
        """Return the values at t, on straight lines between the rows."""
        return np.array([np.interp(t, self.time, column) for column in self.values.T])


def check_columns(source: str, trajectory: Trajectory, known: Iterable[str], what: str) -> None:
    """Refuse columns that name nothing."""
    known = list(known)
    strange = set(trajectory.names).difference(known)
    unknown = [name for name in trajectory.names if name in strange]
    if unknown:
        listed = ", ".join(known) if known else "none"
        raise DataError(f"{source}: no {what} named {few(unknown)}; the {what}s are: {listed}")


def short(text: str) -> str:
    """Quote what may be a whole file that was taken for a field."""
    return text if len(text) <= LONG else f"{text[:LONG]}..."


def few(names: Sequence[str]) -> str:
    """List names, the first of many."""
    more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
    return ", ".join(map(short, names[:FEW])) + more
