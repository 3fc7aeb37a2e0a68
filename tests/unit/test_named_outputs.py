"""Outputs that a model names: what is read, what is refused, when each is computed."""

import copy
import math
import re
import tomllib
from pathlib import Path

import pytest

import mbd_fmu
from mbd_fmu import Mechanism
from mbd_fmu.errors import SpecError
from mbd_fmu.model.named_outputs import NAMED_OUTPUTS
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.model.spec import OUTPUT_GROUPS
from mbd_fmu.quantities.expressions import ExpressionError
from mbd_fmu.quantities.qualified_names import parse_qualified
from mbd_fmu.reference.run import Run
from mbd_fmu.summaries.mechanism import drawn
from mbd_fmu.system.system import system_of
from mbd_fmu.system.units import known_unit
from tests.random_loops import named_outputs
from tests.suspension import suspension

# ---- Names with dots and brackets


@pytest.mark.parametrize(
    ("text", "names", "value"),
    [
        ("sqrt(pin.force.x**2 + pin.force.z**2)", {"pin.force.x", "pin.force.z"}, 5.0),
        ("rod.lambda[1]/2", {"rod.lambda[1]"}, 3.5),  # a word that Python keeps for itself
        ("if.in*2 - _0", {"if.in", "_0"}, 7.0),
        ("1.e1 + 2.5e-1*k", {"k"}, 10.5),
        ("ball.q[2]*ball.q[12]", {"ball.q[2]", "ball.q[12]"}, 6.0),
        ("-a.b + a", {"a.b", "a"}, 7.0),
        ("ball . q[ 2 ] + ball.q [2]", {"ball.q[2]"}, 4.0),
        ("hub[2] + 2*_0", {"hub[2]", "_0"}, 8.0),
        ("2*pi - 2*pi + k", {"k"}, 2.0),
    ],
)
def test_names_of_variables_stand_in_expressions(text, names, value):
    numbers = {"pin.force.x": 3.0, "pin.force.z": -4.0, "rod.lambda[1]": 7.0, "if.in": 4.0}
    numbers |= {"_0": 1.0, "k": 2.0, "ball.q[2]": 2.0, "ball.q[12]": 3.0, "a.b": 1.0, "a": 8.0}
    numbers["hub[2]"] = 6.0
    found = parse_qualified(text)
    assert (found.names, found.text) == (names, text)
    assert found.value(numbers) == value


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pin.force.x +", '"pin.force.x +" is no expression'),
        ("pin.force(1)", '"pin.force(1)" is more than arithmetic'),
        ("rod.lambda(1)", '"rod.lambda(1)" is more than arithmetic'),
        ("sine(pin.q)", 'no function "sine" in "sine(pin.q)"'),
        ("pin.q if pin.q else 1", '"pin.q if pin.q else 1" is more than arithmetic'),
        ("pin.q[pin.q]", '"pin.q[pin.q]" is more than arithmetic'),
        ("().__class__", '"().__class__" is more than arithmetic'),
        ("pin.__class__.x()", '"pin.__class__.x()" is more than arithmetic'),
        pytest.param("a.b" * 800, "has 2400 letters", id="long"),
    ],
)
def test_what_is_no_arithmetic_is_refused_in_the_words_of_the_model(text, found):
    with pytest.raises(ExpressionError) as error:
        parse_qualified(text)
    assert found in error.value.found


# ---- What is put out, and when


@pytest.fixture(scope="module")
def system():
    return system_of(spec_of_table(suspension(), "test"))


