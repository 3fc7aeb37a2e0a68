"""``mbd-fmu inverse``."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path

from mbd_fmu.commands.arguments import (
    A_MODEL,
    add_choices,
    add_first,
    add_json,
    add_settings,
    positive,
    refuse_fmu,
    values_of,
)
from mbd_fmu.commands.command import Command
from mbd_fmu.commands.console import note, print_table, progress_of, say


def arguments(parser: ArgumentParser) -> None:
    """A model, the motion it is to make, and what drives it."""
    parser.add_argument("model", help=A_MODEL)
    parser.add_argument(
        "motion",
        type=Path,
        metavar="MOTION.csv",
        help="columns of joints (q, and qd, qdd if known), of points (r) or of bodies (r, quat, "
        "com); inputs, too",
    )
    parser.add_argument(
        "--drive",
        action="append",
        metavar="NAME",
        help="joint or input that drives; may be repeated [all drives of the model]",
    )
    add_hold(parser)
    parser.add_argument(
        "--weight",
        action="append",
        default=[],
        metavar="DRIVE=W",
        help="makes one of redundant drives W times as dear",
    )
    parser.add_argument(
        "--tolerance",
        type=positive,
        metavar="SHARE",
        help="of the largest force: what may be missing where drives are too few [1e-6]",
    )
    add_settings(parser)
    parser.add_argument("-o", "--out", type=Path, metavar="OUT.csv", help="[<model>_inverse.csv]")
    parser.add_argument(
        "--plot", action="store_true", help="write a page of motion and plots beside the CSV"
    )
    add_first(parser)
    add_choices(parser)
    add_json(parser)


def add_hold(parser: ArgumentParser) -> None:
    """What stays where it starts."""
    parser.add_argument(
        "--hold",
        action="append",
        default=[],
        metavar="NAME",
        help="joint or position that stays where it starts; may be repeated",
    )


def run(args: Namespace) -> int:
    """Compute drives and reactions of a motion."""
    from mbd_fmu.analysis.inverse import with_drives
    from mbd_fmu.analysis.inverse_motion import MISSING, inverse_dynamics
    from mbd_fmu.commands.opening import opened_model
    from mbd_fmu.drawing.scene import scene_table
    from mbd_fmu.host.writing import plain_name, target_of
    from mbd_fmu.signals.csv_files import read_csv, write_csv
    from mbd_fmu.summaries.inverse import TITLES, facts, notes, rows
    from mbd_fmu.system.system import system_of
    from mbd_fmu.validate.report import write_trajectory_page

    refuse_fmu(args.model)
    if args.out:
        target_of(args.out)  # refused before the work, not after
    weights = values_of(args.weight, "--weight")
    opened = opened_model(args)
    motion = read_csv(args.motion)
    spec, drives = opened.spec, None
    if args.drive is not None:
        spec, drives = with_drives(spec, args.drive)
    with opened.located(), progress_of(f"inverse {spec.name}") as progress:
        system = system_of(spec)
        found = inverse_dynamics(
            system,
            motion,
            drives=drives,
            weights=weights,
            hold=args.hold,
            settings=values_of(args.set, "--set"),
            tolerance=args.tolerance or MISSING,
            progress=lambda t: progress(f"{t:.3g} of {motion.time[-1]:g} s"),
        )
    out = args.out or Path(f"{plain_name(spec.name)}_inverse.csv")
    write_csv(out, found.trajectory)
    units = {v.name: v.unit for v in (*system.table.inputs, *system.table.outputs)}
    replaced = None
    if args.plot:
        replaced = write_trajectory_page(
            out.with_suffix(".html"),
            spec.name,
            found.trajectory,
            units,
            scene_table(spec),
            motion,
            first=args.first,
        )
    if args.json:
        say(json.dumps(facts(found, units) | {"out": str(out)}, indent=2))
        return 0
    for text in notes(found, system.table.inputs):
        note(text)
    if found.drives.names:
        print_table(TITLES, rows(found, units))
    say(f"{out}  {len(motion.time)} rows, {len(found.trajectory.names)} signals")
    if replaced is not None:
        say(f"{out.with_suffix('.html')}  the motion and plots{replaced}")
    return 0


INVERSE = Command("inverse", "drives and reactions of a motion that is told", arguments, run)
