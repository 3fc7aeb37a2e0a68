"""Tables over time of other tools, for drawing: what separates, what is a decimal, what is a unit.

Inputs and references are read strictly (``csv_files.py``). Here gaps stay gaps, and columns of text
are left out and told; what cannot be understood is refused all the same. Cases of studies are
separated likewise, but have neither.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mbd_fmu.errors import DataError
from mbd_fmu.signals.csv_files import bytes_of, number_in
from mbd_fmu.signals.digits import ungrouped
from mbd_fmu.signals.trajectory import Trajectory, few, short
from mbd_fmu.spatial import Array

_SEPARATORS = "\t;,"  # the first that stands in the header: names may hold those after it
_TIMES = ("time", "t")
_SECONDS = {"": 1.0, "s": 1.0, "sec": 1.0, "ms": 1e-3, "us": 1e-6, "min": 60.0, "h": 3600.0}
_NOTHING = ("", "nan", "na", "n/a", "null", "none")  # a gap
# "v (m/s)", "v [m/s]", "v[m/s]"; not "force[3]", nor "der(q)"
_UNIT = re.compile(r"(.*\S)(?:\s+\(([^()]*)\)|\s*\[(?!\d+(?:,\s*\d+)*\])([^\[\]]*)\])")

Row = tuple[int, list[str]]  # number in the file, cells


@dataclass(frozen=True)
class AnyTable:
    """A table whose values may have gaps, NaN."""

    trajectory: Trajectory
    units: Mapping[str, str]  # of the columns that tell one
    left_out: tuple[str, ...]  # why columns were


def read_any_table(path: Path) -> AnyTable:
    """Read a table over time, whichever tool has written it."""
    source = str(path)
    header, rows, separator = _cells(bytes_of(path), source)
    names, units = _names(source, header)
    first = _time_column(source, header, names)
    columns: dict[str, Array] = {}
    left_out = []
    for k, name in enumerate(names):
        found = _column(rows, k, is_decimal_comma=separator != ",")
        if isinstance(found, str):
            if k == first:
                raise DataError(f'{source}: time is "{found}; give a number in every row')
            left_out.append(f'column "{short(name)}" is "{found}')
        else:
            columns[name] = found
    time = columns.pop(names[first]) * _seconds(source, header[first], units.get(names[first], ""))
    kept = _ascending(source, time, rows)
    values = np.array([column[kept] for column in columns.values()])
    values = values.reshape(len(columns), np.count_nonzero(kept)).T
    return AnyTable(
        Trajectory(time[kept], tuple(columns), values),
        {name: units[name] for name in columns if units.get(name)},
        tuple(left_out),
    )


def read_rows(path: Path) -> tuple[tuple[str, ...], Array]:
    """Read a table without time: names, and rows of finite numbers."""
    source = str(path)
    header, rows, separator = _cells(bytes_of(path), source)
    twice = sorted(name for name, n in Counter(header).items() if n > 1)
    if twice:
        raise DataError(f"{source}: columns stand twice: {few(twice)}")
    values = np.empty((len(rows), len(header)))
    for k, (n, row) in enumerate(rows):
        for i, (name, text) in enumerate(zip(header, row, strict=False)):
            values[k, i] = number_in(_plain(text, is_decimal_comma=separator != ","))
            if not np.isfinite(values[k, i]):
                raise DataError(
                    f'{source}, row {n}, column "{short(name)}": '
                    f'"{short(text.strip())}" is no finite number; mend it'
                )
    return tuple(header), values


def _cells(data: bytes, source: str) -> tuple[list[str], list[Row], str]:
    """Return the header, the rows, and what separates their cells."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{source}: not UTF-8 at byte {error.start}; save it as UTF-8") from None
    if "\0" in text:
        raise DataError(f"{source}: holds NUL characters, as UTF-16 does; save it as UTF-8")
    lines = text.splitlines(keepends=True)
    n = next(
        (k for k, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines)
    )
    if n and n < len(lines) and _is_number(re.split(r"[\t;,]", lines[n])[0]):
        n -= 1  # a header behind "#", as NumPy writes it
        lines[n] = lines[n].lstrip("# ")
    head = lines[n] if n < len(lines) else ""
    separator = next((s for s in _SEPARATORS if s in head), ",")
    text = "".join(lines[n:])
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        rows = [(n + k, row) for k, row in enumerate(reader, start=1) if any(map(str.strip, row))]
    except csv.Error as error:
        line = n + reader.line_num
        raise DataError(f"{source}, line {line}: {error}; is a quote open?") from None
    if len(rows) < 2:
        raise DataError(f"{source}: no data; give a header row and at least one row of numbers")
    header = [name.strip() for name in rows[0][1]]
    while not header[-1]:  # separators at the end of each line
        header.pop()
    for k, row in rows[1:]:
        if len(row) < len(header) or any(map(str.strip, row[len(header) :])):
            raise DataError(
                f"{source}, row {k}: {len(row)} values for {len(header)} columns, separated by "
                f"{separator!r}; mend the row or the header"
            )
    return header, rows[1:], separator


