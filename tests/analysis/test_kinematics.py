"""Paths of one freedom against closed forms: four-bars, slider cranks, suspensions."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mbd_fmu.analysis.kinematics import kinematic_path, target_pose
from mbd_fmu.errors import DataError
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.library import library
from mbd_fmu.system.system import system_of

GROUND, CRANK, COUPLER, ROCKER = 1.0, 0.3, 0.9, 0.7  # Grashof: the crank turns through


def joined(angle):
    """Ends of crank and rocker, by the intersection of two circles: the rocker's end above."""
    a = CRANK * np.array([np.cos(angle), np.sin(angle)])
    to_d = np.array([GROUND, 0.0]) - a
    e = np.hypot(*to_d)
    along = (COUPLER**2 - ROCKER**2 + e * e) / (2 * e)
    across = np.sqrt(COUPLER**2 - along**2)
    unit = to_d / e
    return a, a + along * unit + across * np.array([-unit[1], unit[0]])


def four_bar(cut="d"):
    """In the x-y plane, drawn at a crank angle of 1; a tracing point off the coupler's line."""
    a, c = joined(1.0)
    m = Mechanism("four_bar")
    places = {"o": (0.0, 0.0), "a": a, "c": c, "d": (GROUND, 0.0)}
    for name, ends in (("crank", "oa"), ("coupler", "ac"), ("rocker", "dc")):
        begin, end = (np.array([*places[e], 0.0]) for e in ends)
        m.body(name, mass=1.0, com=(begin + end) / 2, inertia=np.diag([0.1, 0.1, 0.1]))
    for name, parent, child in (
        ("o", "ground", "crank"),
        ("a", "crank", "coupler"),
        ("c", "coupler", "rocker"),
        ("d", "ground", "rocker"),
    ):
        keys = {"cut": True} if name == cut else {}
        m.joint(name, "revolute", parent, child, point=[*places[name], 0.0], axis=[0, 0, 1], **keys)
    tracer = {"name": "tracer", "body": "coupler", "point": [*traced(1.0), 0.0]}
    m.output("joints", points=[tracer])
    return system_of(m.spec())


def traced(angle):
    """Half-way along the coupler, 0.25 m to its left."""
    a, c = joined(angle)
    unit = (c - a) / COUPLER
    return a + 0.45 * unit + 0.25 * np.array([-unit[1], unit[0]])


@pytest.mark.parametrize("cut", ["d", "c"])
def test_a_four_bar_has_its_coupler_curve_and_transmission_angle(cut):
    """cos mu = (c^2 + r^2 - e^2) / 2 c r, with e from crank's end to rocker's pivot."""
    turns = np.linspace(0.0, 2 * np.pi, 37)
    path = kinematic_path(four_bar(cut), "o", turns, angles={"mu": ("a", "c", "d")})
    angles = 1.0 + turns
    e2 = CRANK**2 + GROUND**2 - 2 * CRANK * GROUND * np.cos(angles)
    mu = np.arccos((COUPLER**2 + ROCKER**2 - e2) / (2 * COUPLER * ROCKER))
    assert np.abs(path.derived["mu"] - mu).max() <= 1e-12
    curve = np.array([traced(angle) for angle in angles])
    assert np.abs(path.column("tracer.r.x") - curve[:, 0]).max() <= 1e-12
    assert np.abs(path.column("tracer.r.y") - curve[:, 1]).max() <= 1e-12


def test_ratios_are_those_of_the_velocity_triangle():
    """rocker : crank = CRANK sin(coupler - crank) / ROCKER sin(coupler - rocker)."""
    turns = np.linspace(0.0, 6.0, 25)
    path = kinematic_path(four_bar(), "o.q", turns)
    expected = []
    for angle in 1.0 + turns:
        a, c = joined(angle)
        coupler = np.arctan2(*(c - a)[::-1])
        rocker = np.arctan2(*(c - [GROUND, 0.0])[::-1])
        expected.append(CRANK * np.sin(coupler - angle) / (ROCKER * np.sin(coupler - rocker)))
    assert np.abs(path.ratio("d.q") - expected).max() <= 1e-12
    assert np.abs(path.ratio("o.q") - 1.0).max() <= 1e-14


