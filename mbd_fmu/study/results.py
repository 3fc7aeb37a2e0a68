"""What a study gave: columns over its cases, read from and written to one file.

An NPZ file holds each column as an array by its name, ``failed``, and, where they were asked for,
``trajectories`` (cases, times, outputs); ``study`` tells the rest as JSON. A Parquet file holds a
row for each case, with its message, and trajectories as lists (``study/parquet.py``).
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from mbd_fmu.errors import DataError, MbdFmuError, nearest
from mbd_fmu.host.writing import written_whole
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array
from mbd_fmu.study.parquet import read_parquet, read_parquet_trajectories, write_parquet
from mbd_fmu.tables import Listing, UnknownNameError, number

FORMAT = 1
NPZ, PARQUET = SUFFIXES = (".npz", ".parquet")
_HEAD, _FAILED, _TRAJECTORIES = "study", "failed", "trajectories"


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


@dataclass(frozen=True, eq=False)
class Study:
    """``s["k"]`` is a parameter over the cases, ``s["car.r.z.max"]`` a summary of an output."""

    head: Head
    columns: dict[str, Array]
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
        if not self.head.has_trajectories:
            raise DataError(f"{self.path}: has summaries alone; sweep with --trajectories")
        if self.path.suffix == PARQUET:
            return read_parquet_trajectories(self.path, self.head.outputs)
        with np.load(self.path) as file:
            return file[_TRAJECTORIES]

    def case(self, k: int) -> Trajectory:
        """Return one case over time."""
        return Trajectory(self.time, self.head.outputs, self.trajectories[k])

    def to_pandas(self) -> Any:
        """Return a DataFrame: a row for each case, with ``failed`` and ``message``."""
        try:
            import pandas as pd  # noqa: PLC0415  an extra
        except ImportError:
            raise MbdFmuError(
                'pandas is not installed: pip install "mbd-fmu[pandas]", or use s["name"], arrays'
            ) from None
        frame = pd.DataFrame(self.columns, index=pd.RangeIndex(len(self), name="case"))
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


def write_study(study: Study, trajectories: Iterator[Array]) -> None:
    """Write a study whole or not at all; trajectories come chunk by chunk."""
    head = json.dumps({"format": FORMAT, **vars(study.head)})
    with written_whole(study.path) as place:
        if study.path.suffix == PARQUET:
            outputs = study.head.outputs if study.head.has_trajectories else ()
            texts = [study.messages.get(k, "") for k in range(len(study))]
            write_parquet(place, head, study.columns, study.failed, texts, outputs, trajectories)
        else:
            _write_npz(place, head, study, trajectories)


def _write_npz(place: Path, head: str, study: Study, trajectories: Iterator[Array]) -> None:
    said = json.dumps({str(k): text for k, text in study.messages.items()})
    arrays = {_HEAD: np.array([head, said]), **study.columns, _FAILED: study.failed}
    with zipfile.ZipFile(place, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            column = io.BytesIO()
            np.lib.format.write_array(column, np.asarray(array), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), column.getvalue())
        if study.head.has_trajectories:
            shape = (len(study), len(study.head.time), len(study.head.outputs))
            layout = {"descr": "<f8", "fortran_order": False, "shape": shape}
            with archive.open(f"{_TRAJECTORIES}.npy", "w", force_zip64=True) as stream:
                np.lib.format.write_array_header_2_0(stream, layout)
                for chunk in trajectories:
                    stream.write(np.ascontiguousarray(chunk, dtype="<f8").tobytes())


def read_study(path: str | Path) -> Study:
    """Read what ``mbd-fmu sweep`` wrote."""
    path = Path(path)
    try:
        if path.suffix == PARQUET:
            text, columns, failed, texts = read_parquet(path)
            messages = {k: said for k, said in enumerate(texts) if said}
        else:
            with np.load(path) as file:
                text, said = map(str, file[_HEAD])
                apart = (_HEAD, _FAILED, _TRAJECTORIES)
                columns = {name: file[name] for name in file.files if name not in apart}
                failed = file[_FAILED]
            messages = {int(k): said for k, said in json.loads(said).items()}
        return Study(_head(text), columns, failed, messages, path)
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, zipfile.BadZipFile):
        raise DataError(f"{path}: is no file of a study; mbd-fmu sweep writes them") from None


def _head(text: str) -> Head:
    found = json.loads(text)
    if found.pop("format") != FORMAT:
        raise ValueError("another format")
    for name in ("parameters", "outputs", "time"):
        found[name] = tuple(found[name])
    return Head(**found)
