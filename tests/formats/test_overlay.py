"""What an overlay adds to a robot, against the same thing written out."""

import math

import numpy as np
import pytest

from mbd_fmu.cli import main
from mbd_fmu.errors import MbdFmuError, SpecError
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.model_files import open_model
from mbd_fmu.model.library import find_model
from mbd_fmu.model.reader import read_model, spec_of_text
from mbd_fmu.model.spec import DEFAULT_GROUPS
from mbd_fmu.simulation import simulate
from mbd_fmu.spatial import rotation_matrix
from mbd_fmu.system.system import system_of
from tests.formats.arm import ARM, changed

TOOL = (
    '<link name="tool"><inertial><origin xyz="0.1 0 0"/><mass value="{}"/>'
    '<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>'
)


@pytest.fixture
def read(tmp_path):
    def reader(overlay="", text=ARM, **choices):
        path = tmp_path / "arm.urdf"
        path.write_text(text, encoding="utf-8")
        (tmp_path / "arm.mbd.toml").write_text(overlay, encoding="utf-8")
        return open_model(path, Choices(**choices))

    return reader


def run_of(opened, **settings):
    return simulate(system_of(opened.spec), stop=0.2, step=0.1, settings=settings)


def differences(one, two, names):
    """Largest differences of columns, over what they are."""
    return max(
        np.abs(one.column(n) - two.column(n)).max() / max(1.0, np.abs(two.column(n)).max())
        for n in names
    )


MOTION = ("shoulder.q", "shoulder.qdd", "elbow.q", "elbow.qdd", "shoulder.force.z", "elbow.force.x")


def test_a_payload_is_a_parameter_and_its_link_a_body_with_a_reaction(read):
    loaded = ARM.replace('<link name="tool"/>', TOOL.format(0.7))
    written = ARM.replace('<link name="tool"/>', TOOL.format(3.0))
    overlay = '[parameters]\npayload = { value = 0.7, unit = "kg" }\n'
    opened = read(overlay + '[robot]\nlink.tool.mass = "payload"\n', loaded)
    assert [p.name for p in opened.spec.parameters] == ["payload"]
    run = run_of(opened, payload=3.0)
    merged = run_of(read("", written))
    # two ways to the same numbers, integrated with a tolerance of 1e-6
    assert differences(run, merged, MOTION) < 1e-9
    assert spec_of_text(opened.spec.text) == opened.spec
    kept = run_of(read("", written, keep=("tool",)))
    assert differences(run, kept, [f"flange.force.{c}" for c in "xyz"]) < 1e-12


def test_single_numbers_of_vectors_and_matrices_are_changed_in_place(read):
    opened = read(
        "[parameters]\nlength = 0.4\nmoment = 0.02\n"
        '[robot]\njoint.elbow.point.z = "length"\nlink.upper.inertia.xx = "moment"\n'
        "link.upper.com.x = 0.01\njoint.shoulder.damping = 0.9\njoint.elbow.armature = 0.3\n"
    )
    run = run_of(opened, length=0.5, moment=0.03)
    text = changed('<origin xyz="0 0 0.4"/>', '<origin xyz="0 0 0.5"/>')
    text = changed('ixx="0.02"', 'ixx="0.03"', text)
    text = changed('<origin xyz="0 0 0.2" rpy="0 0 0"/>', '<origin xyz="0.01 0 0.2"/>', text)
    text = changed('damping="0.5"', 'damping="0.9"', text)
    written = run_of(read("[robot]\njoint.elbow.armature = 0.3\n", text))
    assert differences(run, written, MOTION) < 1e-12


