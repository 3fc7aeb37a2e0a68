"""Inverse dynamics along a motion: drives and all outputs, a row per instant of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.integrate import cumulative_trapezoid
from scipy.interpolate import make_interp_spline

from mbd_fmu.analysis.following import Followed, follow
from mbd_fmu.analysis.inverse import Driving, InverseDynamics, drives_of
from mbd_fmu.analysis.told import DEGREE, FEWEST
from mbd_fmu.errors import DataError, MbdFmuError
from mbd_fmu.reference.run import parameter_vector, split_settings
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array
from mbd_fmu.system.outputs.energy import WORK_STATES
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import System

MOST_LISTED = 5  # freedoms that lack something
LITTLE = 0.05  # of the largest force: what a measured motion may lack
MISSING = 1e-6  # of the largest force needed: what no drive gives, and may be rounding or a spline


class UndrivenError(MbdFmuError):
    """No drive can make the motion."""


@dataclass(frozen=True)
class InverseMotion:
    """What drives must do for a motion, and what comes of it."""

    drives: Trajectory
    inputs: Trajectory  # all of them: drives as found, others as told
    outputs: Trajectory  # all of the FMU's, for that motion
    followed: Followed
    redundant: int  # drives beyond those that are needed; shared by least squares
    missing: float  # of the largest force needed: what no drive gives

    @property
    def trajectory(self) -> Trajectory:
        """Inputs and outputs, one table."""
        values = np.concatenate([self.inputs.values, self.outputs.values], axis=1)
        return Trajectory(self.outputs.time, (*self.inputs.names, *self.outputs.names), values)


def inverse_dynamics(
    system: System,
    motion: Trajectory,
    *,
    drives: Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
    hold: Sequence[str] = (),
    settings: Mapping[str, float] | None = None,
    tolerance: float = MISSING,
    progress: Callable[[float], None] = lambda _: None,
) -> InverseMotion:
    """Return torques, forces and all reactions for a motion that a table tells.

    ``drives`` are names of inputs; by default those of joints and actuators that the table does not
    tell. ``weights`` make some of redundant ones dearer. ``tolerance`` is how much of the largest
    force may be missing where drives are too few.
    """
    parameters, constant = split_settings(system, settings)
    plant = plant_of(system, parameter_vector(system, parameters))
    motion = _with_constants(motion, constant)
    if drives is None:
        drives = [name for name in drives_of(system) if name not in motion]
    inverse = InverseDynamics(plant, drives, weights)
    followed = follow(plant, motion, hold=hold, progress=progress)
    found = [
        inverse.at(x, u, vd, followed.generic_rank)
        for x, u, vd in zip(followed.x, followed.u, followed.vd, strict=True)
    ]
    missing = _missing(system, followed.time, found, tolerance)
    x = _with_work(system, followed, found)
    outputs = np.array(
        [plant.outputs_of(x[k], now.u, now.z) for k, now in enumerate(found)]
    ).reshape(len(x), -1)
    time, table = followed.time, system.table
    inputs = np.array([now.u for now in found])[:, list(table.acting)]
    values = np.array([now.drives for now in found]).reshape(len(x), len(inverse.drives))
    return InverseMotion(
        Trajectory(time, inverse.drives, values),
        Trajectory(time, tuple(v.name for v in table.inputs), inputs),
        Trajectory(time, tuple(v.name for v in table.outputs), outputs),
        followed,
        max((now.redundant for now in found), default=0),
        missing,
    )


def _with_constants(motion: Trajectory, constant: Mapping[str, float]) -> Trajectory:
    """The table with inputs that stay as they are set."""
    if twice := [name for name in constant if name in motion]:
        raise DataError(f"{twice[0]} is set, and stands in the table, too; leave one of them out")
    values = np.tile(list(constant.values()), (len(motion.time), 1))
    names = (*motion.names, *constant)
    return Trajectory(motion.time, names, np.concatenate([motion.values, values], axis=1))


def _missing(system: System, time: Array, found: Sequence[Driving], tolerance: float) -> float:
    """Return what no drive gives, of the largest force needed; refuse too much of it."""
    largest = max((now.largest for now in found), default=0.0)
    worst: dict[str, tuple[float, float, str]] = {}
    for t, now in zip(time, found, strict=True):
        for lack in now.lacks:
            if abs(lack.size) >= abs(worst.get(lack.freedom, (0.0, 0.0, ""))[0]):
                worst[lack.freedom] = (lack.size, float(t), lack.unit)

    def share(size: float, unit: str) -> float:
        per = 1.0 / system.length if unit == "N.m" else 1.0
        return per * abs(size) / largest if largest else 0.0

    missing = max((share(size, unit) for size, _, unit in worst.values()), default=0.0)
    if missing > tolerance:
        lacking = [name for name, (size, _, unit) in worst.items() if share(size, unit) > tolerance]
        listed = "; ".join(_said(name, *worst[name]) for name in lacking[:MOST_LISTED])
        more = f"; {len(lacking) - MOST_LISTED} more" if len(lacking) > MOST_LISTED else ""
        allow = f", or allow for {missing:.2g} of the largest force (--tolerance)"
        raise UndrivenError(
            f"the drives cannot make this motion: {listed}{more}; tell a motion that they can "
            f"make, drive more joints (--drive JOINT){allow if missing < LITTLE else ''}"
        )
    return missing


def _said(name: str, size: float, t: float, unit: str) -> str:
    return f"{name} lacks {size:.4g} {unit} at t = {t:g}"


def _with_work(system: System, followed: Followed, found: Sequence[Driving]) -> Array:
    """Return the states with the work that was done since the first row."""
    x = followed.x.copy()
    if not system.table.has_work:
        return x
    last = slice(system.nx - len(WORK_STATES), system.nx)
    power = np.array([now.z[last] for now in found])
    if len(power) >= FEWEST:
        spline = make_interp_spline(followed.time, power, k=DEGREE).antiderivative()
        x[:, last] = spline(followed.time) - spline(followed.time[0])
    else:
        x[:, last] = cumulative_trapezoid(power, followed.time, axis=0, initial=0.0)
    return x