def test_every_ratio_is_the_derivative_of_its_position():
    """Of all columns, quaternions too, against differences of second order."""
    system = system_of(read_model(library()["quarter_car"]))
    h = 1e-4
    path = kinematic_path(system, "lower_hinge", np.array([0.1 - h, 0.1, 0.1 + h]))
    difference = (path.positions[2] - path.positions[0]) / (2 * h)
    assert np.abs(path.ratios[1] - difference).max() <= 1e-7


def test_a_slider_crank_is_held_by_nothing_and_moves_as_the_book_says():
    """x = r cos q + sqrt(l^2 - r^2 sin^2 q) along the bore, from where it is drawn."""
    r, rod = 0.1, 0.35
    m = Mechanism("engine")
    for name, com in (("crank", r / 2), ("rod", r + rod / 2), ("piston", r + rod)):
        m.body(name, mass=1.0, com=[com, 0, 0], inertia=np.diag([0.1, 0.1, 0.1]))
    for name, parent, child, x in (
        ("bearing", "ground", "crank", 0.0),
        ("big_end", "crank", "rod", r),
        ("small_end", "rod", "piston", r + rod),
    ):
        m.joint(name, "revolute", parent, child, point=[x, 0, 0], axis=[0, 0, 1])
    m.joint("bore", "prismatic", "ground", "piston", point=[r + rod, 0, 0], axis=[1, 0, 0])
    q = np.linspace(0.0, 6.0, 31)
    path = kinematic_path(system_of(m.spec()), "bearing", q)
    expected = r * np.cos(q) + np.sqrt(rod**2 - r**2 * np.sin(q) ** 2)
    assert path.held == ()
    assert np.abs(path.column("piston.com.x") - expected).max() <= 1e-13


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_camber_and_toe_of_a_semi_trailing_arm(side):
    """A wheel that turns by q about a skew axis e: its own axis by Rodrigues' formula."""
    e = np.array([0.3, 0.9 * side, 0.1 * side])
    e /= np.linalg.norm(e)
    m = Mechanism("arm")
    m.body("wheel", mass=10.0, com=[-0.4, 0.6 * side, 0.3], inertia=np.diag([0.4, 0.7, 0.4]))
    m.joint("hinge", "revolute", "ground", "wheel", point=[0, 0.3 * side, 0.3], axis=e)
    q = np.linspace(-0.2, 0.2, 9)
    path = kinematic_path(system_of(m.spec()), "hinge", q, wheels={"wheel": None})
    n = Rotation.from_rotvec(np.outer(q, e)).apply([0.0, side, 0.0])
    assert np.abs(path.derived["wheel.camber"] + np.arcsin(n[:, 2])).max() <= 1e-14
    toe = np.arctan2(n[:, 0], side * n[:, 1])
    assert np.abs(path.derived["wheel.toe"] - toe).max() <= 1e-14
    # a drawn axis that leans by 0.1 rad leans in the middle of the path, too
    leaning = np.array([0.0, side * np.cos(0.1), -np.sin(0.1)])
    middle = kinematic_path(system_of(m.spec()), "hinge", q[4:5], wheels={"wheel": leaning})
    assert middle.derived["wheel.camber"][0] == pytest.approx(0.1, abs=1e-14)


def test_camber_of_planar_wishbones_is_the_turn_of_the_coupler():
    """With hinges along x the carrier is the coupler of a four-bar: its camber is its turn."""
    angles = 1.0 + np.linspace(-0.3, 0.3, 7)
    m = Mechanism("wishbones")
    a, c = joined(1.0)
    for name, begin, end in (
        ("lower", (0.0, 0.0), a),
        ("carrier", a, c),
        ("upper", (GROUND, 0.0), c),
    ):
        com = (np.array(begin) + np.array(end)) / 2
        m.body(name, mass=1.0, com=[0, *com], inertia=np.diag([0.1, 0.1, 0.1]))
    for name, parent, child, place in (
        ("o", "ground", "lower", (0.0, 0.0)),
        ("a", "lower", "carrier", a),
        ("c", "carrier", "upper", c),
        ("d", "ground", "upper", (GROUND, 0.0)),
    ):
        m.joint(name, "revolute", parent, child, point=[0, *place], axis=[1, 0, 0])
    path = kinematic_path(
        system_of(m.spec()), "o", angles - 1.0, wheels={"carrier": np.array([0.0, 1.0, 0.0])}
    )
    turns = [np.arctan2(*(joined(t)[1] - joined(t)[0])[::-1]) for t in angles]
    drawn = np.arctan2(*(c - a)[::-1])
    # turning about +x lifts what points to +y: the top leans inwards
    assert np.abs(path.derived["carrier.camber"] + (turns - drawn)).max() <= 1e-12
    assert np.abs(path.derived["carrier.toe"]).max() <= 1e-14


