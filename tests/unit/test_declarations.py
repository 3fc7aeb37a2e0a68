"""Points, vectors and derived parameters: what they become, and what is told of wrong ones."""

import copy
import os
import subprocess
import sys

import numpy as np
import pytest

from mbd_fmu import Mechanism
from mbd_fmu.api.vectors import by_components
from mbd_fmu.errors import DataError, SpecError
from mbd_fmu.formats.toml_text import toml_text
from mbd_fmu.model.reader import read_model, spec_of_table, spec_of_text
from mbd_fmu.quantities.vectors import vector_of
from tests.declared import DERIVED, VALUES, derived, plainly, with_names


@pytest.fixture(scope="module")
def spec():
    return spec_of_table(with_names(), "test")


def test_vectors_are_parameters_by_components_in_the_order_of_the_file(spec):
    assert {p.name: p.value for p in spec.parameters} == VALUES
    assert [p.name for p in spec.parameters] == list(VALUES)
    knee = [p for p in spec.parameters if p.declared_as == "knee"]
    assert [p.unit for p in knee] == ["m"] * 3
    assert [(p.min, p.max) for p in knee] == [(-5, 5), (-5, 6), (-5, 7)]
    assert knee[1].description == "where crank and coupler meet, component 2"


def test_what_is_derived_has_the_value_of_its_formula(spec):
    assert {d.name for d in spec.derived_parameters} == set(DERIVED)
    for name, value in derived(VALUES).items():
        assert spec.nominal[name] == pytest.approx(value, rel=1e-15)


def test_each_follows_those_it_is_made_of(spec):
    seen = {p.name for p in spec.parameters}
    for made in spec.derived:
        assert made.value.names <= seen
        seen.add(made.name)


def test_what_follows_from_something_tunable_is_tunable(spec):
    assert [d.name for d in spec.derived if d.tunable] == ["double_rate"]


def test_the_order_is_the_same_whatever_hashes_are():
    """Value references hang on it."""
    code = (
        "from tests.declared import *; from mbd_fmu.model.reader import spec_of_table; "
        "print([d.name for d in spec_of_table(with_names(), 'it').derived])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in "123"
    }
    assert len(said) == 1


def numbers(vector, spec):
    return vector_of(vector, spec.nominal).astype(float).tolist()


def test_places_and_axes_by_name_are_the_numbers_of_the_points(spec):
    """All the places of the model: joints, forces, bodies, looks, outputs."""
    plain = spec_of_table(plainly(VALUES), "test")

    def places(of):
        for body in of.bodies:
            yield from (body.com, body.origin, body.inertia.axis)
            yield from (end for visual in body.visual for end in (visual.start, visual.end))
        yield from (vector for j in of.joints for vector in (j.point, j.point2, j.axis))
        yield from (vector for f in of.forces for vector in (f.point, f.point2))
        yield from (p.point for p in of.points)

    for one, other in zip(places(spec), places(plain), strict=True):
        assert numbers(one, spec) == numbers(other, plain)


def test_points_of_numbers_are_numbers(spec):
    hinge = next(j for j in spec.joints if j.name == "D")
    assert hinge.point == (1.2, 0.0, 0.0)


def test_an_expression_of_nothing_is_a_parameter_like_any_other():
    table = with_names()
    table["parameters"]["h"] = "5/100"
    spec = spec_of_table(table, "test")
    assert {p.name: p.value for p in spec.parameters}["h"] == 0.05


def test_the_text_it_carries_and_the_toml_of_it_say_the_same(spec, tmp_path):
    assert spec_of_text(spec.text) == spec
    file = tmp_path / "model.toml"
    file.write_text(toml_text(with_names(), "remark"), encoding="utf-8")
    assert read_model(file) == spec


def test_the_builder_says_the_same_as_the_file():
    it = Mechanism("it", drive="none").parameter("L", [0.0, 0.0, -1.0], unit="m")
    it.parameter("m", "norm(L)").point("tip", "L", body="rod").point("pivot", np.zeros(3))
    it.body("rod", mass="m", com="(pivot + tip)/2", inertia={"shape": "point"})
    it.joint("pin", "revolute", "ground", "rod", point="pivot", axis=[0, 1, 0])
    spec = it.spec()
    assert numbers(spec.bodies[0].com, spec) == [0, 0, -0.5]
    assert spec.nominal["m"] == 1.0
    assert [(p.name, p.body) for p in spec.named_points] == [("tip", "rod"), ("pivot", "ground")]


def test_one_key_makes_joints_passive_that_say_nothing_themselves(spec):
    assert [j.drive for j in spec.joints] == ["torque", "none", "none", "none"]


