"""What becomes of links, joints and frames of an SDF file."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mbd_fmu.cli import main
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.model_files import open_model
from mbd_fmu.simulation import simulate
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from tests.formats.arm import ARM, SDF_ARM, changed, joint_of
from tests.formats.mesh_files import TETRAHEDRON, binary_stl

UNIT = "<inertia><ixx>{0}</ixx><iyy>{0}</iyy><izz>{0}</izz></inertia>"


def heavy(mass=1.0, moment=1.0, pose="0 0 0 0 0 0"):
    inertia = UNIT.format(moment)
    return f"<inertial><pose>{pose}</pose><mass>{mass}</mass>{inertia}</inertial>"


def model(inside, version="1.11"):
    return f'<sdf version="{version}"><model name="m">{inside}</model></sdf>'


def world(inside):
    return f'<sdf version="1.11"><world name="w">{inside}</world></sdf>'


def joint(kind, inside="", child="a", parent="world", name="j"):
    ends = f"<parent>{parent}</parent><child>{child}</child>"
    return f'<joint name="{name}" type="{kind}">{ends}{inside}</joint>'


@pytest.fixture
def read(tmp_path):
    def reader(text=SDF_ARM, **choices):
        path = tmp_path / "arm.sdf"
        path.write_text(text, encoding="utf-8")
        return open_model(path, Choices(**choices))

    return reader


def accelerations(opened, q=None, v=None):
    """Accelerations of all coordinates; at rest as drawn unless told otherwise."""
    system = system_of(opened.spec)
    plant = plant_of(system, system.nominal_parameters())
    x, forest = plant.start(), system.forest
    x[: forest.nq] = x[: forest.nq] if q is None else q
    x[forest.nq : forest.nq + forest.nv] = 0.0 if v is None else v
    rates = plant.derivatives(x, np.zeros(system.table.n_inputs))
    return rates[forest.nq : forest.nq + forest.nv]


def test_the_arm_is_the_same_in_both_formats(read, tmp_path):
    (tmp_path / "arm.urdf").write_text(ARM)
    ours, theirs = read(), open_model(tmp_path / "arm.urdf")
    assert ours.spec.bodies == theirs.spec.bodies
    assert ours.spec.points == theirs.spec.points
    for here, there in zip(ours.spec.joints, theirs.spec.joints, strict=True):
        keys = (
            "name",
            "type",
            "parent",
            "child",
            "point",
            "damping",
            "friction",
            "effort",
            "speed",
        )
        assert [getattr(here, k) for k in keys] == [getattr(there, k) for k in keys]
        assert np.abs(np.subtract(here.axis, there.axis)).max() < 1e-15
    q, v = [0.3, -0.7], [1.0, -2.0]
    assert np.abs(accelerations(ours, q, v) - accelerations(theirs, q, v)).max() < 1e-11


def test_links_without_inertia_weigh_what_the_format_says(read):
    """1 kg and 1 kg.m2, as sdf/1.11/inertial.sdf has it by default; a mass alone, likewise."""
    bare = '<link name="a"/><link name="b"><inertial><mass>3</mass></inertial></link>'
    opened = read(model(bare + joint("ball") + joint("ball", child="b", name="k")))
    a, b = opened.spec.bodies
    assert (a.mass, b.mass) == (1.0, 3.0)
    assert a.inertia == b.inertia == ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    assert sum("as SDF has it" in e.text for e in opened.report.noted) == 2


@pytest.mark.parametrize(
    ("words", "pitch"),
    [
        ("<screw_thread_pitch>0.02</screw_thread_pitch>", 0.02),
        ("<thread_pitch>-100</thread_pitch>", 0.02 * math.pi),  # 2 pi / 100, left is positive
        ("<thread_pitch>100</thread_pitch>", -0.02 * math.pi),
        (
            "<thread_pitch>7</thread_pitch><screw_thread_pitch>0.5</screw_thread_pitch>",
            0.5,
        ),
        ("", 1.0),
    ],
)
def test_a_screw_falls_as_its_thread_lets_it(read, words, pitch):
    """(I + m l^2) q'' = -m g l, with l = pitch / (2 pi) metres of travel per radian."""
    nut = f'<link name="a">{heavy(2.0, 0.01)}</link>'
    opened = read(model(nut + joint("screw", f"<axis><xyz>0 0 1</xyz></axis>{words}")))
    lead = pitch / (2 * math.pi)
    expected = -2.0 * 9.81 * lead / (0.01 + 2.0 * lead**2)
    assert accelerations(opened)[0] == pytest.approx(expected, rel=1e-12)


def test_a_universal_joint_turns_about_its_axis_then_about_the_second(read):
    axes = '<axis><xyz expressed_in="__model__">0 0 1</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>'
    place = "<pose>0.5 0 0 0 0 0</pose>"
    text = f'<link name="a"><pose>1 0 0 0 0 0</pose>{heavy()}</link>'
    opened = read(model(text + joint("universal", place + axes)))
    starts = [v.name for v in system_of(opened.spec).table.parameters if "q_start" in v.name]
    settings = dict(zip(starts, (0.4, -0.9), strict=True))
    run = simulate(system_of(opened.spec), stop=1e-3, step=1e-3, settings=settings)
    turn = Rotation.from_rotvec([0, 0, 0.4]) * Rotation.from_rotvec([0, -0.9, 0])
    expected = np.array([1.5, 0, 0]) + turn.apply([-0.5, 0, 0])
    found = [run.column(f"a.r.{c}")[0] for c in "xyz"]
    assert np.abs(found - expected).max() < 1e-12


def test_both_axes_of_a_universal_joint_have_springs_and_dampers_of_their_own(read):
    """With a round inertia I and upright: I q_i'' = -d_i q_i' - k_i (q_i - rest_i)."""

    def axis(tag, xyz, *values):
        keys = ("damping", "spring_stiffness", "spring_reference")
        inside = "".join(f"<{k}>{x}</{k}>" for k, x in zip(keys, values, strict=True))
        return f"<{tag}><xyz>{xyz}</xyz><dynamics>{inside}</dynamics></{tag}>"

    axes = axis("axis", "1 0 0", 0.5, 3.0, 0.1) + axis("axis2", "0 1 0", 0.25, 7.0, -0.2)
    body = f'<link name="a">{heavy(1.0, 2.0)}</link>'
    found = accelerations(read(model(body + joint("universal", axes))), [0, 0], [1.5, -0.5])
    assert found == pytest.approx([(-0.75 + 0.3) / 2, (0.125 - 1.4) / 2], rel=1e-12)


