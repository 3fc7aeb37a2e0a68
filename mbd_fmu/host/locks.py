"""Files that one process holds at a time; whatever ends it, the system lets go of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, EAGAIN, EDEADLK
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_BY_ANOTHER = (EACCES, EAGAIN, EDEADLK)


@contextmanager
def held_alone(path: Path) -> Iterator[bool]:
    """Hold a file, which is made with its folder if there is none; False: another process holds it.

    Where the file system knows no locks, nobody is kept away.
    """
    while True:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as stream:
            is_held = _hold(stream)
            if is_held and not _stands_there(stream, path):
                continue  # who held it before has just removed it
            yield is_held
            return


def _hold(stream: IO[bytes]) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in _BY_ANOTHER
    return True


def _stands_there(stream: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(stream.fileno()), path.stat())
    except FileNotFoundError:
        return False