def trapezium(length, span):
    """Links of the library's four-bar in URDF: frames at their upper or left pins, unturned."""
    side = (length - span) / 2
    height = math.sqrt(length**2 - side**2)
    axial, flat, normal = 0.08333333333333333, 29.416666666666668, 29.466666666666665
    along = {"left": (side, -height), "right": (-side, -height), "coupler": (-length, 0.0)}

    def link(name):
        x, z = np.array(along[name]) / length
        xx, zz, xz = (
            flat + (axial - flat) * x * x,
            flat + (axial - flat) * z * z,
            (axial - flat) * x * z,
        )
        com = np.array(along[name]) / 2
        return (
            (
                f'<link name="{name}"><inertial><origin xyz="{com[0]!r} 0 {com[1]!r}"/>'
                f'<mass value="20"/><inertia ixx="{xx!r}" ixy="0" ixz="{xz!r}" iyy="{normal!r}" '
                f'iyz="0" izz="{zz!r}"/></inertial></link>'
            )
            .replace("np.float64(", "")
            .replace(")", "")
        )

    def joint(name, parent, child, x, z):
        return (
            f'<joint name="{name}" type="continuous"><origin xyz="{x!r} 0 {z!r}"/>'
            f'<parent link="{parent}"/><child link="{child}"/><axis xyz="0 1 0"/></joint>'
        )

    return (
        (
            '<robot name="bars"><link name="frame"/>'
            + "".join(map(link, along))
            + joint("left_pivot", "frame", "left", 0.0, 0.0)
            + joint("left_pin", "left", "coupler", side, -height)
            + joint("right_pivot", "frame", "right", -span, 0.0)
            + "</robot>"
        ),
        f"""
[robot]
joint.left_pivot.velocity = 3.0
[[joint]]
name = "right_pin"
type = "revolute"
parent = "right"
child = "coupler"
point = [{-side!r}, 0, {-height!r}]
point2 = [{-length!r}, 0, 0]
axis = [0, 1, 0]
drive = "none"
cut = true
""",
    )


def test_a_closing_joint_makes_the_four_bar_of_the_library(read):
    robot, overlay = trapezium(4.0, 2.0)
    opened = read(overlay, robot)
    assert [j.name for j in opened.spec.joints if j.cut] == ["right_pin"]
    ours = simulate(system_of(opened.spec), stop=0.2, step=0.1)
    theirs = simulate(system_of(read_model(find_model("four_bar"))), stop=0.2, step=0.1)
    names = ("left_pivot.q", "left_pivot.qdd", "right_pin.force.x", "left_pin.force.z")
    # both integrate with a tolerance of 1e-6
    assert differences(ours, theirs, names) < 1e-6
    assert differences(ours, theirs, ["left_pivot.qdd"]) < 1e-6


def test_springs_take_hold_of_links_that_were_merged(read):
    overlay = """
[[force]]
name = "cable"
type = "spring_damper"
parent = "base"
child = "tool"
point = [0.5, 0, 1]
point2 = [0, 0, 0.1]
stiffness = 50.0
length = 0.2
"""
    opened = read(overlay)
    assert next(f for f in opened.spec.forces).parent == "ground"
    assert [b.name for b in opened.spec.bodies] == ["upper", "fore", "tool"]
    # the same point in the frame of the link that carries the tool
    R = rotation_matrix(np.array([math.cos(0.5), 0, math.sin(0.5), 0]))
    at = np.array([0, 0, 0.3]) + R @ [0, 0, 0.1]
    written = overlay.replace('"tool"', '"fore"').replace(
        "[0, 0, 0.1]", str([float(x) for x in at])
    )
    assert differences(run_of(opened), run_of(read(written)), MOTION) < 1e-9


def test_the_pose_of_a_merged_link_is_there_on_request(read):
    run = run_of(read('[robot]\nkeep = ["tool"]\n'), **{"shoulder.q_start": 0.3})
    plain = run_of(read(), **{"shoulder.q_start": 0.3})
    fore = rotation_matrix(np.array([plain.column(f"fore.quat.{c}")[-1] for c in "wxyz"]))
    origin = np.array([plain.column(f"fore.r.{c}")[-1] for c in "xyz"])
    expected = origin + fore @ [0, 0, 0.3]
    assert np.allclose([run.column(f"tool.r.{c}")[-1] for c in "xyz"], expected, atol=1e-9)


def test_outputs_solver_gravity_and_base_are_as_in_a_model_file(read):
    opened = read(
        "[model]\ngravity = [0, 0, -1.62]\n[fmu]\nsolver = 'rk4'\n[base]\nmotion = 'position'\n"
        "[[output]]\ngroups = ['joints']\npoint = [{ name = 'tip', body = 'fore', "
        "point = [0, 0, 0.3] }]\n"
    )
    spec = opened.spec
    assert spec.gravity == (0.0, 0.0, -1.62)
    assert spec.fmu.solver == "rk4"
    assert spec.moving_base
    assert spec.groups == ("joints",)
    assert [point.name for point in spec.points] == ["tool", "tip"]


