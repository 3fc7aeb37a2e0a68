"""modelDescription.xml against the rules that exporters break, each rule with its own logic."""

from __future__ import annotations

import math
import re
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import fmpy
import pytest
from fmpy.validation import validate_fmu
from lxml import etree

from mbd_fmu.errors import SpecError
from mbd_fmu.model.reader import spec_of_table
from tests.fmu.conftest import NATIVE, SHAPES, FmuOf, MakeInstance
from tests.fmu.ctypes_fmu import ERROR, OK, Library
from tests.fmu.exchange import directional
from tests.fmu.mechanisms import (
    double_pendulum,
    flyer,
    riding,
    rolling,
    rotor,
    told_crank,
    two_branches,
)

SCHEMA = Path(fmpy.__file__).parent / "schema" / "fmi2" / "fmi2ModelDescription.xsd"

# FMI 2.0 sec. 2.2.9 without commas and without quoted names.
_NAME = r"[A-Za-z_]\w*(\[\d+\])?(\.[A-Za-z_]\w*(\[\d+\])?)*"
STRUCTURED = re.compile(rf"({_NAME}|der\({_NAME}\))\Z", re.ASCII)
FLAT = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)


class Description:
    """The XML of one FMU with what the rules ask about."""

    def __init__(self, fmu: Path) -> None:
        with zipfile.ZipFile(fmu) as archive:
            self.text = archive.read("modelDescription.xml")
        self.root = etree.fromstring(self.text)
        self.variables = self.root.findall("ModelVariables/ScalarVariable")
        self.names = [v.get("name") for v in self.variables]

    def of_causality(self, *causalities: str) -> list[etree._Element]:
        return [v for v in self.variables if v.get("causality") in causalities]

    def unknowns(self, section: str) -> list[etree._Element]:
        return self.root.findall(f"ModelStructure/{section}/Unknown")

    def dependencies(self, section: str) -> dict[str, set[str]]:
        """Return what each unknown depends on besides states, by names; XML counts from 1."""
        states = {v.get("name") for v in self.of_causality("local")}
        return {
            self.names[int(u.get("index")) - 1]: {
                self.names[int(k) - 1] for k in u.get("dependencies").split()
            }
            - states
            for u in self.unknowns(section)
        }


@pytest.fixture(params=SHAPES)
def description(request: pytest.FixtureRequest, shape: Callable[[str], Path]) -> Description:
    return Description(shape(request.param))


# ---- The judgement of others


@pytest.mark.parametrize("name", SHAPES)
def test_fmpy_finds_no_problem(name, shape):
    assert validate_fmu(str(shape(name))) == []


def test_the_description_fits_the_schema_of_the_standard(description):
    schema = etree.XMLSchema(etree.parse(SCHEMA))
    schema.assertValid(description.root)


def test_the_schema_notices_a_description_without_guid(shape):
    root = Description(shape("double_pendulum")).root
    del root.attrib["guid"]
    assert not etree.XMLSchema(etree.parse(SCHEMA)).validate(root)


# ---- Names, types, causality


def test_names_are_unique_and_follow_the_grammar(description):
    convention = description.root.get("variableNamingConvention")
    grammar = {"structured": STRUCTURED, "flat": FLAT}[convention]
    assert [n for n in description.names if not grammar.match(n)] == []
    assert [n for n, count in Counter(description.names).items() if count > 1] == []


def test_no_name_has_a_comma(description):
    assert not [n for n in description.names if "," in n]


def test_flat_naming_has_the_same_variables_without_dots_and_brackets(fmu_of):
    structured = Description(fmu_of(flyer())).names
    flat = Description(fmu_of(flyer(naming="flat"))).names
    plain = [re.sub(r"der\((.*)\)", r"der_\1", n) for n in structured]
    assert flat == [re.sub(r"[.\[]", "_", n).replace("]", "") for n in plain]


def test_every_variable_is_real_and_says_what_it_is(description):
    for v in description.variables:
        assert [child.tag for child in v] == ["Real"]
        assert v.get("variability")
        assert v.get("description")


def test_there_is_no_independent_variable(description):
    found = {v.get("causality") for v in description.variables}
    assert found <= {"parameter", "calculatedParameter", "input", "output", "local"}