@pytest.mark.parametrize(
    ("name", "unit", "stage"),
    [
        ("coil.length", "m", "positions"),
        ("coil.rate", "m/s", "velocities"),
        ("coil.force", "N", "velocities"),
        ("mount.force.x", "N", "velocities"),
        ("mount.torque.z", "N.m", "velocities"),
        ("motor.length", "rad", "positions"),
        ("motor.effort", "N.m", "velocities"),
        ("gust.force.x", "N", "positions"),
        ("gust.torque.z", "N.m", "positions"),
        ("hinge.passive", "N.m", "velocities"),
        ("fly.passive[1]", "N.m", "velocities"),
        ("fly.passive[6]", "N", "velocities"),
        ("rod.force.x", "N", "reactions"),
        ("wheel.a.x", "m/s2", "accelerations"),
        ("wheel.alpha.x", "rad/s2", "accelerations"),
        ("seen.r.x", "m", "positions"),
        ("seen.v.x", "m/s", "velocities"),
        ("seen.a.x", "m/s2", "accelerations"),
        ("gap.length", "m", "positions"),
        ("gap.rate", "m/s", "velocities"),
        ("camber", "rad", "positions"),
        ("steered.yaw", "rad", "positions"),
        ("carried.quat.w", "1", "positions"),
        ("in_joint.force.x", "N", "reactions"),
        ("pinned", "N", "reactions"),
        ("fast", "m/s", "velocities"),
        ("pull", "W", "velocities"),  # of forces and positions
        ("spent", "J", "work"),
        ("power", "W", "reactions"),  # it names another that is as late
    ],
)
def test_each_output_has_its_unit_and_the_stage_that_can(name, unit, stage, system):
    names = [v.name for v in system.table.variables]
    k = names.index(name)
    assert system.table.variables[k].unit == unit
    assert k in system.table.stage_range(stage)


def test_every_output_has_a_known_unit_and_a_description_of_its_own(system):
    outputs = system.table.outputs
    assert all(v.unit == "1" or known_unit(v.unit) for v in outputs)
    told = [v.description for v in outputs if not v.name.startswith("in_world.")]  # knuckle's again
    assert len(set(told)) == len(told)


def test_descriptions_tell_frame_and_sign(system):
    told = {v.name: v.description for v in system.table.outputs}
    for name, words in {
        "coil.force": "positive: tension",
        "coil.rate": "positive as they part",
        "mount.force.x": 'on "wheel" at its point, world axes; "chassis" takes the opposite',
        "motor.effort": "positive makes l grow",
        "rod.force.x": 'exerts on "wheel" at its point2, world axes',
        "hinge.passive": "on the child about the axis, of spring, damper, friction, stops in joint",
        "fly.passive[4]": "force at the joint point, in axes of the child, along v.x of damper in",
        "gust.force.x": 'on "wheel" at the point of "gust", a function of time, axes of "wheel"',
        "wheel.a.x": 'mass centre of body "wheel", world axes',
        "seen.v.x": 'as "chassis" sees it, axes of "chassis"',
        "felt.a.x": 'axes of "wheel"',
        "camber": '[0.1, 1, 0.2] of "wheel", right-handed about [1, 0.05, 0.1] of "chassis"',
        "in_joint.force.x": 'axes of the joint, carried by "wheel", z along its axis',
        "in_parent.force.x": 'axes of "arm"',
        "pinned": "magnitude of the vector knuckle.force",
        "twice": "of all kinds",
    }.items():
        assert words in told[name], told[name]


def test_what_was_there_before_keeps_its_order():
    old = [g for g in OUTPUT_GROUPS if g not in ("forces", "accelerations")]
    plain = suspension(groups=old)
    plain["output"] = [{"groups": old, "point": plain["output"][0]["point"][:1]}]
    before = [v.name for v in system_of(spec_of_table(plain, "test")).table.outputs]
    after = [v.name for v in system_of(spec_of_table(suspension(), "test")).table.outputs]
    assert [name for name in after if name in before] == before
    assert len(after) > len(before) + 100


def test_the_builder_says_the_same_as_the_table():
    table = suspension()
    it = Mechanism("suspension")
    it.parameter("k", 50.0, unit="N/m", min=0)
    it.point("eye", table["points"]["eye"]["at"], "chassis")
    for body in table["body"]:
        it.body(**body)
    for joint in table["joint"]:
        it.joint(**joint)
    for force in table["force"]:
        it.force(**force)
    it.constraint(**table["constraint"][0])
    (output,) = copy.deepcopy(table["output"])
    groups, points = output.pop("groups"), output.pop("point")
    spec = it.output(*groups, points=points, **output).spec()
    assert spec.outputs == spec_of_table(table, "test").outputs
    assert len(spec.outputs) == 22


def test_named_outputs_are_shown(system):
    text = drawn(system.spec)
    assert "in the groups poses, velocities, joints, reactions, energy, quality, forces," in text
    assert "named       tip (point)," in text
    for word in ("camber (angle)", "carried (relative_pose)", "pinned (magnitude)"):
        assert word in text


def test_a_group_of_forces_that_has_none_is_not_shown(mechanism):
    text = drawn(mechanism([{"name": "arm"}], [{"child": "arm"}]))
    assert "outputs     23 in the groups poses, joints, reactions, energy" in text
    assert "named" not in text


