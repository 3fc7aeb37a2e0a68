"""An FMU led through the points of a study by compiled code: what ``Fmu.run`` does, point by point.

Source   FMI 2.0 sec. 4.2.4: the order in which a slave is called.
Checked  tests/study/test_fmu_walk.py
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from mbd_fmu.errors import FmuError
from mbd_fmu.export.libraries import hand_written_library
from mbd_fmu.signals.schedule import schedule
from mbd_fmu.signals.trajectory import Trajectory, check_columns
from mbd_fmu.spatial import Array
from mbd_fmu.study.points import PointTable, laid_out
from mbd_fmu.validate.described import Described

# Functions of runtime/fmi2_walk.h, in its order; where it stops is counted by them.
FUNCTIONS = (
    "fmi2SetReal",
    "fmi2ExitInitializationMode",
    "fmi2SetRealInputDerivatives",
    "fmi2GetReal",
    "fmi2DoStep",
)
_NOWHERE = -1


class Way(Protocol):
    """What all runs follow."""

    @property
    def times(self) -> Array:
        """Communication points."""

    @property
    def outputs(self) -> tuple[str, ...]:
        """What is wanted."""

    @property
    def inputs(self) -> Trajectory | None:
        """Over time."""

    @property
    def interpolate(self) -> bool:
        """On straight lines."""


class FmuWalk:
    """A way through an FMU, ready to be gone again and again; ``values`` are those of the last."""

    def __init__(self, fmu: Described, way: Way) -> None:
        if way.inputs is not None:
            check_columns("inputs", way.inputs, fmu.names("input"), "input")
        columns = _references(fmu, way.inputs.names if way.inputs is not None else ())
        points = tuple(schedule(way.times, way.inputs, interpolate=way.interpolate))
        self.way, self.start, self._path = way, float(way.times[0]), fmu.path
        self._points = laid_out(points, columns)
        self._outputs = _references(fmu, way.outputs)
        self._library = _declared(hand_written_library("fmi2_walk.c"))
        self.forget()

    def forget(self) -> None:
        """Let go of the values of the last run: those of the next have a place of their own."""
        self.values = np.full((len(self.way.times), len(self.way.outputs)), np.nan)

    def through(self, slave: int, address: Callable[[str], int | None]) -> tuple[str, int] | None:
        """Lead a slave from initialization mode to the end; return what it refused, and how."""
        there = [address(name) for name in FUNCTIONS]
        for name, place in zip(FUNCTIONS, there, strict=True):
            if place is None:
                raise FmuError(f"{self._path}: its library has no function {name}")
        status = ctypes.c_int(0)
        stopped = self._library.walk_through(
            (ctypes.c_void_p * len(there))(*there),
            slave,
            ctypes.byref(self._points.table),
            len(self._outputs),
            self._outputs.ctypes.data,
            self.values.ctypes.data,
            ctypes.byref(status),
        )
        return None if stopped == _NOWHERE else (FUNCTIONS[stopped], status.value)


def _references(fmu: Described, names: Sequence[str]) -> Array:
    return np.array([fmu.reference[name] for name in names], dtype=np.uint32)


def _declared(c: ctypes.CDLL) -> ctypes.CDLL:
    c.walk_through.restype = ctypes.c_int
    c.walk_through.argtypes = [
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.POINTER(PointTable),
        ctypes.c_size_t,
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_int),
    ]
    return c
