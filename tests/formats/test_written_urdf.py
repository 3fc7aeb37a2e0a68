"""What a URDF file says of joints and links of ours, what is noted, and what is refused."""

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from mbd_fmu.errors import SpecError
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.conversion import converted
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.formats.tables.looks import rpy_of
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.spatial import quaternion_of_rpy, rotation_matrix
from tests.formats.mesh_files import TETRAHEDRON, binary_stl
from tests.formats.moving import assert_moves_alike, written


def slide_and_arm(**keys):
    """A carriage on a rail with an arm; ``keys`` are of the arm's joint."""
    model = Mechanism("slide", frame="local")
    model.parameter("m", 2.0, unit="kg")
    inertia = [[0.02, 0, 0], [0, 0.03, 0], [0, 0, 0.04]]
    model.body("carriage", mass="m", com=[0, 0, 0], inertia=inertia)
    model.body("arm", mass=1.0, com=[0, 0, 0.2], inertia=inertia)
    model.joint("rail", "prismatic", "ground", "carriage", axis=[1, 0, 0])
    model.joint("hinge", "revolute", "carriage", "arm", axis=[0, 1, 0], **keys)
    return model


def joints_in(text):
    return {joint.get("name"): joint for joint in ET.fromstring(text).iter("joint")}


def text_of(spec):
    return converted(spec, Path("model.toml"), Path("model.urdf")).text


def test_coordinates_count_from_the_reference():
    """A quarter of a turn and 0.3 m as drawn: where they are 0, all is that much further back."""
    model = Mechanism("slide")
    ball = {"shape": "sphere", "radius": 0.1}
    model.body("carriage", mass=1.0, com=[0.3, 0, 0], inertia=ball)
    model.body("arm", mass=1.0, com=[0.3, 0, 1.0], inertia=ball)
    model.joint(
        "rail", "prismatic", "ground", "carriage", point=[0.3, 0, 0], axis=[1, 0, 0], reference=0.3
    )
    model.joint(
        *("hinge", "revolute", "carriage", "arm"),
        point=[0.3, 0, 0],
        axis=[0, 1, 0],
        reference=np.pi / 2,
    )
    robot = ET.fromstring(text_of(model.spec()))
    origins = {j.get("name"): j.find("origin") for j in robot.iter("joint")}
    assert origins["rail"] is None
    assert origins["hinge"].get("xyz") is None
    roll, pitch, yaw = map(float, origins["hinge"].get("rpy").split())
    assert np.allclose(
        rotation_matrix(quaternion_of_rpy(roll, pitch, yaw)),
        rotation_matrix(quaternion_of_rpy(0.0, -np.pi / 2, 0.0)),
        rtol=0,
        atol=1e-15,
    )
    centre = robot.find("link[@name='arm']/inertial/origin")
    assert centre.get("xyz") == "0 0 1"


def test_limits_are_those_of_the_joint_and_none_is_a_large_number():
    stops = {"lower": -1.0, "stop_stiffness": 1e4}
    joints = joints_in(text_of(slide_and_arm(**stops, effort=30.0).spec()))
    assert joints["hinge"].get("type") == "revolute"
    assert joints["hinge"].find("limit").attrib == {
        "lower": "-1",
        "upper": "1000000000",
        "effort": "30",
        "velocity": "1000000000",
    }
    assert joints["rail"].find("limit").get("lower") == "-1000000000"
    free = joints_in(text_of(slide_and_arm(damping=0.5, friction=0.25).spec()))
    assert free["hinge"].get("type") == "continuous"
    assert free["hinge"].find("limit") is None
    assert free["hinge"].find("dynamics").attrib == {"damping": "0.5", "friction": "0.25"}


def test_what_a_file_calls_a_large_number_is_none(tmp_path):
    stops = {"lower": -1.0, "stop_stiffness": 1e4}
    spec = slide_and_arm(**stops, effort=30.0).spec()
    again = read_model(written(spec, tmp_path / "slide.urdf"), Choices(stops=True))
    rail, hinge = again.joints
    assert (rail.lower, rail.upper, rail.effort, rail.speed) == ((), (), (), ())
    assert (hinge.lower, hinge.upper, hinge.effort, hinge.speed) == ((-1.0,), (), (30.0,), ())


