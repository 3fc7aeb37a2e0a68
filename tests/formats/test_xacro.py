"""Robots in xacro: expanded, confined to their folders, and told in our words."""

import os
import sys

import pytest

from mbd_fmu.cli import main
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.formats import xacro_door
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.model_files import open_model
from mbd_fmu.host.fence import FenceError, fenced

ROBOT = """\
<?xml version="1.0"?>
<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="mass" default="2.0"/>
  <xacro:property name="length" value="0.4"/>
  <xacro:property name="other" value="OTHER"/>
  <xacro:macro name="bar" params="name m">
    <link name="${name}">
      <inertial>
        <origin xyz="0 0 ${length / 2}"/>
        <mass value="${m}"/>
        <inertia ixx="${m * length**2 / 12}" ixy="0" ixz="0" iyy="${m * length**2 / 12}" iyz="0"
          izz="${m * 0.01**2}"/>
      </inertial>
    </link>
  </xacro:macro>
  MORE
  <link name="base"/>
  <xacro:bar name="upper" m="$(arg mass)"/>
  <joint name="shoulder" type="continuous">
    <parent link="base"/>
    <child link="upper"/>
    <axis xyz="0 ${[k for k in (1, 2)][0]} 0"/>
  </joint>
  <gazebo><text>${other}</text></gazebo>
</robot>
"""


@pytest.fixture
def folder(tmp_path):
    """A folder beside a secret that no robot may read."""
    (tmp_path / "secret.xacro").write_text("<robot><link name='secret'/></robot>")
    (tmp_path / "secret.yaml").write_text("secret: 1")
    (tmp_path / "arm").mkdir()
    return tmp_path / "arm"


@pytest.fixture
def opened(folder):
    def reader(more="", other="1", **choices):
        path = folder / "arm.urdf.xacro"
        path.write_text(ROBOT.replace("MORE", more).replace("OTHER", other))
        return open_model(path, Choices(**choices))

    return reader


def test_macros_and_arguments_are_expanded(opened):
    """A bar of 0.4 m: m l2 / 12 about its middle."""
    (body,) = opened().spec.bodies
    assert (body.name, body.mass, body.com) == ("upper", 2.0, (0.0, 0.0, 0.2))
    (body,) = opened(arguments=(("mass", "3"),)).spec.bodies
    assert body.mass == 3.0
    assert body.inertia[0][0] == pytest.approx(3 * 0.16 / 12, rel=1e-15)


def test_lines_are_those_of_the_expanded_text_and_messages_say_so(folder, opened):
    """As the program xacro writes it: its banner is four lines after the first."""
    path = folder / "arm.urdf.xacro"
    with pytest.raises(MbdFmuError) as refused:
        opened(more='<lnk name="a"/>')
    assert f"{path} (expanded):7: robot: unknown element <lnk>" in str(refused.value)
    import xacro

    lines = xacro.process_file(str(path)).toprettyxml(indent="  ").splitlines()
    assert '<lnk name="a"/>' in lines[6]


def test_files_within_the_folder_and_package_paths_are_included(folder, opened, tmp_path):
    part = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="{}"/>{}</robot>'
    joint = (
        '<joint name="j_{0}" type="fixed"><parent link="upper"/><child link="{0}"/></joint>'.format
    )
    (folder / "parts").mkdir()
    (folder / "parts" / "one.xacro").write_text(part.format("one", joint("one")))
    (tmp_path / "share" / "pkg").mkdir(parents=True)
    (tmp_path / "share" / "pkg" / "two.xacro").write_text(part.format("two", joint("two")))
    (folder / "values.yaml").write_text("mass: 7")
    more = (
        '<xacro:include filename="parts/*.xacro"/><xacro:include filename="$(find pkg)/two.xacro"/>'
        '<xacro:property name="v" value="${xacro.load_yaml(\'values.yaml\')}"/>'
        '<xacro:bar name="third" m="${v.mass}"/><joint name="j" type="continuous">'
        '<parent link="upper"/><child link="third"/></joint>'
    )
    spec = opened(more, package_paths=(tmp_path / "share",)).spec
    assert {point.name for point in spec.points} == {"one", "two"}
    assert sorted(body.mass for body in spec.bodies) == [2.0, 7.0]


