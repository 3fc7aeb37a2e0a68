"""What each command of ``mbd-fmu`` does; every one returns its exit code."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from mbd_fmu.build import Built, build_fmu
from mbd_fmu.drawing import graph_svg
from mbd_fmu.errors import DataError, MbdFmuError
from mbd_fmu.export.compile import describe_compiler
from mbd_fmu.export.system import system_of
from mbd_fmu.library import find_model, library
from mbd_fmu.model.reader import read_model
from mbd_fmu.reference.absolute import simulate_absolute
from mbd_fmu.reference.simulate import simulate
from mbd_fmu.show import drawn, facts
from mbd_fmu.structure import structure_of
from mbd_fmu.trajectory import Trajectory, communication_points, read_csv, write_csv
from mbd_fmu.validate.plots import write_trajectory_page
from mbd_fmu.validate.report import write_report
from mbd_fmu.validate.runner import Fmu
from mbd_fmu.validate.validation import Validation, validate_fmu


def show_command(args: argparse.Namespace) -> int:
    """Print what a mechanism is made of."""
    spec = read_model(find_model(args.model))
    _say(json.dumps(facts(spec), indent=2) if args.json else drawn(spec))
    if args.graph:
        args.graph.write_text(graph_svg(structure_of(spec)), encoding="utf-8")
        if not args.json:
            _say(f"{args.graph}  picture of the graph")
    return 0


def build_command(args: argparse.Namespace) -> int:
    """Make an FMU."""
    spec = read_model(find_model(args.model))
    with _progress(f"build {spec.name}") as progress:
        built = build_fmu(
            spec,
            args.out,
            backend=args.backend,
            platforms=args.platforms.split(","),
            compiler=args.compiler,
            progress=progress,
        )
    _say(
        json.dumps(_built_facts(built), indent=2)
        if args.json
        else _built_text(built, args.compiler)
    )
    return 0


def _built_facts(built: Built) -> dict[str, Any]:
    return {
        "fmu": str(built.path),
        "guid": built.guid,
        "backend": built.backend,
        "library_bytes": built.library_bytes,
        "operations": built.operations,
        "assembly": [asdict(moved) for moved in built.diagnosis.moved],
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
    moved = built.diagnosis.moved
    lines += [f"assembly   {m.name} starts at {m.found:g}, not at {m.told:g}" for m in moved]
    return "\n".join(lines)


def simulate_command(args: argparse.Namespace) -> int:
    """Run a model or an FMU, write its outputs."""
    settings = dict(_setting(text) for text in args.set)
    inputs = read_csv(args.input) if args.input else None
    if args.model.endswith(".fmu"):
        way = _simulate_fmu
    else:
        way = _simulate_absolute if args.formulation == "absolute" else _simulate_recursive
    _write_result(args, *way(args, inputs, settings))
    return 0


Simulated = tuple[str, Trajectory, dict[str, str]]  # name, result, units


def _simulate_fmu(
    args: argparse.Namespace, inputs: Trajectory | None, settings: dict[str, float]
) -> Simulated:
    if args.formulation == "absolute":
        raise MbdFmuError("--formulation is of models; an FMU has the one it was built with")
    with Fmu(args.model) as fmu, _progress(f"simulate {args.model}") as progress:
        stop = args.stop or fmu.default("stopTime", 1.0)
        step = args.step or fmu.default("stepSize", 0.01)
        result = fmu.run(
            communication_points(0.0, stop, step),
            inputs=inputs,
            interpolate=args.interpolate == "linear",
            settings=settings,
            progress=lambda t: progress(f"{t:.3g} of {stop:g} s"),
        ).trajectory
        for text in fmu.warnings:
            _note(text)
        return fmu.description.modelName, result, {n: fmu.unit(n) for n in result.names}


def _simulate_recursive(
    args: argparse.Namespace, inputs: Trajectory | None, settings: dict[str, float]
) -> Simulated:
    system = system_of(read_model(find_model(args.model)))
    stop = args.stop or system.spec.fmu.stop_time
    with _progress(f"simulate {system.spec.name}") as progress:
        result = simulate(
            system,
            stop=stop,
            step=args.step or system.spec.fmu.communication_step,
            inputs=inputs,
            interpolate=args.interpolate == "linear",
            settings=settings,
            progress=lambda t: progress(f"{t:.3g} of {stop:g} s"),
            notice=_note,
        )
    return system.spec.name, result, {v.name: v.unit for v in system.table.outputs}


def _simulate_absolute(
    args: argparse.Namespace, inputs: Trajectory | None, settings: dict[str, float]
) -> Simulated:
    spec = read_model(find_model(args.model))
    stop = args.stop or spec.fmu.stop_time
    if args.interpolate == "linear":
        raise MbdFmuError("the absolute formulation holds its inputs; leave --interpolate out")
    with _progress(f"simulate {spec.name}") as progress:
        result = simulate_absolute(
            spec,
            stop=stop,
            step=args.step or spec.fmu.communication_step,
            inputs=inputs,
            settings=settings,
            tolerance=spec.fmu.tolerance,
            progress=lambda t: progress(f"{t:.3g} of {stop:g} s"),
        )
    return spec.name, result, {}


def _write_result(
    args: argparse.Namespace, name: str, result: Trajectory, units: dict[str, str]
) -> None:
    out = Path(args.out or f"{name}.csv")
    write_csv(out, result)
    _say(f"{out}  {len(result.time)} rows, {len(result.names)} signals")
    if args.plot:
        page = out.with_suffix(".html")
        write_trajectory_page(page, name, result, units)
        _say(f"{page}  plots")


def _setting(text: str) -> tuple[str, float]:
    name, equals, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        found = f"{text!r} has no number after =" if equals else f"{text!r} has no ="
        raise DataError(
            f"--set {found}; write --set NAME=VALUE, for example --set rod_mass=0.5"
        ) from None


def validate_command(args: argparse.Namespace) -> int:
    """Check, run and compare; 1 if anything fails."""
    reference = read_csv(args.reference) if args.reference else None
    inputs = read_csv(args.input) if args.input else None
    found: list[Validation] = []
    with tempfile.TemporaryDirectory() as folder, _progress("validate") as progress:
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
        _say(json.dumps([_validation_facts(v) for v in found], indent=2))
    else:
        _print_validations(found)
    if args.report:
        write_report(Path(args.report), found)
        if not args.json:
            _say(f"{args.report}  report")
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
    table = Table(box=None, pad_edge=False)
    for title in ("model", "verdict", "signals", "worst of range", "worst signal", "energy drift"):
        table.add_column(title, no_wrap=True)
    for v in found:
        worst = v.worst
        table.add_row(
            v.name,
            "pass" if v.passed else "FAIL",
            str(len(v.signals)) if v.signals else "no reference",
            f"{worst.max_relative:.1e}" if worst else "-",
            worst.name if worst else "-",
            f"{v.energy[1]:.1e}" if v.energy else "-",
        )
    console = Console()
    console.print(table, width=max(console.width, 110) if not console.is_terminal else None)
    for v in found:
        for text in v.failures:
            _say(f"{v.name}: {text}")


def models_command(args: argparse.Namespace) -> int:
    """List the models that come with the project."""
    specs = {name: read_model(path) for name, path in library().items()}
    if args.json:
        _say(json.dumps({name: spec.description for name, spec in specs.items()}, indent=2))
        return 0
    width = max(map(len, specs), default=0)
    for name, spec in specs.items():
        _say(f"{name:<{width}}  {spec.description}")
    return 0


def _say(text: str) -> None:
    print(text)  # noqa: T201


def _note(text: str) -> None:
    """Say what is no result beside the results."""
    print(f"mbd-fmu: {text}", file=sys.stderr)  # noqa: T201


@contextmanager
def _progress(what: str) -> Iterator[Callable[[str], None]]:
    """Show what is being done on a terminal; stay quiet in a pipe."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    with console.status(what) as status:
        yield lambda text: status.update(f"{what}: {text}")