def test_a_target_is_reached_on_the_branch_the_arm_starts_on():
    """Two links: the law of cosines has two answers; the elbow starts bent one way or the other."""
    a, b, x, y = 0.4, 0.3, 0.35, -0.4
    elbow = np.arccos((x * x + y * y - a * a - b * b) / (2 * a * b))
    system = system_of(read_model(library()["two_link_arm"]))
    for sign in (1.0, -1.0):
        start = {"elbow.q_start": sign * 1.2}
        pose = target_pose(system, {"tool.r.x": x, "tool.r.y": y}, settings=start)
        assert pose.positions["elbow.q"] == pytest.approx(sign * elbow, abs=1e-12)
        assert pose.starts["elbow.q_start"] == pose.positions["elbow.q"]
        assert pose.freedoms == ()


def test_a_pose_of_a_six_axis_arm_is_reached_from_afar_with_its_turn():
    """The pose of another configuration, near enough to be the same branch, gives that one back."""
    system = system_of(read_model(library()["six_axis_arm"]))
    joints = [joint.name for joint in system.spec.joints if joint.kind.nv]
    there = {f"{name}.q": 0.25 * (-1) ** k for k, name in enumerate(joints)}
    first = target_pose(system, there)
    last = system.spec.joints[-1].child
    told = {c: first.positions[f"{last}.{c}"] for c in
            ("r.x", "r.y", "r.z", "quat.w", "quat.x", "quat.y", "quat.z")}  # fmt: skip
    settings = {f"{name}.q_start": there[f"{name}.q"] + 0.2 for name in joints}
    found = target_pose(system, {f"{last}.{c}": v for c, v in told.items()}, settings=settings)
    error = max(abs(found.positions[name] - value) for name, value in there.items())
    assert error <= 1e-9  # the arm is near no singularity: rounding times a condition of some 1e3
    assert found.freedoms == ()


def test_what_cannot_be_asked_is_refused():
    system = system_of(read_model(library()["quarter_car"]))
    with pytest.raises(DataError, match=r"give carrier\.quat\.x, carrier\.quat\.y"):
        target_pose(system, {"carrier.quat.w": 1.0})
    with pytest.raises(DataError, match='"lower_ball" is not one coordinate'):
        kinematic_path(system, "lower_ball", np.zeros(1))
    with pytest.raises(DataError, match='no body "carier"; did you mean "carrier"'):
        kinematic_path(system, "lower_hinge", np.zeros(1), wheels={"carier": None})
    with pytest.raises(DataError, match='no joint or point "x"'):
        kinematic_path(system, "lower_hinge", np.zeros(1), angles={"mu": ("x", "heave", "heave")})


def test_a_joint_of_one_coordinate_may_be_asked_for_by_its_name():
    system = four_bar()
    by_joint, by_column = target_pose(system, {"o": 1.3}), target_pose(system, {"o.q": 1.3})
    assert by_joint == by_column
    assert by_joint.positions["o.q"] == pytest.approx(1.3, abs=1e-12)
    with pytest.raises(DataError, match=r'"o.q" is asked for twice'):
        target_pose(system, {"o": 1.3, "o.q": 1.2})


def test_what_leads_cannot_be_held():
    with pytest.raises(DataError, match=r'"o.q" is to lead and to be held'):
        kinematic_path(four_bar(), "o", np.linspace(0, 1, 3), hold=["o"])


def test_freedoms_besides_are_held_driven_ones_first():
    """An excavator's boom cylinder moves; swing and the other cylinders rest, pins follow."""
    system = system_of(read_model(library()["excavator"]))
    path = kinematic_path(system, "boom_cylinder", np.linspace(0.0, 0.1, 3))
    assert set(path.held) == {"swing.q", "arm_cylinder.q", "bucket_cylinder.q"}
    assert np.ptp(path.column("arm_pin.q")) <= 1e-12
    assert np.ptp(path.column("boom_pin.q")) > 0.01
