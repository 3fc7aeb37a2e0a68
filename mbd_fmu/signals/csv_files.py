"""Tables over time as CSV files: a header of names, the first of them time, and rows of numbers."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from itertools import compress
from pathlib import Path
from typing import Literal

import numpy as np

from mbd_fmu.errors import DataError
from mbd_fmu.host.writing import write_whole
from mbd_fmu.signals.digits import ungrouped
from mbd_fmu.signals.trajectory import Trajectory, few, short
from mbd_fmu.spatial import Array

TIME = "time"

# What becomes of a time that stands twice. "refused": an error. "held": tables of the FMI
# cross-check, which are read on straight lines, show a jump by what was, then what comes; where
# inputs are held, the first says nothing new. "last": as tools write events, the last row counts.
Repeats = Literal["refused", "held", "last"]


def read_csv(path: str | Path, *, repeats: Repeats = "refused") -> Trajectory:
    """Read a table whose first column is time."""
    return parse_csv(bytes_of(Path(path)), str(path), repeats=repeats)


def bytes_of(path: Path) -> bytes:
    """Return what is in a file, or in a pipe."""
    try:
        if path.is_char_device() or path.is_block_device():
            raise DataError(f"{path}: is a device, which may never end; name a file or a pipe")
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None


def read_inputs(path: Path | None, *, interpolate: bool) -> Trajectory | None:
    """Read inputs of a run, if a table is named; where they are held, a time may stand twice."""
    if path is None:
        return None
    return read_csv(path, repeats="refused" if interpolate else "held")


def parse_csv(data: bytes, source: str, *, repeats: Repeats = "refused") -> Trajectory:
    """Take a table from bytes; ``source`` is where they come from, for messages."""
    header, lines = _table(data, source, first=TIME)
    values = np.array([_numbers(source, n, row, header) for n, row in lines])
    if repeats != "refused":
        kept = ~_repeated(values, repeats)
        values, lines = values[kept], list(compress(lines, kept))
    falls = values[1:, 0] <= values[:-1, 0]
    if np.any(falls):
        row = lines[int(np.argmax(falls)) + 1][0]
        raise DataError(
            f"{source}, row {row}: time does not ascend; sort the rows and remove doubles"
        )
    return Trajectory(values[:, 0], tuple(header[1:]), values[:, 1:])


def _table(
    data: bytes, source: str, *, first: str | None = None
) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the header of a table, and its rows of texts with their numbers in the file."""
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
    if len(lines) < 2:
        raise DataError(f"{source}: no data; give a header row and at least one row of numbers")
    header = [name.strip() for name in lines[0][1]]
    if first is not None and header[0].lower() != first:
        found = short(header[0])
        raise DataError(f'{source}: the first column is "{found}"; it must be "{first}"')
    twice = sorted(name for name, n in Counter(header).items() if n > 1)
    if twice:
        raise DataError(f"{source}: columns stand twice: {few(twice)}")
    return header, lines[1:]


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
        value = number_in(text)
        if not np.isfinite(value):
            raise DataError(
                f'{source}, row {row_number}, column "{short(name)}": '
                f'"{short(text)}" is no finite number; mend it'
            )
        numbers.append(value)
    return numbers


def number_in(text: str) -> float:
    """Return the number that a text is; NaN: it is none."""
    try:
        return float(ungrouped(text))
    except ValueError:
        return np.nan


def write_csv(path: str | Path, trajectory: Trajectory) -> None:
    """Write a table that reads back bit by bit."""
    write_whole({Path(path): csv_bytes(trajectory)}, makes_folders=False)


def csv_bytes(trajectory: Trajectory, *, first: str = TIME) -> bytes:
    """Return a table as text that reads back bit by bit; ``first`` is what its rows go along."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([first, *trajectory.names])
    for t, row in zip(trajectory.time, trajectory.values, strict=True):
        writer.writerow([repr(float(x)) for x in (t, *row)])
    return stream.getvalue().encode("utf-8")
