"""The road from a model to a trajectory without an FMU: check, then step in NumPy."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping

import numpy as np

from mbd_fmu.analysis.checks import refuse_unusable
from mbd_fmu.model.spec import Spec, Specified
from mbd_fmu.reference.run import Run, refuse_infinite, split_settings
from mbd_fmu.signals.schedule import communication_points, schedule
from mbd_fmu.signals.trajectory import Trajectory, check_columns
from mbd_fmu.spatial import Array
from mbd_fmu.system.system import System, system_of


def _warn(text: str) -> None:
    warnings.warn(text, stacklevel=3)


def simulate(
    model: System | Spec | Specified,
    *,
    stop: float,
    step: float,
    inputs: Trajectory | None = None,
    interpolate: bool = False,
    settings: Mapping[str, float] | None = None,
    progress: Callable[[float], None] = lambda _: None,
    notice: Callable[[str], None] = _warn,
) -> Trajectory:
    """Run a mechanism from 0 to ``stop`` and return its outputs at the communication points.

    ``notice`` is told, once each, what was found: that another solver would do better, or that
    what is told contradicts itself.
    """
    system = model if isinstance(model, System) else system_of(model)
    inputs_by_name = {v.name: k for k, v in enumerate(system.table.inputs)}
    parameters, constant = split_settings(system, settings)
    refuse_unusable(system)
    run = Run(system, parameters)
    for name, value in constant.items():
        run.u[inputs_by_name[name]] = value
    times = communication_points(0.0, stop, step)
    if inputs is not None:
        check_columns("inputs", inputs, inputs_by_name, "input")
    columns = [inputs_by_name[name] for name in inputs.names] if inputs is not None else []
    rows: list[Array] = []
    for point in schedule(times, inputs, interpolate=interpolate):
        rates = np.zeros_like(run.u)
        run.u = run.u.copy()
        if point.values is not None:
            run.u[columns] = point.values
        if point.rates is not None:
            rates[columns] = point.rates
        if not rows:
            run.restart()  # loops are closed with the inputs they begin with
        if point.is_asked:
            rows.append(run.outputs())
            refuse_infinite(f"t = {point.time:g}:", system.table.outputs, rows[-1])
            progress(point.time)
        if point.length is not None:
            run.step(point.length, rates)
            for text in run.notices:
                notice(f"t = {point.time:g}: {text}")
    outputs = tuple(v.name for v in system.table.outputs)
    return Trajectory(times, outputs, np.array(rows).reshape(len(times), len(outputs)))
