"""The loops of loops.c, compiled by the compiler that exports use."""

import ctypes
import subprocess
import sys
from ctypes import c_double, c_int, c_long, c_ulong, c_void_p
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fmu.ctypes_fmu import library_suffix

SOURCE = Path(__file__).with_name("loops.c")
SIGNATURES = {
    "repeat_rates": (*5 * (c_void_p,), c_ulong, c_long),
    "repeat_steps": (c_void_p, c_void_p, c_long, c_double, c_long),
    "repeat_forward": (c_void_p, c_void_p, c_void_p, c_long),
}


@cache
def c_loops() -> ctypes.CDLL:
    """Compile and load them."""
    command = [sys.executable, "-m", "ziglang", "cc", "-shared", "-O2", "-fPIC"]
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        library = Path(folder) / f"loops{library_suffix()}"
        subprocess.run([*command, str(SOURCE), "-o", str(library)], check=True)
        found = ctypes.CDLL(str(library))  # which stays when the file is gone
    for name, arguments in SIGNATURES.items():
        getattr(found, name).argtypes = arguments
        getattr(found, name).restype = c_int
    found.repeat_forward.restype = None
    return found


def address(function) -> int:
    """Return where a function of a library stands."""
    return ctypes.cast(function, c_void_p).value