def test_outputs_that_an_overlay_names_call_links_and_joints_as_the_robot_does(read):
    text = ARM.replace('"fore"', '"fore arm"').replace('"elbow"', '"the elbow"')
    opened = read(
        "[[output]]\n"
        "angle = [{ name = 'bend', parent = 'upper', child = 'fore arm', axis = [0, 0, 1], "
        "axis2 = [0, 0, 1] }]\n"
        "reaction = [{ name = 'carried', joint = 'the elbow', axes = 'joint' }]\n"
        "rpy = [{ name = 'turn', body = 'upper', relative_to = 'fore arm' }]\n"
        "magnitude = [{ name = 'size', of = 'the_elbow.force' }]\n",
        text,
    )
    spec = opened.spec
    assert spec.groups == DEFAULT_GROUPS
    angle, rpy, reaction, size = spec.outputs
    assert (angle.parent, angle.child, rpy.relative_to) == ("upper", "fore_arm", "fore_arm")
    assert (reaction.joint, size.of) == ("the_elbow", "the_elbow.force")
    names = {v.name for v in system_of(spec).table.outputs}
    assert {"bend", "carried.force.x", "turn.roll", "size"} <= names


def test_what_is_wrong_with_a_named_output_is_told_of_the_overlay(read):
    with pytest.raises(SpecError) as error:
        read("[[output]]\nrpy = [{ name = 'turn', body = 'nobody' }]\n")
    assert 'rpy "turn", body: no body "nobody"' in str(error.value)
    assert "mbd.toml" in str(error.value)
    with pytest.raises(SpecError, match="write tables"):
        read("[[output]]\nangle = 3\n")


def test_names_are_those_of_the_robots_file(read):
    text = ARM.replace('"fore"', '"fore arm"').replace('"elbow"', '"the elbow"')
    opened = read(
        '[robot]\nlink."fore arm".mass = 3\njoint."the elbow".damping = 2\n'
        '[[force]]\nname = "push"\ntype = "wrench"\nbody = "fore arm"\npoint = [0, 0, 0]\n'
        '[[constraint]]\nname = "belt"\ntype = "gear"\njoints = ["shoulder", "the elbow"]\n'
        "ratio = 2\n",
        text,
    )
    assert next(b for b in opened.spec.bodies if b.name == "fore_arm").mass == 3.0
    assert next(j for j in opened.spec.joints if j.name == "the_elbow").damping == (2.0,)
    assert opened.spec.constraints[0].joints == ("shoulder", "the_elbow")


def test_a_root_without_mass_gets_one(read):
    opened = read("[robot]\nlink.base.mass = 4\n")
    assert opened.spec.joints[0].name == "base_rigid"
    run = run_of(opened)
    # what stands still carries its own weight and what the next joint takes
    own = run.column("base_rigid.force.z") - run.column("shoulder.force.z")
    assert np.allclose(own, 4 * 9.81, rtol=1e-12, atol=0)


REFUSED = [
    ("[robots]\n", 'robots: unknown section; did you mean "robot"?'),
    ("[link.tool]\nmass = 1\n", "link: unknown section; write it under [robot]: robot.link"),
    ("[joint.elbow]\ndamping = 1\n", "write [[joint]]; what changes the robot's own stands under"),
    ("[robot]\nlinks.tool.mass = 1\n", '[robot], links: unknown key; did you mean "link"?'),
    ("[robot]\nlink.tol.mass = 1\n", '[robot], link "tol": the robot has no such link; did you'),
    ("[robot]\njoint.elbo.damping = 1\n", "the robot has no such joint; did you mean"),
    ("[robot]\nlink.tool.mas = 1\n", '"tool", mas: unknown key; did you mean "mass"?'),
    ("[robot]\njoint.elbow.dampin = 1\n", 'dampin: unknown key; did you mean "damping"?'),
    ("[robot]\njoint.elbow.type = 'rigid'\n", "type: is the robot's; change the robot's file"),
    ("[robot]\nkeep = 'tool'\n", '[robot], keep: found "tool"; write keep = ["flange"]'),
    ("[robot]\nkeep = ['tol']\n", '[robot], keep: no link "tol"; did you mean "tool"?'),
    ("[robot]\njoint.elbow.damping = -1\n", 'arm.mbd.toml: joint "elbow", damping: -1'),
    ("[robot]\njoint.elbow.damping = 'c'\n", 'arm.mbd.toml: joint "elbow", damping: '),
    ("[robot]\nlink.upper.mass = -1\n", 'arm.mbd.toml: body "upper", mass: '),
    ("[robot]\nlink.upper.com.w = 1\n", 'arm.mbd.toml: body "upper", com: '),
    ("[[force]]\nname = 'f'\ntype = 'spring_damper'\n", 'arm.mbd.toml: force "f", parent: missing'),
    ("[[force]]\nname = 'f'\ntype = 'wrench'\nbody = 'uper'\n", 'no body "uper"; did you mean'),
    ("[parameters]\nm = 'x'\n", 'arm.mbd.toml: parameter "m"'),
    ("[fmu]\nsolver = 'euler'\n", "arm.mbd.toml: [fmu], solver"),
    ("a = \n", "arm.mbd.toml: not TOML"),
]


