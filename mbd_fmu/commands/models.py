"""``mbd-fmu models``."""

from __future__ import annotations

import json
from argparse import Namespace

from mbd_fmu.commands.arguments import add_json
from mbd_fmu.commands.command import Command
from mbd_fmu.commands.console import say


def run(args: Namespace) -> int:
    """List the models that come with the project."""
    from mbd_fmu.formats.model_files import read_model
    from mbd_fmu.model.library import library

    specs = {name: read_model(path) for name, path in library().items()}
    if args.json:
        say(json.dumps({name: spec.description for name, spec in specs.items()}, indent=2))
        return 0
    width = max(map(len, specs), default=0)
    for name, spec in specs.items():
        say(f"{name:<{width}}  {spec.description}")
    return 0


MODELS = Command("models", "the models that come with the project", add_json, run)
