"""``mbd-fmu show``."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path

from mbd_fmu.commands.arguments import A_MODEL, add_choices, add_json, choices_of
from mbd_fmu.commands.command import Command
from mbd_fmu.commands.console import say


def arguments(parser: ArgumentParser) -> None:
    """A model, and whether to draw its graph."""
    parser.add_argument("model", help=A_MODEL)
    parser.add_argument("--graph", type=Path, metavar="OUT.svg", help="draw bodies and couplings")
    add_choices(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    """Print what a mechanism is made of."""
    from mbd_fmu.drawing.graph import graph_svg
    from mbd_fmu.formats.model_files import open_model
    from mbd_fmu.host.writing import write_whole
    from mbd_fmu.model.library import find_model
    from mbd_fmu.summaries.mechanism import drawn, facts
    from mbd_fmu.topology.structure import structure_of

    opened = open_model(find_model(args.model), choices_of(args, args.model))
    spec, report = opened.spec, opened.report
    if args.json:
        account = {"import": report.facts()} if report else {}
        say(json.dumps(facts(spec) | account, indent=2))
    else:
        say("\n\n".join([drawn(spec), *([report.text()] if report else [])]))
    if args.graph:
        write_whole({args.graph: graph_svg(structure_of(spec)).encode()}, makes_folders=False)
        if not args.json:
            say(f"{args.graph}  picture of the graph")
    return 0


SHOW = Command("show", "structure, freedoms and variables of a model", arguments, run)
