"""What becomes of links and joints of a URDF file."""

import json

import numpy as np
import pytest

from mbd_fmu.cli import main
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.model_files import open_model
from mbd_fmu.model.reader import spec_of_text
from mbd_fmu.simulation import simulate
from mbd_fmu.spatial import rotation_matrix
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from tests.formats.arm import ARM, body_of, changed, joint_of
from tests.formats.mesh_files import TETRAHEDRON, binary_stl

ELBOW = '<axis xyz="0 1 1"/>'
HEAVY = (
    '<inertial><mass value="{}"/>'
    '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
)
FLANGE = '<joint name="flange" type="fixed">'


@pytest.fixture
def read(tmp_path):
    def reader(text=ARM, **choices):
        path = tmp_path / "arm.urdf"
        path.write_text(text, encoding="utf-8")
        return open_model(path, Choices(**choices))

    return reader


def test_links_are_bodies_and_joints_keep_their_names(read):
    opened = read()
    assert [body.name for body in opened.spec.bodies] == ["upper", "fore"]
    assert [(j.name, j.type, j.parent, j.child) for j in opened.spec.joints] == [
        ("shoulder", "revolute", "ground", "upper"),
        ("elbow", "revolute", "upper", "fore"),
    ]
    shoulder, elbow = opened.spec.joints
    assert shoulder.point == (0.0, 0.0, 0.1)
    assert shoulder.orientation.values == (0.1, 0.0, 0.0)
    assert np.allclose(elbow.axis, np.array([0, 1, 1]) / np.sqrt(2), rtol=0, atol=1e-16)
    assert spec_of_text(opened.spec.text) == opened.spec


def test_the_inertia_of_a_turned_origin_is_turned_into_the_link(read):
    turned = 'xyz="0 0 0.2" rpy="0 0 1.5707963267948966"'
    body = body_of(read(changed('xyz="0 0 0.2" rpy="0 0 0"', turned)), "upper")
    assert body.com == (0.0, 0.0, 0.2)
    assert np.allclose(body.inertia, np.diag([0.03, 0.02, 0.04]), rtol=0, atol=1e-17)


def test_the_axis_is_x_by_default_and_that_is_noted(read):
    opened = read(changed(ELBOW, ""))
    assert joint_of(opened, "elbow").axis == (1.0, 0.0, 0.0)
    assert [e.text for e in opened.report.noted] == ["no <axis>: it is x, 1 0 0"]


def test_dampers_and_friction_act_and_friction_is_coulombs_beyond_rest(read):
    system = system_of(read().spec)
    plant = plant_of(system, system.nominal_parameters())
    for speed in (0.2, -0.2, 1.0):
        x = plant.start()
        x[2] = speed
        force = plant.instant(x, np.zeros(2)).added[0]
        assert force == -0.5 * speed - 0.2 * np.sign(speed)


def test_effort_bounds_the_drive_and_velocity_is_described(read):
    table = system_of(read().spec).table
    shoulder, elbow = (
        next(v for v in table.inputs if v.name == f"{n}.tau") for n in ("shoulder", "elbow")
    )
    assert (shoulder.min, shoulder.max) == (-100.0, 100.0)
    assert (elbow.min, elbow.max) == (None, None)
    rate = next(v for v in table.outputs if v.name == "shoulder.qd")
    assert rate.description.endswith("its maker allows 3")


def test_a_frame_at_the_end_is_an_output_point(read):
    opened = read()
    (point,) = opened.spec.points
    assert (point.name, point.body, point.point) == ("tool", "fore", (0.0, 0.0, 0.3))
    names = [v.name for v in system_of(opened.spec).table.outputs]
    assert {"tool.r.x", "tool.v.z"} <= {*names}


