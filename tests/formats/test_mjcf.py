"""MJCF against MuJoCo itself: models of gymnasium, and one for each feature of the format."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from mbd_fmu.analysis.checks import refuse_unusable
from mbd_fmu.cli import main
from mbd_fmu.elements.places import GROUND
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.model_files import open_model, read_model
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import quaternion_of
from mbd_fmu.signals.csv_files import read_csv
from mbd_fmu.spatial import rotation_matrix
from mbd_fmu.system.system import system_of
from tests.formats.arm import ARM, changed
from tests.formats.mjcf_arm import MJCF_ARM
from tests.formats.mjcf_texts import LOOPS, TREES, WEDGE

pytest.importorskip("mujoco", reason="the second engine is not installed")

import mujoco

from tests.formats.mujoco_models import Twins

_GYMNASIUM = importlib.util.find_spec("gymnasium")  # found, and not imported
_FOLDER = "envs/mujoco/assets"
GYM = {
    path.stem: path
    for folder in (_GYMNASIUM.submodule_search_locations if _GYMNASIUM else ())
    for path in sorted((Path(folder) / _FOLDER).glob("*.xml"))
}
REFUSED = {"swimmer": "option: density 4000, of a fluid around all bodies, is not carried"}
# both compute in double precision; what is light is moved by the largest numbers
ROUNDING = 1e-11


def written(folder, text, name="model.xml"):
    path = folder / name
    path.write_text(text.strip(), encoding="utf-8")
    return path


def arm(folder, *changes):
    text = MJCF_ARM
    for old, new in changes:
        text = changed(old, new, text)
    return written(folder, text, "arm.xml")


@pytest.fixture
def meshes(tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "wedge.obj").write_text(WEDGE)
    return tmp_path


def compare(path, states=3):
    twins = Twins(path)
    rng = np.random.default_rng(13)
    for _ in range(states):
        for what, error in twins.worst(rng).items():
            assert error <= ROUNDING, f"{what} of {path.name} differ by {error:.1e}"
    return twins


@pytest.mark.parametrize("name", sorted({*GYM} - {*REFUSED}))
def test_a_model_of_gymnasium_moves_as_in_mujoco(name):
    compare(GYM[name])


@pytest.mark.skipif(not GYM, reason="gymnasium is not installed")
def test_the_models_of_gymnasium_are_all_read_but_one_that_swims():
    assert len(GYM) >= 14
    with pytest.raises(MbdFmuError, match=REFUSED["swimmer"]):
        open_model(GYM["swimmer"])


@pytest.mark.parametrize("name", TREES)
def test_what_a_tree_may_have_acts_as_in_mujoco(meshes, name):
    compare(written(meshes, TREES[name]))


@pytest.mark.parametrize("name", LOOPS)
def test_equalities_hold_as_mujocos_matrices_say(tmp_path, name):
    twins = compare(written(tmp_path, LOOPS[name]))
    assert twins.system.rows


@pytest.mark.parametrize("name", ["passive", "connect"])
def test_the_comparison_sees_what_is_wrong(meshes, name):
    twins = Twins(written(meshes, {**TREES, **LOOPS}[name]))
    twins.model.body_mass[2] *= 1.001
    assert twins.worst(np.random.default_rng(13))["accelerations"] > 1e-7
    twins.model.body_pos[2, 0] += 1e-4
    assert twins.worst(np.random.default_rng(13))["places"] > 1e-6


def test_inputs_are_drives_of_joints_and_signals_of_actuators(tmp_path):
    path = written(tmp_path, TREES["actuators"].replace("<flag clampctrl", "<flag warmstart"))
    opened = open_model(path)
    table = system_of(opened.spec).table
    inputs = [variable.name for variable in table.inputs]
    assert inputs[:3] == ["a.tau", "b.tau", "c.f"]
    assert inputs[3:] == [
        *("a_motor.ctrl", "servo.ctrl", "pace.ctrl", "law.ctrl"),
        *("rope.ctrl", "sum_motor.ctrl", "group.ctrl"),
    ]
    law = table.inputs[inputs.index("law.ctrl")]
    assert (law.min, law.max) == (-1.0, 2.0)
    said = {entry.what: entry.text for entry in opened.report.noted}
    assert said['actuator "sum_motor"'] == "forcerange -1 to 1: no force is clamped"
    assert [e.what for e in opened.report.ignored].count("ctrlrange") == 1


def test_parts_without_a_name_get_one_by_rule(tmp_path):
    spec = read_model(written(tmp_path, TREES["several_joints"]))
    assert [body.name for body in spec.bodies] == [
        *("cart_x", "cart_yaw", "cart", "load_load_ball", "load")
    ]
    assert [joint.name for joint in spec.joints] == ["x", "yaw", "pitch", "load_ball", "lift"]
    spec = read_model(written(tmp_path, TREES["flying"]))
    assert {joint.name: joint.parent for joint in spec.joints} == {
        "hull": GROUND,
        "ball": "ship",
        "buoy_free": GROUND,
        "pier_rigid": GROUND,
        "flag_hinge": "pier",
    }
    spec = read_model(written(tmp_path, LOOPS["weld"]))
    assert [(j.name, j.type) for j in spec.joints][-1] == ("l3_box_weld", "rigid")


def test_a_motion_starts_at_qpos0(tmp_path):
    spec = read_model(written(tmp_path, TREES["flying"]))
    hull = next(joint for joint in spec.joints if joint.name == "hull")
    w, x, y, z, *r = (float(value_of(q, {})) for q in hull.position)
    assert r == [1.0, 2.0, 3.0]
    # as the text has it: turns of 10, 20 and 30 degrees about x, then the new y, then the new z
    a, b, c = np.radians([10.0, 20.0, 30.0]) / 2.0
    product = [1.0, 0.0, 0.0, 0.0]
    for angle, axis in ((a, 1), (b, 2), (c, 3)):
        turn = np.zeros(4)
        turn[0], turn[axis] = np.cos(angle), np.sin(angle)
        mujoco.mju_mulQuat(after := np.zeros(4), np.array(product), turn)
        product = after
    assert [w, x, y, z] == pytest.approx(product, abs=1e-15)


def test_a_mesh_lies_where_its_file_has_it(meshes):
    """MuJoCo moves meshes to their mass centres; the picture must not."""
    path = written(meshes, TREES["inertias"])
    visual = next(v for v in read_model(path).bodies[0].visual if v.shape == "mesh")
    assert visual.file == "meshes/wedge.obj"
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]]) * visual.scale
    R = rotation_matrix(quaternion_of(visual.turn, {}))
    found = np.array(visual.center) + points @ R.T
    model = Twins(path).model
    there = model.geom_pos[0] + model.mesh_vert[:4] @ rotation_matrix(model.geom_quat[0]).T
    # MuJoCo keeps vertices in single precision
    assert found == pytest.approx(there, abs=1e-6)


def test_looks_have_sizes_and_colours_of_the_file(tmp_path):
    text = """
