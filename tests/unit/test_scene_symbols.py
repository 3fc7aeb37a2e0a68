"""What a scene says beside shapes and joints: planes, marks of elements, opacity, true sizes."""

import numpy as np
import pytest

from mbd_fmu.drawing.plane import plane_normal
from mbd_fmu.drawing.scene import scene_of
from mbd_fmu.errors import SpecError
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.library import library

BALL = {"shape": "sphere", "radius": 0.1}
X, Y, Z = np.eye(3).tolist()


def turning(*places, axes=None):
    """Bodies on hinges of the ground, called a, b, ... with joints ja, jb, ..."""
    shafts = Mechanism("shafts")
    for k, (name, place) in enumerate(zip("abcd", places, strict=False)):
        shafts.body(name, mass=1, com=place, inertia=BALL)
        axis = axes[k] if axes else Y
        shafts.joint(f"j{name}", "revolute", "ground", name, point=place, axis=axis)
    return shafts


def marks(mechanism):
    return scene_of(mechanism.spec()).marks


# ---- Gears


@pytest.mark.parametrize("ratio", [-2.0, -1.0, -0.4, 3.0, 0.25])
@pytest.mark.parametrize("flipped", [False, True])
def test_wheels_of_a_gear_touch_and_roll(ratio, flipped):
    """Where they touch both have the velocity w x r; all of it from ratio and distance."""
    axes = [Y, [0, -1, 0] if flipped else Y]
    pair = turning([0, 0, 0], [0.3, 0.2, 0.4], axes=axes)
    one, other = marks(pair.constraint("g", "gear", joints=["ja", "jb"], ratio=ratio))
    towards = np.array([0.3, 0.0, 0.4])  # across the axes, 0.5 m
    # on the line of centres: outside both, or beyond the smaller one of two on one side
    same_way = (ratio > 0) != flipped
    if abs(ratio) == 1 and same_way:
        assert (one.radius, other.radius) == (0.0, 0.0)  # none can touch: signs of a unit size
        return
    beyond = -1.0 if same_way and one.radius < other.radius else 1.0
    touch = beyond * one.radius * towards / 0.5
    assert np.linalg.norm(touch - towards) == pytest.approx(other.radius, abs=1e-12)
    rates = 1.0 * np.array(axes[0]), ratio * np.array(axes[1])
    assert np.allclose(np.cross(rates[0], touch), np.cross(rates[1], touch - towards), atol=1e-12)
    kinds = {one.parts[0].kind, other.parts[0].kind}
    assert kinds == ({"wheel", "crown"} if same_way else {"wheel"})
    teeth = one.parts[0].teeth / other.parts[0].teeth
    assert teeth == pytest.approx(abs(ratio), abs=1 / 16)  # whole teeth


@pytest.mark.parametrize("axes", [[Y, Z], [Y, Y]])
def test_wheels_that_cannot_touch_have_the_size_of_symbols(axes):
    """On crossed axes, and on one axis."""
    pair = turning([0, 0, 0], [0, 1, 0], axes=axes)
    found = marks(pair.constraint("g", "gear", joints=["ja", "jb"], ratio=2))
    assert [(m.radius, m.parts[0].kind, m.parts[0].axis) for m in found] == [
        (0.0, "wheel", axes[0]),
        (0.0, "wheel", axes[1]),
    ]


def test_a_pinion_has_its_radius_and_a_rack_its_direction():
    pair = turning([0, 0, 0.2]).body("bar", mass=1, com=[0, 0, 0], inertia=BALL)
    pair.joint("slide", "prismatic", "ground", "bar", point=[0, 0, 0], axis=[2, 0, 0])
    pair.parameter("r", 0.2)
    pinion, bar = marks(pair.constraint("g", "rack_pinion", joints=["ja", "slide"], radius="-r"))
    assert (pinion.parts[0].kind, pinion.radius, pinion.carrier) == ("wheel", 0.2, "a")
    assert (bar.parts[0].kind, bar.radius, bar.parts[0].axis) == ("rack", 0.2, X)


