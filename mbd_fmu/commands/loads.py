"""``mbd-fmu loads``."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from mbd_fmu.commands.arguments import (
    A_MODEL,
    add_choices,
    add_inputs,
    add_json,
    add_run,
    add_settings,
    choices_of,
    values_of,
)
from mbd_fmu.commands.command import Command
from mbd_fmu.commands.console import note, print_table, progress_of, say
from mbd_fmu.errors import MbdFmuError

AXES = ("world", "parent", "child", "joint")


def arguments(parser: ArgumentParser) -> None:
    """What to run or to read, and which loads go where."""
    parser.add_argument(
        "target", metavar="MODEL|FMU|RESULT.csv", help=f"{A_MODEL}; an FMU; a table of results"
    )
    parser.add_argument("--model", metavar="MODEL", help="that an FMU or a table came from")
    add_run(parser)
    add_inputs(parser, "inputs over time [input.csv beside a model]")
    add_settings(parser)
    parser.add_argument(
        "--axes", choices=AXES, default="child", help="of the ranges shown [%(default)s]"
    )
    parser.add_argument("-o", "--out", type=Path, metavar="OUT.csv", help="extremes in all axes")
    parser.add_argument("--series", type=Path, metavar="OUT.csv", help="loads over time")
    parser.add_argument("--plot", type=Path, metavar="OUT.html", help="page of curves")
    parser.add_argument(
        "--fem", type=Path, metavar="FOLDER", help="load cases with inertia relief, files per body"
    )
    parser.add_argument(
        "--case",
        action="append",
        default=[],
        metavar="JOINT",
        help="of --fem: where it carries most; may be repeated [every joint]",
    )
    parser.add_argument(
        "--at",
        action="append",
        default=[],
        type=float,
        metavar="S",
        help="of --fem: an instant; may be repeated",
    )
    add_choices(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    """Say what joints carry over a run, and write load cases."""
    from mbd_fmu.analysis.load_cases import LoadCase, load_cases, peak_instants
    from mbd_fmu.analysis.pin_loads import run_loads
    from mbd_fmu.carried_loads import loads_source
    from mbd_fmu.host.writing import target_of, write_whole
    from mbd_fmu.runs import Request
    from mbd_fmu.signals.csv_files import csv_bytes, read_inputs
    from mbd_fmu.summaries.curves import write_loads_page
    from mbd_fmu.summaries.loads import extremes_csv, facts, fem_files, rows, titles

    _refuse_idle_options(args)
    for path in filter(None, (args.out, args.series, args.plot)):
        target_of(path)  # refused before the work, not after
    interpolate = args.interpolate == "linear"
    inputs = read_inputs(args.input, interpolate=interpolate)
    settings = values_of(args.set, "--set")
    request = Request(args.stop, args.step, inputs, interpolate, settings)
    choices = choices_of(args, args.model or args.target)
    with progress_of(f"loads {args.target}") as progress:
        source = loads_source(
            args.target, args.model, request, choices, progress=progress, notice=note
        )
    loads = run_loads(source.pins, source.result)
    for text in loads.notes:
        note(text)
    cases: Sequence[LoadCase] = ()
    if args.fem:
        chosen = peak_instants(loads, args.case, args.at)
        cases = load_cases(
            source.system_or_refuse(),
            source.result,
            chosen,
            inputs=source.inputs,
            interpolate=interpolate,
            settings=settings,
        )
    files: dict[Path, bytes] = {}
    if args.out:
        files[args.out] = extremes_csv(loads)
    if args.series:
        files[args.series] = csv_bytes(loads.series)
    fem = fem_files(args.fem, cases) if args.fem else {}
    write_whole(files, makes_folders=False)
    write_whole(fem)
    replaced = write_loads_page(args.plot, source.name, loads) if args.plot else ""
    if args.json:
        written = [*map(str, files), *map(str, fem), *([str(args.plot)] if args.plot else [])]
        say(json.dumps(facts(loads, cases) | {"files": written}, indent=2))
        return 0
    print_table(titles(args.axes), rows(loads, args.axes))
    for path in files:
        say(f"{path}  {'loads over time' if path == args.series else 'extremes in all axes'}")
    if args.plot:
        say(f"{args.plot}  curves{replaced}")
    if args.fem:
        say(f"{args.fem}  bodies: {len(fem) // 2}, load cases: {len(cases)}")
    return 0


def _refuse_idle_options(args: Namespace) -> None:
    """Nothing that is asked for is ignored."""
    idle = []
    is_table, is_fmu = args.target.endswith(".csv"), args.target.endswith(".fmu")
    if is_table and (args.stop or args.step):
        idle.append("--stop and --step are of runs; a table is taken as it is")
    if is_table and not args.model:
        idle.append("a table does not say what its joints join; add --model MODEL")
    if not (is_table or is_fmu) and args.model:
        idle.append("--model is of FMUs and tables; a model is one itself")
    if not args.fem and (args.case or args.at):
        idle.append("--case and --at choose load cases; add --fem FOLDER")
    if is_table and not args.fem and (args.input or args.set):
        idle.append("--input and --set are of runs, and of load cases (--fem)")
    if idle:
        raise MbdFmuError("\n  ".join(idle))


LOADS = Command("loads", "what joints carry over a run; load cases for FEM", arguments, run)