<mujoco><asset><material name="gold" rgba="1 0.8 0 1"/></asset><worldbody>
  <geom type="plane" size="1 1 1"/>
  <body name="a"><joint/>
    <geom type="box" size="0.1 0.2 0.3" rgba="1 0 0 1"/>
    <geom type="capsule" size="0.1 0.5" material="gold"/>
    <geom type="ellipsoid" size="0.1 0.2 0.4"/>
    <geom type="sphere" size="0.7" group="3"/>
  </body></worldbody></mujoco>"""
    opened = open_model(written(tmp_path, text))
    box, rod, *ends, ball = opened.spec.bodies[0].visual
    assert (box.size, box.color) == ((0.2, 0.4, 0.6), "#ff0000")
    assert (rod.radius, rod.start, rod.end, rod.color) == (
        *(0.1, (0.0, 0.0, -0.5), (0.0, 0.0, 0.5)),
        "#ffcc00",
    )
    assert [end.shape for end in ends] == ["sphere", "sphere"]
    assert ball.radius == pytest.approx(0.2, rel=1e-12)  # the cube root of 0.1 * 0.2 * 0.4
    assert sorted(e.reason.partition(":")[0] for e in opened.report.ignored) == [
        "of group 3 or more, for contacts, which are not computed",
        "of the world",
    ]


def test_all_that_is_left_out_is_listed_with_its_lines(tmp_path):
    more = """
  <keyframe><key name="home" qpos="0 0"/></keyframe>
  <sensor><jointpos joint="elbow"/><gyro site="tool"/></sensor>
  <contact><exclude body1="upper" body2="fore"/></contact>
