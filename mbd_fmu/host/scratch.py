"""Folders for the time of a job: gone when it ends, however it ends."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EDQUOT, ENOSPC
from pathlib import Path

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.host.stopping import at_forced_end

FULL = (ENOSPC, EDQUOT)
_OPEN: set[Path] = set()


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Give an empty folder among the system's temporary ones; say so where there is no room."""
    parent = Path(tempfile.gettempdir())
    path = parent / f"mbd_fmu_{secrets.token_hex(8)}"
    _OPEN.add(path)  # before it is there: a signal may come at any time
    try:
        path.mkdir(mode=0o700)
        yield path
    except OSError as error:
        if error.errno in FULL and (not error.filename or path in Path(error.filename).parents):
            raise MbdFmuError(
                f"{parent}: {error.strerror}; free some space there, "
                "or name another folder for temporary files in TMPDIR"
            ) from None
        raise
    finally:
        shutil.rmtree(path, ignore_errors=True)
        _OPEN.discard(path)


@at_forced_end
def _remove_all() -> None:
    for path in list(_OPEN):
        shutil.rmtree(path, ignore_errors=True)