def test_causality_variability_and_initial_are_a_combination_of_the_standard(description):
    # FMI 2.0 sec. 2.2.7, the table of pp. 49: an input has no initial
    allowed = {
        ("parameter", "fixed", "exact"),
        ("parameter", "tunable", "exact"),
        ("calculatedParameter", "fixed", "calculated"),
        ("calculatedParameter", "tunable", "calculated"),
        ("input", "continuous", None),
        ("output", "continuous", "calculated"),
        ("local", "continuous", "calculated"),
    }
    found = {
        (v.get("causality"), v.get("variability"), v.get("initial")) for v in description.variables
    }
    assert found <= allowed


def test_value_references_are_unique(description):
    references = [v.get("valueReference") for v in description.variables]
    assert len(set(references)) == len(references)


def test_quaternions_are_named_w_x_y_z(fmu_of):
    names = Description(fmu_of(flyer())).names
    for quaternion in ("hull.quat", "fly.q"):
        found = [n.rpartition(".")[2] for n in names if n.rpartition(".")[0] == quaternion]
        assert found == ["w", "x", "y", "z"]


@pytest.mark.parametrize("kind", ["force", "torque"])
def test_a_reaction_says_body_point_frame_and_that_the_drive_is_excluded(kind, fmu_of):
    description = Description(fmu_of(double_pendulum()))
    text = description.variables[description.names.index(f"elbow.{kind}.x")].get("description")
    for words in ('on "lower"', 'joint point carried by "lower"', "world axes", "without drive"):
        assert words in text


# ---- Start values


def test_start_is_there_for_inputs_and_parameters_only(description):
    with_start = {v.get("name") for v in description.variables if v[0].get("start") is not None}
    assert with_start == {v.get("name") for v in description.of_causality("input", "parameter")}


def test_start_lies_within_min_and_max(description):
    checked = 0
    for v in description.variables:
        low, start, high = (v[0].get(key) for key in ("min", "start", "max"))
        if start is not None and (low is not None or high is not None):
            checked += 1
            assert float(low or "-inf") <= float(start) <= float(high or "inf"), v.get("name")
    assert checked


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"tolerance": 1e-20}, "tolerance"),
        ({"tolerance": 0.5}, "tolerance"),
        ({"solver": "rk4", "step": 1e-12}, "step"),
    ],
    ids=["small tolerance", "large tolerance", "small step"],
)
def test_solver_settings_outside_min_and_max_never_get_into_an_fmu(settings, key):
    with pytest.raises(SpecError, match=key):
        spec_of_table(rotor(**settings), "test")


@pytest.mark.parametrize("name", NATIVE)
def test_start_values_of_the_xml_are_those_compiled_in(name, library_of, new):
    library = library_of(SHAPES[name][0])
    stated = {
        v.get("name"): float(v.find("Real").get("start"))
        for v in library.variables
        if v.find("Real").get("start") is not None
    }
    instance = new(library)
    assert instance.get(list(stated)) == list(stated.values())


def test_states_have_their_size_and_those_an_event_may_move_say_so(description):
    """FMI 2.0 sec. 2.2.7: reinit is for states of model exchange; a nominal value is never zero."""
    rates = [v[0].get("derivative") for v in description.variables]
    states = {description.names[int(k) - 1] for k in rates if k}
    sized = {v.get("name"): v[0].get("nominal") for v in description.variables}
    assert {name for name, nominal in sized.items() if nominal} == states
    assert all(float(sized[name]) > 0.0 for name in states)
    has_rows = any(re.search(r"[._]force[._]|[._]lambda", n) for n in description.names) and any(
        "constraint" in n and "rank" in n for n in description.names
    )
    for v in description.variables:
        name = v.get("name")
        motion = name in states and "energy" not in name
        turns = re.search(r"[._]q[._][wxyz]$", name)
        assert v[0].get("reinit") == ("true" if motion and (has_rows or turns) else None), name


def test_declared_parameters_keep_value_unit_limits_and_description(fmu_of):
    description = Description(fmu_of(double_pendulum()))
    variable = description.variables[description.names.index("arm_mass")]
    assert variable.get("description") == "mass of the lower link"
    assert dict(variable[0].attrib) == {"unit": "kg", "min": "0.1", "max": "10.0", "start": "1.5"}


def test_every_number_of_the_xml_is_finite(description):
    keys = ("min", "max", "start", "nominal", "factor", "offset", "stopTime", "startTime")
    keys += ("tolerance", "stepSize")
    numbers = [e.get(k) for e in description.root.iter() for k in keys if e.get(k) is not None]
    assert len(numbers) > len(description.of_causality("input", "parameter"))
    assert [n for n in numbers if not math.isfinite(float(n))] == []


# ---- Units

