"""Integration at 1e-12 from row to row, with inputs that are held over each row."""

from itertools import pairwise

import numpy as np
from scipy.integrate import solve_ivp

from mbd_fmu.signals.trajectory import Trajectory

RTOL = ATOL = 1e-12


def rows_of_time(stop, step):
    """Times of a reference, free of rounding."""
    return np.round(np.arange(round(stop / step) + 1) * step, 9)


def states(rate, x, times, *, after=lambda x: x, rtol=RTOL, atol=ATOL):
    """States at the times. ``rate(t, x, k)`` may look at row k of its inputs; DOP853."""
    x = np.array(x, dtype=float)
    found = [x]
    for k, (start, stop) in enumerate(pairwise(times)):
        found_here = solve_ivp(
            lambda t, x, k=k: rate(t, x, k), (start, stop), x, "DOP853", rtol=rtol, atol=atol
        )
        if not found_here.success:
            raise RuntimeError(f"{found_here.message} between {start} and {stop} s")
        x = after(found_here.y[:, -1])
        found.append(x)
    return np.array(found)


def held(times, **columns):
    """Input columns, rounded to six decimals so that the file says exactly what is applied."""
    names = tuple(columns)
    rounded = [np.round(np.broadcast_to(columns[n], times.shape), 6) for n in names]
    values = np.stack(rounded, axis=1)
    return Trajectory(times, names, values + 0.0)


def table(times, columns):
    """A trajectory from columns by name; vectors (n, 3) and quaternions (n, 4) are spread."""
    names, values = [], []
    for name, given in columns.items():
        column = np.asarray(given, dtype=float)
        if column.ndim == 1:
            names.append(name)
            values.append(column)
            continue
        for letter, part in zip("xyz" if column.shape[1] == 3 else "wxyz", column.T, strict=True):
            names.append(f"{name}.{letter}")
            values.append(part)
    return Trajectory(times, tuple(names), np.stack(values, axis=1))


def quaternions(rotations):
    """(w, x, y, z) of scipy rotations."""
    return np.roll(rotations.as_quat(), 1, axis=-1)
