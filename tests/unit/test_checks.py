"""What no mechanism can be, with the parameters' declared values put in."""

import numpy as np
import pytest

from mbd_fmu.model.checks import warnings_of

NOT_FINITE = "has no finite value; check the expression with the parameters' declared values"
QUATERNION = "give a unit quaternion, for example 1, 0, 0, 0"


@pytest.mark.parametrize(
    "text", ["1/(length - 2)", "log(0)", "sqrt(-length)", "10.0**1000", "(-1)**0.5"]
)
def test_an_expression_without_a_finite_value_is_quoted(text, problems_of):
    assert problems_of({"body.0.mass": text}) == [f'body "rod", mass: "{text}" {NOT_FINITE}']


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"model.gravity": [0, 0, "1/0"]}, "[model], gravity"),
        ({"body.0.com": [0, 0, "1/0"]}, 'body "rod", com'),
        ({"body.0.inertia": {"shape": "rod", "length": "1/0"}}, 'body "rod", inertia'),
        ({"joint.0.axis": [0, 0, "1/0"]}, 'joint "pin", axis'),
        ({"joint.0.position": "1/0"}, 'joint "pin", position'),
        ({"joint.0.damping": "1/0"}, 'joint "pin", damping'),
        (
            {"output": [{"point": [{"name": "tip", "body": "rod", "point": ["1/0", 0, 0]}]}]},
            'point "tip", point',
        ),
        ({"model.frame": "local", "joint.0.rpy": [0, 0, "1/0"]}, 'joint "pin", orientation'),
    ],
)
def test_values_are_looked_at_wherever_an_expression_may_stand(change, where, problems_of):
    assert problems_of(change) == [f'{where}: "1/0" {NOT_FINITE}']


IMPOSSIBLE = [
    ({"body.0.mass": -2}, 'body "rod", mass: -2 kg; give a mass of 0 or more'),
    (
        {"body.0.inertia": [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]},
        'body "rod", inertia: is not symmetric; mirror the products of inertia',
    ),
    (
        {"joint.0.axis": [0, 0, "length - 2"]},
        'joint "pin", axis: [0, 0, 0] has no direction; '
        "give a nonzero vector, for example [0, 0, 1]",
    ),
    ({"joint.0.stiffness": -3}, 'joint "pin", stiffness: -3; give 0 or more'),
    ({"joint.0.damping": "-length"}, 'joint "pin", damping: -2; give 0 or more'),
    (
        # In the xy plane the moments are 1 +- 2.
        {"body.0.inertia": [[1, 2, 0], [2, 1, 0], [0, 0, 1]]},
        'body "rod", inertia: has a negative principal moment: [-1, 1, 3]; '
        "give the inertia about the mass centre, with products as -integral(x*y dm)",
    ),
    (
        {"body.0.inertia": {"shape": "cylinder", "radius": -1, "length": "length"}},
        'body "rod", inertia: the cylinder has a negative size: [-1, 2]; give lengths of 0 or more',
    ),
    (
        {"body.0.inertia": {"shape": "rod", "length": 1, "axis": [0, 0, 0]}},
        'body "rod", inertia, axis: [0, 0, 0] has no direction; '
        "give a nonzero vector, for example [0, 0, 1]",
    ),
    (
        {"joint.0.type": "universal", "joint.0.axis2": [0, "-length", 0]},
        'joint "pin", axis2: is parallel to the axis; give a direction across it',
    ),
    (
        {"joint.0.lower": 1, "joint.0.upper": -1, "joint.0.stop_stiffness": 9},
        'joint "pin", lower: lower [1] is not below upper [-1]; exchange them',
    ),
    ({"joint.0.friction": -1}, 'joint "pin", friction: -1; give 0 or more'),
    ({"joint.0.armature": "-length"}, 'joint "pin", armature: -2; give 0 or more'),
    ({"joint.0.friction_speed": 0}, 'joint "pin", friction_speed: 0; give a number above 0'),
    (
        {"model.frame": "local", "joint.0.quaternion": [0, 0, 3, 4]},
        f'joint "pin", quaternion: the quaternion w, x, y, z has length 5; {QUATERNION}',
    ),
    (
        {"joint.0.type": "free", "joint.0.axis": None, "joint.0.position": [0] * 7},
        f'joint "pin", position: the quaternion w, x, y, z has length 0; {QUATERNION}',
    ),
    (
        {"joint.0.type": "spherical", "joint.0.axis": None, "joint.0.position": [1e6, 0, 0, 0]},
        f'joint "pin", position: the quaternion w, x, y, z has length 1e+06; {QUATERNION}',
    ),
]


@pytest.mark.parametrize(("changes", "text"), IMPOSSIBLE)
def test_what_is_impossible_is_named_with_its_value_and_a_remedy(changes, text, problems_of):
    assert problems_of(changes) == [text]


def test_all_that_is_impossible_is_reported_at_once(problems_of):
    cases = IMPOSSIBLE[:5]
    changes = {place: value for change, _ in cases for place, value in change.items()}
    assert problems_of(changes) == [text for _, text in cases]


def test_moments_no_mass_can_have_are_worth_a_warning(mechanism):
    def spec(*diagonal):
        solid = {"name": "rod", "inertia": np.diag(diagonal).tolist()}
        return mechanism([solid], [{"child": "rod"}])

    assert warnings_of(spec(1.0, 1.0, 2.0)) == []  # a disc: just possible
    assert warnings_of(spec(1.0, 3.0, 1.0)) == [
        'body "rod", inertia: principal moments [1, 1, 3] break the triangle inequality; '
        "no distribution of mass has them"
    ]


@pytest.mark.parametrize(
    "changes",
    [
        {"body.0.mass": 0},
        {"joint.0.stiffness": 0, "joint.0.damping": 0},
        {"body.0.inertia": {"shape": "sphere", "radius": 0}},
        # Written by hand, with eight digits.
        {"model.frame": "local", "joint.0.quaternion": [0.70710678, 0, 0, 0.70710678]},
        {"body.0.inertia": [[1, 0.1 + 0.2, 0], [0.3, 1, 0], [0, 0, 1]]},
    ],
)
def test_what_is_just_possible_is_let_through(changes, problems_of):
    assert problems_of(changes) == []


def test_what_is_impossible_is_reported_together_with_what_is_misspelt(problems_of):
    found = problems_of({"body.0.mass": -1, "joint.0.dampin": 1})
    assert [text.partition(":")[0] for text in found] == ['joint "pin"', 'body "rod", mass']
