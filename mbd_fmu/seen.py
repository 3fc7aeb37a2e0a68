"""What is seen: a scene and its motion, of a table, an FMU or a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mbd_fmu.build import build_fmu
from mbd_fmu.drawing.scene import scene_table
from mbd_fmu.errors import DataError, FmuError
from mbd_fmu.formats.choices import ROBOTS, Choices
from mbd_fmu.formats.model_files import open_model, read_model
from mbd_fmu.host.scratch import scratch_folder
from mbd_fmu.model.library import find_model, table_beside
from mbd_fmu.runs import Hear, Request, run_fmu
from mbd_fmu.signals.csv_files import read_csv
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.carried import carried_experiment
from mbd_fmu.viewer.carried import carried_scene
from mbd_fmu.viewer.motion import Motion, motion_of


@dataclass(frozen=True)
class Seen:
    """Shapes, and how they move."""

    scene: Mapping[str, Any]
    motion: Motion


def seen_in_table(path: Path, source: str | None, inputs: Trajectory | None) -> Seen:
    """Show a result of ours or of another tool by the scene of the FMU or model it came from."""
    result = read_csv(path, repeats="last")
    beside = (str(path.with_suffix(end)) for end in (".fmu", ".toml", *ROBOTS))
    source = source or next((name for name in beside if Path(name).is_file()), None)
    if source is None:
        raise DataError(
            f"{path}: a table has no shapes; name the FMU or model it came from: --scene MODEL|FMU"
        )
    if source.endswith(".fmu"):
        scene = scene_in(Path(source))
    else:
        scene = scene_table(read_model(find_model(source)))
    return Seen(scene, motion_of(scene, result, inputs))


def seen_in_fmu(path: Path, request: Request, *, progress: Hear, notice: Hear) -> Seen:
    """Run an FMU, with the inputs it carries where no others are given."""
    scene = scene_in(path)
    experiment = carried_experiment(path)
    if request.inputs is None and experiment is not None:
        request = replace(request, inputs=experiment.inputs)
    result = run_fmu(path, request, progress=progress, notice=notice).result
    interpolate = request.interpolate
    return Seen(scene, motion_of(scene, result, request.inputs, interpolate=interpolate))


def seen_in_model(
    path: Path, request: Request, choices: Choices, *, progress: Hear, notice: Hear
) -> Seen:
    """Build a model and run it, with the inputs beside it where no others are given."""
    opened = open_model(path, choices)
    for text in opened.notices:
        notice(text)
    spec = replace(opened.spec, groups=("poses", "reactions"))  # what is seen; the rest takes time
    inputs = request.inputs or table_beside(path, "input.csv")
    with opened.located(), scratch_folder() as folder:
        fmu = build_fmu(spec, folder / f"{spec.name}.fmu", progress=progress).path
        return seen_in_fmu(fmu, replace(request, inputs=inputs), progress=progress, notice=notice)


def scene_in(path: Path) -> Mapping[str, Any]:
    """Return the scene an FMU carries; a foreign one has none."""
    found = carried_scene(path)
    if found is None:
        raise FmuError(f"{path}: carries no scene; only FMUs made by mbd-fmu do")
    return found
