"""How far a result is from its reference, signal by signal, and whether the energy balances.

Errors are given in units and relative to the range of the reference signal. A signal that hardly
moves is held against its vector (the z force of a planar mechanism against its x and y force), so
that rounding of a zero does not count as a large relative error; a vector that is zero but for
rounding is held against one unit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mbd_fmu.errors import DataError
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array

# A signal whose range is below this share of its vector's is one that hardly moves.
HARDLY = 1e-6
# A vector that stays below this, in SI units, is zero but for rounding.
ZERO = 1e-12


@dataclass(frozen=True)
class SignalError:
    """The deviation of one signal, in its unit and relative to ``scale``."""

    name: str
    scale: float
    max: float
    rms: float

    @property
    def max_relative(self) -> float:
        """Largest deviation relative to the signal's range."""
        return self.max / self.scale

    @property
    def rms_relative(self) -> float:
        """Root mean square deviation relative to the signal's range."""
        return self.rms / self.scale


def compare(result: Trajectory, reference: Trajectory) -> list[SignalError]:
    """Compare every signal of the reference with the result, at the reference's times."""
    if not reference.names:
        raise DataError("the reference has no signals; add columns named as the FMU's outputs")
    missing = [name for name in reference.names if name not in result]
    if missing:
        raise DataError(
            f"the reference has signals the FMU has not: {', '.join(missing)}; "
            "rename the columns or add the output group"
        )
    with np.errstate(over="ignore", invalid="ignore"):
        actual, expected = aligned(result, reference)
        scales = _scales(reference.names, _continuous(reference.names, reference.values))
        return [
            SignalError(
                name,
                scales[k],
                float(np.abs(actual[:, k] - expected[:, k]).max()),
                float(np.sqrt(np.mean((actual[:, k] - expected[:, k]) ** 2))),
            )
            for k, name in enumerate(reference.names)
        ]


def aligned(result: Trajectory, reference: Trajectory) -> tuple[Array, Array]:
    """Return both at the reference's times and in its columns; quaternions with equal signs."""
    rows = [result.row_at(t) for t in reference.time]
    if np.abs(result.time[rows] - reference.time).max() > 1e-9 * (1 + reference.time[-1]):
        raise DataError("the result does not cover the times of the reference")
    actual = result.values[rows][:, [result.names.index(name) for name in reference.names]]
    return actual, _same_sign(reference.names, reference.values, actual)


def energy_drift(result: Trajectory) -> tuple[float, float] | None:
    """Return the worst imbalance of kinetic + potential - input work + dissipated.

    In J, and relative to the energy that moves about. None if energies are not put out.
    """
    names = [f"energy.{n}" for n in ("kinetic", "potential", "input_work", "dissipated")]
    if any(name not in result for name in names):
        names = [name.replace(".", "_") for name in names]
    if any(name not in result for name in names):
        return None
    kinetic, potential, work, dissipated = (result.column(name) for name in names)
    balance = kinetic + potential - work + dissipated
    drift = float(np.abs(balance - balance[0]).max())
    parts = (kinetic, potential, work, dissipated)
    if not np.isfinite(drift):
        return drift, np.inf
    moved = max(float(np.ptp(part)) for part in parts)
    size = max(float(np.abs(part).max()) for part in parts)
    # where nothing moves but rounding, that is held against the energy itself
    scale = moved if moved > HARDLY * size else size
    return drift, drift / scale if scale > 0 else 0.0


def vector_of(name: str) -> str:
    """Return what a component belongs to: ``rod.r`` for ``rod.r.x``, also in flat names."""
    match = re.fullmatch(r"(.+)[._][wxyz]", name)
    return match[1] if match else name


def quaternion_columns(names: Sequence[str]) -> list[list[int]]:
    """Return the columns of each vector that has all of w, x, y, z."""
    found = []
    for name in names:
        if name[-2:] in (".w", "_w"):
            components = [name[:-1] + c for c in "wxyz"]
            if all(c in names for c in components):
                found.append([names.index(c) for c in components])
    return found


def _scales(names: Sequence[str], values: Array) -> list[float]:
    # a range beyond all numbers would make every error small
    own = np.minimum(np.ptp(values, axis=0), np.finfo(float).max)
    whole: dict[str, float] = {}
    for name, size in zip(names, np.maximum(own, np.abs(values).max(axis=0)), strict=True):
        whole[vector_of(name)] = max(whole.get(vector_of(name), 0.0), float(size))
    scales = []
    for name, size in zip(names, own, strict=True):
        vector = whole[vector_of(name)]
        if vector < ZERO:
            scales.append(1.0)
        else:
            scales.append(float(size) if size > HARDLY * vector else vector)
    return scales


def _continuous(names: Sequence[str], values: Array) -> Array:
    """Take jumps of sign out of quaternions: q and -q are one rotation."""
    values = values.copy()
    for columns in quaternion_columns(names):
        jumps = np.sum(values[1:, columns] * values[:-1, columns], axis=1) < 0
        signs = np.concatenate([[1.0], np.cumprod(np.where(jumps, -1.0, 1.0))])
        values[:, columns] *= signs[:, None]
    return values


def _same_sign(names: Sequence[str], expected: Array, actual: Array) -> Array:
    """Give quaternions of the reference the sign of the result, row by row."""
    expected = expected.copy()
    for columns in quaternion_columns(names):
        against = np.sum(expected[:, columns] * actual[:, columns], axis=1) < 0
        expected[np.ix_(against, columns)] *= -1
    return expected