SECRETS = {
    "include": '<xacro:include filename="../secret.xacro"/>',
    "pattern": '<xacro:include filename="../*.xacro"/>',
    "optional": '<xacro:include filename="../secret.xacro" optional="true"/>',
    "absolute": '<xacro:include filename="{folder}/secret.xacro"/>',
    "package": '<xacro:include filename="$(find arm)/../secret.xacro"/>',
    "link": '<xacro:include filename="link.xacro"/>',
}


@pytest.mark.parametrize("more", SECRETS.values(), ids=SECRETS)
def test_nothing_outside_the_folders_is_included(more, folder, opened, tmp_path):
    (folder / "link.xacro").symlink_to(tmp_path / "secret.xacro")
    with pytest.raises(MbdFmuError) as refused:
        opened(more.format(folder=tmp_path))
    said = str(refused.value)
    assert "lies outside; only the model's folder and --package-path are read" in said


@pytest.mark.parametrize("name", ["xacro.load_yaml", "load_yaml"])
def test_no_table_outside_the_folders_is_read(name, opened):
    with pytest.raises(MbdFmuError, match=r"secret.yaml lies outside; only the model's folder"):
        opened(other=f"${{{name}('../secret.yaml')}}")


# $(eval ...) knows all functions of Python; brackets in it come from a property.
CODE = {
    "open('{folder}/secret.yaml').read()": "lies outside",
    "open('{folder}/arm/arm.urdf.xacro', 'w')": "would write",
    "exec('import os; os.system(chr(105))', dict())": "(os.system)",
    "exec('import wave', dict())": "(import)",
    "exec('import socket; socket.socket()', dict())": "(socket.__new__)",
    "exec('import os; os.remove(os.curdir)', dict())": "(os.remove)",
}


@pytest.mark.parametrize(("code", "text"), CODE.items(), ids=CODE)
def test_expressions_reach_nothing_outside(code, text, folder, opened, tmp_path, monkeypatch):
    """The fence holds by itself what the look at expressions would let through."""
    monkeypatch.setattr(xacro_door, "check_expression", lambda _: None)
    if "__" in text:
        import socket  # noqa: F401  or its import were refused already
    value = code.format(folder=tmp_path)
    with pytest.raises(MbdFmuError) as refused:
        opened(f'<xacro:property name="code" value="eval {value}"/>', "$(${code})")
    assert text in str(refused.value)
    assert (folder / "arm.urdf.xacro").stat().st_size > 0


def test_the_environment_is_not_read(opened, monkeypatch):
    monkeypatch.setenv("MASS", "9")
    with pytest.raises(MbdFmuError, match=r'the environment is not read \("MASS"\); use --arg'):
        opened(other="$(env MASS)")
    more = '<xacro:property name="m" value="$(optenv MASS 5)"/><xacro:bar name="b" m="${m}"/>'
    more += '<joint name="j" type="continuous"><parent link="upper"/><child link="b"/></joint>'
    assert sorted(body.mass for body in opened(more).spec.bodies) == [2.0, 5.0]


@pytest.mark.parametrize(
    ("more", "text"),
    [
        ("<xacro:none/>", "xacro cannot expand it: unknown macro name: xacro:none; mend it there"),
        ('<link name="${undefined}"/>', "name 'undefined' is not defined when evaluating expr"),
        ('<link name="$(arg size)"/>', 'the argument "size" has no value; give one: --arg size='),
        ('<link name="$(find far)"/>', 'no package "far"; is it in a --package-path?'),
        ('<link name="${1 / 0}"/>', "division by zero when evaluating expression '1 / 0'"),
        ("<link", ":17: not XML: "),
        ('<xacro:include filename="none.xacro"/>', "No such file or directory"),
        ('<xacro:include filename="arm.urdf.xacro"/>', "xacro cannot expand it: maximum recursion"),
        ("${xacro.fatal('as the file says')}", "xacro cannot expand it: as the file says"),
    ],
)
def test_refusals_of_xacro_are_ours(more, text, opened, folder, capfd):
    with pytest.raises(MbdFmuError) as refused:
        opened(more)
    assert text in str(refused.value)
    assert main(["show", str(folder / "arm.urdf.xacro")]) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith(f"mbd-fmu: {folder / 'arm.urdf.xacro'}")
    assert err.count("\n") == 1