def test_gears_are_mimics_in_chains_too(tmp_path):
    model = slide_and_arm()
    model.body("hand", mass=1.0, com=[0, 0, 0.1], inertia={"shape": "sphere", "radius": 0.1})
    model.joint("wrist", "revolute", "arm", "hand", point=[0, 0, 0.4], axis=[0, 1, 0])
    model.constraint("first", "gear", joints=["rail", "hinge"], ratio=2.0, offset=0.5)
    model.constraint("second", "gear", joints=["hinge", "wrist"], ratio=-3.0)
    spec = model.spec()
    mimic = joints_in(text_of(spec))["wrist"].find("mimic").attrib
    assert mimic == {"joint": "hinge", "multiplier": "-3", "offset": "0"}
    assert_moves_alike(spec, read_model(written(spec, tmp_path / "hand.urdf")))


def test_parts_that_fly_get_a_floating_joint(tmp_path):
    model = slide_and_arm()
    model.body("bird", mass=1.0, com=[1, 2, 3], inertia={"shape": "box", "size": [1, 2, 3]})
    spec = model.spec()
    again = read_model(written(spec, tmp_path / "slide.urdf"))
    assert [(j.name, j.type) for j in again.joints][-1] == ("bird_free", "free")
    assert_moves_alike(spec, again)


SCALE = (0.001, 0.002, -0.001)


def test_shapes_and_colours_stay(tmp_path):
    visual = [
        {"shape": "box", "size": [1, 2, 3], "center": [0, 0, 1], "rpy": [0.1, 0.2, 0.3]},
        {"shape": "sphere", "radius": 0.5, "center": [1, 0, 0], "color": "orange"},
        {"shape": "cylinder", "radius": 0.1, "from": [0, 0, 0], "to": [1, 2, 2]},
        {"radius": 0.2, "through": [[0, 1, 0], [1, 3, 2], [0, 3, 0]], "color": "blue"},
        {
            "shape": "mesh",
            "file": "meshes/arm.stl",
            "scale": [0.001, 0.002, -0.001],
            "color": "#102030",
        },
    ]
    mesh = tmp_path / "meshes" / "arm.stl"
    mesh.parent.mkdir()
    mesh.write_bytes(binary_stl(TETRAHEDRON))
    ball = {"shape": "sphere", "radius": 0.1}
    model = Mechanism("shapes")
    model.body("arm", mass=1.0, com=[0, 0, 0], inertia=ball, visual=visual)
    model.joint("hinge", "revolute", "ground", "arm", point=[0, 1, 0], axis=[0, 1, 0])
    spec = replace(model.spec(), folder=tmp_path)
    again = read_model(written(spec, tmp_path / "shapes.urdf"))
    shift = [0, -1, 0]
    box, sphere, cylinder, first, second, shown = again.bodies[0].visual
    assert box.size == (1.0, 2.0, 3.0)
    assert np.allclose(box.center, np.add(shift, [0, 0, 1]), rtol=0, atol=1e-15)
    assert np.allclose(box.turn.values, [0.1, 0.2, 0.3], rtol=0, atol=1e-15)
    assert (sphere.radius, sphere.color) == (0.5, "#ffa500")
    assert np.allclose(sphere.center, np.add(shift, [1, 0, 0]), rtol=0, atol=1e-15)
    assert np.allclose(cylinder.start, shift, rtol=0, atol=1e-15)
    assert np.allclose(cylinder.end, np.add(shift, [1, 2, 2]), rtol=0, atol=1e-15)
    for bar, ends in ((first, ([0, 0, 0], [1, 2, 2])), (second, ([1, 2, 2], [0, 2, 0]))):
        assert (bar.radius, bar.color) == (0.2, "#0000ff")
        # along a direction told by three angles
        assert np.allclose((bar.start, bar.end), ends, rtol=0, atol=1e-14)
    assert (shown.file, shown.scale, shown.color) == (
        "meshes/arm.stl",
        SCALE,
        "#102030",
    )
    away = tmp_path / "away" / "shapes.urdf"
    away.parent.mkdir()
    done = converted(spec, Path("shapes.toml"), away)
    assert 'filename="../meshes/arm.stl"' in done.text
    assert any("--package-path" in note for note in done.notes)


def test_points_to_follow_are_links_without_mass(tmp_path):
    spec = (
        slide_and_arm()
        .output("poses", points=[{"name": "tip", "body": "arm", "point": [0, 0, 0.4]}])
        .spec()
    )
    again = read_model(written(spec, tmp_path / "slide.urdf"))
    assert again.points == spec.points