_BASE = {
    "N": {"kg": 1, "m": 1, "s": -2},
    "J": {"kg": 1, "m": 2, "s": -2},
    "W": {"kg": 1, "m": 2, "s": -3},
    **{unit: {unit: 1} for unit in ("kg", "m", "s", "rad")},
}


def _exponents(unit: str) -> dict[str, int]:
    """Return the SI exponents that a unit's own name says, as in ``kg.m2`` or ``rad/s``."""
    found: Counter[str] = Counter()
    above, _, below = unit.partition("/")
    for sign, part in ((1, above), (-1, below)):
        for factor in (f for f in part.split(".") if f not in ("", "1")):
            symbol, power = re.fullmatch(r"([A-Za-z]+)(\d*)", factor).groups()
            for base, exponent in _BASE[symbol].items():
                found[base] += sign * int(power or 1) * exponent
    return {base: n for base, n in found.items() if n}


def test_units_used_are_exactly_those_defined(description):
    used = {v[0].get("unit") for v in description.variables} - {None}
    defined = [u.get("name") for u in description.root.findall("UnitDefinitions/Unit")]
    assert sorted(defined) == sorted(used)


def test_base_units_are_what_the_unit_is_called(description):
    units = description.root.findall("UnitDefinitions/Unit")
    assert units
    for unit in units:
        stated = {key: int(n) for key, n in unit.find("BaseUnit").attrib.items()}
        assert stated == _exponents(unit.get("name"))


def test_a_display_unit_is_defined_under_its_unit(description):
    displays = {
        unit.get("name"): {d.get("name") for d in unit.findall("DisplayUnit")}
        for unit in description.root.findall("UnitDefinitions/Unit")
    }
    shown = [v[0] for v in description.variables if v[0].get("displayUnit")]
    assert shown
    for real in shown:
        assert real.get("displayUnit") in displays[real.get("unit")]


def test_display_factors_turn_the_unit_into_the_display_unit(description):
    # FMI 2.0 sec. 2.2.2: display value = factor * value. One radian is 57.3 degrees.
    right = {
        ("rad", "deg"): 57.29577951308232,
        ("rad/s", "deg/s"): 57.29577951308232,
        ("rad/s", "rpm"): 9.549296585513721,
        ("rad/s2", "deg/s2"): 57.29577951308232,
        ("m", "mm"): 1000.0,
    }
    found = {
        (unit.get("name"), display.get("name")): float(display.get("factor"))
        for unit in description.root.findall("UnitDefinitions/Unit")
        for display in unit.findall("DisplayUnit")
    }
    assert ("rad/s", "deg/s") in found
    assert found == {key: right[key] for key in found}
    assert not description.root.findall(".//DisplayUnit[@offset]")


# ---- Model structure


def test_outputs_lists_exactly_all_outputs(description):
    listed = [description.names[int(u.get("index")) - 1] for u in description.unknowns("Outputs")]
    assert listed == [v.get("name") for v in description.of_causality("output")]


def test_initial_unknowns_are_exactly_what_is_computed_at_the_start(description):
    computed = [
        number
        for number, v in enumerate(description.variables, start=1)
        if (
            v.get("causality") in ("output", "local")
            and v.get("initial") in ("approx", "calculated")
        )
        or v.get("causality") == "calculatedParameter"
    ]
    assert [int(u.get("index")) for u in description.unknowns("InitialUnknowns")] == computed


def test_the_structure_lists_exactly_the_derivatives_of_states(description):
    rates = [k for k, v in enumerate(description.variables, 1) if v[0].get("derivative")]
    assert [int(u.get("index")) for u in description.unknowns("Derivatives")] == rates
    is_native = description.root.find("ModelExchange") is not None
    assert bool(rates) == is_native
    parts = [child.tag for child in description.root.find("ModelStructure")]
    assert parts == ["Outputs", *(["Derivatives"] if is_native else []), "InitialUnknowns"]


def test_outputs_list_the_states_they_follow_from(fmu_of):
    """For model exchange; a position of the upper link follows from its own joint alone."""
    description = Description(fmu_of(double_pendulum()))
    index = {name: k for k, name in enumerate(description.names, 1)}
    (row,) = [
        u for u in description.unknowns("Outputs") if u.get("index") == str(index["upper.r.x"])
    ]
    assert row.get("dependencies") in ("", str(index["state.shoulder.q"]))
    (row,) = [
        u
        for u in description.unknowns("Derivatives")
        if u.get("index") == str(index["der(state.shoulder.q)"])
    ]
    assert row.get("dependencies") == str(index["state.shoulder.qd"])


