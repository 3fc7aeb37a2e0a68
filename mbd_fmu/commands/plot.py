"""``mbd-fmu plot``."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mbd_fmu.commands.arguments import add_first, add_json
from mbd_fmu.commands.command import Command
from mbd_fmu.commands.console import note, print_table, say
from mbd_fmu.errors import DataError, MbdFmuError

STUDIES = (".npz", ".parquet")
WORST = 10  # signals that a comparison lists


def arguments(parser: ArgumentParser) -> None:
    """A table, which of its signals, and another to lay over it; or a study."""
    parser.add_argument(
        "table",
        type=Path,
        metavar="RESULT.csv|STUDY",
        help="any table over time; or what sweep wrote, .npz or .parquet",
    )
    parser.add_argument(
        "--signals",
        action="append",
        default=[],
        metavar="PATTERN",
        help='such as "boom_*.force.*"; may be repeated [all]',
    )
    parser.add_argument(
        "--compare", type=Path, metavar="OTHER.csv", help="drawn over it, with the differences"
    )
    parser.add_argument("-o", "--out", type=Path, metavar="OUT.html", help="[<table>_plot.html]")
    add_first(parser)
    study = parser.add_argument_group("of a study; its page lies beside it")
    study.add_argument(
        "--show",
        action="append",
        default=[],
        metavar="PATTERN",
        help="columns on the page; may be repeated [as of sweep]",
    )
    study.add_argument(
        "--compute",
        action="append",
        default=[],
        metavar="NAME=EXPRESSION",
        help="a column more, on the page alone",
    )
    add_json(parser)


def run(args: Namespace) -> int:
    """Draw a table over time, alone or with another; or a study."""
    is_study = args.table.suffix in STUDIES
    others = ("signals", "compare", "first") if is_study else ("show", "compute")
    if idle := [f"--{name}" for name in others if getattr(args, name)]:
        kind = "tables over time" if is_study else f"studies, {' and '.join(STUDIES)}"
        raise MbdFmuError(f"{', '.join(idle)}: of {kind}; {args.table} is none")
    return _draw_study(args) if is_study else _draw_table(args)


def _draw_study(args: Namespace) -> int:
    from mbd_fmu.host.writing import target_of
    from mbd_fmu.study.results import computed_more, read_study
    from mbd_fmu.summaries.studies import write_study_page

    out = args.out or args.table.with_suffix(".html")
    target_of(out)
    study = read_study(args.table)
    if args.compute:
        study = computed_more(study, args.compute)
    replaced = write_study_page(out, study, args.show)
    if args.json:
        say(json.dumps({"file": str(out), "cases": len(study), "columns": list(study)}, indent=2))
    else:
        say(f"{out}  plots of {len(study)} cases{replaced}")
    return 0


def _draw_table(args: Namespace) -> int:
    from mbd_fmu.host.writing import target_of
    from mbd_fmu.signals.choosing import chosen
    from mbd_fmu.summaries.plotted import differences, laid_over, only, write_plot_page

    out = args.out or Path(f"{args.table.stem}_plot.html")
    target_of(out)
    table, units = _read(args.table)
    other, errors = None, []
    names = chosen(table.names, args.signals, "signal") if args.signals else table.names
    if args.compare:
        other, others = _read(args.compare)
        shared = [name for name in names if name in other]
        if not shared:
            raise DataError(f"{args.compare}: has none of the signals of {args.table}")
        _tell_left_out(args, [n for n in names if n not in other], len(other.names) - len(shared))
        names = tuple(shared)
        table, other = laid_over(only(table, names), only(other, names))
        errors = differences(table, other)
        for name in (n for n in names if units.get(n, "") != others.get(n, units.get(n, ""))):
            note(f"{name} is in {units.get(name) or 'no unit'} and in {others[name]}; as they are")
    if not names:
        raise DataError(f"{args.table}: has no signals beside time")
    labels = (args.table.name, args.compare.name if args.compare else "")
    title = " and ".join(filter(None, labels))
    replaced = write_plot_page(out, title, only(table, names), other, labels, args.first, units)
    if args.json:
        say(json.dumps(_facts(out, names, errors), indent=2))
        return 0
    if errors:
        rows = [(e.name, f"{e.max:.3e}", f"{e.max_relative:.1e}") for e in errors[:WORST]]
        print_table(("signal", "greatest difference", "of range"), rows)
    say(f"{out}  {len(names)} signals{replaced}")
    return 0


def _read(path: Path) -> tuple[Any, Mapping[str, str]]:
    """Return a table and units of its columns; say which columns are left out."""
    from mbd_fmu.signals.any_table import read_any_table

    found = read_any_table(path)
    for why in found.left_out:
        note(f"{path}: {why}; not drawn")
    return found.trajectory, found.units


def _tell_left_out(args: Namespace, missing: list[str], more: int) -> None:
    """Say what is in one table alone, unless it was not asked for."""
    from mbd_fmu.signals.trajectory import few

    if missing:
        note(f"{args.compare} has no {few(missing)}; not drawn")
    if more and not args.signals:
        note(f"{args.compare} has {more} signals that {args.table} has not; not drawn")


def _facts(out: Path, names: tuple[str, ...], errors: list[Any]) -> dict[str, Any]:
    differences = {e.name: {"max": e.max, "of_range": e.max_relative} for e in errors}
    found = {"file": str(out), "signals": list(names)}
    return found | ({"differences": differences} if errors else {})


PLOT = Command("plot", "draw any table over time, two of them, or a study", arguments, run)
