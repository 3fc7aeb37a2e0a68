"""``mbd-fmu show``."""

from __future__ import annotations

import argparse
import json

from mbd_fmu.analysis.summary import drawn, facts
from mbd_fmu.commands.console import say
from mbd_fmu.drawing.graph import graph_svg
from mbd_fmu.host.writing import write_whole
from mbd_fmu.model.library import find_model
from mbd_fmu.model.reader import read_model
from mbd_fmu.topology.structure import structure_of


def show_command(args: argparse.Namespace) -> int:
    """Print what a mechanism is made of."""
    spec = read_model(find_model(args.model))
    say(json.dumps(facts(spec), indent=2) if args.json else drawn(spec))
    if args.graph:
        write_whole({args.graph: graph_svg(structure_of(spec)).encode()}, makes_folders=False)
        if not args.json:
            say(f"{args.graph}  picture of the graph")
    return 0