def test_what_sets_the_scene_is_listed():
    spec = slide_and_arm(position=0.3, drive="none", friction=1.0, lower=-1, stop_stiffness=1e4)
    notes = converted(spec.spec(), Path("model.toml"), Path("model.urdf")).notes
    assert notes == [
        "parameters have their declared values: m = 2",
        "start values are left out: hinge",
        "joints without a drive have one when they are read: hinge",
        "stops are limits, without stiffness and damping; --stops reads them: hinge",
        "friction fades below 0.01 rad/s or m/s when it is read: hinge",
    ]


def test_outputs_that_urdf_cannot_name_are_listed():
    point = {"name": "tip", "body": "arm", "point": [0, 0, 0.4], "acceleration": True}
    size = {"name": "size", "of": "hinge.force"}
    spec = slide_and_arm().output(points=[point], magnitude=[size]).spec()
    notes = converted(spec, Path("model.toml"), Path("model.urdf")).notes
    assert "outputs are left out: size" in notes
    assert "points are put out as the world sees them, without acceleration: tip" in notes


KEPT = "convert it to .toml, which keeps it"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"stiffness": 3.0}, f'joint "hinge", stiffness: URDF has no word for it; {KEPT}'),
        ({"torque": "time"}, f'joint "hinge", torque: URDF has no functions of time; {KEPT}'),
        ({"armature": 0.1}, f'joint "hinge", armature: URDF has no word for it; {KEPT}'),
        (
            {"drive": "motion"},
            'joint "hinge", drive: moves as it is told; drive it by a torque: leave drive = '
            f'"motion" out; or {KEPT}',
        ),
        (
            {"lower": -2e9, "stop_stiffness": 1.0},
            'joint "hinge", lower: -2e+09 means none in a URDF file; leave it out',
        ),
    ],
)
def test_what_would_change_the_motion_is_refused(change, problem):
    with pytest.raises(SpecError) as refused:
        text_of(slide_and_arm(**change).spec())
    assert [str(p) for p in refused.value.problems] == [problem]


def test_joints_of_several_freedoms_are_refused_where_urdf_counts_otherwise():
    ball = {"shape": "sphere", "radius": 0.1}
    model = Mechanism("table", frame="local")
    for name in ("a", "b", "c", "point"):
        inertia = {"shape": "point"} if name == "point" else ball
        model.body(name, mass=1.0, com=[0, 0, 0], inertia=inertia)
    model.joint(
        "slides", "planar", "ground", "a", axis=[0, 1, 0], axis2=[1, 0, 1], damping=[1, 2, 2]
    )
    model.joint("floats", "free", "a", "b")
    model.joint("back", "planar", "c", "ground", axis=[0, 0, 1])
    with pytest.raises(SpecError) as refused:
        text_of(model.spec())
    found = [str(problem).split(";")[0] for problem in refused.value.problems]
    assert found == [
        'joint "slides", damping: URDF has one number for all freedoms of a joint, '
        "and these differ",
        'joint "back": its parent hangs on its child, seen from the ground',
        'joint "floats": floats from "a", whose axes are turned to slide along x',
        'body "point": flies and has no inertia',
    ]


def test_gears_that_no_mimic_can_say_are_refused():
    model = slide_and_arm()
    model.constraint("there", "gear", joints=["rail", "hinge"], ratio=2.0)
    model.constraint("back", "gear", joints=["hinge", "rail"], ratio=0.5)
    model.constraint("twice", "gear", joints=["rail", "hinge"], ratio=2.0)
    with pytest.raises(SpecError) as refused:
        text_of(model.spec())
    assert [str(problem).split(";")[0] for problem in refused.value.problems] == [
        'constraint "there": "hinge" follows itself in the end',
        'constraint "back": "rail" follows itself in the end',
        'constraint "twice": "hinge" follows a second joint',
    ]


@pytest.mark.parametrize("off", [0.0, 1e-12, 1e-9, 3.7e-6, 1e-3, 1.0])
def test_turns_have_all_their_digits_upright_too(off):
    """Some 20 roundings of numbers of size 1."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        pitch = (np.pi / 2 - off) * rng.choice([-1, 1])
        R = rotation_matrix(quaternion_of_rpy(rng.uniform(-3, 3), pitch, rng.uniform(-3, 3)))
        again = rotation_matrix(quaternion_of_rpy(*rpy_of(R)))
        assert np.abs(again - R).max() < 5e-15
