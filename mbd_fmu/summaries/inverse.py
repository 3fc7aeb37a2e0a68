"""What drives must do for a motion: a row for each, and what was found on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from mbd_fmu.analysis.inverse_motion import InverseMotion
from mbd_fmu.analysis.limits import beyond_limits
from mbd_fmu.analysis.told import DEGREE
from mbd_fmu.signals.trajectory import few
from mbd_fmu.spatial import Array
from mbd_fmu.system.variable import Variable

TITLES = ("drive", "unit", "least", "at s", "most", "at s", "rms")
ROUNDING = 1e-12  # of the largest drive
DIFFERS = 1e-6  # m or rad: what a column may differ by from what follows, and nobody is told


def rows(found: InverseMotion, units: dict[str, str]) -> Iterator[tuple[str, ...]]:
    """Yield what stands below the titles."""
    largest = float(np.abs(found.drives.values).max(initial=0.0))
    for name, e in _extremes(found).items():
        if max(-e["min"], e["max"]) <= ROUNDING * largest:
            yield name, units[name], "0", "-", "0", "-", "0"
            continue
        numbers = (e["min"], e["t_min"], e["max"], e["t_max"], e["rms"])
        yield (name, units[name], *(f"{x:.6g}" for x in numbers))


def facts(found: InverseMotion, units: dict[str, str]) -> dict[str, Any]:
    """Return all that ``mbd-fmu inverse --json`` says besides files."""
    followed = found.followed
    return {
        "drives": {n: {"unit": units[n]} | e for n, e in _extremes(found).items()},
        "redundant": found.redundant,
        "missing": found.missing,
        "told": list(followed.told),
        "held": list(followed.held),
        "differences": followed.differences,
        "unused": list(followed.unused),
    }


def notes(found: InverseMotion, inputs: Iterable[Variable]) -> Iterator[str]:
    """Yield what a user should hear: what tells the motion, what differs, what tells nothing."""
    followed = found.followed
    by = few(followed.told) or "inputs alone"
    rates = f"rates that have no columns are those of splines of degree {DEGREE}"
    yield f"the motion is told by {by}; {rates}"
    off = {name: miss for name, miss in followed.differences.items() if miss > DIFFERS}
    if off:
        worst = max(off, key=lambda name: off[name])
        yield (
            f"{len(off)} columns differ from what follows from those, {worst} most, by "
            f"{off[worst]:.3g} in SI units"
        )
    if followed.unused:
        yield f"{len(followed.unused)} columns tell no motion: {few(followed.unused)}"
    ranges = {name: (x["min"], x["max"]) for name, x in _extremes(found).items()}
    yield from beyond_limits(inputs, ranges)
    if found.redundant:
        yield (
            f"{found.redundant} more drives than needed: of all that make this motion, those of "
            "the least sum of squares"
        )


def _extremes(found: InverseMotion) -> dict[str, dict[str, float]]:
    time = found.drives.time
    return {
        name: _extreme(time, values)
        for name, values in zip(found.drives.names, found.drives.values.T, strict=True)
    }


def _extreme(time: Array, values: Array) -> dict[str, float]:
    low, high = int(np.argmin(values)), int(np.argmax(values))
    return {
        "min": float(values[low]),
        "t_min": float(time[low]),
        "max": float(values[high]),
        "t_max": float(time[high]),
        "rms": float(np.sqrt(np.mean(values**2))),
    }