@pytest.mark.parametrize("section", ["Outputs", "InitialUnknowns"])
def test_dependencies_are_ascending_and_unique(section, description):
    for unknown in description.unknowns(section):
        places = [int(k) for k in unknown.get("dependencies").split()]
        assert places == sorted(set(places))
        kinds = unknown.get("dependenciesKind")
        assert kinds is None or len(kinds.split()) == len(places)


def test_outputs_depend_on_inputs_only(description):
    inputs = {v.get("name") for v in description.of_causality("input")}
    named = set().union(*description.dependencies("Outputs").values())
    assert named == inputs  # every input moves something


def test_initial_unknowns_depend_on_what_is_known_only(description):
    known = {v.get("name") for v in description.of_causality("input", "parameter")}
    assert set().union(*description.dependencies("InitialUnknowns").values()) <= known


def test_no_list_is_empty(description):
    lists = [e for e in description.root.iter() if e.tag in _LISTS]
    assert {e.tag for e in lists} == _LISTS
    assert [e.tag for e in lists if len(e) == 0] == []


_LISTS = {"UnitDefinitions", "LogCategories", "ModelVariables", "ModelStructure"} | {
    "Outputs",
    "InitialUnknowns",
}


def test_a_mechanism_without_outputs_has_no_empty_lists(fmu_of):
    table = rotor()
    table["output"] = [{"groups": []}]
    path = fmu_of(table)
    structure = Description(path).root.find("ModelStructure")
    assert [child.tag for child in structure] == ["Derivatives", "InitialUnknowns"]
    assert all(len(child) for child in structure)
    assert validate_fmu(str(path)) == []


def test_positions_velocities_and_energies_depend_on_no_input(fmu_of):
    depends = Description(fmu_of(two_branches())).dependencies("Outputs")
    still = [n for n in depends if not re.search(r"\.(qdd|force\..|torque\..)$", n)]
    assert {"pin.q", "elbow.qd", "lower.com.x", "lower.w.z", "energy.input_work"} <= set(still)
    assert [n for n in still if depends[n]] == []


@pytest.mark.parametrize(
    ("joint", "coupled"),
    [
        ("pin", {"pin.tau"}),
        ("shoulder", {"shoulder.tau", "elbow.tau"}),
        ("elbow", {"shoulder.tau", "elbow.tau"}),
    ],
)
def test_accelerations_and_reactions_depend_on_the_drives_of_their_own_branch(
    joint, coupled, fmu_of
):
    depends = Description(fmu_of(two_branches())).dependencies("Outputs")
    of_joint = {n: d for n, d in depends.items() if re.match(rf"{joint}\.(qdd|force|torque)", n)}
    assert len(of_joint) == 7
    assert set().union(*of_joint.values()) == coupled
    assert of_joint[f"{joint}.qdd"] == coupled


@pytest.mark.parametrize("mechanism", [double_pendulum, flyer, two_branches])
def test_an_output_lists_an_input_if_and_only_if_it_feels_it(mechanism, fmu_of, library_of, new):
    depends = Description(fmu_of(mechanism())).dependencies("Outputs")
    library = library_of(mechanism())
    outputs, inputs = library.names("output"), library.names("input")
    instance = new(library).start()
    for k in range(20):  # somewhere where nothing is zero by chance
        assert instance.set({n: 0.3 * (j + 1) for j, n in enumerate(inputs)}) == OK
        assert instance.step(0.05 * k, 0.05) == OK
    before = instance.get(outputs)
    for name in inputs:
        value = instance.one(name)
        assert instance.set({name: value + 0.7}) == OK
        felt = {o for o, a, b in zip(outputs, before, instance.get(outputs), strict=True) if a != b}
        assert instance.set({name: value}) == OK
        assert felt == {o for o in outputs if name in depends[o]}


@pytest.mark.parametrize("mechanism", [double_pendulum, flyer, two_branches])
def test_an_initial_unknown_lists_every_parameter_and_input_it_feels(
    mechanism, fmu_of, library_of, new
):
    depends = Description(fmu_of(mechanism())).dependencies("InitialUnknowns")
    library = library_of(mechanism())
    outputs, known = library.names("output"), library.names("parameter", "input")
    instance = new(library)
    assert (instance.setup(), instance.enter()) == (OK, OK)
    generic = {n: v + 0.03 * (k % 3 + 1) for k, (n, v) in enumerate(_values(instance, known))}
    turned = zip((f"fly.q_start.{c}" for c in "wxyz"), (0.72, 0.48, 0.36, 0.36), strict=True)
    generic |= {n: v for n, v in turned if n in known}
    assert instance.set(generic | {"solver.tolerance": 1e-6}) == OK
    before = instance.get(outputs)
    for name in known:
        value = instance.one(name)
        assert instance.set({name: value * 1.001 + 1e-3}) == OK
        felt = {o for o, a, b in zip(outputs, before, instance.get(outputs), strict=True) if a != b}
        assert instance.set({name: value}) == OK
        assert felt - {o for o in outputs if name in depends[o]} == set(), name