def test_merged_links_weigh_what_they_weigh_apart(read):
    """The same motion, the reactions of the fixed joint as a gift."""
    text = changed('<link name="tool"/>', f'<link name="tool">{HEAVY.format(0.7)}</link>')
    merged, kept = read(text), read(text, keep=("tool",))
    assert [body.name for body in merged.spec.bodies] == ["upper", "fore"]
    assert [body.name for body in kept.spec.bodies] == ["upper", "fore", "tool"]
    assert joint_of(kept, "flange").type == "rigid"
    one, two = (simulate(system_of(o.spec), stop=0.5, step=0.1) for o in (merged, kept))
    for name in one.names:
        if not name.startswith(("fore.com", "elbow.force", "elbow.torque", "tool")):
            assert np.abs(one.column(name) - two.column(name)).max() < 1e-8, name
    for name in ("elbow.force.x", "elbow.torque.y"):
        assert np.abs(one.column(name) - two.column(name)).max() < 1e-6, name
    assert "flange.force.x" in two
    lies = merged.report.merged[-1]
    assert (lies.link, lies.body, lies.r) == ("tool", "fore", (0.0, 0.0, 0.3))
    R = rotation_matrix(np.array([one.column(f"fore.quat.{c}")[-1] for c in "wxyz"]))
    place = np.array([one.column(f"fore.r.{c}")[-1] for c in "xyz"]) + R @ lies.r
    expected = [two.column(f"tool.r.{c}")[-1] for c in "xyz"]
    assert np.abs(place - expected).max() < 1e-8


def test_fixed_joints_that_must_not_collapse_stay(read):
    opened = read(changed(FLANGE, '<joint name="flange" type="fixed" dont_collapse="true">'))
    assert joint_of(opened, "flange").type == "rigid"


def test_a_root_with_mass_is_held_by_a_rigid_joint_or_flies(read):
    text = changed('<link name="base"/>', f'<link name="base">{HEAVY.format(5)}</link>')
    fixed, free = read(text), read(text, base="free")
    holds, carries = fixed.spec.joints[0], free.spec.joints[0]
    assert (holds.name, holds.type) == ("base_rigid", "rigid")
    assert (carries.name, carries.type) == ("base_free", "free")
    force = simulate(system_of(fixed.spec), stop=0.01, step=0.01).column("base_rigid.force.z")
    assert force[0] > 5 * 9.81
    names = {v.name for v in system_of(free.spec).table.outputs}
    assert {"base.r.x", "base.quat.w", "base.v.x", "base.w.z"} <= names


def test_a_fixed_joint_to_a_massless_root_carries_the_reaction(read):
    text = changed(
        '<link name="base"/>',
        f'<link name="world"/><link name="base">{HEAVY.format(5)}</link>'
        '<joint name="bolt" type="fixed"><parent link="world"/><child link="base"/></joint>',
    )
    opened = read(text)
    assert joint_of(opened, "bolt").type == "rigid"
    assert joint_of(opened, "bolt").parent == "ground"
    assert opened.report.merged[0].body == "ground"


def test_mimics_are_gears_to_the_joint_that_leads(read):
    third = (
        f'<link name="tip">{HEAVY.format(1)}</link><joint name="slide" type="prismatic">'
        '<parent link="tool"/><child link="tip"/>'
        '<limit lower="0" upper="1" effort="1" velocity="1"/>'
        '<mimic joint="elbow" multiplier="0.5" offset="0.1"/></joint></robot>'
    )
    text = changed(ELBOW, f'{ELBOW}<mimic joint="shoulder" multiplier="-2" offset="0.3"/>')
    opened = read(changed("</robot>", third, text))
    gears = {gear.name: (gear.joints, gear.ratio, gear.offset) for gear in opened.spec.constraints}
    assert gears == {
        "elbow_mimic": (("shoulder", "elbow"), -2.0, 0.3),
        "slide_mimic": (("shoulder", "slide"), -1.0, 0.25),
    }
    start = simulate(system_of(opened.spec), stop=0.1, step=0.1)
    assert start.column("shoulder.q")[0] == pytest.approx(0.0, abs=1e-12)
    assert start.column("elbow.q")[0] == pytest.approx(0.3, abs=1e-12)
    run = simulate(system_of(opened.spec), stop=0.2, step=0.1, settings={"shoulder.q_start": 0.4})
    assert run.column("shoulder.q")[0] == pytest.approx(0.4, abs=1e-12)
    assert np.abs(run.column("elbow.q") + 2 * run.column("shoulder.q") - 0.3).max() < 1e-9
    assert np.abs(run.column("slide.q") + run.column("shoulder.q") - 0.25).max() < 1e-9


def test_planar_and_floating_joints(read):
    planar = changed('type="continuous"', 'type="planar"', changed("0 1 1", "0 0 2"))
    joint = joint_of(read(planar), "elbow")
    assert (joint.type, joint.axis, joint.axis2) == ("planar", (0, 0, 1), (1, 0, 0))
    opened = read(changed('type="continuous"', 'type="floating"'))
    joint = joint_of(opened, "elbow")
    assert (joint.type, joint.drive, joint.point) == ("free", "none", (0.0, 0.0, 0.4))
    assert "fore.w.x" in {v.name for v in system_of(opened.spec).table.outputs}


