"""The JSON Schema for editors against the reader: what it accepts, what it must and cannot refuse.

The reader's own tables of bad models are the cases, so a new kind of problem has to be sorted here.
"""

import copy
import json
import re
import tomllib

import jsonschema
import pytest

from mbd_fmu.cli import main
from mbd_fmu.elements.constraints import CONSTRAINTS
from mbd_fmu.elements.forces import FORCES
from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.errors import SpecError
from mbd_fmu.model import bodies, couplings, reader, visuals
from mbd_fmu.model import joints as joint_reader
from mbd_fmu.model.library import library
from mbd_fmu.model.named_outputs import OUTPUT_KINDS, OutputPoint
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.quantities.scope import Scope
from mbd_fmu.quantities.table import Table
from mbd_fmu.schema import joint_keys, json_schema, sections
from mbd_fmu.schema.json_schema import model_schema
from tests.declared import with_names
from tests.docs import examples
from tests.suspension import suspension
from tests.unit import (
    test_declarations,
    test_named_outputs,
    test_reader_problems,
    test_table,
    test_time_functions,
)
from tests.unit.conftest import PENDULUM, changed

VALIDATOR = jsonschema.Draft7Validator(model_schema())
BAD = [
    (changes, text)
    for module, names in (
        (test_table, ["TEXTS"]),
        (test_reader_problems, ["NAMES", "ONE_END", "NOT_ARITHMETIC", "ORIENTATIONS", "RANGES"]),
        (test_reader_problems, ["FORCES", "JOINTS", "PLANNED"]),
        (test_declarations, ["WRONG"]),
    )
    for name in names
    for changes, text in getattr(module, name)
]
# what reading tells and no schema can, by reason
BEYOND = {
    "names of other tables": r'no (body|joint|parameter|parameter or point) "'
    r"|is no body that moves|are both|a second \w+ of this name|has this name, too"
    r"|the name is taken by the (outputs|moving)|no output, input or parameter|no vector \""
    r"|two elements of the model|it carries nothing|is a quaternion",
    "numbers beside each other": r"is no rotation|is outside min and max|has not 2 components"
    r"|is above max|is parallel to|do not rise|number of joints|coincide as drawn",
    "what JSON cannot write": r"nan is no number",
}
# likewise, and only of what is said in a text
BY_EXPRESSIONS = (
    r"has no finite value|more than arithmetic|no function \"|is no expr|are expressions"
    r"|is read as one number|functions of time know|is a vector;|norm takes|is not clear"
    r"|a vector of|is no list|follows from|out of range|what follows #|a single number"
    r"|goes in a circle|has no direction|is no share"
)
# texts under these keys are no expressions
NAMING = ("name", "type", "parent", "child", "body", "shape", "drive", "groups")


def test_it_is_a_schema():
    jsonschema.Draft7Validator.check_schema(model_schema())


def test_it_accepts_every_model_file_of_the_library():
    files = [folder / "model.toml" for folder in library().values()]
    files = [file for file in files if file.exists()]
    assert len(files) > 30
    for file in files:
        assert [*VALIDATOR.iter_errors(tomllib.loads(file.read_text(encoding="utf-8")))] == []


def test_it_accepts_points_vectors_and_derived_parameters():
    assert [*VALIDATOR.iter_errors(with_names())] == []


def problems(table):
    try:
        spec_of_table(table, "it")
    except SpecError as error:
        return list(map(str, error.problems))
    return []


def is_read(table):
    return not problems(table)


def test_it_accepts_every_model_of_the_docs_but_the_one_that_shows_errors():
    found = list(examples())
    wrong = [name for name, table in found if not is_read(table)]
    assert len(found) >= 5
    assert wrong == ["tutorial.md, 3"]
    for name, table in found:
        assert VALIDATOR.is_valid(table) == (name not in wrong), name


@pytest.mark.parametrize(
    ("changes", "text"), BAD, ids=lambda x: x[:60] if isinstance(x, str) else ""
)
def test_it_refuses_what_one_table_alone_shows_to_be_wrong(changes, text):
    judge(changed(copy.deepcopy(PENDULUM), changes), changes, text)


@pytest.mark.parametrize(("kind", "entry", "text"), test_named_outputs.WRONG)
def test_it_refuses_outputs_that_their_table_alone_shows_to_be_wrong(kind, entry, text):
    table = suspension()
    assert VALIDATOR.is_valid(table)
    judge(table | {"output": [{"groups": ["joints"], kind: [entry]}]}, entry, text)


