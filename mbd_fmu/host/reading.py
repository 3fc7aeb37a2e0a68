"""Files that somebody hands us, read whole: no more of them than there may be."""

from __future__ import annotations

from pathlib import Path

from mbd_fmu.errors import MbdFmuError


def bounded_bytes(path: Path, most: int, *, advice: str = "") -> bytes:
    """Return the bytes of a file; ``advice`` says what to give instead of what is no file."""
    if path.exists() and not path.is_file():
        raise MbdFmuError(f"{path}: is no file{f'; {advice}' if advice else ''}")
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise MbdFmuError(f"{path}: is larger than {most / 1e6:g} MB; is it another file?")
    return data
