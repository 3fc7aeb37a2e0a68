"""Where loads come from: a model that is run, an FMU, or a table of results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mbd_fmu.analysis.pin_loads import Pin, pins_in_scene, pins_of
from mbd_fmu.build import build_fmu
from mbd_fmu.errors import DataError, FmuError
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.model_files import open_model
from mbd_fmu.host.scratch import scratch_folder
from mbd_fmu.host.writing import plain_name
from mbd_fmu.model.library import find_model, table_beside
from mbd_fmu.model.spec import Spec, with_groups
from mbd_fmu.runs import Hear, Request, run_fmu
from mbd_fmu.signals.csv_files import read_csv
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.system.system import System, system_of
from mbd_fmu.validate.carried import carried_experiment
from mbd_fmu.viewer.carried import carried_scene

GROUPS = ("poses", "joints", "reactions")  # what loads follow from


@dataclass(frozen=True)
class LoadsSource:
    """A result, the inputs behind it, and the joints it is about."""

    name: str
    result: Trajectory
    inputs: Trajectory | None
    pins: Sequence[Pin]
    system: System | None  # None: a bare FMU tells no masses

    def system_or_refuse(self) -> System:
        """Return the mechanism; load cases need its masses."""
        if self.system is None:
            raise FmuError("an FMU does not tell masses and springs; add --model MODEL for --fem")
        return self.system


def loads_source(
    target: str,
    model: str | None,
    request: Request,
    choices: Choices,
    *,
    progress: Hear,
    notice: Hear,
) -> LoadsSource:
    """Run what can be run, with the inputs that come with it where no others are given."""
    if target.endswith(".fmu"):
        return _of_fmu(Path(target), model, request, choices, progress=progress, notice=notice)
    path = find_model(model or target)
    opened = open_model(path, choices)
    for text in opened.notices:
        notice(text)
    spec = _telling(opened.spec)
    with opened.located():
        if target.endswith(".csv"):
            result = read_csv(target, repeats="last")
        else:
            request = replace(request, inputs=request.inputs or table_beside(path, "input.csv"))
            result = _run(spec, request, progress=progress, notice=notice)
        return LoadsSource(spec.name, result, request.inputs, pins_of(spec), system_of(spec))


def _of_fmu(
    path: Path,
    model: str | None,
    request: Request,
    choices: Choices,
    *,
    progress: Hear,
    notice: Hear,
) -> LoadsSource:
    experiment = carried_experiment(path)
    if request.inputs is None and experiment is not None:
        request = replace(request, inputs=experiment.inputs)
    done = run_fmu(path, request, progress=progress, notice=notice)
    if model is not None:
        spec = _telling(open_model(find_model(model), choices).spec)
        return LoadsSource(done.name, done.result, request.inputs, pins_of(spec), system_of(spec))
    scene = carried_scene(path)
    if scene is None:
        raise DataError(f"{path}: does not say what its joints join; add --model MODEL")
    return LoadsSource(done.name, done.result, request.inputs, pins_in_scene(scene), None)


def _telling(spec: Spec) -> Spec:
    return with_groups(spec, *GROUPS)


def _run(spec: Spec, request: Request, *, progress: Hear, notice: Hear) -> Trajectory:
    """Build a model, and run the FMU: for most runs quicker than NumPy."""
    with scratch_folder() as folder:
        fmu = build_fmu(spec, folder / f"{plain_name(spec.name)}.fmu", progress=progress).path
        return run_fmu(fmu, request, progress=progress, notice=notice).result
