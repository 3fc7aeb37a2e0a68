"""modelDescription.xml from the table of variables; the door to lxml."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from lxml import etree

from mbd_fmu.export.symbols import Symbols
from mbd_fmu.spatial import Array
from mbd_fmu.system.system import System
from mbd_fmu.system.units import UNITS, known_unit
from mbd_fmu.system.variable import DERIVED, Variable
from mbd_fmu.version import VERSION

LOG_CATEGORIES = {
    "logStatusError": "calls and steps that failed, and why",
    "logStatusWarning": "what works but is hardly meant",
    "logStart": "start values that were not given, and how they moved to close the loops",
    "logEvaluations": "each stage of the equations that is computed, each step that is taken",
}


@dataclass(frozen=True)
class Capabilities:
    """What the back end can do beyond stepping; nothing is claimed that does not act."""

    interpolates_inputs: bool
    keeps_states: bool
    has_derivatives: bool  # states for model exchange, derivatives in directions and in time
    needs_python: bool
    sources: tuple[str, ...] = ()  # C files in sources/ it can be compiled from


LONGEST_LIST = 200  # of dependencies; longer ones are left out where they hold everything
_NO_GUID = "00000000-0000-0000-0000-000000000000"  # until the GUID, a hash of all files, is known


def with_guid(description: bytes, guid: str) -> bytes:
    """Return the description with its GUID."""
    return description.replace(_NO_GUID.encode(), guid.encode(), 1)


def model_description(system: System, symbols: Symbols, capabilities: Capabilities) -> bytes:
    """Write the description, without its GUID. FMI 2.0 sec. 2.2 and 4.3."""
    spec = system.spec
    root = etree.Element(
        "fmiModelDescription",
        fmiVersion="2.0",
        modelName=spec.name,
        guid=_NO_GUID,
        description=spec.description or f"Mechanism {spec.name}",
        generationTool=f"mbd-fmu {VERSION}",
        variableNamingConvention="structured" if spec.fmu.naming == "structured" else "flat",
    )
    common = {
        "modelIdentifier": spec.name,
        "needsExecutionTool": _flag(capabilities.needs_python),
        "canNotUseMemoryManagementFunctions": "true",
        "canGetAndSetFMUstate": _flag(capabilities.keeps_states),
        "canSerializeFMUstate": _flag(capabilities.keeps_states),
        "providesDirectionalDerivative": _flag(capabilities.has_derivatives),
    }
    kinds = []
    if capabilities.has_derivatives and not system.table.is_stepped:
        root.set("numberOfEventIndicators", "0")
        kinds.append(etree.SubElement(root, "ModelExchange", common))
    stepping = {
        "canHandleVariableCommunicationStepSize": "true",
        "canInterpolateInputs": _flag(capabilities.interpolates_inputs),
        "maxOutputDerivativeOrder": "2" if capabilities.has_derivatives else "0",
    }
    kinds.append(etree.SubElement(root, "CoSimulation", {**common, **stepping}))
    for kind in kinds if capabilities.sources else ():
        files = etree.SubElement(kind, "SourceFiles")
        for name in capabilities.sources:
            etree.SubElement(files, "File", name=name)
    variables = system.all_variables if capabilities.has_derivatives else system.table.variables
    _units(root, {v.unit for v in variables})
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
    listed = etree.SubElement(root, "ModelVariables")
    for reference, variable in enumerate(variables):
        _variable(listed, reference, variable)
    for state in range(len(system.table.variables), len(variables) - system.nx):
        listed[state + system.nx][0].set("derivative", str(state + 1))  # XML counts from 1
    _structure(root, system, symbols, with_states=capabilities.has_derivatives)
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
        "variability": "continuous",
    }
    is_derived = variable.causality == DERIVED
    if variable.causality == "parameter" or is_derived:
        attributes["variability"] = "tunable" if variable.is_tunable else "fixed"
    if variable.causality != "input":
        attributes["initial"] = "exact" if variable.causality == "parameter" else "calculated"
    scalar = etree.SubElement(parent, "ScalarVariable", attributes)
    real = etree.SubElement(scalar, "Real")
    if variable.unit != "1":
        real.set("unit", variable.unit)
        if known_unit(variable.unit) and UNITS[variable.unit][1]:
            real.set("displayUnit", next(iter(UNITS[variable.unit][1])))
    for key in ("min", "max", "nominal", "start"):
        value = getattr(variable, key)
        if value is not None and not (key == "start" and is_derived):
            real.set(key, repr(float(value)))
    if variable.may_jump:
        real.set("reinit", "true")


def _structure(
    root: etree._Element, system: System, symbols: Symbols, *, with_states: bool
) -> None:
    """Outputs and derivatives with what they feel at once; initial unknowns with their origins."""
    structure = etree.SubElement(root, "ModelStructure")
    table = system.table
    first_input, first_state = table.n_parameters, len(table.variables)
    inputs, states = first_input + np.arange(table.n_inputs), first_state + np.arange(system.nx)
    computed = np.arange(table.first_computed, first_state)
    outputs = computed[table.n_derived :]
    rates = states + system.nx
    on_input, initially = symbols.depends_on_input[table.n_derived :], symbols.depends_initially
    if with_states:
        knowns = np.concatenate([inputs, states])
        at_once = np.hstack([on_input, symbols.depends_on_state[table.n_derived :]])
        _unknowns(structure, "Outputs", outputs, at_once, knowns)
        _unknowns(structure, "Derivatives", rates, symbols.rates_depend, knowns)
        everything = np.concatenate([computed, states, rates])
    else:
        _unknowns(structure, "Outputs", outputs, on_input, inputs)
        everything, initially = computed, initially[: len(computed)]
    knowns = np.arange(table.first_computed)
    _unknowns(structure, "InitialUnknowns", everything, initially, knowns)


def _unknowns(
    structure: etree._Element, tag: str, unknowns: Array, depends: Array, knowns: Array
) -> None:
    """List unknowns with the knowns they depend on; the schema wants no empty list.

    What depends on all of very many says nothing, which says the same. FMI 2.0 sec. 2.2.8.
    """
    if not len(unknowns):
        return
    listed = etree.SubElement(structure, tag)
    names = [str(known + 1) for known in knowns]  # XML counts variables from 1
    for index, row in zip(unknowns, depends, strict=True):
        unknown = etree.SubElement(listed, "Unknown", index=str(index + 1))
        if len(names) <= LONGEST_LIST or not row.all():
            unknown.set("dependencies", " ".join(names[k] for k in np.flatnonzero(row)))