def test_a_ball_joint_lets_a_pendulum_fall(read):
    """Level, it turns by m g l / (I + m l^2) about the level axis across it."""
    body = f'<link name="a"><pose>2 0 0 0 0 1</pose>{heavy(3.0, 0.7)}</link>'
    place = '<pose relative_to="__model__">0.5 0 0 0.3 0.2 0.1</pose>'
    found = accelerations(read(model(body + joint("ball", place))))
    expected = 3.0 * 9.81 * 1.5 / (0.7 + 3.0 * 1.5**2)
    level = Rotation.from_euler("z", 1).inv().apply([0, expected, 0])  # in axes of the child
    assert np.abs(found - level).max() < 1e-12


def test_springs_friction_and_limits(read):
    """I q'' = -k (q - rest)."""
    axis = (
        "<axis><xyz>0 0 1</xyz><dynamics><spring_stiffness>8</spring_stiffness>"
        "<spring_reference>0.5</spring_reference></dynamics><limit><lower>-1e16</lower>"
        "<upper>1e16</upper><effort>-1</effort><velocity>inf</velocity></limit></axis>"
    )
    opened = read(model(f'<link name="a">{heavy(1, 2)}</link>' + joint("revolute", axis)))
    j = joint_of(opened, "j")
    assert (j.effort, j.speed, j.lower, j.upper) == ((), (), (), ())
    assert accelerations(opened, [0.2]) == pytest.approx([8 * 0.3 / 2], rel=1e-12)


