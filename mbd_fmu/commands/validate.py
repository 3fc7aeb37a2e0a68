"""``mbd-fmu validate``."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mbd_fmu.build import build_fmu
from mbd_fmu.commands.console import print_table, progress_of, say
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.library import find_model
from mbd_fmu.model.reader import read_model
from mbd_fmu.trajectory import Trajectory, read_csv
from mbd_fmu.validate.report import write_report
from mbd_fmu.validate.validation import Validation, validate_fmu


def validate_command(args: argparse.Namespace) -> int:
    """Check, run and compare; 1 if anything fails."""
    reference = read_csv(args.reference) if args.reference else None
    inputs = read_csv(args.input) if args.input else None
    found: list[Validation] = []
    with tempfile.TemporaryDirectory() as folder, progress_of("validate") as progress:
        for target in _targets(args.model):
            progress(str(target))
            if target.suffix == ".fmu":
                fmu, beside = target, None
            else:
                fmu = build_fmu(read_model(target), Path(folder) / f"{target.parent.name}.fmu").path
                beside = target.parent
            found.append(
                validate_fmu(
                    fmu,
                    reference=reference or _beside(beside, "reference.csv"),
                    inputs=inputs or _beside(beside, "input.csv"),
                    interpolate=args.interpolate == "linear",
                    tolerance=args.tolerance,
                    solver_tolerance=args.solver_tolerance,
                )
            )
    if args.json:
        say(json.dumps([_validation_facts(v) for v in found], indent=2))
    else:
        _print_validations(found)
    if args.report:
        write_report(Path(args.report), found)
        if not args.json:
            say(f"{args.report}  report")
    return 0 if all(v.passed for v in found) else 1


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


def _beside(folder: Path | None, name: str) -> Trajectory | None:
    return read_csv(folder / name) if folder and (folder / name).is_file() else None


def _validation_facts(v: Validation) -> dict[str, Any]:
    return {
        "name": v.name,
        "passed": v.passed,
        "failures": v.failures,
        "tolerance": v.tolerance,
        "energy_drift_J": v.energy[0] if v.energy else None,
        "energy_drift_relative": v.energy[1] if v.energy else None,
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


def _print_validations(found: Sequence[Validation]) -> None:
    rows = []
    for v in found:
        worst = v.worst
        rows.append(
            (
                v.name,
                "pass" if v.passed else "FAIL",
                str(len(v.signals)) if v.signals else "no reference",
                f"{worst.max_relative:.1e}" if worst else "-",
                worst.name if worst else "-",
                f"{v.energy[1]:.1e}" if v.energy else "-",
            )
        )
    print_table(
        ("model", "verdict", "signals", "worst of range", "worst signal", "energy drift"), rows
    )
    for v in found:
        for text in v.failures:
            say(f"{v.name}: {text}")
