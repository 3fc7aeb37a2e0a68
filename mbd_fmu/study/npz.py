"""Studies as NPZ files: a stored array for each column, written and read one at a time."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np

from mbd_fmu.spatial import Array
from mbd_fmu.study.pieces import Extent, Piece

_HEAD, _FAILED, _TRAJECTORIES = _APART = ("study", "failed", "trajectories")


def write_npz(
    place: Path, head: str, extent: Extent, pieces: Iterable[Piece], scratch: Path
) -> None:
    """Write a study that comes row by row, column by column: its table is turned on the disk."""
    n = extent.cases
    messages: dict[int, str] = {}
    failed = np.empty(n, dtype=bool)
    names: tuple[str, ...] = ()
    try:
        with (
            zipfile.ZipFile(place, "w", zipfile.ZIP_STORED) as archive,
            scratch.open("w+b") as table,
        ):
            first = 0
            for piece in _streamed(archive, extent, pieces):
                names = tuple(piece.columns)
                for k, column in enumerate(piece.columns.values()):
                    table.seek(8 * (k * n + first))
                    table.write(np.ascontiguousarray(column, dtype="<f8").tobytes())
                failed[first : first + len(piece.failed)] = piece.failed
                messages |= {first + k: text for k, text in piece.messages.items()}
                first += len(piece.failed)
            table.seek(0)
            head_of_column = _npy_head(np.empty(n, dtype="<f8"))
            for name in names:
                archive.writestr(_entry(name), head_of_column + table.read(8 * n))
            _add(archive, _FAILED, failed)
            said = json.dumps({str(k): text for k, text in messages.items()})
            _add(archive, _HEAD, np.array([head, said]))
    finally:
        scratch.unlink(missing_ok=True)


def _streamed(archive: zipfile.ZipFile, extent: Extent, pieces: Iterable[Piece]) -> Iterable[Piece]:
    """Hand pieces on; their trajectories are written as they pass."""
    if not extent.has_trajectories:
        yield from pieces
        return
    shape = (extent.cases, extent.times, extent.outputs)
    layout = {"descr": "<f8", "fortran_order": False, "shape": shape}
    with archive.open(_entry(_TRAJECTORIES), "w", force_zip64=True) as stream:
        np.lib.format.write_array_header_2_0(stream, layout)
        for piece in pieces:
            assert piece.trajectories is not None
            stream.write(np.ascontiguousarray(piece.trajectories, dtype="<f8").data)
            yield piece


def _add(archive: zipfile.ZipFile, name: str, array: Array) -> None:
    column = io.BytesIO()
    np.lib.format.write_array(column, array, allow_pickle=False)
    archive.writestr(_entry(name), column.getbuffer())


def _npy_head(array: Array) -> bytes:
    """Return what stands before the numbers of all arrays like this one."""
    stream = io.BytesIO()
    layout = np.lib.format.header_data_from_array_1_0(array)
    np.lib.format.write_array_header_1_0(stream, layout)
    return stream.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    return zipfile.ZipInfo(f"{name}.npy")  # without the time of writing: equal studies, equal files


class NpzFile:
    """A study in a file that is open."""

    def __init__(self, path: Path) -> None:
        self._file = np.load(path)
        self.head, said = map(str, self._file[_HEAD])
        self.names = tuple(name for name in self._file.files if name not in _APART)
        self.failed: Array = self._file[_FAILED]
        self.messages = {int(k): text for k, text in json.loads(said).items()}

    def column(self, name: str) -> Array:
        """Read one column."""
        return cast("Array", self._file[name])

    def trajectories(self, outputs: Iterable[str]) -> Array:  # noqa: ARG002  they are all there
        """Read (cases, times, outputs)."""
        return cast("Array", self._file[_TRAJECTORIES])

    def trajectory(self, k: int, outputs: Iterable[str]) -> Array:
        """Read one case, (times, outputs), and nothing else."""
        info = self._file.zip.getinfo(f"{_TRAJECTORIES}.npy")
        if info.compress_type != zipfile.ZIP_STORED:  # somebody has packed it anew
            return cast("Array", self.trajectories(outputs)[k])
        with Path(self._file.zip.filename).open("rb") as stream:
            _skip_entry(stream, info.header_offset)
            np.lib.format.read_magic(stream)
            (n, *shape), _, kind = np.lib.format.read_array_header_2_0(stream)
            size = kind.itemsize * int(np.prod(shape))
            stream.seek(range(n)[k] * size, os.SEEK_CUR)
            return np.fromfile(stream, kind, size // kind.itemsize).reshape(shape)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def _skip_entry(stream: BinaryIO, place: int) -> None:
    """Go to what an archive stores: behind the local header, 30 bytes, a name, what is extra."""
    stream.seek(place + 26)
    name, extra = np.frombuffer(stream.read(4), dtype="<u2").tolist()
    stream.seek(name + extra, os.SEEK_CUR)