def test_a_mimic_counts_from_its_reference(read):
    """q = 2 (q_leader - 0.5) + 0.3."""
    follow = (
        '<mimic joint="shoulder"><multiplier>2</multiplier><offset>0.3</offset>'
        "<reference>0.5</reference></mimic>"
    )
    text = changed("<xyz>0 1 1</xyz>", f"<xyz>0 1 1</xyz>{follow}", SDF_ARM)
    (gear,) = read(text).spec.constraints
    assert (gear.joints, gear.ratio) == (("shoulder", "elbow"), 2.0)
    assert gear.offset == pytest.approx(-0.7, abs=1e-15)


def test_nothing_joined_to_the_world_stands_or_flies_as_is_chosen(read):
    text = model(
        f'<pose>1 2 3 0 0 0</pose><link name="b">{heavy()}</link><link name="a">{heavy()}</link>'
        + joint("continuous", "<axis><xyz>0 0 1</xyz></axis>", parent="b")
    )
    fixed, free = read(text), read(text, base="free")
    assert [(j.name, j.type) for j in fixed.spec.joints] == [
        ("b_rigid", "rigid"),
        ("j", "revolute"),
    ]
    assert [(j.name, j.type) for j in free.spec.joints] == [("b_free", "free"), ("j", "revolute")]
    for opened in (fixed, free):
        run = simulate(system_of(opened.spec), stop=1e-3, step=1e-3)
        assert [run.column(f"b.r.{c}")[0] for c in "xyz"] == [1, 2, 3]
    again = read(text.replace('name="m"', 'name="m" canonical_link="a"'))
    assert joint_of(again, "a_rigid").type == "rigid"


def test_what_the_file_leaves_loose_flies(read):
    loose = f'<link name="loose"><pose>0 0 5 0 0 0</pose>{heavy()}</link>'
    text = model(f'<link name="a">{heavy()}</link>{loose}' + joint("fixed"))
    opened = read(text)
    assert [(j.name, j.type) for j in opened.spec.joints] == [
        ("loose_free", "free"),
        ("j", "rigid"),
    ]
    assert accelerations(opened)[-1] == pytest.approx(-9.81, rel=1e-12)
    assert [e.text for e in opened.report.noted] == [
        "no joint leads to it from the world: it flies"
    ]


def test_a_world_has_its_gravity_its_models_and_a_static_ground(read):
    ground = '<model name="floor"><static>true</static><link name="l"/></model>'
    axis = "<axis><xyz>0 0 1</xyz></axis>"
    arm = f'<model name="arm"><link name="a">{heavy()}</link>'
    arm += joint("prismatic", axis) + "</model>"
    ball = f'<model name="ball"><pose>0 0 2 0 0 0</pose><link name="b">{heavy()}</link></model>'
    text = world(f"<gravity>0 0 -3.7</gravity>{ground}{arm}{ball}")
    opened = read(text, base="free")
    assert [body.name for body in opened.spec.bodies] == ["ball__b", "arm__a"]
    assert [j.name for j in opened.spec.joints] == ["ball__b_free", "arm__j"]
    assert accelerations(opened)[-2:] == pytest.approx([-3.7, -3.7], rel=1e-12)
    assert any("static: part of the ground" in e.text for e in opened.report.imported)
    assert joint_of(read(text), "ball__b_rigid").type == "rigid"
    usual = read(world(arm))
    assert accelerations(usual) == pytest.approx([-9.8], rel=1e-12)


