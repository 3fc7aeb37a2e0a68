"""``mbd-fmu simulate``."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mbd_fmu.commands.console import note, progress_of, say
from mbd_fmu.commands.inputs import inputs_of
from mbd_fmu.drawing.scene import scene_table
from mbd_fmu.errors import DataError, MbdFmuError
from mbd_fmu.host.writing import plain_name, target_of
from mbd_fmu.model.library import find_model
from mbd_fmu.model.reader import read_model
from mbd_fmu.oracle.run import simulate_absolute
from mbd_fmu.signals.trajectory import Trajectory, write_csv
from mbd_fmu.simulation import simulate
from mbd_fmu.system.system import system_of
from mbd_fmu.validate.report import write_trajectory_page
from mbd_fmu.validate.runner import Fmu
from mbd_fmu.viewer.carried import carried_scene


def simulate_command(args: argparse.Namespace) -> int:
    """Run a model or an FMU, write its outputs."""
    settings = dict(_setting(text) for text in args.set)
    if args.out:
        target_of(args.out)  # refused before the work, not after
    inputs = inputs_of(args)
    if args.model.endswith(".fmu"):
        way = _simulate_fmu
    else:
        way = _simulate_absolute if args.formulation == "absolute" else _simulate_recursive
    _write_result(args, way(args, inputs, settings), inputs)
    return 0


@dataclass(frozen=True)
class Simulated:
    """A run, and what a page about it needs to know."""

    name: str
    result: Trajectory
    units: dict[str, str]
    scene: Mapping[str, Any] | None  # where a page is asked for


def _simulate_fmu(
    args: argparse.Namespace, inputs: Trajectory | None, settings: dict[str, float]
) -> Simulated:
    if args.formulation == "absolute":
        raise MbdFmuError("--formulation is of models; an FMU has the one it was built with")
    with Fmu(args.model) as fmu, progress_of(f"simulate {args.model}") as progress:
        times = fmu.times(args.stop, args.step)
        result = fmu.run(
            times,
            inputs=inputs,
            interpolate=args.interpolate == "linear",
            settings=settings,
            progress=lambda t: progress(f"{t:.3g} of {times[-1]:g} s"),
        ).trajectory
        for text in fmu.warnings:
            note(text)
        units = {n: fmu.unit(n) for n in result.names}
        scene = carried_scene(Path(args.model)) if args.plot else None
        return Simulated(fmu.description.modelName, result, units, scene)


def _simulate_recursive(
    args: argparse.Namespace, inputs: Trajectory | None, settings: dict[str, float]
) -> Simulated:
    spec = read_model(find_model(args.model))
    system = system_of(spec)
    stop = args.stop or spec.fmu.stop_time
    with progress_of(f"simulate {spec.name}") as progress:
        result = simulate(
            system,
            stop=stop,
            step=args.step or spec.fmu.communication_step,
            inputs=inputs,
            interpolate=args.interpolate == "linear",
            settings=settings,
            progress=lambda t: progress(f"{t:.3g} of {stop:g} s"),
            notice=note,
        )
    units = {v.name: v.unit for v in system.table.outputs}
    return Simulated(spec.name, result, units, scene_table(spec) if args.plot else None)


def _simulate_absolute(
    args: argparse.Namespace, inputs: Trajectory | None, settings: dict[str, float]
) -> Simulated:
    spec = read_model(find_model(args.model))
    stop = args.stop or spec.fmu.stop_time
    if args.interpolate == "linear":
        raise MbdFmuError("the absolute formulation holds its inputs; leave --interpolate out")
    with progress_of(f"simulate {spec.name}") as progress:
        result = simulate_absolute(
            spec,
            stop=stop,
            step=args.step or spec.fmu.communication_step,
            inputs=inputs,
            settings=settings,
            tolerance=spec.fmu.tolerance,
            progress=lambda t: progress(f"{t:.3g} of {stop:g} s"),
        )
    return Simulated(spec.name, result, {}, scene_table(spec) if args.plot else None)


def _write_result(args: argparse.Namespace, found: Simulated, inputs: Trajectory | None) -> None:
    out = args.out or Path(f"{plain_name(found.name)}.csv")
    write_csv(out, found.result)
    say(f"{out}  {len(found.result.time)} rows, {len(found.result.names)} signals")
    if args.plot:
        page = out.with_suffix(".html")
        replaced = write_trajectory_page(
            page, found.name, found.result, found.units, found.scene, inputs
        )
        say(f"{page}  the motion and plots{replaced}")


def _setting(text: str) -> tuple[str, float]:
    name, equals, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        found = f"{text!r} has no number after =" if equals else f"{text!r} has no ="
        raise DataError(
            f"--set {found}; write --set NAME=VALUE, for example --set rod_mass=0.5"
        ) from None
