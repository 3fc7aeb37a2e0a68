"""What a named point tells, where a body carries it: whose points join, and what is left out."""

import copy

import pytest

from mbd_fmu import Mechanism
from mbd_fmu.errors import SpecError
from mbd_fmu.model.reader import spec_of_table

ZERO = [0, 0, 0]
ARM = {
    "model": {"name": "arm"},
    "points": {
        "pivot": ZERO,
        "tower": {"body": "ground", "at": [0.2, 0, 0.4]},
        "perch": {"body": "arm", "at": [0.3, 0, 0]},
        "tip": {"body": "hand", "at": [0.7, 0, 0]},
    },
    "body": [
        {"name": name, "mass": 1, "com": at, "inertia": {"shape": "sphere", "radius": 0.1}}
        for name, at in (("arm", "perch"), ("hand", "tip"))
    ],
    "joint": [
        {"name": "hinge", "type": "revolute", "axis": [0, 1, 0]}
        | {"parent": "ground", "child": "arm", "point": "pivot"},
        {"name": "wrist", "type": "revolute", "axis": [0, 1, 0]}
        | {"parent": "arm", "child": "hand", "point": [0.5, 0, 0]},
    ],
}
SPRING = {"name": "it", "type": "spring_damper", "stiffness": 9, "length": 0.1}
BUSHING = {"name": "it", "type": "bushing"}
WRENCH = {"name": "it", "type": "wrench"}
ROD = {"name": "it", "type": "distance"}
EDGE = {"name": "it", "type": "knife_edge", "axis": [1, 0, 0]}
DISC = {"name": "it", "type": "rolling_disc", "axis": [0, 1, 0], "radius": 0.1}
LINE = {"name": "it", "type": "point_on_line", "axis": [1, 0, 0]}
ENDS, CARRIERS = {"point": "tower", "point2": "perch"}, {"parent": "ground", "child": "arm"}
OUTPUTS = ("point", "distance", "angle")


def read(kind, entry, **model):
    table = copy.deepcopy(ARM)
    table["model"] |= model
    told = {"output": [{kind: [entry]}]} if kind in OUTPUTS else {kind: [entry]}
    return spec_of_table(table | told, "test")


def element(kind, entry, **model):
    """What is read of it."""
    spec = read(kind, entry, **model)
    return (*spec.forces, *spec.constraints, *spec.points, *spec.outputs)


def problems(kind, entry, **model):
    with pytest.raises(SpecError) as error:
        read(kind, entry, **model)
    return [str(problem) for problem in error.value.problems]


@pytest.mark.parametrize("frame", ["world", "local"])
@pytest.mark.parametrize(
    ("kind", "entry", "carriers"),
    [
        ("force", SPRING | ENDS, CARRIERS),
        (
            "force",
            BUSHING | {"point": "perch", "point2": "tip"},
            {"parent": "arm", "child": "hand"},
        ),
        ("force", SPRING | ENDS | {"point": [0, 0, 1], "parent": "ground"}, {"child": "arm"}),
        ("force", WRENCH | {"point": " tip "}, {"body": "hand"}),
        ("constraint", ROD | ENDS | {"length": 0.4}, CARRIERS),
        ("constraint", LINE | {"point": "tower", "point2": "tip"}, CARRIERS | {"child": "hand"}),
        ("constraint", EDGE | {"point": "tip"}, {"body": "hand"}),
        ("constraint", DISC | {"center": "tip"}, {"body": "hand"}),
        ("distance", {"name": "it", **ENDS}, CARRIERS),
        ("point", {"name": "it", "point": "tip", "relative_to": "arm"}, {"body": "hand"}),
    ],
)
def test_bodies_that_are_left_out_are_those_that_carry_the_points(kind, entry, carriers, frame):
    found = element(kind, entry, frame=frame)
    assert found == element(kind, entry | carriers, frame=frame)
    assert len(found) == 1


