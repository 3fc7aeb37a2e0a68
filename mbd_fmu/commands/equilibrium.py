"""``mbd-fmu equilibrium``."""

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
    file_ending_in,
    refuse_fmu,
    sought_of,
    values_of,
)
from mbd_fmu.commands.command import Command
from mbd_fmu.commands.console import note, print_table, progress_of, say
from mbd_fmu.errors import MbdFmuError


def arguments(parser: ArgumentParser) -> None:
    """A model, what is given, held and sought, and the model file to write."""
    parser.add_argument("model", help=A_MODEL)
    add_sought(parser)
    parser.add_argument(
        "--trim",
        action="store_true",
        help="hold the whole pose: which inputs do that? [all, or those of --solve]",
    )
    parser.add_argument(
        "-o",
        "--out",
        type=file_ending_in(".toml"),
        metavar="OUT.toml",
        help="write the model with these start values and parameters",
    )
    add_choices(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    """Print where a mechanism rests or moves steadily, and whether it stays there."""
    from mbd_fmu.analysis.equilibrium import equilibrium
    from mbd_fmu.commands.opening import opened_model
    from mbd_fmu.host.writing import target_of, write_whole
    from mbd_fmu.model.library import find_model
    from mbd_fmu.summaries import linear as words
    from mbd_fmu.system.system import system_of

    model = find_model(args.model)
    refuse_fmu(str(model))
    if args.out and target_of(args.out) == target_of(_file(model)):  # before the work, not after
        raise MbdFmuError(f"{args.out}: is the file to be read; name another one to write")
    opened = opened_model(args)
    with opened.located(), progress_of(f"equilibrium {opened.spec.name}"):
        found = equilibrium(system_of(opened.spec), trim=args.trim, **sought_of(args))
    written = _written(args, model, opened.spec, found) if args.out else None
    if args.json:
        say(json.dumps(found.to_dict(), indent=2))
    else:
        how = "at rest" if found.is_at_rest else "in steady motion"
        say(f"{found.linearization.name}: {how}, found in {words.counted(found.steps, 'step')}")
        say("")
        print_table(("", "value", "unit"), words.state_rows(found))
        say("")
        print_table(words.POLES, words.pole_rows(found.linearization))
        say(words.stability(found.linearization))
        for text in (*found.stops, *found.limits):
            say(text)
    if written is not None:
        write_whole({args.out: written.encode()}, makes_folders=False)
        if not args.json:
            say(f"{args.out}  the model, with these start values")
    return 0


def _file(model: Path) -> Path:
    return model / "model.toml" if model.is_dir() else model


def _written(args: Namespace, model: Any, spec: Any, found: Any) -> str:
    """Return the text of the model with what was found."""
    from mbd_fmu.formats.conversion import TOML, converted
    from mbd_fmu.formats.start_values import with_start_values

    file = _file(model)
    is_ours = file.suffix.lower() == TOML
    text = file.read_text(encoding="utf-8") if is_ours else converted(spec, file, args.out).text
    inputs = {v.name for v in found.point.system.table.inputs}
    named = {found.point.system.shown(v.name): v.name for v in spec.parameters}
    settings = values_of(args.set, "--set") | found.solved
    settable = {named[n]: v for n, v in settings.items() if n in named}
    kept = [f"{n} = {v:.9g}" for n, v in settings.items() if n in inputs and v]
    if kept:
        note(f"a model file holds no inputs; set these where it runs: {', '.join(kept)}")
    positions, velocities = found.joint_values
    return with_start_values(text, positions, velocities, settable)


EQUILIBRIUM = Command(
    "equilibrium", "where a model rests or moves steadily; what holds it there", arguments, run
)