def test_joints_of_a_world_lead_from_model_to_model(read):
    one = f'<model name="one"><link name="a">{heavy()}</link>{joint("fixed")}</model>'
    two = f'<model name="two"><pose>1 0 0 0 0 0</pose><link name="b">{heavy()}</link></model>'
    axis = '<axis><xyz expressed_in="one::a">0 1 0</xyz></axis>'
    link = joint("revolute", axis, parent="one::a", child="two", name="between")
    opened = read(world(one + two + link))
    found = joint_of(opened, "between")
    assert (found.parent, found.child) == ("one__a", "two__b")
    assert found.point == (1.0, 0.0, 0.0)


def test_nested_models_are_placed_by_their_frames(read):
    """The nested frame grip, 0.2 m above its link, lies at the tip; so the link is at 0.8 m."""
    inner = (
        '<model name="hand" placement_frame="grip"><pose relative_to="tip"/>'
        f'<link name="palm">{heavy()}</link>'
        '<frame name="grip"><pose>0 0 0.2 0 0 0</pose></frame></model>'
    )
    text = model(
        f'<link name="a">{heavy()}</link><frame name="tip" attached_to="a">'
        f"<pose>0 0 1 0 0 0</pose></frame>{inner}"
        + joint("fixed")
        + joint("ball", parent="a", child="hand::grip", name="wrist")
    )
    opened = read(text)
    wrist = joint_of(opened, "wrist")
    assert (wrist.parent, wrist.child) == ("a", "hand__palm")
    assert np.abs(np.subtract(wrist.point, [0, 0, 1])).max() < 1e-15
    assert np.abs(np.subtract(wrist.point2, [0, 0, 0.2])).max() < 1e-15
    assert [e.what for e in opened.report.renamed] == ['link "hand::palm"', 'link "hand::grip"']
    points = [(p.name, p.body, p.point) for p in opened.spec.points]
    assert points == [("tip", "a", (0, 0, 1)), ("hand__grip", "hand__palm", (0, 0, 0.2))]


def test_frames_lie_where_libsdformat_puts_them(read):
    """The case of its test/sdf/model_frame_relative_to_joint.sdf; F4 is at 6 3 3, unturned."""
    quarter = math.pi / 2
    text = model(
        f'<link name="P"><pose>1 0 0 0 0 0</pose>{heavy()}</link>'
        f'<link name="C"><pose>2 0 0 0 {quarter} 0</pose>{heavy()}</link>'
        + joint("ball", f"<pose>0 3 0 0 {-quarter} 0</pose>", "C", "P", "J")
        + f'<frame name="F3"><pose relative_to="J">0 0 3 0 {quarter} 0</pose></frame>'
        f'<frame name="F4"><pose relative_to="F3">0 0 4 0 {-quarter} 0</pose></frame>'
    )
    points = {p.name: p.point for p in read(text).spec.points}
    assert np.abs(np.subtract(points["F3"], [1, 3, 3])).max() < 1e-14  # seen from P, which is
    assert np.abs(np.subtract(points["F4"], [5, 3, 3])).max() < 1e-14  # the canonical link


def test_frames_move_with_the_links_that_libsdformat_names(read):
    """The case of its test/sdf/model_nested_frame_attached_to.sdf."""
    text = model(
        f'<link name="L">{heavy()}</link><model name="M1"><link name="L">{heavy()}</link>'
        f'<model name="M2"><link name="L">{heavy()}</link></model>'
        '<frame name="F" attached_to="M2"/>'
        + joint("ball", "", "F", "L", "J1")
        + '</model><frame name="F0" attached_to="M1"/><frame name="F1" attached_to="M1::L"/>'
        '<frame name="F2" attached_to="F1"/><frame name="F3" attached_to="M1::F"/>'
        '<frame name="F4" attached_to="M1::J1"/>'
    )
    found = {p.name: p.body for p in read(text).spec.points}
    outer, inner = "M1__L", "M1__M2__L"
    assert found == {"M1__F": inner, "F3": inner, "F4": inner} | dict.fromkeys(
        ("F0", "F1", "F2"), outer
    )