def test_places_by_points_may_be_expressions_everywhere(problems_of):
    points = {"o": [0, 0, 0], "tip": {"body": "rod", "at": [0, 0, "-length"]}}
    disc = {"name": "d", "type": "rolling_disc", "body": "rod", "radius": 1, "axis": "[1, 0, 0]"}
    more = {
        "points": points,
        "joint.0.point": "o",
        "body.0.com": "o + [0, 0, tip[3]/2]",
        "body.0.origin": "tip",
        "model.gravity": "9.81*(tip - o)/norm(tip - o)",
        "force": [{"name": "w", "type": "wrench", "body": "rod", "point": "tip"}],
        "constraint": [disc | {"center": "[0, 0, 1] + o", "point": "o", "normal": "o - tip"}],
        "output": [{"point": [{"name": "p", "body": "rod", "point": "tip/2"}]}],
    }
    assert problems_of(more) == []


LETTERS = "use letters, digits and _, not starting with a digit"
WRONG = [
    (
        {"points.top": [0, 0, 1], "joint.0.point": "tip"},
        'joint "pin", point: no parameter or point "tip" in "tip"; did you mean "top"?',
    ),
    (
        {"points.top": [0, 1]},
        'point "top", at: [0, 1] is no list of 3; give 3 numbers',
    ),
    (
        {"points.top": {"body": "rot", "at": [0, 0, 0]}},
        'point "top", body: no body "rot"; did you mean "rod"?',
    ),
    (
        {"points.top": {"at": [0, 0, 0], "bdy": "rod"}},
        'point "top": unknown key "bdy"; did you mean "body"?',
    ),
    ({"points.1st": [0, 0, 0]}, f'point "1st": the name does not fit FMI; {LETTERS}'),
    ({"points.pi": [0, 0, 0]}, 'point "pi": the name is taken by expressions; choose another'),
    ({"points.length": [0, 0, 0]}, 'point "length": a parameter has this name, too; rename one'),
    ({"points": 3}, "file, points: found 3; write [points] with name = [x, y, z]"),
    (
        {"points.top": {"body": "rod"}},
        'point "top", at: missing; add it, for example at = [0, 0, 0]',
    ),
    (
        {"points.top": [0, 0, "1/0"]},
        'point "top", at: "1/0" has no finite value; '
        "check the expression with the parameters' declared values",
    ),
    (
        {"parameters.a": "2*b", "parameters.b": "a + 1"},
        'parameter "a": follows from itself: a -> b -> a; give one of them a number',
    ),
    (
        {"parameters.a": "2*a"},
        'parameter "a": follows from itself: a -> a; give one of them a number',
    ),
    (
        {"points.p": "q + [0, 0, 1]", "points.q": "[a, 0, 0]", "parameters.a": "norm(p)"},
        'parameter "a": follows from itself: a -> p -> q -> a; give one of them a number',
    ),
    (
        {"parameters.a": "2*lenght"},
        'parameter "a", value: no parameter "lenght" in "2*lenght"; did you mean "length"?',
    ),
    (
        {"parameters.a": {"value": "2*length", "max": 3}},
        'parameter "a", value: 4 is outside min and max; keep it between -inf and 3.0',
    ),
    (
        {"parameters.a": "1/(length - 2)", "body.0.mass": "a"},
        'parameter "a", value: "1/(length - 2)" has no finite value; '
        "check the expression with the parameters' declared values",
    ),
    (
        {"parameters.a": {"value": "2*length", "tunable": False}},
        'parameter "a", tunable: the parameter follows from others; '
        "leave it out: it changes between steps if one of those does",
    ),
    (
        {"parameters.v": {"value": [1, 2], "min": [0, 0, 0]}},
        'parameter "v", min: [0, 0, 0] has not 2 components; give one number, or as many',
    ),
    (
        {"parameters.v": {"value": [1, 5], "max": [2, 3]}},
        'parameter "v", value: 5 is outside min and max; keep it between -inf and 3.0',
    ),
    (
        {"parameters.v": {"value": [1, 5], "min": [2, 0], "max": [1, 9]}},
        'parameter "v", min: 2 is above max = 1; exchange them',
    ),
    ({"parameters.v": []}, 'parameter "v", value: 0 components; give 1 to 20'),
    (
        {"parameters.v": [1, "x"]},
        'parameter "v", value: no parameter "x" in "x"; known: length, v',
    ),
    (
        {"parameters.v": [1, True]},
        'parameter "v", value: true is no number; give a number or an expression in quotes',
    ),
    ({"parameters.v[1]": 2}, f'parameter "v[1]": the name does not fit FMI; {LETTERS}'),
    ({"parameters.norm": 2}, 'parameter "norm": the name is taken by expressions; choose another'),
    (
        {"parameters.v": [1, 2], "body.0.mass": "v"},
        'body "rod", mass: "v" is a vector of 2; give one number, for example a component: "a[1]"',
    ),
    (
        {"parameters.v": [1, 2], "body.0.com": "v"},
        'body "rod", com: "v" is no list of 3; give 3 numbers',
    ),
    ({"body.0.com": "length"}, 'body "rod", com: "length" is no list of 3; give 3 numbers'),
    ({"parameters.a": "1e60"}, 'parameter "a", value: 1e+60 is out of range; numbers of a model '
     "are 1e+50 at most; choose other units"),
    (
        {"model.drive": "motion"},
        '[model], drive: no drive "motion"; known: none, torque',
    ),
    ({"parameters.v": [0] * 3, "joint.0.axis": "v"},
     'joint "pin", axis: [0, 0, 0] has no direction; give a nonzero vector, for example [0, 0, 1]'),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "text"), WRONG)