@pytest.mark.parametrize("case", test_time_functions.REFUSED)
def test_it_refuses_functions_of_time_that_are_none(case):
    data, text = test_time_functions.REFUSED[case]
    judge(changed(copy.deepcopy(PENDULUM), {"joint.0.torque": data}), data, text)
    led = data if isinstance(data, dict) else {"expression": data}
    motion = {"joint.0.motion": led, "joint.0.drive": "motion"}
    judge(changed(copy.deepcopy(PENDULUM), motion), data, text)


@pytest.mark.parametrize("form", test_time_functions.FORMS)
def test_it_accepts_functions_of_time(form):
    data = test_time_functions.FORMS[form]
    for key in ("torque", "motion"):
        led = {"expression": data} if key == "motion" and isinstance(data, str) else data
        told = {f"joint.0.{key}": led, "joint.0.drive": key}
        assert VALIDATOR.is_valid(changed(copy.deepcopy(PENDULUM), told))


THREE, TWO = [0, "time", {"polynomial": [0, 1]}], [0, "time"]


@pytest.mark.parametrize(
    ("kind", "key", "good", "bad"),
    [
        ("revolute", "torque", [[0], "time"], [TWO]),
        ("universal", "torque", [TWO], [THREE, "time", {"sine": {}}]),
        ("universal", "motion", [TWO, "full"], [THREE, "time", {"expression": "time"}]),
        ("spherical", "motion", [{"rpy": THREE}], [THREE, {}, {"position": THREE}]),
        ("free", "motion", [{"rpy": THREE}, {"position": THREE}], [{}, {"rpy": TWO}]),
    ],
)
def test_it_knows_how_many_functions_a_joint_takes(kind, key, good, bad):
    joint = {"type": kind, "axis": [0, 1, 0], "drive": "motion" if key == "motion" else "torque"}
    joint |= {"axis2": [1, 0, 0]} if kind == "universal" else {}
    joint = {k: v for k, v in joint.items() if not (k == "axis" and kind in ("spherical", "free"))}
    plain = copy.deepcopy(PENDULUM)
    del plain["joint"][0]["axis"]
    plain["joint"][0] |= joint
    for value, is_good in [*((g, True) for g in good), *((b, False) for b in bad)]:
        plain["joint"][0][key] = value
        assert VALIDATOR.is_valid(plain) == is_good, value
        assert is_read(plain) == is_good, value


def judge(table, changes, text):
    """A bad model is refused, or there is a reason why no schema could."""
    reasons = [reason for reason, pattern in BEYOND.items() if re.search(pattern, text)]
    if re.search(BY_EXPRESSIONS, text) and any(expressions(changes)):
        reasons.append("expressions")
    assert VALIDATOR.is_valid(table) == bool(reasons), reasons


def expressions(data, key=""):
    """Yield texts that may be expressions."""
    match data:
        case dict():
            for inner, value in data.items():
                yield from expressions(value, inner.rpartition(".")[2])
        case list() | tuple():
            for value in data:
                yield from expressions(value, key)
        case str() if data and key not in NAMING:
            yield data


# ---- Every key of every table, with values that few of them can have

ZERO, TOO_LARGE = [0, 0, 0], 1e60
WRONG_VALUES = ("", -1, TOO_LARGE, ZERO, [-1, TOO_LARGE, ""])
ROD = PENDULUM["body"][0] | {"inertia": {"shape": "box", "size": [1, 1, 1]}}
ARM = {"parent": "rod", "point": ZERO}
BASE = {
    **PENDULUM,
    "parameters": {},
    "body": [ROD, ROD | {"name": "bar"}, ROD | {"name": "loose"}],
    "joint": [
        *PENDULUM["joint"],
        {"name": "rail", "type": "prismatic", "child": "bar", "axis": [0, 1, 0], **ARM},
    ],
}
PLAIN = {
    "name": "it",
    "parent": "ground",
    "child": "rod",
    "body": "rod",
    "relative_to": "bar",
    "point": ZERO,
    "point2": [0, 0, 1],
    "center": ZERO,
    "center2": [0, 1, 0],
    "axis": [0, 1, 0],
    "axis2": [1, 0, 0],
    "size": [1, 1, 1],
    "axes": "world",
    "joints": ["pin", "rail"],
    "bodies": ["rod", "bar"],
    "joint": "pin",
    "ratios": [1, 2],
    "of": "rod.r",
    "value": "pin.q",
    "effort": "-q",
    "file": "rod.stl",
}


