"""``mbd-fmu kinematics``."""

from __future__ import annotations

import json
import math
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import Any

from mbd_fmu.commands.arguments import (
    A_MODEL,
    add_choices,
    add_json,
    add_settings,
    refuse_fmu,
    values_of,
)
from mbd_fmu.commands.command import Command
from mbd_fmu.commands.console import note, print_table, progress_of, say
from mbd_fmu.commands.inverse import add_hold
from mbd_fmu.errors import MbdFmuError

MOST = 100_000  # positions of a path


def arguments(parser: ArgumentParser) -> None:
    """A model, the freedom it is led along or the place it is to reach, and what is derived."""
    parser.add_argument("model", help=A_MODEL)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--drive",
        type=_way,
        metavar="NAME=FROM:TO:N",
        help="joint or position, led through N values in m or rad",
    )
    what.add_argument(
        "--target",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="position to reach: inverse kinematics; may be repeated",
    )
    add_hold(parser)
    parser.add_argument(
        "--angle",
        action="append",
        default=[],
        type=_angle,
        metavar="NAME=A,B,C",
        help="angle at B between A and C, each a joint or an output point",
    )
    parser.add_argument(
        "--wheel",
        action="append",
        default=[],
        type=_wheel,
        metavar="BODY[=X,Y,Z]",
        help="camber and toe; with its axis outwards in the start position [across, y]",
    )
    add_settings(parser)
    parser.add_argument(
        "-o", "--out", type=Path, metavar="OUT.csv", help="of a path [<model>_kinematics.csv]"
    )
    parser.add_argument("--plot", action="store_true", help="write a page of curves beside it")
    add_choices(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    """Lead a mechanism along one freedom, or to a pose."""
    from mbd_fmu.analysis.kinematics import unprescribed
    from mbd_fmu.commands.opening import opened_model
    from mbd_fmu.system.system import system_of

    refuse_fmu(args.model)
    opened = opened_model(args)
    with opened.located():
        system = system_of(unprescribed(opened.spec))
        return _to_target(args, system) if args.target else _along(args, system)


def _along(args: Namespace, system: Any) -> int:
    import numpy as np

    from mbd_fmu.analysis.kinematics import kinematic_path
    from mbd_fmu.host.writing import plain_name, target_of, write_whole
    from mbd_fmu.signals.csv_files import csv_bytes
    from mbd_fmu.summaries.curves import write_path_page
    from mbd_fmu.summaries.kinematics import TITLES, facts, rows, table

    if args.out:
        target_of(args.out)  # refused before the work, not after
    name, begin, end, n = args.drive
    wheels = {body: None if axis is None else np.array(axis) for body, axis in args.wheel}
    with progress_of(f"kinematics {system.spec.name}") as progress:
        path = kinematic_path(
            system,
            name,
            np.linspace(begin, end, n),
            hold=args.hold,
            angles=dict(args.angle),
            wheels=wheels,
            settings=values_of(args.set, "--set"),
            progress=lambda value: progress(f"{name} = {value:.3g}"),
        )
    out = args.out or Path(f"{plain_name(system.spec.name)}_kinematics.csv")
    found = table(path)
    write_whole({out: csv_bytes(found, first=path.drive)}, makes_folders=False)
    replaced = None
    if args.plot:
        replaced = write_path_page(out.with_suffix(".html"), system.spec.name, path)
    if args.json:
        say(json.dumps(facts(path) | {"out": str(out)}, indent=2))
        return 0
    if path.held:
        note(f"held where they start: {', '.join(path.held)}")
    if path.derived:
        print_table(TITLES, rows(path))
    say(f"{out}  {n} row{'s' if n != 1 else ''}, {len(found.names)} signals")
    if replaced is not None:
        say(f"{out.with_suffix('.html')}  curves{replaced}")
    return 0


def _to_target(args: Namespace, system: Any) -> int:
    from mbd_fmu.analysis.kinematics import target_pose
    from mbd_fmu.summaries.kinematics import POSE_TITLES, pose_facts, pose_rows

    given = (
        ("--angle", args.angle),
        ("--wheel", args.wheel),
        ("-o", args.out),
        ("--plot", args.plot),
    )
    if idle := [option for option, value in given if value]:
        raise MbdFmuError(f"{', '.join(idle)}: of a path; add --drive, or leave --target alone")
    targets = values_of(args.target, "--target")
    pose = target_pose(system, targets, hold=args.hold, settings=values_of(args.set, "--set"))
    if args.json:
        say(json.dumps(pose_facts(pose), indent=2))
        return 0
    if pose.freedoms:
        note(f"freedoms that nothing asks for stay near their start: {', '.join(pose.freedoms)}")
    print_table(POSE_TITLES, pose_rows(system, pose))
    return 0


def _way(text: str) -> tuple[str, float, float, int]:
    name, _, numbers = text.partition("=")
    parts = numbers.split(":")
    try:
        begin, end, n = float(parts[0]), float(parts[1]), int(parts[2])
    except (ValueError, IndexError):
        n = 0
    if not name or len(parts) != 3 or n < 1:
        raise ArgumentTypeError(f"{text} is not NAME=FROM:TO:N, such as crank=0:6.28:73")
    if n > MOST or not (math.isfinite(begin) and math.isfinite(end)):
        raise ArgumentTypeError(f"{text}: at most {MOST:,} finite values")
    return name, begin, end, n


def _angle(text: str) -> tuple[str, tuple[str, ...]]:
    name, _, points = text.partition("=")
    three = tuple(points.split(","))
    if not name or len(three) != 3 or not all(three):
        raise ArgumentTypeError(f"{text} is not NAME=A,B,C, such as mu=crank_pin,rod_pin,pivot")
    return name, three


def _wheel(text: str) -> tuple[str, tuple[float, ...] | None]:
    name, mark, numbers = text.partition("=")
    if not mark:
        return name, None
    try:
        axis = tuple(float(x) for x in numbers.split(","))
    except ValueError:
        axis = ()
    if len(axis) != 3 or not any(axis):
        raise ArgumentTypeError(f"{text} is not BODY=X,Y,Z, an axis such as 0,1,0")
    return name, axis


KINEMATICS = Command("kinematics", "a path of one freedom, or a pose to reach", arguments, run)
