"""Scenes: the places of shapes, joints and lines, held against the mechanics."""

import json

import numpy as np
import pytest

from mbd_fmu.drawing.scene import scene_json, scene_of, scene_table
from mbd_fmu.drawing.stand_ins import stand_ins
from mbd_fmu.errors import SpecError
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.library import library
from mbd_fmu.spatial import rotation_matrix
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from mbd_fmu.topology.connect import connected

BALL = {"shape": "sphere", "radius": 0.1}


def start(spec):
    """Mechanism at its start: a function that says where a point of a body, given in U, is."""
    system = system_of(spec)
    plant = plant_of(system, system.nominal_parameters())
    at = plant.instant(plant.start(), system.nominal_inputs())
    order = {system.spec.bodies[k].name: i for i, k in enumerate(system.forest.body)}
    return at, order


def pose(at, i):
    r = at.placed.point_W(i, at.tree.origin_B[i])
    return np.asarray(r, dtype=float), rotation_matrix(at.placed.quat_WU[i]).astype(float)


@pytest.mark.parametrize("name", sorted(library()))
def test_mass_centres_and_joints_are_seen_where_the_mechanics_has_them(name):
    """Tree joints of one point: the frame of the carried body sits there by another road."""
    spec = read_model(library()[name])
    scene = scene_of(spec)
    at, order = start(spec)
    for body in scene.bodies:
        r, R = pose(at, order[body.name])
        expected = at.placed.point_W(order[body.name], at.tree.p_BBcm[order[body.name]])
        assert np.allclose(r + R @ body.com, expected.astype(float), atol=1e-12)
    system = system_of(spec)
    names = [connected(spec).joints[k].name for k in system.forest.joint]
    for joint in scene.joints:
        if joint.name not in names:
            continue  # closes a loop, which is open before assembly
        i = names.index(joint.name)
        if joint.type in ("revolute", "universal", "spherical", "rigid"):
            r, R = pose(at, order[joint.child])
            origin = at.placed.point_W(i, np.zeros(3)).astype(float)
            between = r + R @ joint.point - origin
            if joint.type == "revolute":  # any point of the axis will do
                axis = R @ joint.axis
                between -= axis * (axis @ between)
            assert np.allclose(between, 0, atol=1e-12), joint.name


def test_a_joint_declared_from_the_moving_end_is_seen_on_the_body_that_moves():
    arm = Mechanism("arm").body("bar", mass=1, com=[1, 0, 0], inertia=BALL)
    arm.joint("pin", "revolute", "bar", "ground", point=[0, 0, 2], axis=[0, 1, 0])
    (joint,) = scene_of(arm.spec()).joints
    assert (joint.carrier, joint.child) == ("ground", "bar")
    assert joint.point == [0.0, 0.0, 2.0]
    assert (joint.loaded, joint.load_point) == ("ground", [0.0, 0.0, 2.0])


def test_what_is_tied_to_the_ground_rides_on_a_moving_base():
    swing = Mechanism("swing").body("bar", mass=1, com=[1, 0, 0], inertia=BALL).moving_base()
    swing.joint("pin", "revolute", "ground", "bar", point=[0, 0, 0], axis=[0, 1, 0])
    swing.spring(
        "spring", "ground", "bar", point=[0, 0, 1], point2=[1, 0, 0], stiffness=1, length=1
    )
    scene = scene_of(swing.spec())
    assert scene.joints[0].carrier == "base"
    assert (scene.lines[0].parent, scene.lines[0].child) == ("base", "bar")


def test_the_axis_of_a_joint_declared_from_the_moving_end_turns_with_it():
    """In local frames: the ground as child is drawn turned by a right angle about x."""
    arm = Mechanism("arm", frame="local").body("bar", mass=1, com=[1, 0, 0], inertia=BALL)
    arm.joint(
        *("pin", "revolute", "bar", "ground"),
        point=[0, 0, 1],
        point2=[0, 2, 0],
        rpy=[np.pi / 2, 0, 0],
        axis=[0, 1, 0],
    )
    (joint,) = scene_of(arm.spec()).joints
    assert np.allclose(joint.axis, [0, 0, 1], atol=1e-15)
    assert joint.point == [0.0, 0.0, 1.0]
    assert joint.load_point == [0.0, 2.0, 0.0]


def test_up_is_against_gravity_and_z_without_it():
    def up(*gravity):
        flyer = Mechanism("flyer", gravity=list(gravity))
        return scene_of(flyer.body("b", mass=1, com=[0, 0, 0], inertia=BALL).spec()).up

    assert up(0, -9.81, 0) == [0.0, 1.0, 0.0]
    assert up(0, 0, 0) == [0.0, 0.0, 1.0]


def test_a_scene_is_json_and_the_same_each_time():
    spec = read_model(library()["quarter_car"])
    assert json.loads(scene_json(spec)) == scene_table(spec)
    assert scene_json(spec) == scene_json(spec)


