"""The library that runs many cases of a mechanism: compiled once, kept, loaded.

It holds the equations and the runtime of the FMU and, instead of the functions of the standard,
those of ``runtime/batch.h``. It is kept with the objects of the compiler, under a hash of all it is
made of: the mechanism, this package, the compiler.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache

from mbd_fmu.analysis.checks import refuse_unusable
from mbd_fmu.errors import CompileError
from mbd_fmu.export.c_code import model_sources
from mbd_fmu.export.compile import compile_library, compiler_key, host_platform
from mbd_fmu.export.compiler_cache import keep_object, kept_object
from mbd_fmu.export.identity import identity
from mbd_fmu.export.lane_code import FILE as LANE_FILE
from mbd_fmu.export.lane_code import lane_source, takes_lanes
from mbd_fmu.export.runtime import runtime_sources, whole_runtime, with_headers
from mbd_fmu.export.symbols import symbols_of
from mbd_fmu.host.scratch import scratch_folder
from mbd_fmu.options import ZIG
from mbd_fmu.system.system import System

ROOM, MOST = "libraries", 200  # where they are kept, and how many, of some 0.1 to 1 MB

HEAR = ctypes.CFUNCTYPE(None, ctypes.c_size_t, ctypes.c_int, ctypes.c_char_p)
KEEPS = ("all", "last", "extremes")  # in the order of ``Keep``
GIVES_VALUES, GIVES_RATES, IS_ASKED = 1, 2, 4

_LOADED: dict[bytes, ctypes.CDLL] = {}
_open_files = ExitStack()  # where a library that is loaded cannot be removed


class Plan(ctypes.Structure):
    """``Plan`` of runtime/batch.h."""

    _fields_ = (
        ("n_points", ctypes.c_size_t),
        ("time", ctypes.c_void_p),
        ("length", ctypes.c_void_p),
        ("what", ctypes.c_void_p),
        ("n_columns", ctypes.c_size_t),
        ("column", ctypes.c_void_p),
        ("values", ctypes.c_void_p),
        ("rates", ctypes.c_void_p),
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
        made = _kept(key, lambda: _compiled(system, compiler, progress))
        _LOADED[key] = _declared(_loaded(made))
    return _LOADED[key]


def _kept(key: bytes, make: Callable[[], bytes]) -> bytes:
    found = kept_object(key, ROOM)
    if found is None:
        found = make()
        keep_object(key, found, ROOM, MOST)
    return found


def _key(system: System, compiler: str) -> bytes:
    lanes = str(_processor_lanes(compiler)).encode()
    return identity(system.spec, b"batch", lanes, _compiler(compiler))


@cache
def _compiler(compiler: str) -> bytes:
    return compiler_key(host_platform(), compiler)


def _compiled(system: System, compiler: str, progress: Callable[[str], None]) -> bytes:
    refuse_unusable(system)
    progress("equations")
    symbols = symbols_of(system)
    progress("library")
    lanes = _processor_lanes(compiler) if takes_lanes(system, symbols) else 1
    in_lanes = lanes > 1
    sources = runtime_sources(system, "batch", in_lanes=in_lanes)
    sources |= model_sources(system, symbols)
    sources[LANE_FILE] = lane_source(system, symbols, in_lanes=in_lanes)
    return compile_library(sources, host_platform(), compiler, lanes=lanes)


@cache
def _processor_lanes(compiler: str) -> int:
    """Ask this processor how many doubles its vectors hold, by the code that asks it in a run."""
    sources = with_headers(["processor.c"], whole_runtime())
    here = host_platform()
    texts = (part.encode() for source in sources.items() for part in source)
    key = hashlib.sha256(b"\n".join([_compiler(compiler), *texts])).digest()
    made = _kept(key, lambda: compile_library(sources, here, compiler))
    return int(_loaded(made).processor_lanes())


def _loaded(made: bytes) -> ctypes.CDLL:
    with ExitStack() as stack:
        path = stack.enter_context(scratch_folder()) / f"batch{host_platform().suffix}"
        path.write_bytes(made)
        try:
            found = ctypes.CDLL(str(path))
        except OSError as error:
            raise CompileError(f"the library for many cases does not load: {error}") from None
        if os.name == "nt":
            _open_files.push(stack.pop_all())
    return found


def _declared(c: ctypes.CDLL) -> ctypes.CDLL:
    c.batch_new.restype = ctypes.c_void_p
    c.batch_new.argtypes = [ctypes.POINTER(Plan), HEAR, ctypes.c_int]
    c.batch_run.restype = None
    c.batch_run.argtypes = [ctypes.c_void_p, ctypes.POINTER(Cases)]
    c.batch_free.restype = None
    c.batch_free.argtypes = [ctypes.c_void_p]
    return c
