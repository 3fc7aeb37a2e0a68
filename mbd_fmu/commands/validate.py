"""``mbd-fmu validate``."""

from __future__ import annotations

import argparse
import json
import math
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mbd_fmu.commands.console import counted_progress, note, print_table, say
from mbd_fmu.commands.inputs import inputs_of
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.host.scratch import scratch_folder
from mbd_fmu.host.writing import target_of
from mbd_fmu.model.library import find_model
from mbd_fmu.signals.trajectory import read_csv
from mbd_fmu.validate.batch import Attempt, Settings, attempts
from mbd_fmu.validate.junit import write_junit
from mbd_fmu.validate.report import write_report
from mbd_fmu.validate.validation import Validation


def validate_command(args: argparse.Namespace) -> int:
    """Check, run and compare; 1 if anything fails."""
    targets = _targets(args.model)
    for path in filter(None, [args.report, args.junit]):
        target_of(path)  # refused before the work, not after
    with scratch_folder() as folder:
        settings = Settings(
            folder=folder,
            reference=read_csv(args.reference) if args.reference else None,
            inputs=inputs_of(args),
            interpolate=args.interpolate == "linear",
            tolerance=args.tolerance,
            solver_tolerance=args.solver_tolerance,
        )
        with counted_progress("validate", len(targets)) as watch:
            found = attempts(targets, settings, args.jobs or os.cpu_count() or 1, watch)
        _tell(args, found)
    return 0 if all(a.passed for a in found) else 1


def _tell(args: argparse.Namespace, found: Sequence[Attempt]) -> None:
    if args.json:
        say(json.dumps(finite([_facts(a) for a in found]), indent=2, allow_nan=False))
    else:
        _print(found)
    for a in found:
        if a.validation is None:
            note(a.error if a.name in a.error else f"{a.name}: {a.error}")
    _write_files(args, found)


def _targets(text: str) -> list[Path]:
    """Return what is to be validated: an FMU, a model, or every model in a folder."""
    path = Path(text)
    if path.suffix == ".fmu":
        return [path]
    if path.is_dir() and not (path / "model.toml").is_file():
        models = sorted(path.glob("*/model.toml"))
        if not models:
            raise MbdFmuError(f"{path}: no model.toml in it or in its folders")
        return models
    return [find_model(text)]


def _write_files(args: argparse.Namespace, found: Sequence[Attempt]) -> None:
    judged = [a.validation for a in found if a.validation]
    written = []
    if args.report:
        write_report(args.report, judged, {a.name: a.error for a in found if not a.validation})
        written.append(f"{args.report}  report")
    if args.junit:
        write_junit(args.junit, found)
        written.append(f"{args.junit}  for CI systems")
    if not args.json:
        for line in written:
            say(line)


def finite(value: Any) -> Any:
    """Put null where a number is none: JSON has no word for it."""
    if isinstance(value, dict):
        return {key: finite(x) for key, x in value.items()}
    if isinstance(value, list):
        return [finite(x) for x in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _facts(a: Attempt) -> dict[str, Any]:
    facts = {"name": a.name, "passed": a.passed, "failures": a.failures, "seconds": a.seconds}
    return facts | (_validation_facts(a.validation) if a.validation else {})


def _validation_facts(v: Validation) -> dict[str, Any]:
    return {
        "tolerance": v.tolerance,
        "energy_drift_J": v.energy[0] if v.energy else None,
        "energy_drift_relative": v.energy[1] if v.energy else None,
        "invariants": [asdict(law) | {"passed": law.passed} for law in v.invariants],
        "signals": [
            {
                "name": s.name,
                "unit": v.units[s.name],
                "range": s.scale,
                "max": s.max,
                "max_relative": s.max_relative,
                "rms": s.rms,
                "rms_relative": s.rms_relative,
            }
            for s in v.signals
        ],
    }


TITLES = ("model", "verdict", "signals", "worst of range", "worst signal", "energy", "laws")


def _print(found: Sequence[Attempt]) -> None:
    print_table(TITLES, map(_row, found))
    if len(found) > 1:
        say(f"{sum(a.passed for a in found)} of {len(found)} pass")
    for a in found:
        for text in a.failures if a.validation else ():
            say(f"{a.name}: {text}")


def _row(a: Attempt) -> tuple[str, ...]:
    v = a.validation
    if v is None:
        return (a.name, "FAIL", *["-"] * (len(TITLES) - 2))
    worst, held = v.worst, sum(law.passed for law in v.invariants)
    return (
        a.name,
        "pass" if a.passed else "FAIL",
        str(len(v.signals)) if v.signals else "no reference",
        f"{worst.max_relative:.1e}" if worst else "-",
        worst.name if worst else "-",
        f"{v.energy[1]:.1e}" if v.energy else "-",
        f"{held} of {len(v.invariants)}" if v.invariants else "-",
    )