def test_the_example_of_the_page_is_read(mechanism):
    page = (Path(mbd_fmu.__file__).parent / "docs" / "outputs.md").read_text(encoding="utf-8")
    example = tomllib.loads(re.search(r"```toml\n(.*?)```", page, re.DOTALL).group(1))
    bodies = [{"name": "chassis"}, {"name": "wheel"}]
    joint = {"name": "crank_pin", "parent": "chassis", "child": "wheel"}
    names = {v.name for v in system_of(mechanism(bodies, [joint], **example)).table.outputs}
    assert {"imu.a.x", "camber", "pin_force", "radial"} <= names


def test_expressions_of_outputs_know_vectors_and_points():
    """A length by norm is that of the distance, and of the formula written out."""
    table = suspension(loop=False, groups=[])
    table["parameters"]["up"] = [0.1, -2.0, 0.5]
    table["parameters"] |= {"L": 0.2, "v": ["L/2", "2*L", 3.0]}
    table["points"] = {"eye": {"at": [0.3, "L", "-2*L"], "body": "chassis"}, "q": "[L, 0, 0]"}
    seen = {"name": "at", "body": "wheel", "point": [0.1, 0.2, 0.3]}
    values = {
        "far": "norm([at.r.x, at.r.y, at.r.z] - eye)",
        "same": "sqrt((at.r.x - 0.3)**2 + (at.r.y - 0.2)**2 + (at.r.z + 0.4)**2)",
        "along": "dot(up, [at.r.x, 1, camber])*eye[2] + up[3]*twice_far",
        "twice_far": "2*far",
        "between": "norm(2*v - eye + q)",  # [0.2, 0.8, 6] - [0.3, 0.2, -0.4] + [0.2, 0, 0]
        "length": "norm(q)",
    }
    expressions = [{"name": name, "value": value} for name, value in values.items()]
    angle = next(a for a in table["output"][0]["angle"] if a["name"] == "camber")
    table["output"] = [{"groups": [], "point": [seen], "angle": [angle], "expression": expressions}]
    found = named_outputs(Run(system_of(spec_of_table(table, "test"))))
    assert found["far"] == pytest.approx(found["same"], rel=1e-12)
    assert found["between"] == pytest.approx(math.sqrt(0.1**2 + 0.6**2 + 6.4**2), rel=1e-12)
    assert found["length"] == 0.2
    along = 0.1 * found["at.r.x"] - 2.0 + 0.5 * found["camber"]
    assert found["along"] == pytest.approx(0.2 * along + found["far"], rel=1e-12)


@pytest.mark.parametrize(
    ("value", "written_out"),
    [
        ("norm(knuckle.force)", "norm([knuckle.force.x, knuckle.force.y, knuckle.force.z])"),
        (
            "dot(seen.v, wheel.v)",
            "dot([seen.v.x, seen.v.y, seen.v.z], [wheel.v.x, wheel.v.y, wheel.v.z])",
        ),
        (
            "norm((2*wheel.com - arm.com*3)/k - eye)",
            "norm([(2*wheel.com.x - arm.com.x*3)/k - eye[1], (2*wheel.com.y - arm.com.y*3)/k"
            " - eye[2], (2*wheel.com.z - arm.com.z*3)/k - eye[3]])",
        ),
        ("dot(-wheel.w, [0, 0, camber])", "-wheel.w.z*camber"),
        ("hinge.q*norm(wheel.v)", "hinge.q*norm([wheel.v.x, wheel.v.y, wheel.v.z])"),
    ],
)
def test_vectors_among_the_outputs_stand_in_norm_and_dot(value, written_out):
    table = suspension(loop=False)
    both = {"short": value, "long": written_out}
    table["output"][0]["expression"] = [{"name": n, "value": text} for n, text in both.items()]
    kept = ("point", "angle", "groups", "expression")
    table["output"] = [{key: table["output"][0][key] for key in kept}]
    found = named_outputs(Run(system_of(spec_of_table(table, "test"))))
    assert found["short"] == found["long"] != 0.0


# ---- What is refused


def refused(**outputs):
    """The problems of a suspension with these outputs instead of its own."""
    table = suspension()
    table["output"] = [{"groups": ["joints"], **outputs}]
    with pytest.raises(SpecError) as error:
        system_of(spec_of_table(table, "test"))
    return [str(problem) for problem in error.value.problems]


