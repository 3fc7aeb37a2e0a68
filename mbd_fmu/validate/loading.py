"""Whether a shared library can be loaded, tried by a process that may die of it.

A library that was cut short, or altered, ends the process that loads it without any word.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

from mbd_fmu.errors import FmuError
from mbd_fmu.host.programs import run_program

SECONDS = 60
# Alone, without the site's packages, it begins in some 20 ms.
_TRIAL = """
import ctypes, os, sys
os.chdir(os.path.dirname(sys.argv[1]))
try:
    ctypes.CDLL(sys.argv[1])
except OSError as error:
    sys.exit(str(error))
"""
_LOADED: set[bytes] = set()  # what needs no second trial


def refuse_unloadable(library: Path) -> None:
    """Raise ``FmuError`` with the reason if a library does not load."""
    digest = hashlib.sha256(library.read_bytes()).digest()
    if digest in _LOADED or not sys.executable:
        return
    command = [sys.executable, "-I", "-S", "-c", _TRIAL, str(library)]
    try:
        done = run_program(command, seconds=SECONDS)
    except subprocess.TimeoutExpired:
        raise FmuError(f"loading it was not done after {SECONDS} s") from None
    if done.returncode < 0:
        raise FmuError("a process that loads it crashes: the library is damaged")
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().replace(str(library), library.name)
        raise FmuError(said or "it gave no reason")
    _LOADED.add(digest)