def _names(source: str, header: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return names of the columns without their units, and those; in full where they were alike."""
    found = [_UNIT.fullmatch(text) for text in header]
    plain = [m[1] if m else text for m, text in zip(found, header, strict=True)]
    often = Counter(plain)
    names = [
        (text if often[name] > 1 else name) or f"column {k}"
        for k, (name, text) in enumerate(zip(plain, header, strict=True), start=1)
    ]
    twice = sorted(name for name, n in Counter(names).items() if n > 1)
    if twice:
        raise DataError(f"{source}: columns stand twice: {few(twice)}")
    return names, {n: m[2] or m[3] or "" for n, m in zip(names, found, strict=True) if m}


def _time_column(source: str, header: Sequence[str], names: Sequence[str]) -> int:
    lower = [name.lower() for name in names]
    for name in _TIMES:
        if name in lower:
            return lower.index(name)
    raise DataError(
        f"{source}: no column of time among {few(header)}; "
        'name one "time", "t" or "time [s]", and separate columns by comma, semicolon or tab'
    )


def _seconds(source: str, name: str, unit: str) -> float:
    if unit not in _SECONDS:
        units = ", ".join(filter(None, _SECONDS))
        raise DataError(f'{source}: the unit of "{short(name)}" is none of {units}; use one')
    return _SECONDS[unit]


def _column(rows: Sequence[Row], k: int, *, is_decimal_comma: bool) -> Array | str:
    """Return the numbers of a column, or what in it is none."""
    found = np.full(len(rows), np.nan)
    for place, (n, row) in enumerate(rows):
        text = _plain(row[k], is_decimal_comma=is_decimal_comma)
        if text.lower() in _NOTHING:
            continue
        if not _is_number(text):
            return f'{short(row[k].strip())}" in row {n}'
        found[place] = float(text)
    found[~np.isfinite(found)] = np.nan
    return found if not np.all(np.isnan(found)) else '" in all rows'


def _plain(text: str, *, is_decimal_comma: bool) -> str:
    text = text.strip()
    return text.replace(",", ".") if is_decimal_comma and "." not in text else text


def _is_number(text: str) -> bool:
    try:
        float(ungrouped(text))
    except ValueError:
        return False
    return True


def _ascending(source: str, time: Array, rows: Sequence[Row]) -> Array:
    """Return which rows are kept: of two at one time the last, as tools write events."""
    lost = ~np.isfinite(time)
    falls = np.append(False, time[1:] < time[:-1])
    for wrong, told in ((lost, "there is no time"), (falls, "time goes back")):
        if np.any(wrong):
            raise DataError(f"{source}, row {rows[int(np.argmax(wrong))][0]}: {told}; mend the row")
    return np.append(time[:-1] != time[1:], True)