def test_a_turned_floating_joint_starts_where_the_file_says(read):
    text = changed('type="revolute"', 'type="floating"')
    x = plant_of((system := system_of(read(text).spec)), system.nominal_parameters()).start()
    assert np.abs(x[:4] - [np.cos(0.05), np.sin(0.05), 0, 0]).max() < 1e-15


def test_stops_stand_at_the_limits_where_they_are_asked_for(read):
    assert joint_of(read(), "shoulder").stop == ()
    shoulder = joint_of(read(stops=True), "shoulder")
    assert (shoulder.lower, shoulder.upper) == ((-2.0,), (2.0,))
    assert shoulder.stop[:2] == (1e4, 100.0)
    outside = read(changed('lower="-2"', 'lower="1"'), stops=True)
    assert joint_of(outside, "shoulder").position == (1.5,)


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("ground", "ground_"),
        ("energy", "energy_"),
        ("base", "base"),
        ("time", "time"),
        ("1st arm/link", "_1st_arm_link"),
        ("Arm-2.0", "Arm_2_0"),
        ("\u00e9l\u00e9ment", "_l_ment"),
    ],
)
def test_names_are_kept_or_mapped_and_told(read, name, own):
    text = ARM.replace('"upper"', f'"{name}"').replace('"shoulder"', f'"{name}"')
    if name == "base":
        text = ARM.replace('"base"', '"stand"').replace('"upper"', '"base"')
        text = text.replace('"shoulder"', '"base"')
    opened = read(text)
    assert opened.spec.bodies[0].name == opened.spec.joints[0].name == own
    renamed = {e.what: e.text for e in opened.report.renamed}
    assert bool(renamed) == (name != own)
    names = {v.name for v in system_of(opened.spec).table.variables}
    assert {f"{own}.tau", f"{own}.q", f"{own}.q_start", f"{own}.r.x"} <= names


def test_two_names_that_become_one_are_told_apart(read):
    text = ARM.replace('"upper"', '"a b"').replace('"fore"', '"a_b"')
    assert [body.name for body in read(text).spec.bodies] == ["a_b_2", "a_b"]


def test_a_floating_joint_called_as_its_link_gets_another_name(read):
    text = changed('type="continuous"', 'type="floating"').replace('"elbow"', '"fore"')
    assert [j.name for j in read(text).spec.joints] == ["shoulder", "fore_"]


def test_shapes_and_colors_are_seen(read, tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "part.stl").write_bytes(binary_stl(TETRAHEDRON))
    shapes = (
        '<visual><origin xyz="1 0 0" rpy="0 1.5707963267948966 0"/><geometry><capsule radius="0.1" '
        'length="2"/></geometry><material name="a"><color rgba="1 0 0 1"/></material></visual>'
        '<visual><geometry><mesh filename="package://meshes/part.stl" scale="0.001 0.001 0.001"/>'
        '</geometry></visual><visual><geometry><box size="1 2 3"/></geometry></visual>'
        '<visual><geometry><mesh filename="part.dae"/></geometry></visual>'
    )
    opened = read(changed('<link name="tool"/>', f'<link name="tool">{shapes}</link>'))
    upper, fore = opened.spec.bodies
    assert [(v.shape, v.color) for v in upper.visual] == [("cylinder", "#808080")]
    shapes = ["cylinder", "sphere", "sphere", "mesh", "box", "box"]
    assert [v.shape for v in fore.visual] == shapes
    assert fore.visual[0].color == "#ff0000"
    assert (fore.visual[3].file, fore.visual[3].scale) == ("meshes/part.stl", (1e-3,) * 3)
    assert any("drawn as a box" in entry.text for entry in opened.report.noted)


def test_doubtful_inertias_are_noted(read):
    opened = read(changed('<mass value="2.0"/>', '<mass value="0.00001"/>'))
    (entry,) = [e for e in opened.report.noted if "radius of gyration" in e.text]
    assert entry.text.endswith("is the inertia too large by some 1e4, in other units than kg.m2?")


