"""Files written whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from errno import EISDIR
from pathlib import Path

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.host.stopping import at_forced_end

_UNFINISHED: set[Path] = set()


def write_whole(contents: Mapping[Path, bytes], *, makes_folders: bool = True) -> None:
    """Write files together; on failure nothing is left behind and older files stay as they were.

    A symbolic link stays, and what it leads to is written.
    """
    targets = {path: target_of(path) for path in contents}
    temporaries: dict[Path, Path] = {}
    try:
        for path, target in targets.items():
            if makes_folders:
                target.parent.mkdir(parents=True, exist_ok=True)
            temporaries[path] = target.with_name(f".mbd_fmu_{secrets.token_hex(8)}")
            _UNFINISHED.add(temporaries[path])
            with temporaries[path].open("xb") as stream:
                stream.write(contents[path])
            temporaries[path].chmod(0o644)
        for path, temporary in temporaries.items():
            temporary.replace(targets[path])
    except OSError as error:  # of the file the user knows
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        for temporary in temporaries.values():
            temporary.unlink(missing_ok=True)
            _UNFINISHED.discard(temporary)


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Give a place to write to piece by piece; at the end it becomes the file, or is gone."""
    target = target_of(path)
    temporary = target.with_name(f".mbd_fmu_{secrets.token_hex(8)}")
    _UNFINISHED.add(temporary)
    try:
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(target)
    except OSError as error:  # of the file the user knows
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        temporary.unlink(missing_ok=True)
        _UNFINISHED.discard(temporary)


def target_of(path: Path) -> Path:
    """Return what is to be written: an ordinary file or none yet, at the end of all links."""
    try:
        target = Path(os.path.realpath(path))
        mode = target.lstat().st_mode
    except FileNotFoundError:
        return target
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise MbdFmuError(
            f"{path}: cannot be written: it is {_kind(mode)}; name an ordinary file, or a new one"
        )
    return target


def plain_name(text: str) -> str:
    """Return a name for a file, whatever somebody else has called the thing in it."""
    plain = "".join(c if c.isalnum() or c in "_-." else "_" for c in text)
    return plain.lstrip(".")[:100] or "model"


def _kind(mode: int) -> str:
    kinds = {
        stat.S_IFLNK: "a link that leads to itself",
        stat.S_IFIFO: "a pipe",
        stat.S_IFSOCK: "a socket",
    }
    return kinds.get(stat.S_IFMT(mode), "a device")


@at_forced_end
def _remove_unfinished() -> None:
    for path in list(_UNFINISHED):
        with suppress(OSError):
            path.unlink(missing_ok=True)