def test_a_coupling_marks_each_of_its_joints():
    three = turning([0, 0, 0], [1, 0, 0], [2, 0, 0])
    found = marks(three.constraint("sum", "coupling", joints=["ja", "jb", "jc"], ratios=[1, 1, -2]))
    assert [m.carrier for m in found] == ["a", "b", "c"]


def test_a_wheel_on_a_joint_declared_from_the_ground_is_on_what_moves():
    pair = turning([0, 0, 0]).body("b", mass=1, com=[1, 0, 0], inertia=BALL)
    pair.joint("jb", "revolute", "b", "ground", point=[1, 0, 0], axis=Y)
    one, other = marks(pair.constraint("g", "gear", joints=["ja", "jb"], ratio=1))
    assert (other.carrier, other.point) == ("b", [1.0, 0.0, 0.0])
    # seen from the ground it turns about -y: the two turn against each other, and are alike
    assert (one.radius, other.radius) == (0.5, 0.5)


# ---- Forces and knife edges


def flyer(**keys):
    return Mechanism("flyer", **keys).body("b", mass=1, com=[0, 0, 0], inertia=BALL)


def test_a_bushing_is_three_springs_along_the_axes_of_its_parent():
    held = flyer().force(
        "rubber", "bushing", parent="ground", child="b", point=[0, 0, 1], point2=[0, 0, 1]
    )
    found = marks(held)
    assert [(m.carrier, m.point, m.parts[0].kind) for m in found] == [
        ("ground", [0.0, 0.0, 1.0], "coil")
    ] * 3
    assert [m.parts[0].axis for m in found] == [X, Y, Z]


@pytest.mark.parametrize("axes", ["world", "body"])
def test_a_wrench_shows_the_axes_of_its_inputs(axes):
    found = marks(flyer().force("push", "wrench", body="b", point=[0, 1, 0], axes=axes))
    assert [(m.carrier, m.point, m.turns) for m in found] == [
        ("b", [0.0, 1.0, 0.0], axes == "body")
    ] * 3
    assert [[p.kind for p in m.parts] for m in found] == [["ball", "dart"]] * 3
    assert [m.parts[1].axis for m in found] == [X, Y, Z]


def test_a_knife_edge_is_a_blade_across_the_direction_of_no_slip():
    (mark,) = marks(flyer().constraint("edge", "knife_edge", body="b", point=X, axis=[0, 3, 4]))
    assert (mark.carrier, mark.point, mark.parts[0].kind) == ("b", X, "blade")
    assert np.allclose(mark.parts[0].axis, [0, 0.6, 0.8], atol=1e-15)


def test_marks_on_the_ground_ride_on_a_moving_base():
    held = flyer().moving_base()
    held.force("rubber", "bushing", parent="ground", child="b", point=Z, point2=Z)
    assert {mark.carrier for mark in marks(held)} == {"base"}


# ---- The plane


def normal(spec):
    """Up to its sign."""
    found = np.array(plane_normal(spec))
    return found * np.sign(found.sum()) if len(found) else found


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("slider_crank", Y),
        ("four_bar", Y),
        ("two_link_arm", Z),
        ("one_cylinder_engine", X),
        ("chaplygin_sleigh", Z),
        ("andrews_squeezer", Z),
        ("six_axis_arm", []),
        ("scara", []),  # its spindle slides along the axes of the others
        ("cardan_shaft", []),
        ("satellite", []),  # flies
    ],
)
def test_the_plane_of_a_mechanism_is_that_of_its_joints(name, expected):
    assert normal(read_model(library()[name])).tolist() == expected