</mujoco>"""
    report = open_model(arm(tmp_path, ("</mujoco>", more))).report
    listed = {entry.what: entry.lines for entry in report.ignored}
    assert listed == {
        "<site>": (11,),
        "<key>": (25,),
        "<jointpos>": (26,),
        "<gyro>": (26,),
        "<exclude>": (27,),
    }
    noted = {entry.what: entry.text for entry in report.noted}
    assert noted["contacts"] == "not computed; shapes and pairs that may touch there: 2"


def test_limits_become_stops_where_asked_for(tmp_path):
    path = arm(tmp_path)
    assert read_model(path).joints[0].lower == ()
    stopped = read_model(path, Choices(stops=True)).joints[0]
    assert (stopped.lower, stopped.upper) == ((-2.0,), (2.0,))


def test_the_lenient_leave_out_what_is_not_carried(tmp_path):
    servo = '<intvelocity name="drive" joint="shoulder" kp="3"/>'
    path = arm(tmp_path, ('<motor name="drive" joint="shoulder" gear="10"/>', servo))
    opened = open_model(path, Choices(is_lenient=True))
    assert opened.report.warnings() == [
        f'{path}:22: actuator "drive": dyntype integrator is not carried; take it out'
    ]
    assert not opened.spec.forces


def test_an_fmu_from_mjcf_moves_as_mujoco_does(tmp_path, capsys):
    """A flying body on a ball, a servo and a spring, against MuJoCo's Runge-Kutta of 0.1 ms."""
    text = """
<mujoco model="moves"><option timestep="0.0001" integrator="RK4"/><worldbody>
  <body name="ship" pos="0 0 1"><freejoint name="hull"/>
    <geom type="box" size="0.3 0.2 0.1" mass="3"/>
    <body name="arm" pos="0.3 0 0"><joint name="hinge" axis="0 1 0" ref="20" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="1"/></body>
  </body></worldbody>
  <actuator><position name="servo" joint="hinge" kp="20" kv="1"/></actuator></mujoco>"""
    path = written(tmp_path, text)
    out, fmu = tmp_path / "out.csv", tmp_path / "moves.fmu"
    assert main(["build", str(path), "-o", str(fmu)]) == 0
    settings = ["--set", "servo.ctrl=1.2", "--stop", "0.5", "--step", "0.1"]
    assert main(["simulate", str(fmu), *settings, "-o", str(out)]) == 0
    capsys.readouterr()
    model = mujoco.MjSpec.from_file(str(path)).compile()
    data = mujoco.MjData(model)
    data.ctrl[0] = 1.2
    for _ in range(5000):
        mujoco.mj_step(model, data)
    result = read_csv(out)
    found = [result.column(name)[-1] for name in ("hinge.q", "ship.r.x", "ship.r.z", "hinge.qd")]
    expected = [data.qpos[7], data.qpos[0], data.qpos[2], data.qvel[6]]
    # the FMU's tolerance of 1e-6
    assert found == pytest.approx(expected, abs=1e-5)


def test_an_include_is_read_and_what_is_wrong_in_it_is_found(tmp_path):
    text = changed("<worldbody>", '<include file="more.xml"/>\n  <worldbody>', MJCF_ARM)
    written(tmp_path, '<mujocoinclude>\n<option gravity="0 0 1"/></mujocoinclude>', "more.xml")
    path = written(tmp_path, text)
    assert [float(g) for g in read_model(path).gravity] == [0.0, 0.0, 1.0]
    written(
        tmp_path,
        "<mujocoinclude>\n<asset><mesh file='no.stl'/></asset></mujocoinclude>",
        "more.xml",
    )
    with pytest.raises(MbdFmuError, match=r'model\.xml:4: more\.xml:2: mesh file="no\.stl": there'):
        open_model(path)


@pytest.mark.parametrize("way", ["up", "absolute", "link", "folder", "include", "attached"])
def test_no_file_outside_the_folders_is_read(tmp_path, way):
    outside, folder = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    folder.mkdir()
    (outside / "secret.obj").write_text(WEDGE)
    (outside / "secret.xml").write_text('<mujocoinclude><option gravity="0 0 1"/></mujocoinclude>')
    (folder / "link.obj").symlink_to(outside / "secret.obj")
    (folder / "deep" / "er").mkdir(parents=True)
    attached = '<mujoco><include file="er/more.xml"/></mujoco>'
    (folder / "deep" / "hand.xml").write_text(attached)
    # from the folder of hand.xml, not from its own
    more = '<mujocoinclude><include file="../../outside/secret.xml"/></mujocoinclude>'
    (folder / "deep" / "er" / "more.xml").write_text(more)
    mesh = '<asset><mesh name="m" file="{}"/></asset>'
    texts = {
        "up": mesh.format("../outside/secret.obj"),
        "absolute": mesh.format(outside / "secret.obj"),
        "link": mesh.format("link.obj"),
        "folder": '<compiler meshdir="../outside"/>' + mesh.format("secret.obj"),
        "include": '<include file="../outside/secret.xml"/>',
        "attached": '<asset><model name="hand" file="deep/hand.xml"/></asset>',
    }
    path = arm(folder, ("<worldbody>", f"{texts[way]}\n  <worldbody>"))
    with pytest.raises(MbdFmuError, match="it lies outside: only the model's folder and --pack"):
        open_model(path)
    assert open_model(path, Choices(package_paths=(outside,))).spec.bodies


