"""The points of a run, laid out for compiled code."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from mbd_fmu.signals.schedule import Point
from mbd_fmu.spatial import Array

GIVES_VALUES, GIVES_RATES, IS_ASKED = 1, 2, 4  # as in runtime/points.h


class PointTable(ctypes.Structure):
    """``Points`` of runtime/points.h."""

    _fields_ = (
        ("n", ctypes.c_size_t),
        ("time", ctypes.c_void_p),
        ("length", ctypes.c_void_p),
        ("what", ctypes.c_void_p),
        ("n_columns", ctypes.c_size_t),
        ("column", ctypes.c_void_p),
        ("values", ctypes.c_void_p),
        ("rates", ctypes.c_void_p),
    )


@dataclass(frozen=True)
class LaidOut:
    """A table of points, and the arrays that it leads to: they live as long as this does."""

    table: PointTable
    arrays: tuple[Array, ...]


def laid_out(
    points: Sequence[Point],
    columns: Array,
    is_asked: Callable[[Point], bool] = lambda point: point.is_asked,
) -> LaidOut:
    """Lay points out; ``columns`` are the inputs over time, as compiled code counts them."""
    n = len(columns)
    what = [
        GIVES_VALUES * (n > 0 and p.values is not None)
        + GIVES_RATES * (n > 0 and p.rates is not None)
        + IS_ASKED * is_asked(p)
        for p in points
    ]
    still = np.zeros(n)
    arrays = {
        "time": np.array([p.time for p in points]),
        "length": np.array([p.length or 0.0 for p in points]),
        "what": np.array(what, dtype=np.intc),
        "column": np.asarray(columns, dtype=np.uint32),
        "values": np.array([still if p.values is None else p.values for p in points]),
        "rates": np.array([still if p.rates is None else p.rates for p in points]),
    }
    places = {name: array.ctypes.data for name, array in arrays.items()}
    table = PointTable(n=len(points), n_columns=n, **places)
    return LaidOut(table, tuple(arrays.values()))
