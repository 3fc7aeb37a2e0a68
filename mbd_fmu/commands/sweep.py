"""``mbd-fmu sweep``."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from mbd_fmu.commands.arguments import (
    A_MODEL,
    add_choices,
    add_inputs,
    add_json,
    add_run,
    choices_of,
    count,
)
from mbd_fmu.commands.command import Command
from mbd_fmu.commands.console import counted_progress, note, say
from mbd_fmu.errors import MbdFmuError

TOLD = 3  # messages of cases that failed; equal ones count once


def arguments(parser: ArgumentParser) -> None:
    """What to run, its cases, what is kept of each, and who runs them."""
    parser.add_argument("model", metavar="MODEL|FMU", help=f"{A_MODEL}; or an FMU")
    cases = parser.add_argument_group("cases: the product of all that is given")
    cases.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUES",
        help="parameter or constant input: FROM:TO:N, a list a,b,c, or one value",
    )
    cases.add_argument(
        "--cases", type=Path, metavar="PLAN.csv", help="a row for each case, a column for each name"
    )
    cases.add_argument(
        "--sample",
        type=_sample,
        metavar="lhs:N",
        help="a Latin hypercube of N points over all --set NAME=FROM:TO",
    )
    cases.add_argument("--seed", type=_seed, metavar="N", help="of the sample, a whole number [0]")
    add_run(parser)
    add_inputs(parser, "inputs over time, the same for all cases")
    parser.add_argument(
        "--outputs",
        action="append",
        default=[],
        metavar="PATTERN",
        help='such as "elbow.*"; may be repeated [all]',
    )
    parser.add_argument(
        "--compute",
        action="append",
        default=[],
        metavar="NAME=EXPRESSION",
        help="a column more, of parameters and summaries: lift=car.r.z.max-car.r.z.min",
    )
    parser.add_argument("--trajectories", action="store_true", help="keep outputs over time, too")
    parser.add_argument("--plot", action="store_true", help="write a page of plots beside the file")
    parser.add_argument(
        "--show",
        action="append",
        default=[],
        metavar="PATTERN",
        help="columns on the page, parameters too; may be repeated [parameters that matter most; "
        "computed columns, then *.max and *.rms]",
    )
    parser.add_argument("--jobs", type=count, metavar="N", help="cases at a time [all processors]")
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="of a Dask cluster, such as tcp://host:8786"
    )
    parser.add_argument(
        "-o", "--out", type=Path, metavar="OUT", help="OUT.npz or OUT.parquet [<model>_study.npz]"
    )
    add_json(parser)
    add_choices(parser)


def _sample(text: str) -> int:
    kind, _, number = text.partition(":")
    if kind != "lhs" or not number.isdecimal() or int(number) < 1:
        raise ArgumentTypeError(f"{text} is not lhs:N, such as lhs:1000")
    return int(number)


def _seed(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text} is no whole number, such as 1")
    return int(text)


def run(args: Namespace) -> int:
    """Run all cases of a study, or those that are missing of it."""
    from mbd_fmu.host.writing import plain_name
    from mbd_fmu.signals.choosing import chosen
    from mbd_fmu.signals.csv_files import read_inputs
    from mbd_fmu.study.parts import BusyError
    from mbd_fmu.study.plan import Sampling, read_plan
    from mbd_fmu.study.sweep import Asked, prepared, run_sweep

    if args.show and not args.plot:
        raise MbdFmuError("--show is of the page; give --plot, too")
    if args.seed is not None and not args.sample:
        raise MbdFmuError("--seed is of a sample; give --sample lhs:N, too")
    if args.jobs and args.scheduler:
        raise MbdFmuError("--jobs is of this machine; on a cluster its workers count")
    interpolate = args.interpolate == "linear"
    inputs = read_inputs(args.input, interpolate=interpolate)
    sampling = Sampling(args.sample, args.seed or 0) if args.sample else None
    target, located = _target(args)
    with located:
        plan = read_plan(args.set, args.cases, sampling, (*target.settable, *target.derived))
        asked = Asked(
            args.stop,
            args.step,
            inputs,
            interpolate,
            args.outputs,
            args.compute,
            args.trajectories,
        )
        out = args.out or Path(f"{plain_name(target.name)}_study.npz")
        sweep = prepared(target, plan, asked, out)
        is_replaced = out.is_file()
        if sweep.done:
            note(f"{sweep.done} of {len(plan)} cases were done before; it goes on from there")
        try:
            chosen(sweep.columns, args.show, "column")  # refused before the work, not after
            with counted_progress(f"sweep {target.name}", len(plan)) as progress:
                study = run_sweep(
                    sweep,
                    jobs=args.jobs,
                    scheduler=args.scheduler,
                    watch=lambda done: progress(done, ()),
                )
        except BusyError:
            raise
        except BaseException:
            if sweep.done:
                kept = f"{sweep.done} of {len(plan)} cases are kept in {sweep.parts.folder}"
                note(f"{kept}; the same command goes on from there")
            raise
    _tell(args, study, "; the file that was there is replaced" if is_replaced else "")
    if args.plot:
        from mbd_fmu.summaries.studies import write_study_page

        page = out.with_suffix(".html")
        replaced = write_study_page(page, study, args.show)
        if not args.json:
            say(f"{page}  plots{replaced}")
    return int(study.failed.all())


def _target(args: Namespace) -> tuple[Any, AbstractContextManager[None]]:
    if args.model.endswith(".fmu"):
        from mbd_fmu.study.fmu_target import FmuTarget

        choices_of(args, args.model)
        return FmuTarget.read(Path(args.model)), nullcontext()
    from mbd_fmu.commands.opening import opened_model
    from mbd_fmu.study.mechanism_target import MechanismTarget

    opened = opened_model(args)
    return MechanismTarget(opened.spec), opened.located()


def _tell(args: Namespace, study: Any, replaced: str = "") -> None:
    failed = study.failed.nonzero()[0].tolist()
    if args.json:
        facts = {
            "file": str(study.path),
            "cases": len(study),
            "failed": {k: study.messages[k] for k in failed},
            "columns": list(study),
        }
        say(json.dumps(facts, indent=2))
        return
    alike: dict[str, list[int]] = {}
    for k in failed:
        alike.setdefault(study.messages[k], []).append(k)
    for text, cases in list(alike.items())[:TOLD]:
        more = f" and {len(cases) - 1} more" if len(cases) > 1 else ""
        note(f"case {cases[0]}{more} failed: {text}")
    if left := sum(len(cases) for cases in list(alike.values())[TOLD:]):
        note(f"... and {left} more for other reasons; see messages of the file")
    warned = len(study.messages) - len(failed)
    if warned:
        note(f"{warned} cases warn; see messages of the file")
    ending = f", {len(failed)} failed" if failed else ""
    say(f"{study.path}  {len(study)} cases{ending}, {len(study.columns)} columns{replaced}")


SWEEP = Command(
    "sweep", "run many cases of a model or an FMU: grids, lists, samples", arguments, run
)
