"""Libraries that are compiled once and kept; loaded here, and those of hand-written C alone.

They are kept with the objects of the compiler, each under a hash of all it is made of.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache

from mbd_fmu.errors import CompileError
from mbd_fmu.export.compile import compile_library, compiler_key, host_platform
from mbd_fmu.export.compiler_cache import LIBRARIES, MOST_LIBRARIES, keep_object, kept_object
from mbd_fmu.export.runtime_files import whole_runtime, with_headers
from mbd_fmu.host.scratch import scratch_folder
from mbd_fmu.options import ZIG

_open_files = ExitStack()  # where a library that is loaded cannot be removed


def kept_library(key: bytes, make: Callable[[], bytes]) -> bytes:
    """Return the library that was kept under a key, or make it."""
    found = kept_object(key, LIBRARIES)
    if found is None:
        found = make()
        keep_object(key, found, LIBRARIES, MOST_LIBRARIES)
    return found


def loaded_library(made: bytes) -> ctypes.CDLL:
    """Load a library."""
    with ExitStack() as stack:
        path = stack.enter_context(scratch_folder()) / f"library{host_platform().suffix}"
        path.write_bytes(made)
        try:
            found = ctypes.CDLL(str(path))
        except OSError as error:
            raise CompileError(f"a library for this machine does not load: {error}") from None
        if os.name == "nt":
            _open_files.push(stack.pop_all())
    return found


@cache
def key_of_compiler(compiler: str) -> bytes:
    """Tell what compiles for this machine from anything else that could."""
    return compiler_key(host_platform(), compiler)


@cache
def hand_written_library(file: str, compiler: str = ZIG) -> ctypes.CDLL:
    """Return the library of one file of the runtime, which is of no mechanism."""
    sources, here = with_headers([file], whole_runtime()), host_platform()
    texts = (part.encode() for source in sources.items() for part in source)
    key = hashlib.sha256(b"\n".join([key_of_compiler(compiler), *texts])).digest()
    return loaded_library(kept_library(key, lambda: compile_library(sources, here, compiler)))
