"""References that travel with an FMU.

Beside it they lie in the form of the FMI cross-check: ``<fmu>_ref.csv``, ``<fmu>_in.csv`` and
``<fmu>_ref.opt``. Inside it they follow the layered standard FMI-LS-REF 1.0.0-alpha.1: a manifest
names the experiment, the experiment names its inputs and its results.

The tables follow the rules of the cross-check (version 4.1, appendix B): names in quotes, and since
inputs are read on straight lines, a jump is a time that stands twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree import ElementTree as ET

import numpy as np

from mbd_fmu.errors import DataError
from mbd_fmu.options import SOLVER_TOLERANCE
from mbd_fmu.signals.csv_files import TIME, csv_bytes
from mbd_fmu.signals.schedule import merged_times
from mbd_fmu.signals.trajectory import Trajectory, check_columns
from mbd_fmu.system.variables import Table

FOLDER = "extra/org.fmi-standard.fmi-ls-ref"
MANIFEST = "fmi-ls-manifest.xml"
_EXPERIMENTS = "experiments.xml"
_NAMESPACE = "http://fmi-standard.org/fmi-ls-manifest"
_ATTRIBUTES = {
    "fmi-ls-name": "org.fmi-standard.fmi-ls-ref",
    "fmi-ls-version": "1.0.0-alpha.1",
    "fmi-ls-description": (
        "Layered Standard providing information on related files included in an FMU."
    ),
}


@dataclass(frozen=True)
class Experiment:
    """Results that an FMU must give, and the inputs for which; inputs are held between rows."""

    reference: Trajectory
    inputs: Trajectory | None = None

    @property
    def step(self) -> float:
        """Return the longest step with which a master meets all rows that lie evenly."""
        return float(np.diff(merged_times(self.reference.time, self.inputs)).min())


def refuse_unknown(experiment: Experiment, table: Table) -> None:
    """Refuse columns that are no outputs or no inputs of the FMU, and a table without length."""
    outputs = [v.name for v in table.outputs]
    check_columns("the reference", experiment.reference, outputs, "output")
    if not experiment.reference.names:
        raise DataError("the reference has no signals; add columns named as the FMU's outputs")
    if len(experiment.reference.time) < 2:
        raise DataError("the reference has one row; give at least two, so that there is a motion")
    if experiment.inputs is not None:
        inputs = [v.name for v in table.inputs]
        check_columns("the inputs", experiment.inputs, inputs, "input")


def side_files(stem: str, experiment: Experiment) -> dict[str, bytes]:
    """Return what lies beside ``stem.fmu``."""
    time = experiment.reference.time
    options = {
        "StartTime": time[0],
        "StopTime": time[-1],
        "StepSize": experiment.step,
        "RelTol": SOLVER_TOLERANCE,
    }
    lines = [f"{key},{float(value)!r}\n" for key, value in options.items()]
    return _tables(stem, experiment) | {f"{stem}_ref.opt": "".join(lines).encode()}


def carried_files(name: str, experiment: Experiment) -> dict[str, bytes]:
    """Return what lies inside the archive."""
    tables = _tables(name, experiment)
    files = tables | {
        MANIFEST: _manifest(list(tables)),
        _EXPERIMENTS: _experiments(name, experiment),
    }
    return {f"{FOLDER}/{file}": data for file, data in files.items()}


def _tables(stem: str, experiment: Experiment) -> dict[str, bytes]:
    tables = {f"{stem}_ref.csv": _table(experiment.reference)}
    if experiment.inputs is not None:
        tables[f"{stem}_in.csv"] = _table(_with_jumps(experiment.inputs))
    return tables


def _with_jumps(inputs: Trajectory) -> Trajectory:
    """Repeat, at each time at which held values change, what they were before."""
    changed = 1 + np.flatnonzero(np.any(np.diff(inputs.values, axis=0) != 0, axis=1))
    return Trajectory(
        np.insert(inputs.time, changed, inputs.time[changed]),
        inputs.names,
        np.insert(inputs.values, changed, inputs.values[changed - 1], axis=0),
    )


def _table(trajectory: Trajectory) -> bytes:
    _, numbers = csv_bytes(trajectory).split(b"\n", 1)
    names = ",".join(f'"{name}"' for name in (TIME, *trajectory.names))
    return names.encode() + b"\n" + numbers


def _manifest(tables: list[str]) -> bytes:
    ET.register_namespace("fmi-ls", _NAMESPACE)
    root = ET.Element(
        "fmiReferences", {f"{{{_NAMESPACE}}}{key}": value for key, value in _ATTRIBUTES.items()}
    )
    _add(
        root,
        "Related",
        type="application/xml",
        source=_EXPERIMENTS,
        role="experiment/validation",
        description="Results from an independent source, and the inputs they belong to",
    )
    roles = {
        "_ref.csv": ("result", "Results the FMU must give"),
        "_in.csv": ("other", "Inputs, on straight lines; a jump is a time that stands twice"),
    }
    for table in tables:
        role, description = next(roles[end] for end in roles if table.endswith(end))
        _add(root, "Related", type="text/csv", source=table, role=role, description=description)
    return _text(root)


def _experiments(name: str, experiment: Experiment) -> bytes:
    root = ET.Element("Experiments", name=name)
    time = experiment.reference.time
    one = _add(
        root,
        "Experiment",
        name="reference",
        description="The FMU against results from an independent source",
        startTime=repr(float(time[0])),
        stopTime=repr(float(time[-1])),
        stepSize=repr(experiment.step),
        tolerance=repr(SOLVER_TOLERANCE),
    )
    if experiment.inputs is not None:
        _add(one, "Stimuli", source=f"{name}_in.csv")
    _add(one, "References", source=f"{name}_ref.csv")
    return _text(root)


def _add(parent: ET.Element, tag: str, **attributes: str) -> ET.Element:
    return ET.SubElement(parent, tag, attributes)


def _text(root: ET.Element) -> bytes:
    ET.indent(root)
    return ET.tostring(root, encoding="UTF-8", xml_declaration=True) + b"\n"
