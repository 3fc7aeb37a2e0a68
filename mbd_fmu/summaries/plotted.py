"""The page of a table over time: a plot per vector, and another table over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from mbd_fmu.errors import DataError
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array
from mbd_fmu.validate.comparison import SignalError, compare
from mbd_fmu.validate.signal_groups import lacks_first
from mbd_fmu.validate.signal_section import signal_section, signals_head
from mbd_fmu.viewer.page import page_html, write_page

TABLE = "table"  # the script of signals without a mechanism


def only(table: Trajectory, names: Sequence[str]) -> Trajectory:
    """Return some columns of a table."""
    columns = [table.column(name) for name in names]
    return Trajectory(table.time, tuple(names), np.array(columns).T.reshape(len(table.time), -1))


def laid_over(table: Trajectory, other: Trajectory) -> tuple[Trajectory, Trajectory]:
    """Return two tables to compare: the other where their times overlap, the first there, too.

    Between its rows the first is on straight lines, as it is drawn.
    """
    first, last = max(table.time[0], other.time[0]), min(table.time[-1], other.time[-1])
    inside = (other.time >= first) & (other.time <= last)
    if not np.any(inside):
        spans = " and ".join(f"{t.time[0]:g} to {t.time[-1]:g} s" for t in (table, other))
        raise DataError(f"the times of the tables do not overlap: {spans}")
    times: Array = np.union1d(table.time, other.time[inside])
    values = [np.interp(times, table.time, column) for column in table.values.T]
    return (
        Trajectory(times, table.names, np.array(values).T),
        Trajectory(other.time[inside], other.names, other.values[inside]),
    )


def differences(table: Trajectory, other: Trajectory) -> list[SignalError]:
    """Compare two tables at the times of the other, the largest first; gaps of either say nothing.

    A signal that has gaps is held against its own range, others against their vector's.
    """
    there = np.isfinite(table.values[[table.row_at(t) for t in other.time]])
    there &= np.isfinite(other.values)
    whole = [name for name, good in zip(other.names, there.T, strict=True) if good.all()]
    found = compare(only(table, whole), only(other, whole)) if whole else []
    for k, name in enumerate(other.names):
        if name not in whole and there[:, k].any():
            rows = only(other, [name])
            rows = Trajectory(rows.time[there[:, k]], rows.names, rows.values[there[:, k]])
            found += compare(only(table, [name]), rows)
    return sorted(found, key=lambda error: -error.max_relative)


def write_plot_page(
    path: Path,
    title: str,
    table: Trajectory,
    other: Trajectory | None,
    labels: tuple[str, str],
    first: str = "",
    units: Mapping[str, str] | None = None,
) -> str:
    """Write the page, with what comes first; return what ``write_trajectory_page`` does."""
    lead = f"{len(table.names)} signals over {table.time[-1] - table.time[0]:g} s"
    named = (*labels, "difference")
    body = signal_section(table, units or {}, reference=other, labels=named, first=first)
    replaced = write_page(path, page_html(title, lead, body, head=signals_head(), script=TABLE))
    lack = lacks_first(table.names, None, first)
    return replaced + (f"; {lack}" if lack else "")