@pytest.mark.parametrize("inertia", [{"shape": "point"}, np.diag([0.1, 0.2, 0.2]).tolist()])
def test_a_body_of_which_nothing_is_known_is_shown_as_a_bar_between_its_joints(inertia):
    chain = Mechanism("chain").body("rod", mass=1, com=[0.5, 0, 0], inertia=inertia)
    chain.body("tip", mass=1, com=[2, 0, 0], inertia=inertia)
    chain.joint("a", "revolute", "ground", "rod", point=[0, 0, 0], axis=[0, 1, 0])
    chain.joint("b", "revolute", "rod", "tip", point=[1, 0, 0], axis=[0, 1, 0])
    spec = chain.spec()
    bar, ball = stand_ins(spec, spec.bodies[0])
    assert (bar.start, bar.end) == ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert ball.center == (0.5, 0.0, 0.0)
    bar, _ = stand_ins(spec, spec.bodies[1])
    assert (bar.start, bar.end) == ((1.0, 0.0, 0.0), (2.0, 0.0, 0.0))


def shown(inertia, com, *, joint):
    """What stands for a body held at a point, its model drawing none."""
    arm = Mechanism("arm").parameter("L", 0.6).body("it", mass=1, com=com, inertia=inertia)
    arm.joint("pin", "revolute", "ground", "it", point=joint, axis=[0, 1, 0])
    return scene_of(arm.spec()).bodies[0].solids


def test_a_pole_without_shapes_has_the_length_its_inertia_says():
    """Hinge at one end: the rod reaches from there to twice as far as the mass centre."""
    pole = {"shape": "rod", "length": "L"}
    (solid,) = shown(pole, [0, 0, "L/2"], joint=[0, 0, 0])
    assert solid.kind == "cylinder"
    assert (solid.start, solid.end) == ([0.0, 0.0, 0.0], [0.0, 0.0, 0.6])
    (solid,) = shown(pole | {"axis": [3, 0, 4]}, [0, 0, 0], joint=[0, 0, 0])
    assert np.allclose([solid.start, solid.end], [[-0.18, 0, -0.24], [0.18, 0, 0.24]], atol=1e-15)


@pytest.mark.parametrize(
    ("inertia", "kind", "found"),
    [
        ({"shape": "box", "size": [0.4, 0.2, 0.1]}, "box", {"size": [0.4, 0.2, 0.1]}),
        ({"shape": "sphere", "radius": 0.3}, "sphere", {"radius": 0.3}),
        (
            {"shape": "cylinder", "radius": 0.2, "length": 0.5, "axis": [0, 1, 0]},
            "cylinder",
            {"radius": 0.2, "start": [1.0, -0.25, 0.0], "end": [1.0, 0.25, 0.0]},
        ),
    ],
)
def test_a_body_without_shapes_is_the_solid_of_its_inertia(inertia, kind, found):
    """Around its mass centre, in the axes of its frame; a joint inside needs no bar."""
    (solid,) = shown(inertia, [1, 0, 0], joint=[1.05, 0, 0.02])
    assert solid.kind == kind
    assert {key: getattr(solid, key) for key in found} == found
    if kind != "cylinder":
        assert solid.center == [1.0, 0.0, 0.0]


def test_a_bar_leads_to_a_joint_outside_the_solid():
    """A bob on a string: thinner than the bob."""
    bar, bob = shown({"shape": "sphere", "radius": 0.01}, [0, 0, -1], joint=[0, 0, 0])
    assert (bar.kind, bar.start, bar.end) == ("cylinder", [0.0] * 3, [0.0, 0.0, -1.0])
    assert 0 < bar.radius < bob.radius == 0.01


@pytest.mark.parametrize(
    "inertia",
    [
        {"shape": "box", "size": [0.4, 0.2, 0]},
        {"shape": "cylinder", "radius": 0.2, "length": 0},
        {"shape": "cylinder", "radius": 0, "length": 0.2},
    ],
)
def test_a_solid_without_thickness_is_seen_all_the_same(inertia):
    (solid,) = shown(inertia, [0, 0, 0], joint=[0, 0, 0])
    assert min(solid.size) > 0 if solid.kind == "box" else solid.radius > 0
    assert solid.kind == "box" or solid.start != solid.end


def test_a_body_that_flies_is_shown_as_the_box_with_its_moments():
    """A box of 0.3, 0.2 and 0.1 m, drawn turned by 30 degrees about z."""
    c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    a, b, d = 0.3, 0.2, 0.1
    moments = 2.0 / 12 * np.diag([b * b + d * d, a * a + d * d, a * a + b * b])
    flyer = Mechanism("flyer").body("box", mass=2, com=[1, 0, 0], inertia=R @ moments @ R.T)
    (solid,) = scene_of(flyer.spec()).bodies[0].solids
    turn = rotation_matrix(np.array(solid.quat)).astype(float)
    edges = turn @ np.diag(solid.size) @ turn.T
    assert np.allclose(edges, R @ np.diag([a, b, d]) @ R.T, atol=1e-12)
    assert solid.center == [1.0, 0.0, 0.0]


def test_all_missing_meshes_are_named_at_once():
    flyer = Mechanism("flyer")
    for name in ("one", "two"):
        visual = [{"shape": "mesh", "file": f"{name}.stl"}]
        flyer.body(name, mass=1, com=[0, 0, 0], inertia=BALL, visual=visual)
    with pytest.raises(SpecError) as error:
        scene_of(flyer.spec())
    assert len(error.value.problems) == 2
    assert (
        'body "two", visual 1, file: two.stl: No such file or directory; '
        "give its path from the folder of the model file" in str(error.value)
    )