@pytest.mark.parametrize(
    ("kind", "entry", "text"),
    [
        (
            "force",
            SPRING | ENDS | {"child": "hand"},
            'force "it", point2: "perch" is a point of "arm", not of "hand"; '
            'name a point of "hand", or "arm" as child',
        ),
        (
            "force",
            SPRING | {"parent": "ground", "point": "perch", "point2": "tip"},
            'force "it", point: "perch" is a point of "arm", not of "ground"; '
            'name a point of "ground", or "arm" as parent',
        ),
        (
            "constraint",
            DISC | {"body": "arm", "center": "tip"},
            'constraint "it", center: "tip" is a point of "hand", not of "arm"; '
            'name a point of "arm", or "hand" as body',
        ),
        (
            "distance",
            {"name": "it", "child": "ground", **ENDS},
            'distance "it", point2: "perch" is a point of "arm", not of "ground"; '
            'name a point of "ground", or "arm" as child',
        ),
        (  # nobody is said to carry it
            "force",
            SPRING | {"point": "pivot", "point2": "tip"},
            'force "it", parent: missing; add it, for example parent = "ground"',
        ),
        (  # what is made of points is none that a body carries
            "point",
            {"name": "it", "point": "perch + [0, 0, 1]"},
            'point "it", body: missing; add it, for example body = ',
        ),
        (
            "force",
            SPRING | {"point": "perch", "point2": "perch"},
            'force "it": parent and child are both "arm"; join two different bodies',
        ),
    ],
)
def test_carriers_that_do_not_fit_are_told(kind, entry, text):
    (found,) = problems(kind, entry)
    assert found.startswith(text)


def test_a_point_that_no_body_claims_and_points_of_joints_may_be_anybodys():
    (spring,) = element("force", SPRING | {"point": "pivot", "parent": "arm", "point2": "tip"})
    assert (spring.parent, spring.child) == ("arm", "hand")
    table = copy.deepcopy(ARM)
    table["joint"][1]["point"] = "tower"  # drawn where a tower of the ground is, too
    assert spec_of_table(table, "test").joints[1].parent == "arm"


def test_a_carrier_that_is_no_body_is_told_once():
    table = copy.deepcopy(ARM)
    table["points"]["perch"]["body"] = "amr"
    with pytest.raises(SpecError) as error:
        spec_of_table(table | {"force": [SPRING | ENDS]}, "test")
    assert [p.where for p in error.value.problems] == ['point "perch", body']


def test_a_vector_parameter_that_a_body_carries_is_a_point_that_stays_open():
    table, plain = copy.deepcopy(ARM), copy.deepcopy(ARM)
    for t in (table, plain):
        del t["points"]["perch"]
        t["parameters"] = {"perch": {"value": [0.3, 0, 0], "unit": "m"}}
        t["force"] = [SPRING | ENDS]
    table["parameters"]["perch"]["body"] = "arm"
    plain["force"][0] |= {"child": "arm"}
    ours, theirs = (spec_of_table(t, "test") for t in (table, plain))
    assert ours.forces == theirs.forces
    assert [p.name for p in ours.parameters] == ["perch[1]", "perch[2]", "perch[3]"]
    assert {p.body for p in ours.parameters} == {"arm"}
    table["force"][0]["child"] = "hand"
    with pytest.raises(SpecError, match='"perch" is a point of "arm", not of "hand"'):
        spec_of_table(table, "test")


def test_the_builder_leaves_out_what_points_say():
    it = Mechanism("arm").point("pivot", ZERO).point("perch", [0.3, 0, 0], "arm")
    it.body("arm", **{key: x for key, x in ARM["body"][0].items() if key != "name"})
    it.joint("hinge", "revolute", "ground", "arm", point="pivot", axis=[0, 1, 0])
    it.parameter("tower", [0.2, 0, 0.4], unit="m", body="ground")
    (spring,) = it.spring("it", point="tower", point2="perch", stiffness=9, length=1).spec().forces
    assert (spring.parent, spring.child) == ("ground", "arm")
    # nobody has claimed the pivot
    it.spring("other", "arm", "ground", point="pivot", point2="tower", stiffness=9, length=1)
    assert it.spec().forces[1].parent == "arm"