def tables():
    """Yield every kind of table in a model, where it stands, and its keys."""
    kinds = {"force": FORCES, "constraint": CONSTRAINTS}
    for kind, joint in JOINTS.items():
        yield f"joint {kind}", "joint.2", joint_keys.keys_of(joint), {"type": kind, **LOOSE}
    for where, of in kinds.items():
        for kind in of:
            keys = json_schema._element_keys(of[kind], of)
            pull = {"pull": "2*length"} if kind == "nonlinear_spring" else {}
            yield f"{where} {kind}", f"{where}.0", keys, {"type": kind, **pull}
    for kind in OUTPUT_KINDS:
        yield f"output {kind.kind}", f"output.0.{kind.kind}.0", sections.output_keys(kind), {}
    for shape in visuals.SHAPES:
        keys = sections.visual_keys(shape)
        ends = {"from": ZERO, "to": [0, 0, 1]} if shape == "cylinder" else {}
        yield f"visual {shape}", "body.0.visual.0", keys, {"shape": shape, **ends}
    for shape in bodies.SHAPES:
        keys = sections.inertia_keys(shape)
        yield f"inertia {shape}", "body.0.inertia", keys, {"shape": shape}
    yield "body", "body.0", sections.BODY, ROD
    yield "velocity", "body.2.velocity", sections.VELOCITY, {}
    yield "model", "model", sections.MODEL, {}
    yield "fmu", "fmu", sections.FMU, {"stabilization": "baumgarte"}
    yield "parameter", "parameters.it", sections.PARAMETER, {"value": 2.0}
    yield "vector", "parameters.it", sections.PARAMETER, {"value": [2.0, 3.0, 4.0]}
    yield "point", "points.it", sections.POINT, {"at": ZERO}
    yield "base", "base", sections.BASE, {"motion": "full"}
    yield "output", "output.0", sections.OUTPUT, {}


LOOSE = {"child": "loose"}
TABLES = {name: (where, list(keys), own) for name, where, keys, own in tables()}


def placed(where, entry):
    """The plain model with a table in some place."""
    model = copy.deepcopy(BASE)
    target, steps = model, where.split(".")
    for step, after in zip(steps, [*steps[1:], ""], strict=True):
        key = int(step) if step.isdigit() else step
        inner = entry if not after else [] if after.isdigit() else {}
        if isinstance(target, list):
            target += [inner] * (key + 1 - len(target))
        if not after:
            target[key] = inner
        target = target[key] if isinstance(target, list) else target.setdefault(key, inner)
    return model


@pytest.mark.parametrize("name", TABLES)
def test_it_judges_values_as_the_reader_does(name):
    """What the reader refuses for a value alone; what it does not, is accepted."""
    where, keys, own = TABLES[name]
    given = (key for key in keys if key.is_needed or key.told_by)
    needed = {key.name: PLAIN.get(key.name, 1.0) for key in given}
    plain = needed | ({"point": ZERO} if name.startswith("joint") else {}) | own
    assert VALIDATOR.is_valid(placed(where, plain))
    for key in keys:
        for value in WRONG_VALUES:
            table = placed(where, plain | {key.name: value})
            told = problems(table)
            is_excused = any(re.search(BEYOND["numbers beside each other"], text) for text in told)
            if not is_excused:
                assert VALIDATOR.is_valid(table) == (not told), (key.name, value, told)


# ---- The same keys as the reader's


def asked(read, data):
    """Keys that a reader asks for."""
    table = Table("it", data, [], Scope())
    read(table)
    return {key for key in table._asked if key}


@pytest.mark.parametrize("kind", JOINTS)
def test_joints_have_the_keys_their_reader_asks_for(kind):
    stops = {"lower": 1} if JOINTS[kind].nq == JOINTS[kind].nv else {}
    data = {"type": kind, **stops}
    found = set()
    for frame in ("world", "local"):
        found |= asked(lambda table, f=frame: joint_reader.read_joint(table, f), data)
    assert {key.name for key in joint_keys.keys_of(JOINTS[kind])} == found


