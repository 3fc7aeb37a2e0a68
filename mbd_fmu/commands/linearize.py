"""``mbd-fmu linearize``."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from mbd_fmu.commands.arguments import (
    A_MODEL,
    add_choices,
    add_json,
    add_sought,
    choices_of,
    file_ending_in,
    sought_of,
    values_of,
)
from mbd_fmu.commands.command import Command
from mbd_fmu.commands.console import print_table, progress_of, say
from mbd_fmu.errors import MbdFmuError


def arguments(parser: ArgumentParser) -> None:
    """What to linearise, where, which inputs and outputs, and what to write."""
    parser.add_argument("model", metavar="MODEL|FMU", help=f"{A_MODEL}; or an FMU")
    add_sought(parser)
    parser.add_argument(
        "--equilibrium",
        action="store_true",
        help="first go from there to where it rests, or moves steadily at the rates given",
    )
    for kind in ("inputs", "outputs"):
        parser.add_argument(
            f"--{kind}", metavar="LIST", help='names, or patterns such as "*.q" [all]'
        )
    parser.add_argument("--npz", type=file_ending_in(".npz"), metavar="OUT.npz", help="for NumPy")
    parser.add_argument("--mat", type=file_ending_in(".mat"), metavar="OUT.mat", help="for MATLAB")
    parser.add_argument(
        "--bode", type=file_ending_in(".html"), metavar="OUT.html", help="frequency responses"
    )
    add_choices(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    """Print A and B, eigenvalues and what moves in each; write files."""
    from mbd_fmu.analysis.linear_files import mat_bytes, npz_bytes
    from mbd_fmu.host.writing import target_of, write_whole
    from mbd_fmu.summaries import linear as words
    from mbd_fmu.validate.bode import refuse_idle, write_bode

    files = {"npz": (args.npz, npz_bytes), "mat": (args.mat, mat_bytes)}
    for path in filter(None, (args.npz, args.mat, args.bode)):
        target_of(path)  # refused before the work, not after
    found = (_of_fmu if args.model.endswith(".fmu") else _of_model)(args)
    if args.bode:
        refuse_idle(found)
    if args.json:
        say(json.dumps(found.to_dict(), indent=2))
    else:
        say(words.head(found))
        if titles := words.matrix_titles(found):
            say("")
            print_table(titles, words.matrix_rows(found))
        say("")
        print_table(words.POLES, words.pole_rows(found))
        say(words.stability(found))
    contents: dict[Path, bytes] = {path: text(found) for path, text in files.values() if path}
    write_whole(contents, makes_folders=False)
    written = [f"{path}  A, B, C, D with names and units" for path in contents]
    if args.bode:
        replaced = write_bode(args.bode, found)
        count = len(found.outputs) * len(found.inputs)
        written.append(f"{args.bode}  {count} frequency responses{replaced}")
    for line in [] if args.json else written:
        say(line)
    return 0


def _of_model(args: Namespace) -> Any:
    from mbd_fmu.analysis.equilibrium import equilibrium
    from mbd_fmu.analysis.linearization import Linearizer
    from mbd_fmu.analysis.operating_point import operating_point
    from mbd_fmu.commands.opening import opened_model
    from mbd_fmu.system.system import system_of

    sought = sought_of(args)
    if not args.equilibrium and (idle := _given(args, "rate", "hold", "solve", "such_that")):
        raise MbdFmuError(f"{idle}: of an equilibrium that is to be found; add --equilibrium")
    opened = opened_model(args)
    with opened.located(), progress_of(f"linearize {opened.spec.name}"):
        system = system_of(opened.spec)
        if args.equilibrium:
            point = equilibrium(system, **sought).point
        else:
            point = operating_point(system, sought["settings"], sought["state"])
        inputs = _chosen(args.inputs, [v.name for v in system.table.inputs], "input")
        outputs = _chosen(args.outputs, [v.name for v in system.table.outputs], "output")
        return Linearizer(system).at(point, inputs, outputs)


def _of_fmu(args: Namespace) -> Any:
    from mbd_fmu.validate.fmu_linearization import linearize_fmu

    choices_of(args, args.model)
    if idle := _given(args, "equilibrium", "at", "rate", "hold", "solve", "such_that"):
        raise MbdFmuError(
            f"{idle}: of models; an FMU is linearised at its start: --set elbow.q_start=0.3"
        )
    with progress_of(f"linearize {args.model}"):
        return linearize_fmu(
            Path(args.model),
            settings=values_of(args.set, "--set"),
            inputs=lambda names: _chosen(args.inputs, names, "input"),
            outputs=lambda names: _chosen(args.outputs, names, "output"),
        )


def _given(args: Namespace, *names: str) -> str:
    """Return which of some options were given, as they are written."""
    return ", ".join(f"--{name.replace('_', '-')}" for name in names if getattr(args, name))


def _chosen(text: str | None, known: list[str], kind: str) -> list[str]:
    """Return the names that a list of names and patterns means, in its order."""
    from mbd_fmu.signals.choosing import chosen

    if text is None:
        return known
    return list(chosen(known, filter(None, map(str.strip, text.split(","))), kind))


LINEARIZE = Command(
    "linearize", "A, B, C, D of the freedoms, eigenvalues, frequency responses", arguments, run
)
