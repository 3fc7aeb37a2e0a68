"""The model file: what a good one says, and what is no model file."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.errors import MbdFmuError, SpecError
from mbd_fmu.model.reader import read_model, spec_of_table, spec_of_text
from mbd_fmu.model.spec import Shape
from mbd_fmu.quantities.vectors import quaternion_of, vector_of

PENDULUM = """
[model]
name = "pendulum"
description = "A rod on a pin"
gravity = [0, 0, "-g"]

[parameters]
L = { value = 2, unit = "m", min = 0.1, max = 9, description = "length of the rod" }
m = 0.5
g = 9.81

[[body]]
name = "rod"
mass = "m"
com = [0, 0, "-L/2"]
inertia = [["m*L**2/12", 0, 0], [0, "m*L**2/12", 0], [0, 0, 0]]
velocity = { angular = [0, 6, 0] }
visual = [{ shape = "cylinder", radius = 0.01, from = [0, 0, 0], to = [0, 0, "-L"] }]

[[body]]
name = "bob"
mass = 1
com = [0, 0, "-L"]
inertia = { shape = "cylinder", radius = 0.1, length = "L/4" }
origin = [0, 0, "-L"]

[[joint]]
name = "pin"
type = "revolute"
parent = "ground"
child = "rod"
point = [0, 0, 0]
axis = [0, 1, 0]
position = "pi/6"
stiffness = 3
rest = 0.1
damping = "m/10"
friction = 0.2
lower = [-1]
upper = "m"
stop_stiffness = 1e3

[[joint]]
name = "weld"
type = "rigid"
parent = "rod"
child = "bob"
point = [0, 0, "-L"]

[[output]]
groups = ["energy", "poses"]
[[output.point]]
name = "tip"
body = "bob"
point = [0, 0, "-1.5*L"]

[[force]]
name = "spring"
type = "spring_damper"
parent = "ground"
child = "bob"
point = [1, 0, 0]
point2 = [0, 0, "-L"]
stiffness = "10*m"
length = "L"

[base]
motion = "prescribed"

