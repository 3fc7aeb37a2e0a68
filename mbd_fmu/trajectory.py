"""Columns over time: what goes into a simulation, what comes out, what it is compared with."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Literal

import numpy as np

from mbd_fmu.errors import DataError
from mbd_fmu.spatial import Array

TIME = "time"


@dataclass(frozen=True)
class Trajectory:
    """Named columns, one row per instant; times ascend."""

    time: Array  # (n,)
    names: tuple[str, ...]
    values: Array  # (n, len(names))

    def column(self, name: str) -> Array:
        """Return one signal."""
        return self.values[:, self.names.index(name)]

    def __contains__(self, name: str) -> bool:
        return name in self.names

    def row_at(self, t: float) -> int:
        """Return the last row that begins at or before t, forgiving rounding."""
        return max(
            0, int(np.searchsorted(self.time, t + 1e-9 * max(1.0, abs(t)), side="right")) - 1
        )

    def interpolated(self, t: float) -> Array:
        """Return the values at t, on straight lines between the rows."""
        return np.array([np.interp(t, self.time, column) for column in self.values.T])


# What becomes of a time that stands twice. "refused": an error. "held": tables of the FMI
# cross-check, which are read on straight lines, show a jump by what was, then what comes; where
# inputs are held, the first says nothing new. "last": as tools write events, the last row counts.
Repeats = Literal["refused", "held", "last"]


def read_csv(path: str | Path, *, repeats: Repeats = "refused") -> Trajectory:
    """Read a table whose first column is time."""
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None
    return parse_csv(data, str(path), repeats=repeats)


def parse_csv(data: bytes, source: str, *, repeats: Repeats = "refused") -> Trajectory:
    """Take a table from bytes; ``source`` is where they come from, for messages."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{source}: not UTF-8 at byte {error.start}; save it as UTF-8") from None
    reader = csv.reader(io.StringIO(text, newline=""))
    lines = [(n, row) for n, row in enumerate(reader, start=1) if row]
    rows = [row for _, row in lines]
    if len(rows) < 2:
        raise DataError(f"{source}: no data; give a header row and at least one row of numbers")
    header = [name.strip() for name in rows[0]]
    if header[0].lower() != TIME:
        raise DataError(f'{source}: the first column is "{header[0]}"; it must be "{TIME}"')
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise DataError(f"{source}: columns stand twice: {', '.join(twice)}")
    values = np.array([_numbers(source, n, row, header) for n, row in lines[1:]])
    if repeats != "refused":
        kept = ~_repeated(values, repeats)
        values, lines = values[kept], [lines[0], *compress(lines[1:], kept)]
    if np.any(np.diff(values[:, 0]) <= 0):
        row = lines[int(np.argmax(np.diff(values[:, 0]) <= 0)) + 2][0]
        raise DataError(
            f"{source}, row {row}: time does not ascend; sort the rows and remove doubles"
        )
    return Trajectory(values[:, 0], tuple(header[1:]), values[:, 1:])


def _repeated(values: Array, repeats: Repeats) -> Array:
    """Tell the rows that need not be kept: of two at one time the first."""
    found = np.append(values[:-1, 0] == values[1:, 0], False)
    if repeats == "held":  # only if it repeats the row before it
        found[0] = False
        found[1:] &= np.all(values[1:, 1:] == values[:-1, 1:], axis=1)
    return found


def _numbers(
    source: str, row_number: int, row: Sequence[str], header: Sequence[str]
) -> list[float]:
    if len(row) != len(header):
        raise DataError(
            f"{source}, row {row_number}: {len(row)} values for {len(header)} columns; "
            "mend the row or the header"
        )
    numbers = []
    for name, text in zip(header, row, strict=True):
        try:
            value = float(text)
        except ValueError:
            value = np.nan
        if not np.isfinite(value):
            raise DataError(
                f'{source}, row {row_number}, column "{name}": '
                f'"{text}" is no finite number; mend it'
            )
        numbers.append(value)
    return numbers


def write_csv(path: str | Path, trajectory: Trajectory) -> None:
    """Write a table that reads back bit by bit."""
    Path(path).write_bytes(csv_bytes(trajectory))


def csv_bytes(trajectory: Trajectory) -> bytes:
    """Return a table as text that reads back bit by bit."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([TIME, *trajectory.names])
    for t, row in zip(trajectory.time, trajectory.values, strict=True):
        writer.writerow([repr(float(x)) for x in (t, *row)])
    return stream.getvalue().encode("utf-8")


def check_columns(source: str, trajectory: Trajectory, known: Iterable[str], what: str) -> None:
    """Refuse columns that name nothing."""
    known = list(known)
    unknown = [name for name in trajectory.names if name not in known]
    if unknown:
        listed = ", ".join(known) if known else "none"
        raise DataError(
            f"{source}: no {what} named {', '.join(unknown)}; the {what}s are: {listed}"
        )


def merged_times(times: Array, inputs: Trajectory | None) -> Array:
    """Return the times of a run with those at which an input row begins, without near doubles."""
    if inputs is None:
        return times
    inside = inputs.time[(inputs.time > times[0]) & (inputs.time < times[-1])]
    merged = np.union1d(times, inside)
    near = np.concatenate([[False], np.diff(merged) <= 1e-9 * (1 + np.abs(merged[1:]))])
    kept = merged[~near]
    # of two near ones the time that was asked for stays
    for t in times:
        kept[np.argmin(np.abs(kept - t))] = t
    return kept


@dataclass(frozen=True)
class Point:
    """A point of a run at which a step ends and the next begins."""

    time: float
    length: float | None  # of the next step; None at the end
    values: Array | None  # inputs to set; None where no new row has begun
    rates: Array | None  # at which they move on; None where they are held
    is_asked: bool  # outputs are wanted here


def schedule(times: Array, inputs: Trajectory | None, *, interpolate: bool) -> Iterator[Point]:
    """Walk through a run: the times asked for, and those at which rows of inputs begin between."""
    if inputs is not None and inputs.time[0] > times[0] + 1e-9 * (1 + abs(times[0])):
        raise DataError(
            f"the inputs begin at {inputs.time[0]:g} s, the run at {times[0]:g} s; add a row there"
        )
    points = merged_times(times, inputs)
    asked = np.isin(points, times)
    last_row = -1
    for k, t in enumerate(points):
        length = float(points[k + 1] - t) if k + 1 < len(points) else None
        values = rates = None
        if inputs is not None and interpolate:
            values = inputs.interpolated(t)
            if length is not None:
                rates = (inputs.interpolated(points[k + 1]) - values) / length
        elif inputs is not None:
            row = inputs.row_at(t)
            values = inputs.values[row] if row != last_row else None
            last_row = row
        yield Point(float(t), length, values, rates, bool(asked[k]))


def communication_points(start: float, stop: float, step: float) -> Array:
    """Return the times of a run; the last interval may be shorter."""
    n = int(np.floor((stop - start) / step * (1 + 1e-12) + 1e-9))
    times = start + step * np.arange(n + 1)
    if stop - times[-1] > 1e-9 * step:
        times = np.append(times, stop)
    return times