def test_what_is_wrong_with_a_declaration_is_one_problem(changes, text, problems_of):
    assert problems_of(changes) == [text]


def test_every_circle_is_told(problems_of):
    found = problems_of(
        {"parameters.a": "b", "parameters.b": "a", "parameters.c": "d", "parameters.d": "c"}
    )
    assert [line.partition(":")[0] for line in found] == ['parameter "a"', 'parameter "c"']


@pytest.mark.parametrize(
    "changes",
    [
        {"parameters.v": ["2*v[1]", 1, 2], "body.0.com": "v + [v[3], 0, 0]"},
        {"points.v": {"at": "v + [1, 0, 0]"}, "body.0.com": "v", "body.0.mass": "norm(v)"},
        {"parameters.v": "v/2 + [1, 2, 3]", "parameters.w": "2*v + [1, 0, 0]", "body.0.com": "w"},
        {"parameters.v": [1, "x"], "body.0.mass": "v[2]", "body.0.com": "v"},
    ],
)
def test_of_what_was_refused_where_it_is_declared_nothing_else_is_told(changes, problems_of):
    """Of which kind it would have been, nobody knows."""
    (found,) = problems_of(changes)
    assert found.startswith(('parameter "v', 'point "v"'))


LOCAL = {
    "model.frame": "local",
    "points": {"top": {"body": "rod", "at": [0, 0, 1]}, "eye": [1, 0, 0]},
}


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"joint.0.point": "eye", "joint.0.point2": "top", "joint.0.axis": "top"}, ""),
        ({"body.0.com": "top/2", "body.0.origin": "top"}, ""),
        (
            {"joint.0.point": "top"},
            'joint "pin", point: "top" is a point of "rod", but numbers of "ground" are wanted; '
            'in local frames, give numbers or a point of "ground"',
        ),
        (
            {"joint.0.axis": ["eye[1]", 0, 0]},
            'joint "pin", axis: "eye" is a point of "ground", but numbers of "rod" are wanted; '
            'in local frames, give numbers or a point of "rod"',
        ),
        (
            {"parameters.d": "norm(top - eye)"},
            'parameter "d", value: "top" is a point of "rod", "eye" of "ground": in local frames '
            "their numbers do not go together; use points of one body",
        ),
        (
            {"force": [{"name": "w", "type": "wrench", "body": "rod", "point": "eye"}]},
            'force "w", point: "eye" is a point of "ground", but numbers of "rod" are wanted; '
            'in local frames, give numbers or a point of "rod"',
        ),
        (
            {"points.tip": {"body": "rod", "at": "eye + [0, 0, 1]"}},
            'point "tip", at: "eye" is a point of "ground", but numbers of "rod" are wanted; '
            'in local frames, give numbers or a point of "rod"',
        ),
    ],
)
def test_in_local_frames_a_point_is_its_carriers(changes, text, problems_of):
    assert problems_of(copy.deepcopy(LOCAL) | changes) == ([text] if text else [])


def test_long_chains_of_derived_parameters_are_read():
    table = {
        "model": {"name": "long"},
        "parameters": {f"p{k}": f"p{k + 1} + p{k + 1}" for k in range(1500)} | {"p1500": 1e-3},
        "points": {f"q{k}": f"(q{k + 1} + q{k + 1})/2" for k in range(1000)} | {"q1000": [0, 0, 1]},
        "body": [{"name": "a", "mass": "p1498", "com": "q0", "inertia": {"shape": "point"}}],
    }
    with pytest.raises(SpecError) as error:  # 2**1500 is no number
        spec_of_table(table, "test")
    assert len(error.value.problems) <= 1500
    table["parameters"] |= {f"p{k}": f"(p{k + 1} + p{k + 1})/2" for k in range(1500)}
    spec = spec_of_table(table, "test")
    assert numbers(spec.bodies[0].com, spec) == [0, 0, 1]


def test_vectors_are_taken_apart_in_structured_and_in_flat_names():
    for known in (("hub[1]", "hub[2]"), ("hub_1", "hub_2")):
        assert by_components({"hub": [1, 2]}, known) == dict(zip(known, (1.0, 2.0), strict=True))
    with pytest.raises(DataError, match=r'"hub\[2\]" is given twice, alone and in a vector'):
        by_components({"hub": [1, 2], "hub[2]": 3}, ("hub[1]", "hub[2]"))
    with pytest.raises(DataError, match="\"hub\": 'x'; give 2 numbers"):
        by_components({"hub": "x"}, ("hub[1]", "hub[2]"))
