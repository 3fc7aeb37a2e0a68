"""Rows of the reference cases in ``tests/references``, under the names of our variables."""

import numpy as np

from mbd_fmu.signals.trajectory import Trajectory
from tests.cases import solution_of


def rows(name, stop=None, every=1):
    """A table of the case, up to ``stop``, every so many rows."""
    found = solution_of(name)
    n = len(found.time) if stop is None else int((found.time <= stop + 1e-9).sum())
    return Trajectory(found.time[:n:every], found.names, found.values[:n:every])


def renamed(found, names):
    """Columns under the names of our variables: ours -> theirs, or a function of the table."""
    values = [f(found) if callable(f) else found.column(f) for f in names.values()]
    return Trajectory(found.time, tuple(names), np.stack(values, axis=1))
