"""Studies as Parquet files, an extra; the door to pyarrow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.spatial import Array

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
    place: Path,
    head: str,
    columns: Mapping[str, Array],
    failed: Array,
    messages: Sequence[str],
    outputs: Sequence[str],
    trajectories: Iterator[Array],
) -> None:
    """Write a row for each case; trajectories, chunk by chunk, as a list for each output."""
    pa = pyarrow_door()
    numbers = {**columns, _FAILED: failed}
    flat = pa.table({**numbers, _MESSAGE: pa.array(messages, pa.string())})
    lists = [pa.field(name, pa.list_(pa.float64())) for name in outputs]
    schema = pa.schema([*flat.schema, *lists], metadata={_HEAD: head.encode()})
    with pa.parquet.ParquetWriter(place, schema) as writer:
        if not outputs:
            writer.write_table(flat.cast(schema))
            return
        first = 0
        for chunk in trajectories:
            n, times, _ = chunk.shape
            ends = pa.array(np.arange(0, (n + 1) * times, times, dtype=np.int32))
            lists = [
                pa.ListArray.from_arrays(ends, pa.array(np.ascontiguousarray(y).ravel()))
                for y in np.moveaxis(chunk, 2, 0)
            ]
            piece = flat.slice(first, n).combine_chunks()
            arrays = [*(column.combine_chunks() for column in piece.columns), *lists]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
            first += n


def read_parquet(path: Path) -> tuple[str, dict[str, Array], Array, list[str]]:
    """Return what a study is about, its columns, which cases failed, and messages."""
    pa = pyarrow_door()
    with pa.parquet.ParquetFile(path) as file:
        metadata = file.schema_arrow.metadata or {}
        names = [f.name for f in file.schema_arrow if not pa.types.is_list(f.type)]
        table = file.read(columns=names)
    columns = {n: table[n].to_numpy() for n in names if n not in (_FAILED, _MESSAGE)}
    text = metadata[_HEAD].decode()
    return text, columns, table[_FAILED].to_numpy(), table[_MESSAGE].to_pylist()


def read_parquet_trajectories(path: Path, outputs: Sequence[str]) -> Array:
    """Return (cases, times, outputs)."""
    pa = pyarrow_door()
    with pa.parquet.ParquetFile(path) as file:
        table = file.read(columns=list(outputs))
    n = table.num_rows
    columns = [table[name].combine_chunks().flatten().to_numpy() for name in outputs]
    return np.stack([column.reshape(n, -1) for column in columns], axis=2)
