"""``mbd-fmu validate``."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path

from mbd_fmu.commands.arguments import (
    A_MODEL,
    add_choices,
    add_first,
    add_inputs,
    add_json,
    choices_of,
    count,
    positive,
)
from mbd_fmu.commands.command import Command
from mbd_fmu.commands.console import counted_progress, note, print_table, say
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.options import COMPARISON_TOLERANCE, SOLVER_TOLERANCE


def arguments(parser: ArgumentParser) -> None:
    """What to judge, by which references and tolerances, and where verdicts go."""
    parser.add_argument(
        "model", metavar="FMU|MODEL|models/", help=f"{A_MODEL}; an FMU; a folder of models"
    )
    parser.add_argument(
        "--reference", type=Path, metavar="REF.csv", help="[reference.csv beside a model]"
    )
    add_inputs(parser, "[input.csv beside a model]")
    parser.add_argument(
        "--tolerance",
        type=positive,
        default=COMPARISON_TOLERANCE,
        help="of a signal's range [%(default)g]",
    )
    parser.add_argument(
        "--solver-tolerance",
        type=positive,
        default=SOLVER_TOLERANCE,
        help="of the FMU [%(default)g]",
    )
    parser.add_argument(
        "--jobs", type=count, metavar="N", help="models at a time [the number of cores]"
    )
    parser.add_argument(
        "--report", type=Path, metavar="OUT.html", help="write a page of motion, laws and plots"
    )
    parser.add_argument(
        "--junit", type=Path, metavar="OUT.xml", help="write verdicts for CI systems"
    )
    add_first(parser)
    add_choices(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    """Check, run and compare; 1 if anything fails."""
    from mbd_fmu.host.programs import processors
    from mbd_fmu.host.scratch import scratch_folder
    from mbd_fmu.host.writing import target_of
    from mbd_fmu.signals.csv_files import read_csv, read_inputs
    from mbd_fmu.summaries.verdicts import TITLES, facts, reasons, refusals, row
    from mbd_fmu.validate.batch import Settings, attempts
    from mbd_fmu.validate.junit import write_junit
    from mbd_fmu.validate.report import write_report

    targets = _targets(args.model)
    for path in filter(None, [args.report, args.junit]):
        target_of(path)  # refused before the work, not after
    interpolate = args.interpolate == "linear"
    with scratch_folder() as folder:
        settings = Settings(
            folder=folder,
            reference=read_csv(args.reference) if args.reference else None,
            inputs=read_inputs(args.input, interpolate=interpolate),
            interpolate=interpolate,
            tolerance=args.tolerance,
            solver_tolerance=args.solver_tolerance,
            choices=choices_of(args, args.model),
        )
        with counted_progress("validate", len(targets)) as watch:
            found = attempts(targets, settings, args.jobs or processors(), watch)
        if args.json:
            say(json.dumps(facts(found), indent=2, allow_nan=False))
        else:
            print_table(TITLES, map(row, found))
            _say_each(reasons(found))
        for text in refusals(found):
            note(text)
        written = []
        if args.report:
            judged = [a.validation for a in found if a.validation]
            unjudged = {a.name: a.error for a in found if not a.validation}
            lack = write_report(args.report, judged, unjudged, first=args.first)
            written.append(f"{args.report}  report{lack}")
        if args.junit:
            write_junit(args.junit, found)
            written.append(f"{args.junit}  for CI systems")
        if not args.json:
            _say_each(written)
    return 0 if all(a.passed for a in found) else 1


def _targets(text: str) -> list[Path]:
    """Return what is to be validated: an FMU, a model, or every model in a folder."""
    from mbd_fmu.model.library import find_model, model_file, models_in

    path = Path(text)
    if path.suffix == ".fmu":
        return [path]
    if path.is_dir() and model_file(path) is None:
        models = models_in(path)
        if not models:
            raise MbdFmuError(f"{path}: no model.toml in it or in its folders")
        return models
    return [find_model(text)]


def _say_each(lines: list[str]) -> None:
    for line in lines:
        say(line)


VALIDATE = Command("validate", "check FMUs, run them, compare with references", arguments, run)
