"""Models, read for commands."""

from __future__ import annotations

from argparse import Namespace

from mbd_fmu.commands.arguments import choices_of
from mbd_fmu.commands.console import note
from mbd_fmu.formats.model_files import Opened, open_model
from mbd_fmu.model.library import find_model


def opened_model(args: Namespace) -> Opened:
    """Read the model that a command was given, and tell what its reader has to say."""
    opened = open_model(find_model(args.model), choices_of(args, args.model))
    for text in opened.notices:
        note(text)
    return opened
