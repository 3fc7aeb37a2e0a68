"""Load cases for finite elements: all that acts on each body at chosen instants of a run.

The instants are taken from a table of results: states from the columns of joints, what acts from
the inputs. What joints carry is computed anew there, and compared with what the table says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mbd_fmu.analysis.body_loads import LoadedBody, loaded_bodies
from mbd_fmu.analysis.following import started
from mbd_fmu.analysis.pin_loads import RunLoads
from mbd_fmu.analysis.told import told_inputs
from mbd_fmu.errors import DataError, nearest
from mbd_fmu.reference.run import parameter_vector, split_settings
from mbd_fmu.signals.trajectory import Trajectory, few
from mbd_fmu.spatial import Array
from mbd_fmu.system.plant import Plant, plant_of
from mbd_fmu.system.system import System

SAME = 1e-3  # of the largest reaction: what a table may differ by from what is computed anew


@dataclass(frozen=True)
class LoadCase:
    """An instant, why it was chosen, and every body with its loads."""

    name: str
    time: float
    bodies: tuple[LoadedBody, ...]


def peak_instants(
    loads: RunLoads, joints: Sequence[str] = (), times: Iterable[float] = ()
) -> dict[int, str]:
    """Return the rows where joints carry most, and those nearest to given times, with reasons.

    All joints, where none is named.
    """
    known = [load.pin.name for load in loads.pins]
    if strange := [name for name in joints if name not in known]:
        raise DataError(f'no loads of a joint "{strange[0]}"; {nearest(strange[0], known)}')
    time = loads.pins[0].time
    found: dict[int, list[str]] = {}
    for name in joints or known:
        for kind in ("force", "torque"):
            size = loads.of(name).magnitude(kind)
            if kind == "force" or not np.any(loads.of(name).magnitude("force")):
                found.setdefault(int(np.argmax(size)), []).append(f"max {name}.{kind}")
    for t in times:
        if not time[0] <= t <= time[-1]:
            raise DataError(f"--at {t:g}: the run lasts from {time[0]:g} to {time[-1]:g} s")
        found.setdefault(int(np.argmin(np.abs(time - t))), []).append(f"at {t:g} s")
    return {row: ", ".join(found[row]) for row in sorted(found)}


def load_cases(
    system: System,
    result: Trajectory,
    rows: Mapping[int, str],
    *,
    inputs: Trajectory | None = None,
    interpolate: bool = False,
    settings: Mapping[str, float] | None = None,
) -> tuple[LoadCase, ...]:
    """Return what acts on every body at rows of a result; inputs and parameters as in the run."""
    parameters, constant = split_settings(system, settings)
    plant = plant_of(system, parameter_vector(system, parameters))
    at = _chosen(result, list(rows))
    table = _with_inputs(at, inputs, constant, interpolate=interpolate)
    u = told_inputs(system, table, plant.p)
    x = _states(system, at)
    rank = started(plant, u[0]).generic_rank
    found = []
    for k, (row, name) in enumerate(rows.items()):
        z = plant.solution(x[k], u[k], rank)
        _refuse_others(plant, x[k], u[k], z, at, k)
        bodies = loaded_bodies(plant, x[k], u[k], z)
        found.append(LoadCase(name, float(result.time[row]), bodies))
    return tuple(found)


def _chosen(result: Trajectory, rows: Sequence[int]) -> Trajectory:
    return Trajectory(result.time[rows], result.names, result.values[rows])


def _with_inputs(
    at: Trajectory, inputs: Trajectory | None, constant: Mapping[str, float], *, interpolate: bool
) -> Trajectory:
    """The table with the inputs that acted at its instants."""
    names, columns = list(at.names), [at.values]
    given: dict[str, Array] = {name: np.full(len(at.time), v) for name, v in constant.items()}
    if inputs is not None:
        rows = np.array(
            [inputs.interpolated(t) if interpolate else inputs.values[inputs.row_at(t)]
             for t in at.time]
        )  # fmt: skip
        given |= dict(zip(inputs.names, rows.T, strict=True))
    for name, values in given.items():
        if name not in names:
            names.append(name)
            columns.append(values[:, None])
    return Trajectory(at.time, tuple(names), np.concatenate(columns, axis=1))


def _at_time(inputs: Trajectory, t: float, *, interpolate: bool) -> Array:
    return inputs.interpolated(t) if interpolate else inputs.values[inputs.row_at(t)]


def _states(system: System, at: Trajectory) -> Array:
    """x at the instants; work that was done acts on nothing."""
    n = len(system.state_q) + len(system.state_v)
    names = system.states.names[:n]
    if missing := [name for name in names if name not in at]:
        raise DataError(
            f"the result does not tell the state: {few(missing)} missing; they come with the "
            "output group joints"
        )
    x = np.zeros((len(at.time), system.nx))
    for k, name in enumerate(names):
        x[:, k] = at.column(name)
    return x


def _refuse_others(plant: Plant, x: Array, u: Array, z: Array, at: Trajectory, row: int) -> None:
    """Refuse a result of another model, or of other inputs or parameters."""
    outputs = plant.outputs_of(x, u, z)
    pairs = [
        (v.name, float(y), float(at.column(v.name)[row]))
        for v, y in zip(plant.system.table.outputs, outputs, strict=True)
        if v.unit in ("N", "N.m") and v.name in at
    ]
    largest = max((abs(b) for _, _, b in pairs), default=0.0)
    if not pairs or not largest:
        return
    name, ours, theirs = max(pairs, key=lambda pair: abs(pair[1] - pair[2]))
    if abs(ours - theirs) > SAME * largest:
        raise DataError(
            f"t = {at.time[row]:g}: {name} is {theirs:.6g} in the result, and {ours:.6g} by the "
            "model; give the model, --input and --set that the result came from"
        )