def test_a_joint_without_effort_has_no_drive_and_may_start_elsewhere(read):
    axis = (
        "<axis><xyz>0 0 1</xyz><initial_position>0.7</initial_position>"
        "<limit><effort>0</effort></limit></axis>"
    )
    j = joint_of(read(model(f'<link name="a">{heavy()}</link>' + joint("revolute", axis))), "j")
    assert (j.drive, j.position, j.effort) == ("none", (0.7,), ())


def test_the_world_may_be_the_child(read):
    """Then the world rises where the link falls: q'' = g."""
    axis = "<axis><xyz>0 0 1</xyz></axis>"
    body = f'<link name="a">{heavy()}</link>'
    opened = read(model(body + joint("prismatic", axis, child="world", parent="a")))
    assert accelerations(opened) == pytest.approx([9.81], rel=1e-12)


@pytest.fixture
def library(tmp_path):
    """A folder with a model in the way Gazebo keeps them, and a mesh of its own."""
    folder = tmp_path / "library" / "hand"
    (folder / "meshes").mkdir(parents=True)
    (folder / "meshes" / "palm.stl").write_bytes(binary_stl(TETRAHEDRON))
    (folder / "model.config").write_text(
        '<model><name>hand</name><sdf version="1.6">old.sdf</sdf>'
        '<sdf version="1.9">new.sdf</sdf></model>'
    )
    visual = (
        '<visual name="v"><geometry><mesh><uri>meshes/palm.stl</uri></mesh></geometry></visual>'
    )
    (folder / "new.sdf").write_text(
        '<sdf version="1.9">\n<model name="hand">\n'
        f'<link name="palm">{heavy(0.5)}{visual}</link>\n</model>\n</sdf>\n'
    )
    return tmp_path / "library"


INCLUDE = (
    "<include><uri>model://hand</uri><name>left</name><pose>0 0 1 0 0 0</pose></include>"
    f'<link name="a">{heavy()}</link>'
    + joint("fixed")
    + joint("ball", parent="a", child="left::palm", name="wrist")
)


def test_included_models_are_found_where_the_user_says(read, library):
    opened = read(model(INCLUDE), package_paths=(library,))
    palm = next(body for body in opened.spec.bodies if body.name == "left__palm")
    assert palm.mass == 0.5
    assert [v.file for v in palm.visual] == ["library/hand/meshes/palm.stl"]
    assert joint_of(opened, "wrist").point == (0.0, 0.0, 1.0)
    with pytest.raises(MbdFmuError, match="cannot be included; there is no such file"):
        read(model(INCLUDE))


def test_what_is_wrong_in_an_included_file_is_told_in_its_line(read, library):
    file = library / "hand" / "new.sdf"
    file.write_text(file.read_text().replace("<mass>0.5", "<mass>0,5"))
    with pytest.raises(MbdFmuError) as refused:
        read(model(INCLUDE), package_paths=(library,))
    assert f'{file}:3: link "left::palm", inertial, mass: "0,5" has a decimal comma' in str(
        refused.value
    )


def test_an_included_file_includes_from_its_own_folder(read, library):
    (library / "pair.sdf").write_text(
        '<sdf version="1.9"><model name="pair"><include><uri>hand/new.sdf</uri></include>'
        "</model></sdf>"
    )
    opened = read(model("<include><uri>library/pair.sdf</uri></include>"))
    (body,) = opened.spec.bodies
    assert body.name == "pair__hand__palm"
    assert [v.file for v in body.visual] == ["library/hand/meshes/palm.stl"]


def test_static_models_that_are_included_are_ground(read, library):
    text = model(INCLUDE.replace("</name>", "</name><static>1</static>"))
    opened = read(text, package_paths=(library,))
    assert [body.name for body in opened.spec.bodies] == ["a"]
    wrist = joint_of(opened, "wrist")
    assert {wrist.parent, wrist.child} == {"a", "ground"}


