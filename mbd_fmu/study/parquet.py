"""Studies as Parquet files, an extra; the door to pyarrow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, cast

import numpy as np

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.spatial import Array
from mbd_fmu.study.pieces import Piece

_HEAD = b"mbd_fmu"
_FAILED, _MESSAGE = "failed", "message"


def pyarrow_door() -> Any:
    """Return the package, or say how to get it."""
    try:
        import pyarrow.parquet  # noqa: PLC0415  an extra
    except ImportError:
        raise MbdFmuError(
            'Parquet takes pyarrow: pip install "mbd-fmu[parquet]", or name a file .npz'
        ) from None
    return pyarrow


def write_parquet(
    place: Path, head: str, outputs: Sequence[str], columns: Sequence[str], pieces: Iterable[Piece]
) -> None:
    """Write a row for each case, a row group for each piece, trajectories as lists."""
    pa = pyarrow_door()
    fields = [
        *(pa.field(name, pa.float64()) for name in columns),
        pa.field(_FAILED, pa.bool_()),
        pa.field(_MESSAGE, pa.string()),
        *(pa.field(name, pa.list_(pa.float64())) for name in outputs),
    ]
    schema = pa.schema(fields, metadata={_HEAD: head.encode()})
    # numbers seldom repeat: a dictionary for each column takes memory and gains nothing
    with pa.parquet.ParquetWriter(place, schema, use_dictionary=[_MESSAGE]) as writer:
        for piece in pieces:
            texts = [piece.messages.get(k, "") for k in range(len(piece.failed))]
            arrays = [*map(pa.array, piece.columns.values()), pa.array(piece.failed)]
            arrays += [pa.array(texts, pa.string()), *_lists(pa, piece.trajectories)]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _lists(pa: Any, trajectories: Array | None) -> list[Any]:
    if trajectories is None:
        return []
    n, times, _ = trajectories.shape
    ends = pa.array(np.arange(0, (n + 1) * times, times, dtype=np.int32))
    return [
        pa.ListArray.from_arrays(ends, pa.array(np.ascontiguousarray(y).ravel()))
        for y in np.moveaxis(trajectories, 2, 0)
    ]


class ParquetFile:
    """A study in a file that is open."""

    def __init__(self, path: Path) -> None:
        pa = pyarrow_door()
        self._file = pa.parquet.ParquetFile(path)
        schema = self._file.schema_arrow
        self.head = (schema.metadata or {})[_HEAD].decode()
        flat = [f.name for f in schema if not pa.types.is_list(f.type)]
        self.names = tuple(name for name in flat if name not in (_FAILED, _MESSAGE))
        self.failed: Array = self.column(_FAILED)
        texts = self._file.read(columns=[_MESSAGE])[_MESSAGE].to_pylist()
        self.messages = {k: text for k, text in enumerate(texts) if text}

    def column(self, name: str) -> Array:
        """Read one column."""
        return cast("Array", self._file.read(columns=[name])[name].to_numpy())

    def trajectories(self, outputs: Sequence[str]) -> Array:
        """Read (cases, times, outputs)."""
        return _apart(self._file.read(columns=list(outputs)), outputs)

    def trajectory(self, k: int, outputs: Sequence[str]) -> Array:
        """Read one case, (times, outputs), and what was written together with it."""
        groups = range(self._file.num_row_groups)
        rows = [self._file.metadata.row_group(group).num_rows for group in groups]
        k = range(sum(rows))[k]
        ends = list(accumulate(rows))
        group = next(group for group in groups if k < ends[group])
        table = self._file.read_row_group(group, columns=list(outputs))
        return _apart(table.slice(k - (ends[group] - rows[group]), 1), outputs)[0]

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def _apart(table: Any, outputs: Sequence[str]) -> Array:
    n = table.num_rows
    columns = [table[name].combine_chunks().flatten().to_numpy() for name in outputs]
    return np.stack([column.reshape(n, -1) for column in columns], axis=2)
