"""Runs as they are asked for: of a model in NumPy, in either formulation, or of an FMU in fmpy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mbd_fmu.model.spec import Spec
from mbd_fmu.oracle.run import simulate_absolute
from mbd_fmu.quantities.vectors import Values
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.simulation import simulate
from mbd_fmu.system.system import system_of
from mbd_fmu.system.variables import flat_name
from mbd_fmu.validate.runner import Fmu

Hear = Callable[[str], None]


@dataclass(frozen=True)
class Request:
    """What is asked of a run; times that are not given are the model's own."""

    stop: float | None = None
    step: float | None = None
    inputs: Trajectory | None = None
    interpolate: bool = False
    settings: Mapping[str, float] = field(default_factory=dict)
    tolerance: float | None = None  # of the solver


def values_in(spec: Spec, settings: Mapping[str, float]) -> Values:
    """Return what the parameters of a model are in a run that sets some, and what follows."""
    shown = flat_name if spec.fmu.naming == "flat" else str
    return spec.named(settings.get(shown(p.name), p.value) for p in spec.parameters)


@dataclass(frozen=True)
class Finished:
    """A run, and what its signals are."""

    name: str
    result: Trajectory
    units: dict[str, str]


def run_fmu(path: Path, request: Request, *, progress: Hear, notice: Hear) -> Finished:
    """Run an FMU; ``notice`` is told what it warns of."""
    with Fmu(path) as fmu:
        times = fmu.times(request.stop, request.step)
        result = fmu.run(
            times,
            inputs=request.inputs,
            interpolate=request.interpolate,
            settings=request.settings,
            tolerance=request.tolerance,
            progress=_instants(float(times[-1]), progress),
        ).trajectory
        for text in fmu.warnings:
            notice(text)
        return Finished(fmu.description.modelName, result, {n: fmu.unit(n) for n in result.names})


def run_model(spec: Spec, request: Request, *, progress: Hear, notice: Hear) -> Finished:
    """Run a model by the algorithms its FMU has."""
    system = system_of(spec)
    stop = request.stop or spec.fmu.stop_time
    settings = dict(request.settings)
    if request.tolerance is not None:
        settings[system.table.parameters[system.table.tolerance].name] = request.tolerance
    result = simulate(
        system,
        stop=stop,
        step=request.step or spec.fmu.communication_step,
        inputs=request.inputs,
        interpolate=request.interpolate,
        settings=settings,
        progress=_instants(stop, progress),
        notice=notice,
    )
    return Finished(spec.name, result, {v.name: v.unit for v in system.table.outputs})


def run_absolute(spec: Spec, request: Request, *, progress: Hear) -> Finished:
    """Run a model in absolute coordinates, every joint as rows of constraints; inputs are held."""
    stop = request.stop or spec.fmu.stop_time
    result = simulate_absolute(
        spec,
        stop=stop,
        step=request.step or spec.fmu.communication_step,
        inputs=request.inputs,
        settings=request.settings,
        tolerance=spec.fmu.tolerance,
        progress=_instants(stop, progress),
    )
    return Finished(spec.name, result, {})


def _instants(stop: float, progress: Hear) -> Callable[[float], None]:
    return lambda t: progress(f"{t:.3g} of {stop:g} s")
