"""``mbd-fmu build``."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mbd_fmu.build import Built, build_fmu
from mbd_fmu.commands.console import progress_of, say
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.export.compile import describe_compiler
from mbd_fmu.export.references import Experiment
from mbd_fmu.model.library import find_model, table_beside
from mbd_fmu.model.reader import read_model
from mbd_fmu.signals.trajectory import read_csv

BESIDE = ""  # --reference without a file: the one beside the model


def build_command(args: argparse.Namespace) -> int:
    """Make an FMU."""
    model = find_model(args.model)
    spec = read_model(model)
    experiment = _experiment(args, model)
    with progress_of(f"build {spec.name}") as progress:
        built = build_fmu(
            spec,
            args.out,
            backend=args.backend,
            platforms=args.platforms.split(","),
            compiler=args.compiler,
            experiment=experiment,
            progress=progress,
        )
    say(
        json.dumps(_built_facts(built), indent=2)
        if args.json
        else _built_text(built, args.compiler)
    )
    return 0


def _experiment(args: argparse.Namespace, model: Path) -> Experiment | None:
    """Return the reference and its inputs, from the files named or from those beside the model."""
    if args.reference is None:
        if args.input:
            raise MbdFmuError("--input belongs to a reference; add --reference")
        return None
    if args.reference == BESIDE:
        reference = table_beside(model, "reference.csv")
    else:
        reference = read_csv(args.reference)
    if reference is None:
        raise MbdFmuError(
            f"{model}: no reference.csv beside it; add one, or name a table: --reference REF.csv"
        )
    inputs = (
        read_csv(args.input, repeats="held") if args.input else table_beside(model, "input.csv")
    )
    return Experiment(reference, inputs)


def _built_facts(built: Built) -> dict[str, Any]:
    return {
        "fmu": str(built.path),
        "side_files": [str(path) for path in built.side_files],
        "guid": built.guid,
        "backend": built.backend,
        "library_bytes": built.library_bytes,
        "operations": built.operations,
        "assembly": [asdict(start) for start in built.diagnosis.adjusted],
        "variables": built.variables,
    }


def _built_text(built: Built, compiler: str) -> str:
    lines = [
        f"{built.path}  {built.path.stat().st_size / 1000:.0f} kB, {built.variables} variables"
    ]
    if built.backend == "native":
        sizes = ", ".join(f"{name} {n / 1000:.0f} kB" for name, n in built.library_bytes.items())
        lines += [f"libraries  {sizes}", f"compiler   {describe_compiler(compiler)}"]
        lines.append(f"operations {built.motion_operations} per evaluation of the motion")
    else:
        lines.append("runs in Python: the importing process needs Python 3.11 with NumPy")
    lines += [f"{path}  for the FMI cross-check" for path in built.side_files]
    adjusted = built.diagnosis.adjusted
    lines += [f"assembly   {m.name} starts at {m.found:g}, not at {m.given:g}" for m in adjusted]
    return "\n".join(lines)
