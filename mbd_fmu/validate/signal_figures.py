"""What plots of signals over time show, as the page reads it; the times stand once for all.

A page holds a hundred of them, so each is a plain table with values alone: numbers as base64 of
little-endian floats, and of what stays still one number.
"""

from __future__ import annotations

import base64
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array
from mbd_fmu.system.units import shown_unit
from mbd_fmu.validate.signal_groups import Vector

MARKS = 40  # of a reference
_ENERGIES = ("kinetic", "potential", "input_work", "dissipated")

Figure = dict[str, Any]


@dataclass(frozen=True)
class Compared:
    """A run, perhaps with a reference whose quaternions have its signs, and what stays still."""

    result: Trajectory
    reference: Trajectory | None
    units: Mapping[str, str]
    labels: tuple[str, str, str]  # what the two are, and what is between them
    still: Collection[str] = frozenset()

    @cached_property
    def rows(self) -> list[int]:
        """Which rows of the run the reference is told at."""
        return [self.result.row_at(t) for t in self.reference.time] if self.reference else []

    def times(self) -> dict[str, Any]:
        """Return what all figures are drawn over; ``rows`` only where they are not all."""
        rows = self.rows
        is_everywhere = rows == list(range(len(self.result.time)))
        return {"time": packed(self.result.time), "rows": [] if is_everywhere else rows}


def packed(values: Array) -> str:
    """Write numbers."""
    return base64.b64encode(np.asarray(values, dtype="<f8").tobytes()).decode("ascii")


def vector_figure(vector: Vector, of: Compared) -> Figure:
    """Return the lines of a vector, over circles of the reference and errors if there is one."""
    reference = of.reference if of.reference and vector.members[0] in of.reference else None
    lines, rows = [], of.rows
    for name in vector.members:
        values, is_still = of.result.column(name), name in of.still
        label = of.labels[0] if name == vector.title else _component(name, vector.title)
        line = {"label": label, "y": _written(values, is_still=is_still)}
        if reference is not None:
            expected = reference.column(name)
            line["expected"] = _written(expected[:: _stride(expected)], is_still=is_still)
            line["error"] = _written(values[rows] - expected, is_still=is_still)
        lines.append(line)
    figure = {"title": vector.title, "unit": _unit(of.units.get(vector.members[0])), "lines": lines}
    if reference is None:
        return figure
    every = _stride(reference.time)
    return figure | {"reference": of.labels[1], "below": of.labels[2], "every": every}


def energy_figure(of: Compared) -> Figure | None:
    """Return the energies together, and below them how far they are from balanced."""
    for mark in "._":
        names = [f"energy{mark}{part}" for part in _ENERGIES]
        if all(name in of.result for name in names):
            break
    else:
        return None
    kinetic, potential, work, dissipated = (of.result.column(name) for name in names)
    balance = kinetic + potential - work + dissipated
    lines: list[dict[str, Any]] = [
        {"label": part.replace("_", " "), "y": packed(of.result.column(name))}
        for part, name in zip(_ENERGIES, names, strict=True)
    ]
    lines.append({"label": "imbalance", "error": packed(balance - balance[0])})
    return {"title": "energy", "unit": "J", "lines": lines, "below": "imbalance"}


def error_figure(name: str, unit: str, of: Compared) -> Figure:
    """Return the error of constraints over time, by powers of ten; zeros have no place there."""
    values = of.result.column(name)
    lines = [{"label": "error", "y": packed(np.where(values > 0, values, np.nan))}]
    return {"title": name, "unit": unit, "lines": lines, "powers": True}


def _unit(unit: str | None) -> str:
    return shown_unit(unit or "1")


def _component(name: str, title: str) -> str:
    return name.removeprefix(title).lstrip("._")


def _stride(values: Array) -> int:
    return max(1, len(values) // MARKS)


def _written(values: Array, *, is_still: bool) -> str | float:
    """Pack them; of what stays still the middle is told."""
    return float(values.min() + values.max()) / 2.0 if is_still else packed(values)
