"""``mbd-fmu build``."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path

from mbd_fmu.commands.arguments import A_MODEL, add_choices, add_json, choices_of
from mbd_fmu.commands.command import Command
from mbd_fmu.commands.console import note, progress_of, say
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.options import AUTO, BACKENDS, CODES, ZIG

BESIDE = ""  # --reference without a file: the one beside the model


def arguments(parser: ArgumentParser) -> None:
    """A model, how to make an FMU of it, and what it is to carry."""
    parser.add_argument("model", help=A_MODEL)
    parser.add_argument("-o", "--out", type=Path, help="FMU to write [<model name>.fmu]")
    parser.add_argument("--backend", choices=BACKENDS, default="native", help="[%(default)s]")
    parser.add_argument(
        "--platforms", default="host", help="host, all, or a list: linux64,win64 [%(default)s]"
    )
    parser.add_argument(
        "--compiler", default=ZIG, help="zig, or a system compiler such as gcc [%(default)s]"
    )
    parser.add_argument(
        "--code",
        choices=CODES,
        default=AUTO,
        help="straight: each operation written out; kernels: the work at one joint once for all "
        "that are alike; auto: by the number of operations [%(default)s]",
    )
    parser.add_argument(
        "--reference",
        nargs="?",
        const=BESIDE,
        metavar="REF.csv",
        help="put results to compare with, and their inputs, into the FMU and beside it "
        "[reference.csv beside the model]",
    )
    parser.add_argument(
        "--input", type=Path, metavar="IN.csv", help="of the reference [input.csv beside the model]"
    )
    parser.add_argument(
        "--live",
        action="store_true",
        help="put a page into the FMU's documentation where it is driven by hand",
    )
    add_choices(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    """Make an FMU."""
    from mbd_fmu.build import build_fmu
    from mbd_fmu.export.references import Experiment
    from mbd_fmu.formats.model_files import open_model
    from mbd_fmu.live.page import live_page
    from mbd_fmu.model.library import find_model, table_beside
    from mbd_fmu.signals.csv_files import read_csv, read_inputs
    from mbd_fmu.summaries.built import facts, text

    model = find_model(args.model)
    opened = open_model(model, choices_of(args, args.model))
    spec = opened.spec
    for notice in opened.notices:
        note(notice)
    experiment = None
    if args.reference is not None:
        named = args.reference != BESIDE
        reference = read_csv(args.reference) if named else table_beside(model, "reference.csv")
        if reference is None:
            raise MbdFmuError(
                f"{model}: no reference.csv beside it; "
                "add one, or name a table: --reference REF.csv"
            )
        inputs = read_inputs(args.input, interpolate=False) or table_beside(model, "input.csv")
        experiment = Experiment(reference, inputs)
    elif args.input:
        raise MbdFmuError("--input belongs to a reference; add --reference")
    with opened.located(), progress_of(f"build {spec.name}") as progress:
        pages = {}
        if args.live:
            pages["live"] = live_page(spec, table_beside(model, "input.csv"), progress).html()
        built = build_fmu(
            spec,
            args.out,
            backend=args.backend,
            platforms=args.platforms.split(","),
            compiler=args.compiler,
            code=args.code,
            experiment=experiment,
            pages=pages,
            progress=progress,
        )
    say(json.dumps(facts(built), indent=2) if args.json else text(built, args.compiler))
    return 0


BUILD = Command("build", "model to FMU", arguments, run)
