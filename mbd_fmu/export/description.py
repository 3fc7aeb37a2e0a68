"""modelDescription.xml from the table of variables; the door to lxml."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from lxml import etree

from mbd_fmu.export.symbols import Symbols
from mbd_fmu.export.system import System
from mbd_fmu.export.units import UNITS, known_unit
from mbd_fmu.export.variables import Variable
from mbd_fmu.spatial import Array
from mbd_fmu.version import VERSION

LOG_CATEGORIES = {
    "logStatusError": "calls and steps that failed, and why",
    "logStatusWarning": "what works but is hardly meant",
    "logEvaluations": "each stage of the equations that is computed, each step that is taken",
}


@dataclass(frozen=True)
class Capabilities:
    """What the back end can do beyond stepping; nothing is claimed that does not act."""

    interpolates_inputs: bool
    needs_python: bool


def model_description(
    system: System, symbols: Symbols, capabilities: Capabilities, guid: str
) -> bytes:
    """Write the description. FMI 2.0 sec. 2.2 and 4.3."""
    spec = system.spec
    root = etree.Element(
        "fmiModelDescription",
        fmiVersion="2.0",
        modelName=spec.name,
        guid=guid,
        description=spec.description or f"Mechanism {spec.name}",
        generationTool=f"mbd-fmu {VERSION}",
        variableNamingConvention="structured" if spec.fmu.naming == "structured" else "flat",
    )
    etree.SubElement(
        root,
        "CoSimulation",
        modelIdentifier=spec.name,
        needsExecutionTool=_flag(capabilities.needs_python),
        canHandleVariableCommunicationStepSize="true",
        canInterpolateInputs=_flag(capabilities.interpolates_inputs),
        canNotUseMemoryManagementFunctions="true",
    )
    _units(root, {v.unit for v in system.table.variables})
    categories = etree.SubElement(root, "LogCategories")
    for name, meaning in LOG_CATEGORIES.items():
        etree.SubElement(categories, "Category", name=name, description=meaning)
    etree.SubElement(
        root,
        "DefaultExperiment",
        startTime="0.0",
        stopTime=repr(spec.fmu.stop_time),
        tolerance=repr(spec.fmu.tolerance),
        stepSize=repr(spec.fmu.communication_step),
    )
    variables = etree.SubElement(root, "ModelVariables")
    for reference, variable in enumerate(system.table.variables):
        _variable(variables, reference, variable)
    _structure(root, system, symbols.depends_on_input, symbols.depends_initially)
    text: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True)
    return text


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _units(root: etree._Element, used: set[str]) -> None:
    """Define every unit that is used. FMI 2.0 sec. 2.2.2."""
    names = sorted(used - {"1"})
    if not names:
        return
    definitions = etree.SubElement(root, "UnitDefinitions")
    for name in names:
        unit = etree.SubElement(definitions, "Unit", name=name)
        if not known_unit(name):
            continue  # a user's own unit: its name is all we know
        base, displays = UNITS[name]
        etree.SubElement(unit, "BaseUnit", {k: str(n) for k, n in base.items()})
        for display, factor in displays.items():
            etree.SubElement(unit, "DisplayUnit", name=display, factor=repr(factor))


def _variable(parent: etree._Element, reference: int, variable: Variable) -> None:
    attributes = {
        "name": variable.name,
        "valueReference": str(reference),
        "description": variable.description,
        "causality": variable.causality,
        "variability": "fixed" if variable.causality == "parameter" else "continuous",
    }
    if variable.causality == "parameter":
        attributes["initial"] = "exact"
    if variable.causality == "output":
        attributes["initial"] = "calculated"
    scalar = etree.SubElement(parent, "ScalarVariable", attributes)
    real = etree.SubElement(scalar, "Real")
    if variable.unit != "1":
        real.set("unit", variable.unit)
        if known_unit(variable.unit) and UNITS[variable.unit][1]:
            real.set("displayUnit", next(iter(UNITS[variable.unit][1])))
    for key, value in (("min", variable.min), ("max", variable.max), ("start", variable.start)):
        if value is not None:
            real.set(key, repr(float(value)))


def _structure(
    root: etree._Element, system: System, depends_on_input: Array, depends_initially: Array
) -> None:
    """Outputs with the inputs they feel at once; initial unknowns with all they follow from."""
    structure = etree.SubElement(root, "ModelStructure")
    table = system.table
    first_input, first_output = table.n_parameters, table.n_parameters + table.n_inputs
    if not table.outputs:
        return
    for tag, depends, shift in (
        ("Outputs", depends_on_input, first_input),
        ("InitialUnknowns", depends_initially, 0),
    ):
        unknowns = etree.SubElement(structure, tag)
        for k, row in enumerate(depends):
            # XML counts variables from 1
            places: Iterable[int] = np.flatnonzero(row) + shift + 1
            etree.SubElement(
                unknowns,
                "Unknown",
                index=str(first_output + k + 1),
                dependencies=" ".join(map(str, places)),
            )
