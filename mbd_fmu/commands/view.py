"""``mbd-fmu view``."""

from __future__ import annotations

import argparse
import webbrowser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mbd_fmu.build import build_fmu
from mbd_fmu.commands.console import note, progress_of, say
from mbd_fmu.drawing.scene import scene_table
from mbd_fmu.errors import DataError, FmuError, MbdFmuError
from mbd_fmu.host.scratch import scratch_folder
from mbd_fmu.host.writing import plain_name, target_of
from mbd_fmu.model.library import find_model, table_beside
from mbd_fmu.model.reader import read_model
from mbd_fmu.model.spec import with_groups
from mbd_fmu.signals.trajectory import Trajectory, read_csv
from mbd_fmu.validate.carried import carried_experiment
from mbd_fmu.validate.runner import Fmu
from mbd_fmu.viewer.carried import carried_scene
from mbd_fmu.viewer.film import SIZE, write_film, write_picture
from mbd_fmu.viewer.motion import Motion, motion_of
from mbd_fmu.viewer.page import mechanism_html, page_html, write_page

Seen = tuple[Mapping[str, Any], Motion]


def view_command(args: argparse.Namespace) -> int:
    """Show a motion: as a page, or as pictures and films for documents."""
    target = Path(args.target)
    files = [path for path in (args.png, args.gif, args.mp4) if path]
    _refuse_idle_options(args, is_table=target.suffix == ".csv", draws=bool(files))
    for path in filter(None, [args.out, *files]):
        target_of(path)  # refused before the work, not after
    inputs = read_csv(args.input, repeats="held") if args.input else None
    if target.suffix == ".csv":
        scene, motion = _seen_in_table(args, target, inputs)
    else:
        scene, motion = _seen_in_run(args, target, inputs)
    if args.out or not files:
        page = args.out or Path(f"{_name(target, scene)}_motion.html")
        body = mechanism_html(scene, motion, plays=True)
        replaced = write_page(page, page_html(scene["model"], scene["description"], body))
        span = f"{len(motion.time)} instants over {motion.time[-1] - motion.time[0]:g} s"
        say(f"{page}  {span}{replaced}")
        if args.open:
            webbrowser.open(page.resolve().as_uri())
    for path in files:
        _write_file(args, path, scene, motion)
    return 0


def _name(target: Path, scene: Mapping[str, Any]) -> str:
    """What is seen: a table or an FMU by the name of its file, a model by its own."""
    return target.stem if target.suffix in (".csv", ".fmu") else plain_name(scene["model"])


def _write_file(
    args: argparse.Namespace, path: Path, scene: Mapping[str, Any], motion: Motion
) -> None:
    with progress_of(f"draw {path}"):
        if path == args.png:
            at = args.at if args.at is not None else float(motion.time[0])
            begin, end = motion.time[0], motion.time[-1]
            if not begin <= at <= end:
                raise MbdFmuError(f"--at {at:g}: the motion lasts from {begin:g} to {end:g} s")
            write_picture(path, scene, motion, at=at, size=args.size, shows=args.show)
        else:
            write_film(path, scene, motion, size=args.size, shows=args.show)
    say(f"{path}  {args.size[0]} x {args.size[1]}")


def _refuse_idle_options(args: argparse.Namespace, *, is_table: bool, draws: bool) -> None:
    """Nothing that is asked for is ignored."""
    idle = []
    if is_table and (args.stop or args.step):
        idle.append("--stop and --step are of runs; a table is shown as it is")
    if not is_table and args.scene:
        idle.append("--scene is of tables; a model or an FMU has its own")
    if not draws and (args.show or args.size != SIZE):
        idle.append("--show and --size are of pictures and films; add --png, --gif or --mp4")
    if args.at is not None and not args.png:
        idle.append("--at is of a picture; add --png")
    if draws and args.open and not args.out:
        idle.append("--open opens a page; add -o OUT.html")
    if idle:
        raise MbdFmuError("\n  ".join(idle))


def _seen_in_table(args: argparse.Namespace, path: Path, inputs: Trajectory | None) -> Seen:
    """A result of ours or of another tool, with the scene of the FMU or model it came from."""
    result = read_csv(path, repeats="last")
    source = args.scene or next(
        (
            str(path.with_suffix(end))
            for end in (".fmu", ".toml")
            if path.with_suffix(end).is_file()
        ),
        None,
    )
    if source is None:
        raise DataError(
            f"{path}: a table has no shapes; name the FMU or model it came from: --scene MODEL|FMU"
        )
    return (scene := _scene(source)), motion_of(scene, result, inputs)


def _scene(source: str) -> Mapping[str, Any]:
    if not source.endswith(".fmu"):
        return scene_table(read_model(find_model(source)))
    found = carried_scene(Path(source))
    if found is None:
        raise FmuError(f"{source}: carries no scene; only FMUs made by mbd-fmu do")
    return found


def _seen_in_run(args: argparse.Namespace, target: Path, inputs: Trajectory | None) -> Seen:
    """Run an FMU with inputs inside it, or build a model and run that with those beside it."""
    if target.suffix == ".fmu":
        return _run(args, target, inputs)
    model = find_model(args.target)
    spec = with_groups(read_model(model), "poses", "reactions")
    with scratch_folder() as folder:
        with progress_of(f"build {spec.name}") as progress:
            fmu = build_fmu(spec, folder / f"{spec.name}.fmu", progress=progress).path
        return _run(args, fmu, inputs or table_beside(model, "input.csv"))


def _run(args: argparse.Namespace, path: Path, inputs: Trajectory | None) -> Seen:
    scene = _scene(str(path))
    experiment = carried_experiment(path)
    if inputs is None and experiment is not None:
        inputs = experiment.inputs
    with Fmu(path) as fmu, progress_of(f"simulate {scene['model']}") as progress:
        times = fmu.times(args.stop, args.step)
        result = fmu.run(times, inputs=inputs, progress=lambda t: progress(f"{t:.3g} s")).trajectory
        for text in fmu.warnings:
            note(text)
    return scene, motion_of(scene, result, inputs)
