"""``mbd-fmu schema``."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path

from mbd_fmu.commands.command import Command
from mbd_fmu.commands.console import say


def arguments(parser: ArgumentParser) -> None:
    """Where it goes."""
    parser.add_argument("-o", "--out", type=Path, metavar="FILE", help="file to write [printed]")


def run(args: Namespace) -> int:
    """Write the JSON Schema of model files."""
    from mbd_fmu.host.writing import write_whole
    from mbd_fmu.schema.json_schema import model_schema

    text = json.dumps(model_schema(), indent=1, ensure_ascii=False)
    if args.out is None:
        say(text)
        return 0
    write_whole({args.out: f"{text}\n".encode()}, makes_folders=False)
    say(f"{args.out}  JSON Schema of model files")
    return 0


SCHEMA = Command("schema", "JSON Schema of model files, for editors", arguments, run)
