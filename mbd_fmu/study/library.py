"""The library that runs many cases of a mechanism: compiled once, kept, loaded.

It holds the equations and the runtime of the FMU and, instead of the functions of the standard,
those of ``runtime/batch.h``. It is kept with the objects of the compiler, under a hash of all it is
made of: the mechanism, this package, the compiler.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from mbd_fmu.export.identity import identity
from mbd_fmu.export.libraries import (
    hand_written_library,
    kept_library,
    key_of_compiler,
    loaded_library,
)
from mbd_fmu.options import ZIG
from mbd_fmu.study.points import PointTable
from mbd_fmu.system.system import System

HEAR = ctypes.CFUNCTYPE(None, ctypes.c_size_t, ctypes.c_int, ctypes.c_char_p)
KEEPS = ("all", "last", "extremes")  # in the order of ``Keep``

_LOADED: dict[bytes, ctypes.CDLL] = {}


class Plan(ctypes.Structure):
    """``Plan`` of runtime/batch.h."""

    _fields_ = (
        ("points", PointTable),
        ("n_settings", ctypes.c_size_t),
        ("n_outputs", ctypes.c_size_t),
        ("setting", ctypes.c_void_p),
        ("output", ctypes.c_void_p),
        ("n_rows", ctypes.c_size_t),
        ("keep", ctypes.c_int),
    )


class Cases(ctypes.Structure):
    """``Cases`` of runtime/batch.h."""

    _fields_ = (
        ("n", ctypes.c_size_t),
        ("first", ctypes.c_size_t),
        ("setting", ctypes.c_void_p),
        ("kept", ctypes.c_void_p),
        ("failed", ctypes.c_void_p),
    )


def batch_library(
    system: System, compiler: str = ZIG, progress: Callable[[str], None] = lambda _: None
) -> ctypes.CDLL:
    """Return the library of a mechanism, compiled if it has not been before."""
    key = _key(system, compiler)
    if key not in _LOADED:
        made = kept_library(key, lambda: _made(system, compiler, progress))
        _LOADED[key] = _declared(loaded_library(made))
    return _LOADED[key]


def _made(system: System, compiler: str, progress: Callable[[str], None]) -> bytes:
    # what makes a library takes longer to load than many a study to run
    from mbd_fmu.study.library_making import made_library  # noqa: PLC0415

    return made_library(system, compiler, processor_lanes(compiler), progress)


def _key(system: System, compiler: str) -> bytes:
    lanes = str(processor_lanes(compiler)).encode()
    return identity(system.spec, b"batch", lanes, key_of_compiler(compiler))


def processor_lanes(compiler: str = ZIG) -> int:
    """Ask this processor how many doubles its vectors hold, by the code that asks it in a run."""
    return int(hand_written_library("processor.c", compiler).processor_lanes())


def _declared(c: ctypes.CDLL) -> ctypes.CDLL:
    c.batch_new.restype = ctypes.c_void_p
    c.batch_new.argtypes = [ctypes.POINTER(Plan), HEAR, ctypes.c_int]
    c.batch_run.restype = None
    c.batch_run.argtypes = [ctypes.c_void_p, ctypes.POINTER(Cases)]
    c.batch_free.restype = None
    c.batch_free.argtypes = [ctypes.c_void_p]
    return c
