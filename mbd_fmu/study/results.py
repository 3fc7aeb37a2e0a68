"""What a study gave: columns over its cases, read from and written to one file.

An NPZ file holds each column as an array by its name, ``failed``, and, where they were asked for,
``trajectories`` (cases, times, outputs); ``study`` tells the rest as JSON. A Parquet file holds a
row for each case, with its message, and trajectories as lists (``study/parquet.py``).
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from mbd_fmu.errors import DataError, MbdFmuError, nearest
from mbd_fmu.host.writing import written_whole
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array
from mbd_fmu.study.computed import computed_column, read_computed
from mbd_fmu.study.npz import NpzFile, write_npz
from mbd_fmu.study.parquet import ParquetFile, write_parquet
from mbd_fmu.study.pieces import Extent, Piece
from mbd_fmu.study.summary import summary_names
from mbd_fmu.tables import Listing, UnknownNameError, number

FORMAT = 1
NPZ, PARQUET = SUFFIXES = (".npz", ".parquet")


@dataclass(frozen=True)
class Head:
    """What a study is about."""

    model: str
    parameters: tuple[str, ...]  # what its cases set
    outputs: tuple[str, ...]
    units: dict[str, str]  # of parameters and outputs
    computed: dict[str, str]  # expressions of other columns
    time: tuple[float, ...]
    has_trajectories: bool

    @property
    def columns(self) -> tuple[str, ...]:
        """What the file holds of each case, in this order."""
        return (*self.parameters, *summary_names(self.outputs), *self.computed)


class OnDisk(Mapping[str, "Array"]):
    """Columns of a file that is open: however many there are, one at a time is in memory."""

    def __init__(self, file: NpzFile | ParquetFile) -> None:
        self._file, self._names = file, dict.fromkeys(file.names)

    def __getitem__(self, name: str) -> Array:
        if name not in self._names:
            raise KeyError(name)
        return self._file.column(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@dataclass(frozen=True, eq=False)
class Study:
    """``s["k"]`` is a parameter over the cases, ``s["car.r.z.max"]`` a summary of an output."""

    head: Head
    columns: Mapping[str, Array]
    failed: Array  # whether a case failed; its numbers are NaN
    messages: dict[int, str]  # case -> why it failed, or what it warns of
    path: Path

    def __len__(self) -> int:
        return len(self.failed)

    def __getitem__(self, name: str) -> Array:
        if name not in self.columns:
            raise UnknownNameError(f'no column "{name}"; {nearest(name, self.columns)}')
        return self.columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    @property
    def time(self) -> Array:
        """Times of trajectories in s."""
        return np.array(self.head.time)

    @cached_property
    def trajectories(self) -> Array:
        """All outputs over time, (cases, times, outputs), where they were kept."""
        with self._trajectories_file() as file:
            return file.trajectories(self.head.outputs)

    def case(self, k: int) -> Trajectory:
        """Return one case over time; the others are not read."""
        with self._trajectories_file() as file:
            return Trajectory(self.time, self.head.outputs, file.trajectory(k, self.head.outputs))

    @contextmanager
    def _trajectories_file(self) -> Iterator[NpzFile | ParquetFile]:
        if not self.head.has_trajectories:
            raise DataError(f"{self.path}: has summaries alone; sweep with --trajectories")
        with closing(_opened(self.path)) as file:
            yield file

    def to_pandas(self) -> Any:
        """Return a DataFrame: a row for each case, with ``failed`` and ``message``."""
        try:
            import pandas as pd  # noqa: PLC0415  an extra
        except ImportError:
            raise MbdFmuError(
                'pandas is not installed: pip install "mbd-fmu[pandas]", or use s["name"], arrays'
            ) from None
        frame = pd.DataFrame(dict(self.columns), index=pd.RangeIndex(len(self), name="case"))
        messages = [self.messages.get(k, "") for k in range(len(self))]
        return frame.assign(failed=self.failed, message=messages)

    @property
    def _table(self) -> Listing[Array]:
        def row(column: Array) -> list[str]:
            there = column[~np.isnan(column)]
            return [number(float(f(there))) if len(there) else "" for f in (np.min, np.max)]

        return Listing("column", self.columns, ("least", "most"), row)

    def __repr__(self) -> str:
        n = int(self.failed.sum())
        failed = f", {n} failed" if n else ""
        return f"study of {self.head.model}: {len(self)} cases{failed}, {len(self.columns)} columns"

    def _repr_html_(self) -> str:
        return f"<p>{self!r}</p>{self._table._repr_html_()}"


def write_study(path: Path, head: Head, n: int, pieces: Iterable[Piece], scratch: Path) -> None:
    """Write a study of ``n`` cases whole or not at all, piece by piece."""
    text = json.dumps({"format": FORMAT, **vars(head)})
    with written_whole(path) as place:
        if path.suffix == PARQUET:
            outputs = head.outputs if head.has_trajectories else ()
            write_parquet(place, text, outputs, head.columns, pieces)
        else:
            extent = Extent(n, len(head.time), len(head.outputs), head.has_trajectories)
            write_npz(place, text, extent, pieces, scratch)


def read_study(path: str | Path) -> Study:
    """Read what ``mbd-fmu sweep`` wrote."""
    path = Path(path)
    with _understood(path), closing(_opened(path)) as file:
        columns = {name: file.column(name) for name in file.names}
        return Study(_head(file.head), columns, file.failed, file.messages, path)


def computed_more(study: Study, texts: Sequence[str]) -> Study:
    """Return a study with columns more, NAME=EXPRESSION, of those that it has."""
    more = read_computed(texts, list(study), study.head.outputs)
    columns = dict(study.columns)
    for name, text in more.items():
        columns[name] = computed_column(text, columns)
    head = replace(study.head, computed=study.head.computed | more)
    return replace(study, head=head, columns=columns)


def open_study(path: Path) -> Study:
    """Open what ``mbd-fmu sweep`` wrote: columns are read when they are asked for, and not kept."""
    with _understood(path):
        file = _opened(path)
        return Study(_head(file.head), OnDisk(file), file.failed, file.messages, path)


def _opened(path: Path) -> NpzFile | ParquetFile:
    return ParquetFile(path) if path.suffix == PARQUET else NpzFile(path)


@contextmanager
def _understood(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError, zipfile.BadZipFile):
        raise DataError(f"{path}: is no file of a study; mbd-fmu sweep writes them") from None


def _head(text: str) -> Head:
    found = json.loads(text)
    if found.pop("format") != FORMAT:
        raise ValueError("another format")
    for name in ("parameters", "outputs", "time"):
        found[name] = tuple(found[name])
    return Head(**found)