@pytest.mark.parametrize(
    ("told", "text"),
    [
        (
            {"value": [1, 2], "body": "arm"},
            'parameter "a", body: only places are carried; give three numbers, or leave it out',
        ),
        ({"value": 1, "body": "arm"}, 'parameter "a", body: only places are carried; '),
        ({"value": [1, 2, 3], "body": "amr"}, 'parameter "a", body: no body "amr"; did you mean'),
        ({"value": [1, 2, 3], "body": ""}, 'parameter "a", body: is empty; write a text'),
        ({"value": "2*a + [1, 2, 3]", "body": "arm"}, 'parameter "a": follows from itself: a -> a'),
    ],
)
def test_what_no_body_can_carry_is_told(told, text):
    with pytest.raises(SpecError) as error:
        spec_of_table(copy.deepcopy(ARM) | {"parameters": {"a": told}}, "test")
    (found,) = map(str, error.value.problems)
    assert found.startswith(text)


# ---- What else may be left out


@pytest.mark.parametrize("kind", ["point_on_line", "point_in_plane"])
def test_a_point_on_a_line_or_in_a_plane_may_be_drawn_once(kind):
    entry = {"name": "it", "type": kind, **CARRIERS, "point": "pivot", "axis": [0, 0, 1]}
    assert element("constraint", entry) == element("constraint", entry | {"point2": "pivot"})
    (found,) = problems("constraint", entry, frame="local")  # there it is other numbers
    assert found.startswith('constraint "it", point2: missing; ')


def test_the_second_axis_of_an_angle_is_the_first_as_drawn():
    entry = {"name": "it", "parent": "arm", "child": "hand", "axis": "tower - pivot"}
    assert element("angle", entry) == element("angle", entry | {"axis2": "tower - pivot"})
    (found,) = problems("angle", entry | {"axis": [0, 0, 1]}, frame="local")
    assert found == 'angle "it", axis2: missing; add it, for example axis2 = [0, 0, 1]'


def test_a_line_through_points_is_the_cylinders_between_them():
    table, typed = copy.deepcopy(ARM), copy.deepcopy(ARM)
    looks = {"radius": 0.02, "color": "red"}
    ways = [("pivot", "tower"), ("tower", [0, 1, 0]), ([0, 1, 0], "pivot + [0, 0, 1]")]
    table["body"][0]["visual"] = [looks | {"through": [*(a for a, _ in ways), ways[-1][1]]}]
    looks["shape"] = "cylinder"
    typed["body"][0]["visual"] = [looks | {"from": a, "to": b} for a, b in ways]
    ours, theirs = (spec_of_table(t, "test").bodies[0].visual for t in (table, typed))
    assert [(v.start, v.end, v.radius, v.color) for v in ours] == [
        (v.start, v.end, v.radius, v.color) for v in theirs
    ]
    assert [v.entry for v in ours] == [1, 1, 1]


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"through": ["pivot"]}, 'through: ["pivot"] is no list of 2 or more points; give 2 or'),
        ({"through": "tower"}, 'through: "tower" is no list of 2 or more points; '),
        ({"through": ["pivot", "towr"]}, 'through: no parameter or point "towr" in "towr"; did '),
        (
            {"through": ["pivot", "tower"], "to": ZERO},
            "to: through says already where it begins and ends; leave it out",
        ),
        ({"through": ["pivot", "tower"], "radius": 0}, "radius: [0] is not positive"),
    ],
)
def test_a_line_that_is_none_is_told_with_its_number(changes, text):
    table = copy.deepcopy(ARM)
    line = {"shape": "cylinder", "radius": 0.1, "through": ["pivot", "tower", "perch"]}
    table["body"][0]["visual"] = [line, {"shape": "cylinder", "radius": 0.1} | changes]
    with pytest.raises(SpecError) as error:
        spec_of_table(table, "test")
    (found,) = map(str, error.value.problems)
    assert found.startswith(f'body "arm", visual 2, {text}')


def test_examples_of_what_is_missing_are_right_themselves():
    table = copy.deepcopy(ARM)
    del table["joint"][0]["axis"]
    del table["body"][0]["inertia"]["radius"]
    table["body"][0]["inertia"]["shape"] = "box"
    table["body"][1]["visual"] = [{"shape": "box"}]
    with pytest.raises(SpecError) as error:
        spec_of_table(table, "test")
    assert [problem.remedy for problem in error.value.problems] == [
        "add it, for example size = [0.1, 0.1, 0.1]",
        "add it, for example size = [0.1, 0.1, 0.1]",
        "add it, for example axis = [0, 0, 1]",
    ]
