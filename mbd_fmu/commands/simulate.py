"""``mbd-fmu simulate``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mbd_fmu.commands.arguments import (
    A_MODEL,
    add_choices,
    add_first,
    add_inputs,
    add_run,
    add_settings,
    choices_of,
    values_of,
)
from mbd_fmu.commands.command import Command
from mbd_fmu.commands.console import note, progress_of, say
from mbd_fmu.errors import MbdFmuError


def arguments(parser: ArgumentParser) -> None:
    """What to run, how long, with which inputs and parameters, and where results go."""
    parser.add_argument("model", metavar="MODEL|FMU", help=f"{A_MODEL}; or an FMU")
    add_run(parser)
    add_inputs(parser, "inputs over time")
    add_settings(parser)
    parser.add_argument(
        "--formulation",
        choices=("recursive", "absolute"),
        default="recursive",
        help="of a model: the fast one, or every joint as constraint rows, loops too [recursive]",
    )
    parser.add_argument("-o", "--out", type=Path, metavar="OUT.csv", help="[<model name>.csv]")
    parser.add_argument(
        "--plot", action="store_true", help="write a page of motion and plots beside the CSV"
    )
    add_first(parser)
    add_choices(parser)


def run(args: Namespace) -> int:
    """Run a model or an FMU, write its outputs."""
    from mbd_fmu.drawing.scene import scene_table
    from mbd_fmu.formats.model_files import open_model
    from mbd_fmu.host.writing import plain_name, target_of
    from mbd_fmu.model.library import find_model
    from mbd_fmu.runs import Request, run_absolute, run_fmu, run_model, values_in
    from mbd_fmu.signals.csv_files import read_inputs, write_csv
    from mbd_fmu.validate.report import write_trajectory_page
    from mbd_fmu.viewer.carried import carried_scene

    settings = values_of(args.set, "--set")
    choices = choices_of(args, args.model)
    if args.out:
        target_of(args.out)  # refused before the work, not after
    interpolate = args.interpolate == "linear"
    inputs = read_inputs(args.input, interpolate=interpolate)
    request = Request(args.stop, args.step, inputs, interpolate, settings)
    is_absolute = args.formulation == "absolute"
    if args.model.endswith(".fmu"):
        if is_absolute:
            raise MbdFmuError("--formulation is of models; an FMU has the one it was built with")
        with progress_of(f"simulate {args.model}") as progress:
            found = run_fmu(Path(args.model), request, progress=progress, notice=note)
        scene = carried_scene(Path(args.model)) if args.plot else None
    else:
        opened = open_model(find_model(args.model), choices)
        spec = opened.spec
        for text in opened.notices:
            note(text)
        if is_absolute and interpolate:
            raise MbdFmuError("the absolute formulation holds its inputs; leave --interpolate out")
        with opened.located(), progress_of(f"simulate {spec.name}") as progress:
            if is_absolute:
                found = run_absolute(spec, request, progress=progress)
            else:
                found = run_model(spec, request, progress=progress, notice=note)
        scene = scene_table(spec, values_in(spec, settings)) if args.plot else None
    out = args.out or Path(f"{plain_name(found.name)}.csv")
    write_csv(out, found.result)
    say(f"{out}  {len(found.result.time)} rows, {len(found.result.names)} signals")
    if args.plot:
        page = out.with_suffix(".html")
        shown = found.name, found.result, found.units, scene, inputs
        replaced = write_trajectory_page(page, *shown, interpolate=interpolate, first=args.first)
        say(f"{page}  the motion and plots{replaced}")
    return 0


SIMULATE = Command("simulate", "run a model in NumPy, or an FMU in fmpy", arguments, run)