@pytest.mark.parametrize("mechanism", [riding, told_crank, rolling])
def test_every_derivative_at_the_start_that_is_not_zero_is_listed(
    mechanism, fmu_of, library_of, new
):
    """Outputs, states and their derivatives: positions that are assembled feel geometry, too."""
    depends = Description(fmu_of(mechanism())).dependencies("InitialUnknowns")
    instance = new(library_of(mechanism()))
    assert (instance.setup(), instance.enter()) == (OK, OK)
    names = [n for n in depends if not n.startswith("constraint.")]
    felt = set()
    for known in instance.library.names("parameter", "input"):
        change = directional(instance, names, {known: 1.0})
        found = {n for n, d in zip(names, change, strict=True) if abs(d) > 1e-9}
        assert found - {n for n in names if known in depends[n]} == set(), known
        felt |= found
    assert {n for n in felt if n.startswith("state.")}


def test_the_work_done_at_the_start_is_none_whatever_the_parameters(fmu_of):
    depends = Description(fmu_of(told_crank())).dependencies("InitialUnknowns")
    assert depends["state.energy.input_work"] == depends["energy.dissipated"] == set()


def _values(instance, names):
    return list(zip(names, instance.get(names), strict=True))


# ---- Head of the description


def test_the_head_says_fmi_2_a_guid_and_the_tool(description):
    head = description.root
    assert head.get("fmiVersion") == "2.0"
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", head.get("guid"))
    assert head.get("generationTool").startswith("mbd-fmu ")


def test_a_date_would_be_in_the_form_of_the_standard(description):
    date = description.root.get("generationDateAndTime")
    assert date is None or re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", date)


def test_the_model_identifier_is_a_c_identifier(description):
    identifier = description.root.find("CoSimulation").get("modelIdentifier")
    assert FLAT.match(identifier)
    assert identifier == description.root.get("modelName")


def test_the_default_experiment_is_the_model_s(fmu_of):
    table = rotor(stop_time=3.0, tolerance=1e-5, communication_step=0.02)
    experiment = Description(fmu_of(table)).root.find("DefaultExperiment")
    stated = {key: float(value) for key, value in experiment.attrib.items()}
    assert stated == {"startTime": 0.0, "stopTime": 3.0, "tolerance": 1e-5, "stepSize": 0.02}


@pytest.mark.parametrize("name", SHAPES)
def test_capabilities_are_claimed_only_where_they_act(name, shape):
    native = name in NATIVE
    claims = Description(shape(name)).root.find("CoSimulation")
    yes = {key for key, value in claims.attrib.items() if value == "true"}
    always = {"canHandleVariableCommunicationStepSize", "canNotUseMemoryManagementFunctions"}
    both = {"canGetAndSetFMUstate", "canSerializeFMUstate", "providesDirectionalDerivative"}
    ours = both | {"canInterpolateInputs"}
    assert yes == always | (ours if native else {"needsExecutionTool"})
    assert claims.get("maxOutputDerivativeOrder", "0") == ("2" if native else "0")
    exchange = Description(shape(name)).root.find("ModelExchange")
    assert (exchange is not None) == native
    if native:
        yes = {key for key, value in exchange.attrib.items() if value == "true"}
        assert yes == both | {"canNotUseMemoryManagementFunctions"}


def test_each_declared_log_category_is_known_to_the_library_and_no_other_is(
    double_pendulum: Library, new: MakeInstance, fmu_of: FmuOf
):
    root = Description(fmu_of(SHAPES["double_pendulum"][0])).root
    declared = [c.get("name").encode() for c in root.findall("LogCategories/Category")]
    instance = new(double_pendulum)
    assert [instance.debug([name]) for name in declared] == [OK] * len(declared)
    assert instance.debug([b"logAll"]) == ERROR


def test_descriptions_keep_what_xml_would_escape(fmu_of):
    table = rotor()
    table["model"]["description"] = 'Größe < 100 % & "so"'
    assert Description(fmu_of(table)).root.get("description") == 'Größe < 100 % & "so"'
