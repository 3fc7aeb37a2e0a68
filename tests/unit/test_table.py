"""Keys and values of a wrong kind: each is one problem, with an example of what would be right."""

import datetime as dt

import pytest

from mbd_fmu.quantities.showing import show

TEXTS = [
    ({"model.name": None}, '[model], name: missing; add it, for example name = "pendulum"'),
    ({"body.0.mass": None}, 'body "rod", mass: missing; add it, for example mass = 1.0'),
    ({"body.0.com": None}, 'body "rod", com: missing; add it, for example com = [0, 0, 0]'),
    (
        {"body.0.inertia": None},
        'body "rod", inertia: missing; give a 3x3 matrix about the mass centre, '
        'or { shape = "box", size = [a, b, c] }, or { shape = "point" } for a point mass',
    ),
    (
        {"joint.0.parent": None},
        'joint "pin", parent: missing; add it, for example parent = "ground"',
    ),
    (
        {"joint.0.point": None},
        'joint "pin", point: missing; add it, for example point = [0, 0, 0]',
    ),
    ({"model.description": 3}, "[model], description: 3 is no text; put it in quotes"),
    (
        {"body.0.mass": True},
        'body "rod", mass: true is no number; give a number or an expression in quotes',
    ),
    (
        {"body.0.mass": float("nan")},
        'body "rod", mass: nan is no number; give a number or an expression in quotes',
    ),
    ({"body.0.com": [0, 1]}, 'body "rod", com: [0, 1] is no list of 3; give 3 numbers'),
    ({"body.0.com": "length"}, 'body "rod", com: "length" is no list of 3; give 3 numbers'),
    (
        {"body.0.inertia": 2.5},
        'body "rod", inertia: 2.5 is no 3x3 matrix; give three rows of three numbers',
    ),
    (
        {"body.0.inertia": [[1, 0, 0], [0, 1], [0, 0, 1]]},
        'body "rod", inertia row 2: [0, 1] is no list of 3; give 3 numbers',
    ),
    (
        {"body.0.velocity": [1, 2, 3]},
        'body "rod", velocity: found [1, 2, 3]; write a table of keys and values',
    ),
    (
        {"joint.0.type": "free", "joint.0.axis": None, "joint.0.velocity": [1, 2, 3]},
        'joint "pin", velocity: [1, 2, 3] is no list of 6; give 6 numbers',
    ),
    (
        {"joint.0.cut": "yes"},
        'joint "pin", cut: "yes" is neither true nor false; write true or false',
    ),
    ({"fmu.step": "1e-3"}, '[fmu], step: "1e-3" is no number; write a number'),
    ({"fmu.step": -0.5}, "[fmu], step: -0.5 is out of range; give 1e-09 or more"),
    ({"fmu.tolerance": 1}, "[fmu], tolerance: 1 is out of range; give 1e-14 to 0.1"),
    (
        {"output": [{"groups": "poses"}]},
        '[[output]], groups: "poses" is no list of texts; '
        'write groups = ["poses", "joints", "reactions", "energy", "quality", "forces"]',
    ),
    ({"fmu.stop_time": 0}, "[fmu], stop_time: 0 is not positive; give a number above 0"),
    (
        {"parameters.n": True},
        'parameter "n", value: true is no number; write a number',
    ),
    (
        {"joint": {"name": "pin"}},
        'file, joint: found { name = "pin" }; write [[joint]] in double brackets',
    ),
    (
        {"output": [{"expression": {"name": "e", "value": "1"}}]},
        '[[output]], expression: found { name = "e", value = "1" }; '
        "write [[output.expression]] in double brackets",
    ),
    ({"fmu": 3}, "[fmu]: found 3; write a table of keys and values"),
    ({"parameters": 3}, "file, parameters: found 3; write [parameters] with name = value"),
    ({"fmo": {}}, 'file: unknown key "fmo"; did you mean "fmu"?'),
    ({"model.gravty": 1}, '[model]: unknown key "gravty"; did you mean "gravity"?'),
    ({"body.0.masss": 1}, 'body "rod": unknown key "masss"; did you mean "mass"?'),
    ({"joint.0.dampin": 1}, 'joint "pin": unknown key "dampin"; did you mean "damping"?'),
    ({"fmu.solvr": "rk4"}, '[fmu]: unknown key "solvr"; did you mean "solver"?'),
    (
        {"parameters.length": {"value": 1, "unti": "m"}},
        'parameter "length": unknown key "unti"; did you mean "unit"?',
    ),
    (
        {"body.0.inertia.color": "red"},
        'body "rod", inertia: unknown key "color"; known: shape',
    ),
    (
        {"body.0.velocity": {"anguler": [0, 0, 1]}},
        'body "rod", velocity: unknown key "anguler"; did you mean "angular"?',
    ),
    ({"joint.0.drive": "torqe"}, 'joint "pin", drive: no drive "torqe"; did you mean "torque"?'),
    ({"model.frame": "wolrd"}, '[model], frame: no frame "wolrd"; did you mean "world"?'),
    ({"fmu.naming": "flatt"}, '[fmu], naming: no naming "flatt"; did you mean "flat"?'),
]


@pytest.mark.parametrize(("changes", "text"), TEXTS)
def test_one_mistake_is_one_problem_with_place_finding_and_remedy(changes, text, problems_of):
    assert problems_of(changes) == [text]


def test_every_key_of_a_table_that_is_wrong_is_reported(problems_of):
    changes = {"body.0.mass": "", "body.0.com": 1, "body.0.masss": 1, "body.0.visual": 2}
    places = [text.partition(":")[0] for text in problems_of(changes)]
    assert places == ['body "rod", mass', 'body "rod", com', 'body "rod", visual', 'body "rod"']


def test_an_element_without_a_name_is_called_by_its_kind(problems_of):
    first, *_ = problems_of({"body.0.name": None})
    assert first == 'a body, name: missing; add it, for example name = "a_name"'


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", '"a"'),
        (True, "true"),
        (0.1 + 0.2, "0.3"),
        (3, "3"),
        ([1.0, "a", [False]], '[1, "a", [false]]'),
    ],
)
def test_values_are_shown_as_the_file_would_write_them(value, text):
    assert show(value) == text


@pytest.mark.parametrize(
    "changes",
    [
        {"output": [{"groups": 5}]},
        {"body.0.mass": 10**400},
        {"started": dt.date(2020, 1, 1)},
        {"joint.0.type": "revolut"},
        {"body.0.inertia.shape": "pont"},
        {"parameters.a": {"value": "x", "min": 3}},
    ],
)
def test_nothing_more_follows_from_a_mistake(changes, problems_of):
    assert len(problems_of(changes)) == 1
