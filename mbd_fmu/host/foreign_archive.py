"""FMUs as files from anywhere: opened with limits, and whatever is wrong is one message.

A zip may promise a thousand times its size, name files outside its folder, or hold what FMI does
not allow. All of that is seen in its table of contents, before anything is unpacked.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from mbd_fmu.errors import FmuError
from mbd_fmu.host.scratch import FULL

MOST_FILES = 10_000
LARGEST = 500_000_000  # bytes of one file
LARGEST_TEXT = 100_000_000  # of one that is read into memory: description, scene, tables
MOST_BYTES = 1_000_000_000  # of all files
MOST_RATIO = 200  # of all files to the archive, where they are more than
FEW_BYTES = 10_000_000

DESCRIPTION = "modelDescription.xml"
_ENCRYPTED = 0x1 | 0x40 | 0x2000
# What zipfile says of archives that are damaged; it promises BadZipFile only.
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError, OverflowError, KeyError),
)


class FmuArchive:
    """An FMU, open for reading."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            found = "it is no ordinary file" if self.path.exists() else "no such file"
            raise FmuError(f"{self.path}: cannot be read as an FMU: {found}")
        try:
            self._zip = zipfile.ZipFile(self.path)
        except _DAMAGE as error:
            raise FmuError(f"{self.path}: cannot be read as an FMU: {_said(error)}") from None
        entries = self._zip.infolist()
        problems = [*_about_names(entries), *_about_kinds(entries)]
        problems += _about_sizes(entries, self.path.stat().st_size)
        if problems:
            self._zip.close()
            more = [f"and {len(problems) - 3} findings more"] if len(problems) > 3 else []
            listed = "\n  ".join([*problems[:3], *more])
            raise FmuError(f"{self.path}: cannot be read as an FMU:\n  {listed}")
        self.sizes = {e.filename: e.file_size for e in entries if _is_file(e)}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._zip.close()

    def __contains__(self, name: str) -> bool:
        return name in self.sizes

    def read(self, name: str) -> bytes:
        """Return the bytes of a file."""
        if self.sizes[name] > LARGEST_TEXT:
            raise FmuError(
                f"{self.path}: {name} has {_mega(self.sizes[name])}, read are {_mega(LARGEST_TEXT)}"
            )
        try:
            return self._zip.read(name)
        except _DAMAGE as error:
            raise self._damaged(error) from None

    def unpack(self, folder: Path) -> None:
        """Write all files into a folder."""
        try:
            self._zip.extractall(folder)
        except _DAMAGE as error:
            if isinstance(error, OSError) and error.errno in FULL:
                raise
            raise self._damaged(error) from None

    def _damaged(self, error: Exception) -> FmuError:
        return FmuError(f"{self.path}: the archive is damaged: {_said(error)}; get it anew")


def _is_file(entry: zipfile.ZipInfo) -> bool:
    return not entry.filename.endswith("/")


def _about_names(entries: Iterable[zipfile.ZipInfo]) -> Iterator[str]:
    counts = Counter(entry.filename for entry in entries if _is_file(entry))
    yield from (f'"{name}" stands in it {n} times' for name, n in counts.items() if n > 1)
    for entry in entries:
        name = entry.orig_filename
        parts = name.removesuffix("/").split("/")
        is_plain = all(part not in ("", ".", "..") for part in parts)
        if not is_plain or any(letter in name for letter in "\\:\0"):
            yield f'"{name}" leads out of the archive, or is no plain path with forward slashes'


def _about_kinds(entries: Iterable[zipfile.ZipInfo]) -> Iterator[str]:
    for entry in entries:
        if entry.flag_bits & _ENCRYPTED:
            yield f'"{entry.filename}" is encrypted; FMUs are not'
        elif entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            yield (
                f'"{entry.filename}" is packed by method {entry.compress_type}; FMUs are packed '
                "by deflate"
            )


def _about_sizes(entries: list[zipfile.ZipInfo], packed: int) -> Iterator[str]:
    if len(entries) > MOST_FILES:
        yield f"it holds {len(entries):,} files, allowed are {MOST_FILES:,}"
    for entry in entries:
        allowed = LARGEST_TEXT if entry.filename == DESCRIPTION else LARGEST
        if entry.file_size > allowed:
            yield f'"{entry.filename}" has {_mega(entry.file_size)}, allowed are {_mega(allowed)}'
    whole = sum(entry.file_size for entry in entries)
    if whole > MOST_BYTES:
        yield f"unpacked it has {_mega(whole)}, allowed are {_mega(MOST_BYTES)}"
    if whole > FEW_BYTES and whole > MOST_RATIO * packed:
        yield (
            f"unpacked it is {whole / max(packed, 1):,.0f} times larger, "
            f"allowed beyond {_mega(FEW_BYTES)} are {MOST_RATIO} times"
        )


def _mega(n: int) -> str:
    return f"{n / 1e6:,.0f} MB"


def _said(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__
