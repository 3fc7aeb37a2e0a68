"""``mbd-fmu convert``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mbd_fmu.commands.arguments import A_MODEL, add_choices, choices_of, refuse_fmu
from mbd_fmu.commands.command import Command
from mbd_fmu.commands.console import note, say
from mbd_fmu.errors import MbdFmuError


def arguments(parser: ArgumentParser) -> None:
    """A model, and the file to write."""
    parser.add_argument("model", metavar="IN", help=A_MODEL)
    parser.add_argument("out", metavar="OUT", type=Path, help="file to write, .toml or .urdf")
    add_choices(parser)


def run(args: Namespace) -> int:
    """Write a model as another file."""
    from dataclasses import replace

    from mbd_fmu.formats.conversion import TOML, URDF, converted, refuse_other_formats
    from mbd_fmu.formats.model_files import open_model
    from mbd_fmu.host.writing import target_of, write_whole
    from mbd_fmu.model.library import find_model

    refuse_other_formats(args.out)
    model = find_model(args.model)
    refuse_fmu(str(model))
    if target_of(args.out) == target_of(model):
        raise MbdFmuError(f"{args.out}: is the file to be read; name another one to write")
    choices = choices_of(args, args.model)
    if args.out.suffix.lower() == URDF and model.suffix.lower() != TOML:
        choices = replace(choices, stops=True)  # the limits of a robot are to stay
    opened = open_model(model, choices)
    with opened.located():
        done = converted(opened.spec, model, args.out)
    write_whole({args.out: done.text.encode()}, makes_folders=False)
    for notice in (*opened.notices, *(f"{args.out}: {text}" for text in done.notes)):
        note(notice)
    say(f"{args.out}  bodies: {len(opened.spec.bodies)}, joints: {len(opened.spec.joints)}")
    return 0


CONVERT = Command("convert", "robot file or model to .toml or .urdf", arguments, run)