def test_what_xacro_says_stands_in_the_account(opened, capfd):
    report = opened(more="${xacro.warning('take care')}").report
    assert "warning: take care" in [entry.text for entry in report.noted]
    assert capfd.readouterr() == ("", "")


def test_arguments_come_from_the_command_line_and_must_be_known(opened, folder, capsys):
    opened()
    path = str(folder / "arm.urdf.xacro")
    assert main(["show", path, "--arg", "mass=4"]) == 0
    assert 'body "upper" of 4 kg' in capsys.readouterr().out
    assert main(["show", path, "--arg", "mas=4"]) == 1
    assert '--arg: no argument "mas"; did you mean "mass"?' in capsys.readouterr().err
    (folder / "arm.urdf").write_text("<robot name='arm'><link name='a'/></robot>")
    assert main(["show", str(folder / "arm.urdf"), "--arg", "mass=4"]) == 1
    assert "--arg is of xacro" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["show", path, "--arg", "mass"])
    assert "mass is not NAME=VALUE" in capsys.readouterr().err


def test_without_the_extra_the_message_says_what_to_install(opened, monkeypatch):
    monkeypatch.setattr(xacro_door.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MbdFmuError) as refused:
        opened()
    said = str(refused.value)
    assert 'pip install "mbd-fmu[xacro]"' in said
    assert "xacro robot.urdf.xacro > robot.urdf" in said


def test_meshes_of_packages_that_xacro_found_are_shown(folder, opened):
    """$(find ...) gives a path of this machine; within the folders it may be read."""
    (folder / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    more = (
        '<link name="seen"><visual><geometry><mesh filename="file://$(find arm)/part.obj"/>'
        '</geometry></visual></link><joint name="j" type="fixed"><parent link="upper"/>'
        '<child link="seen"/></joint>'
    )
    (body,) = opened(more).spec.bodies
    assert [(visual.shape, visual.file) for visual in body.visual] == [("mesh", "part.obj")]


def test_a_fence_stands_only_where_it_was_put_up(tmp_path):
    inside, outside = tmp_path / "in" / "a", tmp_path / "b"
    inside.parent.mkdir()
    for path in (inside, outside):
        path.write_text("text")
    with fenced([inside.parent], most_bytes=10):
        assert inside.read_text() == "text"
        for refused in (outside.read_text, lambda: inside.write_text(""), inside.unlink):
            with pytest.raises(FenceError):
                refused()
        with pytest.raises(FenceError):
            sys.modules["os"].system("true")
    assert outside.read_text() == inside.read_text() == "text"
    inside.write_text("more than ten")
    with fenced([inside.parent], most_bytes=10), pytest.raises(FenceError, match="larger"):
        inside.read_text()


DEEP = {
    "(lambda: ().__class__.__base__.__subclasses__())()": "a function of its own",
    "[x.gi_frame for x in [(y for y in [1])]]": '"gi_frame"',
    "python.vars(math)": '"vars"',
    "python.type(1)": '"type"',
    "'0'.format(1)": '"format"',
    "[].__class__": '"__class__"',
    "python._private": '"_private"',
}


@pytest.mark.parametrize(("code", "name"), DEEP.items(), ids=DEEP)
def test_expressions_that_lead_into_the_interpreter_are_refused(code, name, opened):
    with pytest.raises(MbdFmuError) as refused:
        opened(f"<gazebo>${{{code}}}</gazebo>")
    assert f"uses {name}, which a robot has no use for" in str(refused.value)


@pytest.mark.parametrize("code", ["getattr(1, 'real')", "open('arm.urdf.xacro')", "exec('1')"])
def test_functions_that_reach_out_are_refused_in_eval(code, opened):
    with pytest.raises(MbdFmuError, match="which a robot has no use for"):
        opened(f'<xacro:property name="code" value="eval {code}"/>', "$(${code})")


def test_files_are_not_opened_for_writing_by_number(tmp_path):
    with fenced([tmp_path], 100), pytest.raises(FenceError, match="it would write"):
        os.open(tmp_path / "w.txt", os.O_WRONLY | os.O_CREAT)
    assert not (tmp_path / "w.txt").exists()