def test_show_gives_the_account(tmp_path, capsys):
    path = tmp_path / "arm.urdf"
    path.write_text(changed("</robot>", '<gazebo/><transmission name="t"/></robot>'))
    assert main(["show", str(path)]) == 0
    said = capsys.readouterr().out
    assert '  line 5: link "upper": body "upper" of 2 kg' in said
    assert "  <gazebo> (line 43): settings of another simulator" in said
    assert main(["show", str(path), "--json", "--base", "free"]) == 0
    account = json.loads(capsys.readouterr().out)["import"]
    assert {e["what"] for e in account["imported"]} >= {'link "upper"', 'joint "shoulder"'}
    assert [e["what"] for e in account["ignored"]] == ["<gazebo>", "<transmission>"]
    assert account["merged"][0]["link"] == "tool"


def test_choices_of_robots_are_refused_where_there_is_none(tmp_path, capsys):
    assert main(["show", "pendulum", "--base", "free"]) == 1
    assert "is a model file of ours" in capsys.readouterr().err
    (tmp_path / "arm.fmu").touch()
    assert main(["simulate", str(tmp_path / "arm.fmu"), "--stops"]) == 1
    assert "are of robots" in capsys.readouterr().err


def test_a_link_to_keep_must_be_there_and_fixed(read):
    from mbd_fmu.errors import SpecError

    with pytest.raises(SpecError, match='--keep: no link "tol"; did you mean "tool"'):
        read(keep=("tol",))
    with pytest.raises(SpecError, match='--keep: link "fore" moves'):
        read(keep=("fore",))


def test_a_massless_link_on_a_moving_joint_is_refused_by_its_joint(tmp_path, capsys):
    path = tmp_path / "arm.urdf"
    path.write_text(changed(FLANGE, '<joint name="flange" type="continuous">'))
    assert main(["simulate", str(path), "-o", str(tmp_path / "out.csv")]) == 1
    said = capsys.readouterr().err
    assert f'{path}:38: joint "flange": it moves no mass, for "tool" has none' in said
    assert "or make the joint rigid" in said
    assert [p.name for p in tmp_path.iterdir()] == ["arm.urdf"]


def test_what_follows_starts_where_it_must_and_nothing_else_moves(read):
    """A mimic is geometry: it does not push the arm, as the inertia between them would."""
    mimic = '<mimic joint="shoulder" multiplier="-2" offset="0.4"/>'
    opened = read(changed(ELBOW, ELBOW + mimic), base="free")
    settings = {"shoulder.q_start": 0.3, "shoulder.qd_start": 0.7}
    run = simulate(system_of(opened.spec), stop=0.01, step=0.01, settings=settings)
    start = {name: run.column(name)[0] for name in run.names}
    assert start["elbow.q"] == pytest.approx(-2 * 0.3 + 0.4, abs=1e-12)
    assert start["elbow.qd"] == pytest.approx(-2 * 0.7, abs=1e-12)
    assert (start["shoulder.q"], start["shoulder.qd"]) == (0.3, 0.7)
    still = ("base.r.x", "base.r.z", "base.quat.x", "base.v.x", "base.v.z", "base.w.y")
    assert [start[name] for name in still] == [0.0] * 6


def test_friction_and_stops_take_the_implicit_solver_unless_an_overlay_names_another(
    read, tmp_path
):
    dynamics = '<dynamics damping="0.5" friction="0.2"/>'
    smooth = changed(dynamics, '<dynamics damping="0.5"/>')
    assert read().spec.fmu.solver == "stiff"
    assert read(smooth).spec.fmu.solver == "dopri5"
    assert read(smooth, stops=True).spec.fmu.solver == "stiff"
    (tmp_path / "arm.mbd.toml").write_text("[fmu]\ntolerance = 1e-5\n")
    assert (read().spec.fmu.solver, read().spec.fmu.tolerance) == ("stiff", 1e-5)
    (tmp_path / "arm.mbd.toml").write_text('[fmu]\nsolver = "rk4"\n')
    assert read().spec.fmu.solver == "rk4"


def test_a_direction_has_no_size(read):
    tiny, huge = (read(changed("0 1 1", f"0 {x} {x}")) for x in ("1e-200", "1e12"))
    axes = {joint_of(opened, "elbow").axis for opened in (tiny, huge, read())}
    assert len(axes) == 1


def test_names_of_ours_are_no_longer_than_names_may_be(read):
    long = "b" * 100
    heavy = changed('<link name="base"/>', f'<link name="base">{HEAVY.format(1)}</link>')
    opened = read(heavy.replace('"base"', f'"{long}"'))
    assert [len(joint.name) for joint in opened.spec.joints][:1] == [95]
