"""Loads of joints as tables, and load cases of bodies as files for finite elements."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mbd_fmu.analysis.body_loads import LoadedBody
from mbd_fmu.analysis.load_cases import LoadCase
from mbd_fmu.analysis.pin_loads import MAGNITUDE, Extreme, RunLoads
from mbd_fmu.host.writing import plain_name

ROUNDING = 1e-12  # of the largest load of a joint
PEAKS = ("joint", "force N", "at s", "torque N.m", "at s")
EXTREMES = ("joint", "kind", "unit", "axes", "component", "min", "t_min", "max", "t_max")
FEM = (
    *("case", "time", "element", "kind", "other", "x", "y", "z"),
    *("force.x", "force.y", "force.z", "moment.x", "moment.y", "moment.z"),
)


def titles(axes: str) -> tuple[str, ...]:
    """Return what stands above the rows."""
    return (*PEAKS, *(f"force.{x}, {axes} axes" for x in "xyz"))


def rows(loads: RunLoads, axes: str) -> Iterator[tuple[str, ...]]:
    """Yield a joint each: the largest force and torque, and ranges in some axes."""
    by_joint: dict[str, list[Extreme]] = {}
    for extreme in loads.extremes:
        by_joint.setdefault(extreme.joint, []).append(extreme)
    for joint, own in by_joint.items():
        cells = [joint]
        largest = max(e.max for e in own if e.component == MAGNITUDE)
        for kind in ("force", "torque"):
            peak = next(e for e in own if e.kind == kind and e.component == MAGNITUDE)
            shown = _shown(peak.max, largest)
            cells += [shown, f"{peak.t_max:.6g}" if shown != "0" else "-"]
        for x in "xyz":
            found = [e for e in own if (e.kind, e.axes, e.component) == ("force", axes, x)]
            pairs = [(_shown(e.min, largest), _shown(e.max, largest)) for e in found]
            cells += [" to ".join(dict.fromkeys(pair)) for pair in pairs] or ["-"]
        yield tuple(cells)


def _shown(value: float, largest: float) -> str:
    """Return a number of six digits; rounding is nothing."""
    return f"{0.0 if abs(value) <= ROUNDING * largest else value:.6g}"


def facts(loads: RunLoads, cases: Sequence[LoadCase]) -> dict[str, Any]:
    """Return what ``mbd-fmu loads --json`` says besides files."""
    return {
        "extremes": [asdict(extreme) for extreme in loads.extremes],
        "notes": list(loads.notes),
        "cases": [{"name": case.name, "time": case.time} for case in cases],
    }


def extremes_csv(loads: RunLoads) -> bytes:
    """Return all extremes as a table."""
    entries = (asdict(extreme) for extreme in loads.extremes)
    return _csv(EXTREMES, ([entry[title] for title in EXTREMES] for entry in entries))


def fem_files(folder: Path, cases: Sequence[LoadCase]) -> dict[Path, bytes]:
    """Return two files per body: loads as a table, and with mass and motion for programs."""
    found: dict[Path, bytes] = {}
    for k, body in enumerate(cases[0].bodies if cases else ()):
        own = [(case, case.bodies[k]) for case in cases]
        name = plain_name(body.name)
        found[folder / f"{name}.csv"] = _csv(FEM, _fem_rows(own))
        text = json.dumps(_fem_facts(body, own), indent=1) + "\n"
        found[folder / f"{name}.json"] = text.encode()
    return found


def _fem_rows(own: Iterable[tuple[LoadCase, LoadedBody]]) -> Iterator[list[Any]]:
    for case, body in own:
        for load in body.loads:
            numbers = (*load.point, *load.force, *load.moment)
            yield [
                *(case.name, case.time, load.element, load.kind, load.other),
                *(float(x) for x in numbers),
            ]


def _fem_facts(first: LoadedBody, own: Iterable[tuple[LoadCase, LoadedBody]]) -> dict[str, Any]:
    return {
        "body": first.name,
        "axes": "the body's own, as drawn; SI units",
        "mass": first.mass,
        "mass_centre": first.mass_centre.tolist(),
        "inertia": first.inertia.tolist(),
        "cases": [_case_facts(case, body) for case, body in own],
    }


def _case_facts(case: LoadCase, body: LoadedBody) -> dict[str, Any]:
    force, moment = body.balance
    return {
        "name": case.name,
        "time": case.time,
        "gravity": body.gravity.tolist(),
        "acceleration": body.acceleration.tolist(),
        "angular_velocity": body.angular_velocity.tolist(),
        "angular_acceleration": body.angular_acceleration.tolist(),
        "loads": [
            {
                "element": load.element,
                "kind": load.kind,
                "other": load.other,
                "point": load.point.tolist(),
                "force": load.force.tolist(),
                "moment": load.moment.tolist(),
            }
            for load in body.loads
        ],
        "left_of_forces": force.tolist(),
        "left_of_moments": moment.tolist(),
    }


def _csv(head: Sequence[str], lines: Iterable[Sequence[Any]]) -> bytes:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(head)
    for line in lines:
        writer.writerow([repr(cell) if isinstance(cell, float) else cell for cell in line])
    return stream.getvalue().encode("utf-8")
