"""Inputs of a run, however a user writes them: numbers, functions of time, columns, tables, files.

- ``{"elbow.tau": 2.0}``: numbers, held over the run;
- ``{"elbow.tau": lambda t: ...}``: functions, followed on straight lines between the communication
  points;
- ``{"time": t, "elbow.tau": values}``: columns, held over each row's interval;
- a ``Trajectory``, a result, a DataFrame with a column or an index ``time``, or a CSV file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np

from mbd_fmu.errors import DataError
from mbd_fmu.signals.csv_files import TIME, read_inputs
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array

Interpolation = Literal["held", "linear"]
RunInputs = Mapping[str, Any] | Trajectory | str | Path | Any | None


def trajectory_of(
    inputs: RunInputs, times: Callable[[], Array], interpolate: Interpolation | None
) -> tuple[Trajectory | None, bool]:
    """Return a table of the inputs, and whether they move on straight lines between its rows.

    ``times`` gives the communication points, at which functions are asked.
    """
    if interpolate not in (None, "held", "linear"):
        raise DataError(f'interpolate is {interpolate!r}; write "held" or "linear"')
    is_linear = interpolate == "linear"
    if inputs is None or (isinstance(inputs, Mapping) and not inputs):
        return None, is_linear
    if isinstance(inputs, str | Path):
        return read_inputs(Path(inputs), interpolate=is_linear), is_linear
    if isinstance(inputs, Trajectory):
        return inputs, is_linear
    if isinstance(found := getattr(inputs, "trajectory", None), Trajectory):  # a result
        return found, is_linear
    columns = _columns(inputs)
    functions = any(callable(value) for value in columns.values())
    if functions and interpolate is None:
        is_linear = True
    if TIME in columns:
        time = np.asarray(columns.pop(TIME), dtype=float)
    else:
        time = times() if functions else np.zeros(1)
    return _table(time, columns), is_linear


def _columns(inputs: Any) -> dict[str, Any]:
    """Return columns by name, of a mapping or of a DataFrame."""
    if isinstance(inputs, Mapping):
        return dict(inputs)
    if hasattr(inputs, "columns") and hasattr(inputs, "to_numpy"):
        found = {str(name): inputs[name].to_numpy() for name in inputs.columns}
        index = {} if TIME in found else {TIME: inputs.index.to_numpy()}
        return index | found
    raise DataError(
        f"inputs: {type(inputs).__name__} is no table; give numbers, functions or columns by name, "
        "a DataFrame, or a CSV file"
    )


def _table(time: Array, columns: Mapping[str, Any]) -> Trajectory:
    problems, values = [], []
    if time.ndim != 1 or not len(time) or not np.all(np.diff(time) > 0):
        problems.append(f'inputs: "{TIME}" does not ascend; sort the rows and remove doubles')
    for name, value in columns.items():
        try:
            given = [value(float(t)) for t in time] if callable(value) else value
            column = np.asarray(given, dtype=float)
        except (TypeError, ValueError):
            problems.append(f'inputs, "{name}": {value!r} is no number and no column of numbers')
            continue
        if column.ndim > 1 or (column.ndim == 1 and len(column) != len(time)):
            asked = f"one for each of {len(time)} times" if len(time) > 1 else f'"{TIME}" beside it'
            problems.append(f'inputs, "{name}": {column.size} values; give a number, or {asked}')
        elif not np.isfinite(column).all():
            problems.append(f'inputs, "{name}": some values are no finite numbers; mend them')
        else:
            values.append(np.broadcast_to(column, len(time)))
    if problems:
        raise DataError("\n  ".join(problems))
    return Trajectory(time, tuple(columns), np.array(values).T.reshape(len(time), len(columns)))
