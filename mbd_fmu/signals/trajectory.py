"""Columns over time: what goes into a simulation, what comes out, what it is compared with."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Literal

import numpy as np

from mbd_fmu.errors import DataError
from mbd_fmu.host.writing import write_whole
from mbd_fmu.spatial import Array

TIME = "time"
MOST_POINTS = 5_000_000  # of a run: more fill the memory before anybody sees a result
LONG, FEW = 40, 10  # letters of a field, and names, that a message quotes


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
        if path.is_char_device() or path.is_block_device():
            raise DataError(f"{path}: is a device, which may never end; name a file or a pipe")
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
    if "\0" in text:
        raise DataError(f"{source}: holds NUL characters, as UTF-16 does; save it as UTF-8")
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        lines = [(n, row) for n, row in enumerate(reader, start=1) if row]
    except csv.Error as error:
        raise DataError(
            f"{source}, line {reader.line_num}: {error}; is a quote open, or is it no table?"
        ) from None
    rows = [row for _, row in lines]
    if len(rows) < 2:
        raise DataError(f"{source}: no data; give a header row and at least one row of numbers")
    header = [name.strip() for name in rows[0]]
    if header[0].lower() != TIME:
        found = _short(header[0])
        raise DataError(f'{source}: the first column is "{found}"; it must be "{TIME}"')
    twice = sorted(name for name, n in Counter(header).items() if n > 1)
    if twice:
        raise DataError(f"{source}: columns stand twice: {_few(twice)}")
    values = np.array([_numbers(source, n, row, header) for n, row in lines[1:]])
    if repeats != "refused":
        kept = ~_repeated(values, repeats)
        values, lines = values[kept], [lines[0], *compress(lines[1:], kept)]
    falls = values[1:, 0] <= values[:-1, 0]
    if np.any(falls):
        row = lines[int(np.argmax(falls)) + 2][0]
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
                f'{source}, row {row_number}, column "{_short(name)}": '
                f'"{_short(text)}" is no finite number; mend it'
            )
        numbers.append(value)
    return numbers


def _short(text: str) -> str:
    """Quote what may be a whole file that was taken for a field."""
    return text if len(text) <= LONG else f"{text[:LONG]}..."


def _few(names: Sequence[str]) -> str:
    """List names, the first of many."""
    more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
    return ", ".join(map(_short, names[:FEW])) + more


def write_csv(path: str | Path, trajectory: Trajectory) -> None:
    """Write a table that reads back bit by bit."""
    write_whole({Path(path): csv_bytes(trajectory)}, makes_folders=False)


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
    strange = set(trajectory.names).difference(known)
    unknown = [name for name in trajectory.names if name in strange]
    if unknown:
        listed = ", ".join(known) if known else "none"
        raise DataError(f"{source}: no {what} named {_few(unknown)}; the {what}s are: {listed}")


def merged_times(times: Array, inputs: Trajectory | None) -> Array:
    """Return the times of a run with those at which an input row begins, without near doubles."""
    if inputs is None:
        return times
    inside = inputs.time[(inputs.time > times[0]) & (inputs.time < times[-1])]
    merged = np.union1d(times, inside)
    near = np.concatenate([[False], np.diff(merged) <= 1e-9 * (1 + np.abs(merged[1:]))])
    kept = merged[~near]
    # of two near ones the time that was asked for stays
    after = np.searchsorted(kept, times).clip(1, len(kept) - 1)
    nearest = after - (times - kept[after - 1] <= kept[after] - times)
    kept[nearest] = times
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
    count = (stop - start) / step
    if not count <= MOST_POINTS:
        raise DataError(
            f"{stop - start:g} s in steps of {step:g} s are {count:.3g} communication points, at "
            f"most {MOST_POINTS:,} are run; shorten the time (--stop) or lengthen the step (--step)"
        )
    n = int(np.floor(count * (1 + 1e-12) + 1e-9))
    times = start + step * np.arange(n + 1)
    if stop - times[-1] > 1e-9 * step:
        times = np.append(times, stop)
    return times