def test_what_is_no_part_of_the_motion_is_listed_once(read):
    parts = (
        '<plugin name="p" filename="x"/><self_collide>1</self_collide>'
        "<enable_wind>true</enable_wind>"
    )
    text = changed('<link name="upper">', f'{parts}<link name="upper">', SDF_ARM)
    sensors = (
        '<sensor name="s" type="imu"/><light name="l" type="spot"/><enable_wind>0</enable_wind>'
    )
    text = changed('<visual name="tube">', f'{sensors}<visual name="tube">', text)
    found = {e.what: len(e.lines) for e in read(text).report.ignored}
    once = dict.fromkeys(("<plugin>", "<self_collide>", "<sensor>", "<light>"), 1)
    assert found == once | {"<enable_wind>": 2}


def test_an_older_file_is_read_only_by_the_lenient(read):
    opened = read(changed('version="1.11"', 'version="1.6"', SDF_ARM), is_lenient=True)
    (warning,) = opened.report.warnings()
    assert 'version="1.6": poses and axes meant other frames then' in warning


def test_show_and_simulate_take_the_file(tmp_path, capsys):
    path = tmp_path / "arm.sdf"
    path.write_text(SDF_ARM)
    assert main(["show", str(path)]) == 0
    assert '  line 10: link "upper": body "upper" of 2 kg' in capsys.readouterr().out
    out = tmp_path / "out.csv"
    assert main(["simulate", str(path), "--stop", "0.1", "-o", str(out)]) == 0
    assert "shoulder.q" in out.read_text().splitlines()[0]


LINK = (
    '<link name="{}"><inertial><mass>1</mass><inertia><ixx>.1</ixx><iyy>.1</iyy><izz>.1</izz>'
    "</inertia></inertial></link>"
)
HINGE = (
    '<joint name="{}" type="revolute"><parent>{}</parent><child>{}</child>'
    "<axis><xyz>0 1 0</xyz>{}</axis></joint>"
)


def test_a_frame_may_be_called_as_the_joint_that_holds_the_model(read):
    parts = LINK.format("b") + LINK.format("a") + HINGE.format("j", "b", "a", "")
    opened = read(model(parts + '<frame name="b_rigid" attached_to="a"/>'))
    assert [j.type for j in opened.spec.joints] == ["rigid", "revolute"]
    assert [p.name for p in opened.spec.points] == ["b_rigid"]


def test_a_joint_within_one_body_cannot_follow(read):
    mimic = '<mimic joint="j"><multiplier>2</multiplier></mimic>'
    parts = "".join(map(LINK.format, "abc")) + HINGE.format("j", "b", "a", "")
    parts += '<joint name="f" type="fixed"><parent>a</parent><child>c</child></joint>'
    with pytest.raises(MbdFmuError, match='"k" closes a loop within one body and cannot move'):
        read(model(parts + HINGE.format("k", "a", "c", mimic)))


def test_an_overlay_changes_a_fixed_joint_whichever_way_it_points(read, tmp_path):
    parts = "".join(map(LINK.format, "abc")) + HINGE.format("j", "b", "a", "")
    parts += '<joint name="f" type="fixed"><parent>c</parent><child>a</child></joint>'
    assert len(read(model(parts)).spec.bodies) == 2
    file = next(tmp_path.glob("*.sdf"))
    file.with_name(f"{file.stem}.mbd.toml").write_text("[robot]\njoint.f.point.z = 0.5\n")
    assert joint_of(read(model(parts)), "f").point == (0.0, 0.0, 0.5)
    file.with_name(f"{file.stem}.mbd.toml").write_text("[robot]\nlink.world.mass = 1\n")
    with pytest.raises(MbdFmuError, match="is the ground: it has no numbers"):
        read(model(parts))
