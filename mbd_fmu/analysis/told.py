"""Columns that tell a motion: positions, and rates where they are given, else by splines.

A rate is its own column where there is one; else the derivative of a spline of degree 5 through
the positions, or, of an acceleration, through the velocities. Such a spline has four continuous
derivatives; its error falls with the sixth power of the distance of the rows.

Source   de Boor, A Practical Guide to Splines (2001), ch. 13; knots not a knot at both ends.
Checked  tests/analysis/test_told.py
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import BSpline, make_interp_spline

from mbd_fmu.analysis.drivers import Driver, turn_rates
from mbd_fmu.errors import DataError
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array
from mbd_fmu.system.system import System
from mbd_fmu.system.variables import PrescribedMotion

DEGREE = 5
FEWEST = DEGREE + 1


@dataclass(frozen=True)
class Told:
    """What one driver is told, a row per instant."""

    place: Array  # (n, columns)
    rate: Array  # (n, rows)
    acceleration: Array


def told(driver: Driver, table: Trajectory) -> Told:
    """Take what a table tells a driver; all its columns must be there."""
    place = _columns(table, driver.columns)
    if len(driver.columns) >= 4:
        place = _continuous(place)
    has_rate, has_acceleration = (
        bool(names) and all(name in table for name in names)
        for names in (driver.rates, driver.accelerations)
    )
    rate = _columns(table, driver.rates) if has_rate else None
    acceleration = _columns(table, driver.accelerations) if has_acceleration else None
    if rate is None:
        made = _rows_of_splines(driver, table, place)
        rate = made[0]
        acceleration = made[1] if acceleration is None else acceleration
    if acceleration is None:
        acceleration = _spline(table, rate, driver.rates[0])(table.time, 1)
    return Told(place, rate, acceleration)


def _rows_of_splines(driver: Driver, table: Trajectory, place: Array) -> tuple[Array, Array]:
    """Rates and accelerations of the rows, of splines through the columns."""
    spline = _spline(table, place, driver.name)
    rows = [
        driver.row_rates(q, qd, qdd)
        for q, qd, qdd in zip(place, spline(table.time, 1), spline(table.time, 2), strict=True)
    ]
    return np.array([rate for rate, _ in rows]), np.array([second for _, second in rows])


def told_inputs(system: System, table: Trajectory, p: Array) -> Array:
    """Return all that acts on the equations, a row per instant: (n, n_acting).

    Where the table tells nothing, inputs are at their start values.
    """
    starts = np.array([v.start for v in system.table.inputs], dtype=float)
    u = np.tile(system.acting(starts, p), (len(table.time), 1))
    if system.table.time is not None:
        u[:, system.table.time] = table.time
    for k, variable in zip(system.table.acting, system.table.inputs, strict=True):
        if variable.name in table:
            u[:, k] = table.column(variable.name)
    for motion in system.table.told:
        for k, name in enumerate(motion_columns(system, motion), start=motion.first):
            if name in table:
                u[:, k] = table.column(name)
    return u


def with_rates(system: System, table: Trajectory, u: Array) -> Array:
    """Return what acts, with rates of prescribed motions made where the table tells none."""
    u = u.copy()
    for motion in system.table.told:
        _fill(table, u, motion, motion_columns(system, motion))
    return u


def motion_columns(system: System, motion: PrescribedMotion) -> list[str]:
    """Return what all that prescribes a motion is called, in its order."""
    parts = motion.layout.parts
    return [system.shown(f"{motion.name}.{c.name}") for p in parts for c in p.components]


def _fill(table: Trajectory, u: Array, motion: PrescribedMotion, named: Sequence[str]) -> None:
    """Make what is not told of a prescribed motion: rates of what moves."""

    def is_told(places: Iterable[int]) -> bool:
        return all(named[k - motion.first] in table for k in places)

    for q, v, a in motion.signals:
        for low, high in ((q, v), (v, a)):
            if np.ptp(u[:, low]) > 0.0 and not is_told([high]):
                u[:, high] = _spline(table, u[:, low], named[low - motion.first])(table.time, 1)
    if motion.turn is None:
        return
    quat, w, alpha = map(list, motion.turn)
    place = _continuous(u[:, quat])
    if np.ptp(place, axis=0).max() == 0.0:
        return
    name = named[quat[0] - motion.first]
    if is_told(w):
        if not is_told(alpha):
            u[:, alpha] = _spline(table, u[:, w], name)(table.time, 1)
        return
    spline = _spline(table, place, name)
    for k, row in enumerate(zip(place, spline(table.time, 1), spline(table.time, 2), strict=True)):
        u[k, w], made = turn_rates(*row)
        if not is_told(alpha):
            u[k, alpha] = made


def _columns(table: Trajectory, names: Iterable[str]) -> Array:
    return np.column_stack([table.column(name) for name in names])


def _continuous(quat: Array) -> Array:
    """Quaternions, which come first, without changes of sign: q and -q are the same turn."""
    flips = np.sum(quat[1:, :4] * quat[:-1, :4], axis=1) < 0.0
    signs = np.cumprod(np.where(np.concatenate([[False], flips]), -1.0, 1.0))
    return np.concatenate([signs[:, None] * quat[:, :4], quat[:, 4:]], axis=1)


def _spline(table: Trajectory, values: Array, name: str) -> BSpline:
    if len(table.time) < FEWEST:
        raise DataError(
            f"{len(table.time)} rows are too few for the rates of {name}: a spline of degree "
            f"{DEGREE} needs {FEWEST}; give more rows, or columns of velocities and accelerations"
        )
    return make_interp_spline(table.time, values, k=DEGREE)