PAIR = {"parent": "chassis", "child": "wheel"}
ANGLE = {"name": "a", **PAIR, "axis": [0, 1, 0], "axis2": [0, 1, 0]}
POINT = {"name": "p", "body": "wheel", "point": [0, 0, 0]}


WRONG = [
    ("angle", ANGLE | {"child": "wheal"}, 'angle "a", child: no body "wheal"; did you mean'),
    ("angle", ANGLE | {"axis": [0, 0, 0]}, 'angle "a", axis: [0, 0, 0] has no direction; '),
    (
        "angle",
        ANGLE | {"about": [0, 2, 0]},
        'angle "a", about: is parallel to axis, which it is to turn; give a direction across',
    ),
    ("angle", ANGLE | {"abuot": [1, 0, 0]}, 'angle "a": unknown key "abuot"; did you mean'),
    ("angle", {**PAIR, "axis": [0, 1, 0], "axis2": [0, 1, 0]}, "an angle, name: missing; "),
    ("point", POINT | {"relative_to": "cart"}, 'point "p", relative_to: no body "cart"; '),
    ("point", POINT | {"in_axes_of": "wheels"}, 'point "p", in_axes_of: no body "wheels"'),
    ("point", POINT | {"body": "ground"}, 'point "p", body: "ground" is no body that moves'),
    ("point", POINT | {"acceleration": 1}, 'point "p", acceleration: 1 is neither true nor'),
    ("distance", {"name": "d", **PAIR, "point": [0, 0, 0]}, 'distance "d", point2: missing'),
    ("rpy", {"name": "r", "body": "weel"}, 'rpy "r", body: no body "weel"; did you mean'),
    (
        "relative_pose",
        {"name": "r", "body": "wheel"},
        'relative_pose "r", relative_to: missing; add it, for example relative_to = "ground"',
    ),
    (
        "reaction",
        {"name": "r", "joint": "knuckel", "axes": "child"},
        'reaction "r", joint: no joint "knuckel"; did you mean "knuckle"?',
    ),
    (
        "reaction",
        {"name": "r", "joint": "fly", "axes": "child"},
        'reaction "r", joint: "fly" is free: it carries nothing; name a joint that restricts',
    ),
    (
        "reaction",
        {"name": "r", "joint": "hinge", "axes": "chlid"},
        'reaction "r", axes: no axes "chlid"; did you mean "child"?',
    ),
    (
        "magnitude",
        {"name": "m", "of": "knuckle.forse"},
        'magnitude "m", of: no vector "knuckle.forse" among the outputs; did you mean '
        '"knuckle.force"?',
    ),
    (
        "magnitude",
        {"name": "m", "of": "wheel.quat"},
        'magnitude "m", of: "wheel.quat" is a quaternion, whose length is 1; name a vector',
    ),
    (
        "expression",
        {"name": "e", "value": "k/(k - 50)"},
        'expression "e", value: "k/(k - 50)" has no finite value; check the expression',
    ),
    (
        "expression",
        {"name": "e", "value": "2*coil.forse"},
        'expression "e", value: no output, input or parameter "coil.forse"; did you mean '
        '"coil.force"?',
    ),
    (
        "expression",
        {"name": "e", "value": "constraint.rank + 1"},  # it has no derivative
        'expression "e", value: no output, input or parameter "constraint.rank"; ',
    ),
    ("expression", {"name": "e", "value": "2 +"}, 'expression "e", value: "2 +" is no expr'),
    (
        "expression",
        {"name": "e", "value": "coil.force # pull"},
        'expression "e", value: "coil.force # pull": what follows # would be left out; take it',
    ),
    (
        "expression",
        {"name": "e", "value": "[coil.force, 1]"},
        'expression "e", value: "[coil.force, 1]" is a vector of 2; give one number',
    ),
    (
        "expression",
        {"name": "e", "value": "camber[1]"},
        'expression "e", value: "camber[1]": "camber" is a single number; write "camber"',
    ),
    (
        "expression",
        {"name": "e", "value": "2*norm(knuckle.forse)"},
        'expression "e", value: no vector "knuckle.forse" among the outputs; did you mean '
        '"knuckle.force"?',
    ),
    (
        "expression",
        {"name": "e", "value": "norm(coil.force)"},
        'expression "e", value: "coil.force" is a single number; did you mean "rod.force"?',
    ),
    (
        "expression",
        {"name": "e", "value": "norm(wheel.quat)"},
        'expression "e", value: "wheel.quat" is a quaternion, whose length is 1; name a vector',
    ),
    (
        "expression",
        {"name": "e", "value": "2*knuckle.force"},
        'expression "e", value: "knuckle.force" is a vector; name a component: knuckle.force.x; '
        "or write norm(knuckle.force)",
    ),
    (
        "expression",
        {"name": "e", "value": "norm(hinge.q*wheel.v)"},
        'expression "e", value: "norm(hinge.q*wheel.v)": which of hinge.q * wheel.v is the vector '
        "is not clear; take the number out of norm or dot, or write the vector as a list",
    ),
    (
        "expression",
        {"name": "e", "value": "norm(wheel.v + 1)"},
        'expression "e", value: "norm(wheel.v + 1)": norm takes one vector',
    ),
    (
        "rpy",
        {"name": "r", "body": "wheel", "relative_to": "wheel"},
        'rpy "r": body and relative_to are both "wheel"; name two different bodies',
    ),
    (
        "relative_pose",
        {"name": "r", "body": "wheel", "relative_to": "wheel"},
        'relative_pose "r": body and relative_to are both "wheel"; name two different bodies',
    ),
    (
        "expression",
        {"name": "e", "value": "norm"},
        'expression "e", value: no parameter or point "norm"',
    ),
    ("expression", {"name": "e", "value": 3}, 'expression "e", value: 3 is no text; write an'),
    ("expression", {"name": "e"}, 'expression "e", value: missing; add it, for example'),
    (
        "expression",
        {"name": "e", "value": "e + 1"},
        'expression "e", value: it goes in a circle: e -> e; let one of them do without',
    ),
    (
        "expression",
        {"name": "e", "value": "1", "unit": ""},
        'expression "e", unit: is empty; write "1" for a plain number',
    ),
    ("expression", {"name": "sin", "value": "1"}, 'output "sin": the name is taken by express'),
    ("expression", {"name": "a b", "value": "1"}, 'output "a b": the name does not fit FMI'),
    ("expression", {"name": "k", "value": "1"}, 'variable "k": two elements of the model wou'),
]


