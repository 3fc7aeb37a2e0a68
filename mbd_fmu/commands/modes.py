"""``mbd-fmu modes``."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path

from mbd_fmu.commands.arguments import (
    A_MODEL,
    add_choices,
    add_json,
    add_sought,
    file_ending_in,
    refuse_fmu,
    sought_of,
)
from mbd_fmu.commands.command import Command
from mbd_fmu.commands.console import print_table, progress_of, say


def arguments(parser: ArgumentParser) -> None:
    """A model, from where to look for its equilibrium, and the page to write."""
    parser.add_argument("model", help=A_MODEL)
    add_sought(parser)
    parser.add_argument(
        "-o",
        "--out",
        type=file_ending_in(".html"),
        metavar="OUT.html",
        help="page of the modes in motion [<model name>_modes.html]",
    )
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
    add_choices(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    """Print the modes at an equilibrium, and show them in 3-D."""
    import webbrowser

    from mbd_fmu.analysis.equilibrium import equilibrium
    from mbd_fmu.analysis.modes import modes
    from mbd_fmu.commands.opening import opened_model
    from mbd_fmu.host.writing import plain_name, target_of
    from mbd_fmu.mode_shapes import write_modes
    from mbd_fmu.summaries import linear as words
    from mbd_fmu.system.system import system_of

    refuse_fmu(args.model)
    if args.out:
        target_of(args.out)  # refused before the work, not after
    opened = opened_model(args)
    with opened.located(), progress_of(f"modes {opened.spec.name}"):
        system = system_of(opened.spec)
        found = modes(system, equilibrium(system, **sought_of(args)))
    if args.json:
        say(json.dumps(found.to_dict(), indent=2))
    else:
        if found.undamped:
            print_table(
                ("undamped", *words.MODES[1:2], words.MODES[3]),
                words.undamped_rows(found.undamped, found.coordinates),
            )
            say("")
        rows = words.mode_rows(found.damped, found.coordinates)
        print_table(("damped", *words.MODES[1:]), rows)
        say(words.stability(found.linearization))
    if args.out or not args.json:
        page = args.out or Path(f"{plain_name(opened.spec.name)}_modes.html")
        replaced = write_modes(page, opened.spec, found)
        if not args.json:
            say(f"{page}  modes in motion{replaced}")
        if args.open:
            webbrowser.open(page.resolve().as_uri())
    return 0


MODES = Command("modes", "how a model swings about its equilibrium; in 3-D", arguments, run)