@pytest.mark.parametrize("kind", [*FORCES, *CONSTRAINTS])
def test_elements_have_the_keys_their_reader_asks_for(kind):
    if kind in FORCES:
        found = asked(couplings.read_force, {"type": kind})
        schema = _then(model_schema()["properties"]["force"], kind)
    else:
        found = asked(lambda t: couplings.read_constraint(t, "local"), {"type": kind})
        schema = _then(model_schema()["properties"]["constraint"], kind)
    assert set(schema["properties"]) == found


def _then(tables, kind):
    entries = tables["items"]["allOf"]
    return next(e["then"] for e in entries if e["if"]["properties"]["type"]["const"] == kind)


def test_tables_have_the_keys_their_readers_ask_for(monkeypatch):
    """Every table that is opened while a full model is read."""
    opened = {}
    done = Table.done

    def noted(self):
        opened.setdefault(re.sub(r' "\w+"', "", self.where), set()).update(self._asked)
        done(self)

    monkeypatch.setattr(Table, "done", noted)
    table = with_names() | {"base": {"motion": "none"}}
    table["body"][0]["velocity"] = {}
    table["fmu"]["stabilization"] = "baumgarte"
    spec_of_table(table, "test")
    described = {
        "file": model_schema()["properties"],
        "[model]": sections.MODEL,
        "parameter": sections.PARAMETER,
        "point": (*sections.POINT, *sections.output_keys(OutputPoint)),
        "body": sections.BODY,
        "body, velocity": sections.VELOCITY,
        "[base]": sections.BASE,
        "[[output]]": sections.OUTPUT,
        "[fmu]": sections.FMU,
    }
    for place, keys in described.items():
        assert {getattr(key, "name", key) for key in keys} == opened[place], place


@pytest.mark.parametrize("shape", bodies.SHAPES)
def test_inertias_have_the_keys_of_their_shape(shape):
    data = {"name": "it", "mass": 1, "com": [0, 0, 0], "inertia": {"shape": shape}}
    problems = []
    bodies.read_body(Table("it", data, problems, Scope()))
    missing = {p.where.removeprefix("it, inertia, ") for p in problems}
    needed = {key.name for key in sections.inertia_keys(shape) if key.is_needed} - {"shape"}
    assert missing == needed


@pytest.mark.parametrize("shape", visuals.SHAPES)
def test_looks_have_the_keys_of_their_shape(shape, monkeypatch):
    found = set()
    monkeypatch.setattr(Table, "done", lambda self: found.update(self._asked))
    visuals.read_visual(Table("it", {}, [], Scope()), "it", 0, {"shape": shape})
    assert found == {key.name for key in sections.visual_keys(shape)}


def test_defaults_are_those_of_the_reader():
    """A model that says its defaults is the one that leaves them out."""
    table = copy.deepcopy(PENDULUM)
    full = copy.deepcopy(table)
    for section, keys in (("model", sections.MODEL), ("fmu", sections.FMU)):
        told = {k.name: k.schema["default"] for k in keys if "default" in k.schema}
        full[section] = told | table.get(section, {})
        if section == "fmu":
            del full[section]["alpha"], full[section]["beta"]
    for kind, keys in (("body", sections.BODY), ("joint", joint_keys.keys_of(JOINTS["revolute"]))):
        told = {k.name: k.schema["default"] for k in keys if "default" in k.schema}
        for key in ("point2", "motion", "stop_damping", "stop_width"):
            told.pop(key, None)  # of local frames, of driven motions, of stops
        full[kind][0] = told | table[kind][0]
    full["output"] = [{k.name: k.schema["default"] for k in sections.OUTPUT if k.name == "groups"}]
    ours, theirs = spec_of_table(full, "full"), spec_of_table(table, "short")
    for joint in (ours.joints[0], theirs.joints[0]):
        assert joint.drive == "torque"
    assert ours.gravity == theirs.gravity
    assert ours.fmu == theirs.fmu
    assert ours.groups == theirs.groups
    assert ours.bodies == theirs.bodies


def test_the_command_writes_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out) == model_schema()
    assert main(["schema", "-o", "model.schema.json"]) == 0
    assert (
        json.loads((tmp_path / "model.schema.json").read_text(encoding="utf-8")) == model_schema()
    )


def test_what_it_accepts_and_the_reader_refuses_is_still_refused():
    with pytest.raises(SpecError):
        reader.spec_of_table(changed(copy.deepcopy(PENDULUM), {"joint.0.child": "rodd"}), "it")