@pytest.mark.parametrize(("kind", "entry", "problem"), WRONG)
def test_what_a_named_output_cannot_be_is_told_with_a_remedy(kind, entry, problem):
    (found,) = refused(**{kind: [entry]})
    assert found.startswith(problem)


def test_all_problems_of_expressions_are_told_at_once():
    circle = [{"name": n, "value": f"2*{other}"} for n, other in (("a", "b"), ("b", "c"))]
    circle.append({"name": "c", "value": "a + missing"})
    found = refused(expression=circle, magnitude=[{"name": "m", "of": "nothing"}])
    told = "\n".join(found)
    assert "it goes in a circle: a -> b -> c -> a" in told
    assert 'no output, input or parameter "missing"' in told
    assert 'no vector "nothing" among the outputs' in told


def test_two_outputs_of_one_name_are_refused():
    found = refused(angle=[ANGLE], expression=[{"name": "a", "value": "1"}])
    assert found[0] == 'output "a": a second output of this name; rename one'


def test_an_unknown_kind_of_output_is_told_with_the_nearest():
    (found,) = refused(angel=[ANGLE])
    assert found == '[[output]]: unknown key "angel"; did you mean "angle"?'
    kinds = {kind.kind for kind in NAMED_OUTPUTS}
    assert len(kinds) == len(NAMED_OUTPUTS)


def test_expressions_may_build_on_many_others_but_not_on_too_many():
    """Each on both before it: taken apart that would be more terms than anybody can compute."""

    def sums(n):
        links = [{"name": "e0", "value": "camber + 1"}, {"name": "e1", "value": "e0"}]
        return links + [{"name": f"e{k}", "value": f"(e{k - 1} + e{k - 2})/2"} for k in range(2, n)]

    table = suspension(loop=False, groups=[])
    table["output"][0]["expression"] = sums(60)[::-1]
    found = named_outputs(Run(system_of(spec_of_table(table, "test"))))
    assert found["e59"] == pytest.approx(1.0 + found["camber"], rel=1e-12)
    assert any("100 levels are the most" in text for text in refused(expression=sums(300)[::-1]))