def test_a_plane_is_found_through_turned_frames():
    """Local frames: the second body is turned by a right angle about x; its z is the world's -y."""
    arm = Mechanism("arm", frame="local")
    for name in ("one", "two"):
        arm.body(name, mass=1, com=[0, 0, 0], inertia=BALL)
    arm.joint("a", "revolute", "ground", "one", point=[0, 0, 0], axis=[0, 1, 0])
    turn = [np.pi / 2, 0, 0]
    arm.joint("b", "revolute", "one", "two", point=[1, 0, 0], rpy=turn, axis=[0, 0, 1])
    assert np.allclose(normal(arm.spec()), Y, atol=1e-12)


def test_slides_in_two_directions_make_a_plane_and_one_or_three_do_not():
    def table(*axes):
        slides, parent = Mechanism("table"), "ground"
        for k, axis in enumerate(axes):
            slides.body(f"b{k}", mass=1, com=[0, 0, 0], inertia=BALL)
            slides.joint(f"j{k}", "prismatic", parent, f"b{k}", point=[0, 0, 0], axis=axis)
            parent = f"b{k}"
        return normal(slides.spec())

    assert np.allclose(table(X, [1, 0, 1]), Y, atol=1e-12)
    assert len(table(X)) == len(table(X, X)) == len(table(X, Y, Z)) == 0


def test_a_screw_moves_in_no_plane():
    screw = Mechanism("screw").body("nut", mass=1, com=[0, 0, 0], inertia=BALL)
    screw.joint("thread", "helical", "ground", "nut", point=[0, 0, 0], axis=Z, pitch=0.01)
    assert plane_normal(screw.spec()) == []


# ---- Opacity and true sizes


def test_opacity_is_that_of_the_shape_or_else_of_the_body():
    visual = [
        {"shape": "sphere", "radius": 0.1},
        {"shape": "sphere", "radius": 0.2, "opacity": "share"},
    ]
    pane = Mechanism("pane").parameter("share", 0.25)
    pane.body("b", mass=1, com=[0, 0, 0], inertia=BALL, visual=visual, opacity=0.5)
    pane.body("plain", mass=1, com=[0, 0, 0], inertia=BALL, opacity="2*share")
    pane.body("solid", mass=1, com=[0, 0, 0], inertia=BALL)
    found = [[s.opacity for s in body.solids] for body in scene_of(pane.spec()).bodies]
    assert found == [[0.5, 0.25], [0.5], [1.0]]


@pytest.mark.parametrize("value", [0, -0.5, 1.5])
def test_an_opacity_outside_its_range_is_refused(value):
    visual = [{"shape": "sphere", "radius": 0.1, "opacity": value}]
    pane = Mechanism("pane")
    pane.body("b", mass=1, com=[0, 0, 0], inertia=BALL, visual=visual, opacity=value)
    with pytest.raises(SpecError) as caught:
        pane.spec()
    remedy = "give a number above 0, up to 1 for what hides all behind"
    assert [str(p) for p in caught.value.problems] == [
        f'body "b", opacity: {value} is no share of what can be seen; {remedy}',
        f'body "b", visual 1, opacity: {value} is no share of what can be seen; {remedy}',
    ]


@pytest.mark.parametrize(
    ("inertia", "found"),
    [
        ({"shape": "box", "size": [0.01, 0.01, 1]}, {"size": [0.01, 0.01, 1.0]}),
        ({"shape": "cylinder", "radius": 0.002, "length": 1}, {"radius": 0.002}),
        (
            {"shape": "cylinder", "radius": 1, "length": 0.01},
            {"radius": 1.0, "start": [0.0, 0.0, -0.005], "end": [0.0, 0.0, 0.005]},
        ),
    ],
)
def test_poles_and_plates_are_as_thin_as_their_inertia_says(inertia, found):
    thin = Mechanism("thin").body("it", mass=1, com=[0, 0, 0], inertia=inertia)
    (solid,) = scene_of(thin.spec()).bodies[0].solids
    assert {key: getattr(solid, key) for key in found} == found