@pytest.mark.parametrize(("overlay", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_a_wrong_overlay_is_refused_and_named(read, overlay, said):
    with pytest.raises(MbdFmuError) as refused:
        read(overlay)
    assert said in str(refused.value)
    assert "arm.mbd.toml" in str(refused.value)


def test_frames_of_merged_links_are_asked_for(read):
    hand = (
        '<joint name="wrist" type="revolute"><origin xyz="0 0 0.1"/><parent link="tool"/>'
        '<child link="hand"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'
        '<axis xyz="0 0 1"/></joint><link name="hand"><inertial><mass value="1"/><inertia ixx="1" '
        'ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></robot>'
    )
    text = ARM.replace("</robot>", hand)
    with pytest.raises(MbdFmuError, match=r'is part of another body; add it: robot.keep = \["tool'):
        read("[robot]\njoint.wrist.point.z = 0.2\n", text)
    opened = read('[robot]\nkeep = ["tool"]\njoint.wrist.point.z = 0.2\n', text)
    assert next(j for j in opened.spec.joints if j.name == "wrist").point == (0.0, 0.0, 0.2)


def test_the_commands_say_that_an_overlay_is_there(tmp_path, capsys):
    robot, other = tmp_path / "arm.urdf", tmp_path / "heavy.toml"
    robot.write_text(ARM, encoding="utf-8")
    assert main(["show", str(robot)]) == 0
    assert "adds" not in capsys.readouterr().out
    (tmp_path / "arm.mbd.toml").write_text("[robot]\nlink.upper.mass = 5\n", encoding="utf-8")
    assert main(["show", str(robot)]) == 0
    assert f"with what {tmp_path / 'arm.mbd.toml'} adds" in capsys.readouterr().out
    other.write_text("[robot]\nlink.upper.mass = 6\n", encoding="utf-8")
    assert main(["show", str(robot), "--overlay", str(other)]) == 0
    assert "of 6 kg" not in (shown := capsys.readouterr().out)
    assert str(other) in shown
    assert main(["show", str(robot), "--overlay", str(tmp_path / "none.toml")]) == 1
    assert "no such overlay" in capsys.readouterr().err
    assert main(["show", str(tmp_path / "arm.mbd.toml")]) == 1
    assert "is an overlay; give the robot it belongs to" in capsys.readouterr().err


def test_a_link_whose_numbers_change_does_not_swallow_what_hangs_on_it(read):
    """A sensor of its own on a fixed joint keeps its mass."""
    sensor = (
        '<link name="sensor"><inertial><mass value="0.5"/><inertia ixx="0.01" ixy="0" ixz="0" '
        'iyy="0.01" iyz="0" izz="0.01"/></inertial></link><joint name="clip" type="fixed">'
        '<origin xyz="0.1 0 0"/><parent link="upper"/><child link="sensor"/></joint></robot>'
    )
    text = ARM.replace("</robot>", sensor)
    run = run_of(read("[robot]\nlink.upper.mass = 3.0\n", text))
    written = run_of(read("", changed('<mass value="2.0"/>', '<mass value="3.0"/>', text)))
    assert differences(run, written, MOTION) < 1e-9


def test_one_angle_changes_and_the_others_stay(read, tmp_path):
    hand = (
        '<joint name="wrist" type="continuous"><origin rpy="0.2 0.3 0.4"/><parent link="tool"/>'
        '<child link="hand"/><axis xyz="0 0 1"/></joint><link name="hand"><inertial>'
        '<mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
        "</link></robot>"
    )
    text = ARM.replace("</robot>", hand)
    overlay = '[robot]\nkeep = ["tool"]\njoint.wrist.rpy.z = -0.7\n'
    wrist = next(j for j in read(overlay, text).spec.joints if j.name == "wrist")
    assert wrist.orientation.values == (0.2, 0.3, -0.7)
    path = tmp_path / "arm.xml"  # MJCF says turns by quaternions
    path.write_text(
        '<mujoco><compiler angle="radian" eulerseq="XYZ"/><worldbody>'
        '<body name="a" euler="0.2 0.3 0.4"><joint name="h"/><geom size="0.1"/></body>'
        "</worldbody></mujoco>"
    )
    (tmp_path / "arm.mbd.toml").write_text("[robot]\njoint.h.rpy.z = -0.7\n")
    hinge = open_model(path).spec.joints[0]
    assert hinge.orientation.values == pytest.approx((0.2, 0.3, -0.7), abs=1e-15)


def test_the_joint_of_the_root_is_called_as_in_the_fmu(read):
    opened = read("[robot]\njoint.base_free.velocity = [0, 0, 1, 2, 0, 0]\n", base="free")
    assert opened.spec.joints[0].velocity == (0.0, 0.0, 1.0, 2.0, 0.0, 0.0)
    with pytest.raises(MbdFmuError, match=r"base_rigid.*what it joins is one body here"):
        read("[robot]\njoint.base_rigid.cut = true\n")


SHAPES = [
    "[[force]]\nname = 'f'\ntype = 'wrench'\nbody = 5\npoint = [0, 0, 0]\n",
    "[[constraint]]\nname = 'c'\ntype = 'wheel_set'\nbodies = [['a']]\n",
    "[[output]]\npoint = 5\n",
    "[[output]]\npoint = ['a']\n",
    "[[output]]\ngroups = 5\n",
]


@pytest.mark.parametrize("overlay", SHAPES)
def test_what_has_another_shape_is_told_and_no_fault_of_ours(read, overlay):
    with pytest.raises(MbdFmuError, match="problem"):
        read(overlay)


def test_points_vectors_and_derived_parameters_of_an_overlay(read):
    """A tool at a named point of a link, its mass derived from a vector of sizes."""
    overlay = """
[parameters]
size = { value = [0.1, 0.05, 0.05], unit = "m" }
payload = { value = "8000*size[1]*size[2]*size[3]", unit = "kg" }
[points]
grip = { body = "fore", at = [0, 0, 0.3] }
[robot]
link.fore.mass = "1 + payload"
[[force]]
name = "push"
type = "wrench"
body = "fore"
point = "grip + [0, 0, size[1]]"
[[output]]
point = [{ name = "tcp", body = "fore", point = "grip" }]
"""
    in_numbers = f"""
[robot]
link.fore.mass = {1 + 8000 * 0.2 * 0.05 * 0.05}
[[force]]
name = "push"
type = "wrench"
body = "fore"
point = [0, 0, 0.5]
[[output]]
point = [{{ name = "tcp", body = "fore", point = [0, 0, 0.3] }}]
"""
    names = (*MOTION, "tcp.r.x", "tcp.r.z")
    run = run_of(read(overlay), **{"size[1]": 0.2, "push.force.x": 3.0})
    plain = run_of(read(in_numbers), **{"push.force.x": 3.0})
    # the same numbers but for the order of products
    assert differences(run, plain, names) < 1e-12


def test_points_and_parameters_of_an_overlay_say_which_link_carries_them(read):
    text = ARM.replace('"fore"', '"fore arm"')
    spec = read(
        """
[parameters]
tip = { value = [0, 0, 0.3], unit = "m", body = "fore arm" }
[points]
post = { body = "ground", at = [1, 0, 0] }
[[force]]
name = "rope"
type = "spring_damper"
point = "post"
point2 = "tip"
stiffness = 10
length = 0.2
[[output]]
point = [{ name = "tcp", point = "tip" }]
""",
        text,
    ).spec
    (rope,) = spec.forces
    assert (rope.parent, rope.child) == ("ground", "fore_arm")
    assert next(point.body for point in spec.points if point.name == "tcp") == "fore_arm"


def test_a_point_of_another_link_is_told_with_the_overlay(read):
    overlay = """
[points]
grip = { body = "fore", at = [0, 0, 0.3] }
[[force]]
name = "push"
type = "wrench"
body = "upper"
point = "grip"
"""
    with pytest.raises(MbdFmuError) as error:
        read(overlay)
    assert 'force "push", point: "grip" is a point of "fore"' in str(error.value)
    assert "arm.mbd.toml" in str(error.value)
