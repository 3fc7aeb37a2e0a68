"""What is compiled is kept for later: zig's own cache, our objects of the runtime, and libraries.

Two installations of zig that share a folder tell each other's files out of date and wait for each
other's locks, for as long as builds overlap. So the key is the compiler that runs: where it lies,
and its version. All builds of one environment share what is there.

The runtime is the same for every mechanism, so its objects are compiled once. Their name is a hash
of all that they are made of; a file begins with a hash of the rest, and one that is damaged counts
for nothing. Files are put in place whole, so builds that overlap do not disturb each other.

Libraries that run many cases of a mechanism, and modules for pages, are kept in the same way,
beside the objects. There is one for each mechanism, so only those stay that were used last.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.host.writing import write_whole

# Where users say it themselves. zig cc keeps everything there, unless ZIG_LOCAL_CACHE_DIR, which we
# leave alone, says otherwise.
CHOICE = "ZIG_GLOBAL_CACHE_DIR"
OBJECTS = "objects"  # of the runtime
LIBRARIES, MOST_LIBRARIES = "libraries", 200  # one for each mechanism, of some 0.1 to 1 MB
_DIGEST = hashlib.sha256().digest_size


def zig_environment(program: Path, scratch: Path) -> dict[str, str]:
    """Return the environment in which zig is run: ours, with a folder for it."""
    if os.environ.get(CHOICE):
        return dict(os.environ)
    name = installation(program)
    for folder in _candidates():
        if _is_usable(folder / name):
            return os.environ | {CHOICE: str(folder / name)}
    return os.environ | {CHOICE: str(scratch)}


def kept_object(key: bytes, room: str = OBJECTS) -> bytes | None:
    """Return the object that was kept under a key, if there is one and it is whole."""
    folder = _folder_of(room)
    if folder is None:
        return None
    try:
        text = (folder / key.hex()).read_bytes()
        os.utime(folder / key.hex())  # used last
    except OSError:
        return None
    digest, found = text[:_DIGEST], text[_DIGEST:]
    return found if hashlib.sha256(found).digest() == digest else None


def keep_object(key: bytes, made: bytes, room: str = OBJECTS, most: int | None = None) -> None:
    """Keep an object for later builds, where there is a place for it; at most so many, if told."""
    folder = _folder_of(room)
    if folder is not None:
        with suppress(OSError, MbdFmuError):  # a full disk, say: the build has what it needs
            write_whole({folder / key.hex(): hashlib.sha256(made).digest() + made})
            if most is not None:
                _keep_newest(folder, most)


def _keep_newest(folder: Path, most: int) -> None:
    """Remove what was used first; another process may be doing the same."""
    ages: list[tuple[int, Path]] = []
    for path in folder.iterdir():
        with suppress(OSError):
            ages.append((path.stat().st_mtime_ns, path))
    for _, path in sorted(ages)[: max(0, len(ages) - most)]:
        path.unlink(missing_ok=True)


def _folder_of(room: str) -> Path | None:
    if chosen := os.environ.get(CHOICE):
        folder = Path(chosen) / f"mbd_fmu_{room}"
        return folder if _is_usable(folder) else None
    return next((f / room for f in _candidates() if _is_usable(f / room)), None)


def installation(program: Path) -> str:
    """Name an installation of zig: by its version and by where it lies."""
    real = program.resolve()
    try:
        version = metadata.version("ziglang")
    except metadata.PackageNotFoundError:
        version = str(real.stat().st_mtime_ns)
    return f"zig-{version}-{hashlib.sha256(str(real).encode()).hexdigest()[:12]}"


def _candidates() -> Iterator[Path]:
    """The user's folder by the habit of the platform; then one of his own among temporary ones."""
    named = {"win32": "LOCALAPPDATA", "darwin": ""}.get(sys.platform, "XDG_CACHE_HOME")
    habit = {"win32": "AppData/Local", "darwin": "Library/Caches"}.get(sys.platform, ".cache")
    chosen = Path(os.environ.get(named, ""))
    if chosen.is_absolute():  # the XDG rules ignore others
        yield chosen / "mbd_fmu"
    else:
        with suppress(RuntimeError):  # where nobody knows a home
            yield Path.home() / habit / "mbd_fmu"
    folder = Path(tempfile.gettempdir()) / f"mbd_fmu_cache_{_user()}"
    if _is_private(folder):
        yield folder


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "user"


def _is_private(folder: Path) -> bool:
    """Make a folder where everybody may write; what lies in it becomes part of libraries."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return False
    if not stat.S_ISDIR(found.st_mode):
        return False
    return os.name == "nt" or (found.st_uid == os.getuid() and not found.st_mode & 0o022)


def _is_usable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)