def test_copies_of_copies_are_counted_before_they_are_made(tmp_path):
    bodies = [f'<body name="b{n}">{{}}</body>' for n in range(25)]
    twice = [f'<attach body="b{n}" prefix="{side}"/>' for n in range(24) for side in "lr"]
    inner = ["<geom/>", *(a + b for a, b in zip(twice[::2], twice[1::2], strict=True))]
    text = "".join(b.format(i) for b, i in zip(bodies, inner, strict=True))
    path = arm(tmp_path, ("<worldbody>", f"<worldbody>{text}"))
    # w(0) = 2, w(n) = 1 + 2 (1 + w(n - 1)) = 5 2^n - 3: all 25 are 5 (2^25 - 1) - 75
    with pytest.raises(
        MbdFmuError, match=r"1\.68e\+08 elements when all that repeats is written out"
    ):
        open_model(path)


def test_a_refusal_leaves_neither_words_nor_files_of_mujoco(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = arm(tmp_path, ("<compiler ", '<compiler settotalmass="3" '), ("0 1 0", "0 0 0"))
    assert main(["build", str(path), "-o", "arm.fmu"]) == 1
    said = capfd.readouterr()
    assert not said.out
    assert said.err.startswith(f"mbd-fmu: {path}:6: MuJoCo refuses the file: axis too small")
    assert said.err.count("\n") == 1
    assert [p.name for p in tmp_path.iterdir()] == ["arm.xml"]


def test_a_warning_of_mujoco_is_a_note(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = arm(tmp_path, ("<compiler ", '<compiler settotalmass="3" '))
    report = open_model(path).report
    assert any("'settotalmass' is deprecated" in entry.text for entry in report.noted)
    assert capfd.readouterr() == ("", "")
    assert [p.name for p in tmp_path.iterdir()] == ["arm.xml"]


def test_without_mujoco_the_message_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(MbdFmuError, match=r'takes the package mujoco: pip install "mbd-fmu\[mjcf'):
        open_model(arm(tmp_path))


def test_mjcf_says_itself_what_flies(tmp_path):
    with pytest.raises(MbdFmuError, match="MJCF says itself which body flies; give it a <freej"):
        open_model(arm(tmp_path), Choices(base="free"))


def test_urdf_that_is_called_xml_is_read_as_urdf(tmp_path):
    path, plain = written(tmp_path, ARM), written(tmp_path, ARM, "model.urdf")
    assert read_model(path).bodies == read_model(plain).bodies


@pytest.mark.parametrize("name", ["connect", "weld_relpose", "weld_sites", "tendons"])
def test_a_loop_can_be_built(tmp_path, name):
    opened = open_model(written(tmp_path, LOOPS[name]))
    with opened.located():
        refuse_unusable(system_of(opened.spec))


def test_a_ball_may_be_called_as_its_body_in_what_flies(tmp_path):
    text = """
<mujoco><worldbody><body name="torso"><freejoint name="root"/><geom size=".1"/>
  <body name="hip" pos="0 0 1"><joint name="hip" type="ball"/><geom size=".1"/></body>
</body></worldbody></mujoco>"""
    opened = open_model(written(tmp_path, text))
    assert [j.name for j in opened.spec.joints] == ["root", "hip_"]
    assert system_of(opened.spec).table.outputs


def test_every_file_that_a_name_may_mean_is_looked_at(tmp_path):
    """Of two places for one name MuJoCo may take the other one."""
    folder = tmp_path / "in"
    (folder / "sub").mkdir(parents=True)
    body = (
        '<mujoco><worldbody><body name="{}"><joint/><geom size=".1"/></body></worldbody></mujoco>'
    )
    (tmp_path / "outside.xml").write_text(body.format("secret"))
    (folder / "x.xml").write_text(body.format("harmless"))
    (folder / "sub" / "x.xml").write_text('<mujoco><include file="../../outside.xml"/></mujoco>')
    (folder / "sub" / "s.xml").write_text('<mujoco><include file="x.xml"/></mujoco>')
    path = folder / "m.xml"
    path.write_text(
        '<mujoco><asset><model name="s" file="sub/s.xml"/></asset><worldbody>'
        '<body name="a"><joint/><geom size=".1"/></body></worldbody></mujoco>'
    )
    with pytest.raises(MbdFmuError, match="it lies outside"):
        open_model(path)


def test_names_of_files_across_lines_are_refused(tmp_path):
    path = tmp_path / "m.xml"
    path.write_text('<mujoco>\n<include file="a\nb.xml"/><worldbody/></mujoco>')
    with pytest.raises(MbdFmuError, match=r"m\.xml:2: the name of a file goes over lines"):
        open_model(path)