[fmu]
solver = "rk4"
step = 0.002
stop_time = 3
"""


@pytest.fixture
def pendulum(tmp_path):
    (tmp_path / "model.toml").write_text(PENDULUM, encoding="utf-8")
    return read_model(tmp_path)


def values(spec, vector):
    return vector_of(vector, spec.nominal).tolist()


def test_a_file_says_what_the_mechanism_is(pendulum):
    assert (pendulum.name, pendulum.description) == ("pendulum", "A rod on a pin")
    assert values(pendulum, pendulum.gravity) == [0, 0, -9.81]
    assert [b.name for b in pendulum.bodies] == ["rod", "bob"]
    assert [j.name for j in pendulum.joints] == ["pin", "weld"]


def test_parameters_come_with_all_that_is_said_of_them_or_by_value_alone(pendulum):
    length, mass, _ = pendulum.parameters
    assert (length.name, length.value, length.unit) == ("L", 2.0, "m")
    assert (length.min, length.max, length.description) == (0.1, 9.0, "length of the rod")
    assert (mass.value, mass.unit, mass.min, mass.max) == (0.5, "1", None, None)
    assert pendulum.nominal == {"L": 2.0, "m": 0.5, "g": 9.81}


def test_bodies_take_expressions_wherever_a_number_may_stand(pendulum):
    rod, bob = pendulum.bodies
    assert values(pendulum, (rod.mass, *rod.com)) == [0.5, 0, 0, -1]
    assert values(pendulum, rod.inertia[1]) == pytest.approx([0, 0.5 * 2**2 / 12, 0])
    assert rod.velocity.angular == (0, 6, 0)
    assert rod.velocity.linear == rod.origin == (0, 0, 0)
    assert rod.visual[0].shape == "cylinder"
    assert isinstance(bob.inertia, Shape)
    assert values(pendulum, bob.inertia.size) == [0.1, 0.5]
    assert bob.inertia.axis == (0, 0, 1)
    assert bob.velocity is None


def test_drawn_in_the_world_both_ends_of_a_joint_are_the_same_point(pendulum):
    pin, weld = pendulum.joints
    assert weld.point == weld.point2
    assert values(pendulum, weld.point) == [0, 0, -2]
    assert pin.orientation.values == (1, 0, 0, 0)
    assert pin.axis == (0, 1, 0)
    assert weld.axis == ()


def test_joints_have_start_values_springs_and_drives(pendulum):
    pin, weld = pendulum.joints
    assert values(pendulum, pin.position) == pytest.approx([np.pi / 6])
    assert pin.velocity is None
    assert values(pendulum, (*pin.stiffness, *pin.rest, *pin.damping)) == [3, 0.1, 0.05]
    assert values(pendulum, (*pin.friction, *pin.lower, *pin.upper)) == [0.2, -1, 0.5]
    assert values(pendulum, pin.stop) == [1000, 0, 0.001]
    assert (pin.drive, weld.drive) == ("torque", "none")


def test_outputs_are_the_chosen_groups_and_points(pendulum):
    assert pendulum.groups == ("poses", "energy")
    (tip,) = pendulum.points
    assert (tip.name, tip.body, values(pendulum, tip.point)) == ("tip", "bob", [0, 0, -3])


def test_the_fmu_has_defaults_for_what_is_not_said(pendulum):
    fmu = pendulum.fmu
    assert (fmu.solver, fmu.step, fmu.stop_time) == ("rk4", 0.002, 3.0)
    assert (fmu.tolerance, fmu.communication_step, fmu.naming) == (1e-6, 0.01, "structured")


def test_a_specification_can_be_read_again_from_the_text_it_carries(pendulum):
    assert spec_of_text(pendulum.text) == pendulum


LOCAL = {"model": {"name": "arm", "frame": "local"}, "parameters": {"a": 0.3}}


def local_joint(**keys):
    joint = {"name": "pin", "type": "revolute", "parent": "ground", "child": "arm"}
    body = {"name": "arm", "mass": 1, "com": [0, 0, 0], "inertia": {"shape": "point"}}
    table = LOCAL | {"body": [body], "joint": [joint | {"axis": [0, 0, 1]} | keys]}
    return spec_of_table(table, "m").joints[0]


QUARTER = Rotation.from_euler("z", 90, degrees=True)


@pytest.mark.parametrize(
    ("keys", "rotation"),
    [
        ({}, Rotation.identity()),
        ({"rpy": [0.1, "a", -0.2]}, Rotation.from_euler("xyz", [0.1, 0.3, -0.2])),
        ({"quaternion": ["sqrt(0.5)", 0, 0, "sqrt(0.5)"]}, QUARTER),
        ({"matrix": [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}, QUARTER),
    ],
)
def test_drawn_locally_a_joint_turns_the_child_in_three_ways(keys, rotation):
    found = quaternion_of(local_joint(**keys).orientation, LOCAL["parameters"])
    assert found == pytest.approx(rotation.as_quat(scalar_first=True), abs=1e-12)


def test_drawn_locally_a_joint_has_a_point_on_each_body_at_their_origins_by_default():
    joint = local_joint(point=[1, 2, 3])
    assert (joint.point, joint.point2) == ((1, 2, 3), (0, 0, 0))
    assert local_joint(point2=[4, 5, 6]).point2 == (4, 5, 6)


@pytest.mark.parametrize("position", [0.5, [0.5], "a+0.2", ["a+0.2"]])
def test_a_start_value_is_a_scalar_or_a_list_of_one(position):
    found = local_joint(position=position).position
    assert vector_of(found, LOCAL["parameters"]).tolist() == [0.5]


def test_without_groups_all_but_velocities_and_accelerations_of_bodies_are_put_out(mechanism):
    spec = mechanism([{"name": "arm"}], [{"child": "arm"}])
    assert spec.groups == ("poses", "joints", "reactions", "energy", "quality", "forces")
    assert spec.gravity == (0, 0, -9.81)


@pytest.mark.parametrize(
    ("path", "found", "text"),
    [
        ("none.toml", "none.toml", "no such model file; `mbd-fmu models` lists ours"),
        (".", "model.toml", "no such model file; `mbd-fmu models` lists ours"),
        ("file/model.toml", "file/model.toml", "cannot be read: Not a directory"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_the_reason(path, found, text, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(MbdFmuError) as caught:
        read_model(tmp_path / path)
    assert str(caught.value) == f"{tmp_path / found}: {text}"


def test_a_file_that_is_not_toml_is_refused_with_the_reason(tmp_path):
    path = tmp_path / "model.toml"
    path.write_bytes(b"[model\n")
    with pytest.raises(MbdFmuError) as caught:
        read_model(path)
    assert str(caught.value).startswith(f"{path}: not TOML: ")
    assert "line 1" in str(caught.value)


def test_forces_join_points_of_two_bodies(pendulum):
    (spring,) = pendulum.forces
    assert (spring.name, spring.type) == ("spring", "spring_damper")
    assert (spring.parent, spring.child) == ("ground", "bob")
    assert values(pendulum, (*spring.point, *spring.point2)) == [1, 0, 0, 0, 0, -2]
    assert values(pendulum, (spring.stiffness, spring.damping, spring.length)) == [5, 0, 2]


def test_the_base_moves_only_where_the_file_says_so(pendulum, mechanism):
    bodies, joints = [{"name": "arm"}], [{"child": "arm"}]
    assert pendulum.moving_base
    assert not mechanism(bodies, joints).moving_base
    assert not mechanism(bodies, joints, base={"motion": "none"}).moving_base


@pytest.mark.parametrize(
    ("keys", "drive", "cut"),
    [
        ({}, "torque", False),
        ({"drive": "none"}, "none", False),
        ({"drive": "motion", "cut": True}, "motion", True),
    ],
)
def test_a_joint_is_driven_by_torque_and_not_cut_unless_the_file_says_so(keys, drive, cut):
    joint = local_joint(**keys)
    assert (joint.drive, joint.cut) == (drive, cut)


@pytest.mark.parametrize("kind", JOINTS)
def test_what_is_not_said_of_a_joint_is_not_there(kind, mechanism):
    (joint,) = mechanism([{"name": "arm"}], [{"child": "arm", "type": kind}]).joints
    assert (joint.stiffness, joint.rest, joint.damping, joint.friction) == ((), (), (), ())
    assert (joint.lower, joint.upper, joint.stop) == ((), (), ())
    assert (joint.reference, joint.orientation.values) == (0, (1, 0, 0, 0))
    assert joint.position is joint.velocity is None
    assert bool(joint.axis) == JOINTS[kind].has_axis


@pytest.mark.parametrize(
    ("kind", "key", "n"),
    [
        ("cylindrical", "position", 2),
        ("planar", "stiffness", 3),
        ("spherical", "position", 4),
        ("spherical", "damping", 3),
        ("free", "velocity", 6),
    ],
)
def test_joints_of_several_freedoms_take_lists(kind, key, n, mechanism):
    given = [1, *([0] * (n - 1))]
    joint = {"child": "arm", "type": kind, key: given}
    assert getattr(mechanism([{"name": "arm"}], [joint]).joints[0], key) == tuple(given)
    with pytest.raises(SpecError, match=f'joint "to_arm", {key}: .* is no list of {n}; give {n}'):
        mechanism([{"name": "arm"}], [joint | {key: [*given, 1]}])


@pytest.mark.parametrize("value", [1.0, 2.0, 3.0])
def test_a_parameter_may_stand_at_its_limits(value, mechanism):
    limits = {"a": {"value": value, "min": 1.0, "max": 3.0}}
    spec = mechanism([{"name": "arm"}], [{"child": "arm"}], parameters=limits)
    assert spec.nominal == {"a": value}


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (
            {"shape": "cylinder", "radius": 1, "from": [0, 0, 0], "to": [0, 0, 1], "color": "red"},
            {"radius": 1.0, "start": (0.0, 0.0, 0.0), "end": (0.0, 0.0, 1.0), "color": "red"},
        ),
        (
            {"shape": "box", "size": [1, 2, 3], "center": [0, 0, 1], "rpy": [0, 0, 1.5]},
            {"size": (1.0, 2.0, 3.0), "center": (0.0, 0.0, 1.0)},
        ),
        ({"shape": "sphere", "radius": 1, "color": "#12ab9F"}, {"radius": 1.0, "color": "#12ab9F"}),
        (
            {"shape": "mesh", "file": "arm.STL", "scale": 0.001},
            {"file": "arm.STL", "scale": (1e-3, 1e-3, 1e-3)},
        ),
        ({"shape": "mesh", "file": "arm.dae", "scale": [1, -1, 2]}, {"scale": (1.0, -1.0, 2.0)}),
    ],
)
def test_a_body_may_be_drawn_in_four_shapes(given, read, mechanism):
    spec = mechanism([{"name": "arm", "visual": [given]}], [{"child": "arm"}])
    (visual,) = spec.bodies[0].visual
    assert visual.shape == given["shape"]
    assert {key: getattr(visual, key) for key in read} == read


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"color": "gren"}, 'color: no color "gren"; did you mean "green"?; or write "#rrggbb"'),
        ({"color": "#12"}, 'color: no color "#12"; known: aqua'),
        ({"radus": 1}, 'unknown key "radus"; did you mean "radius"?'),
        ({"radius": "sqrt(-1)"}, 'visual: "sqrt(-1)" has no finite value'),
        ({"radius": 0}, "visual 1, radius: [0] is not positive; give lengths above 0"),
    ],
)
def test_a_wrong_visual_is_told_with_its_number(given, text, mechanism):
    visual = {"shape": "sphere", "radius": 1} | given
    with pytest.raises(SpecError) as error:
        mechanism([{"name": "arm", "visual": [visual]}], [{"child": "arm"}])
    assert text in str(error.value)
    assert 'body "arm", visual' in str(error.value)


def test_a_mesh_must_be_of_a_format_that_can_be_shown(mechanism):
    visual = {"shape": "mesh", "file": "arm.3ds"}
    with pytest.raises(SpecError, match=r'file: "arm.3ds" is no mesh .*; give an STL, OBJ, '):
        mechanism([{"name": "arm", "visual": [visual]}], [{"child": "arm"}])


@pytest.mark.parametrize(
    ("scale", "text"),
    [
        (0, "visual 1, scale: [0, 0, 0] leaves no extent; give other numbers than 0"),
        ([1, 0, 1], "visual 1, scale: [1, 0, 1] leaves no extent"),
        ([1, 2], "scale: [1, 2] is no list of 3; give 3 numbers"),
        ("sqrt(-1)", 'visual: "sqrt(-1)" has no finite value'),
    ],
)
def test_the_scale_of_a_mesh_leaves_something_to_see(scale, text, mechanism):
    visual = {"shape": "mesh", "file": "arm.stl", "scale": scale}
    with pytest.raises(SpecError) as error:
        mechanism([{"name": "arm", "visual": [visual]}], [{"child": "arm"}])
    assert text in str(error.value)
