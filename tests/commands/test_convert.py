"""``mbd-fmu convert``: what it writes, what it says, and what it does not touch."""

from pathlib import Path

import pytest

from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.model_files import open_model, read_model
from tests.formats.arm import ARM, changed
from tests.formats.mesh_files import TETRAHEDRON, binary_stl

CYLINDER = '<cylinder radius="0.05" length="0.4"/>'


@pytest.fixture
def arm(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(ARM, encoding="utf-8")
    return path


def test_a_robot_becomes_a_model_file_that_is_the_same(run, arm):
    code, out, err = run("convert", "arm.urdf", "arm.toml")
    assert (code, out) == (0, "arm.toml  bodies: 2, joints: 2\n")
    assert "mbd-fmu show lists them" not in err
    assert (
        Path("arm.toml").read_text().startswith("# Read from arm.urdf by mbd-fmu convert\n\n[mod")
    )
    assert read_model("arm.toml") == read_model(arm)


@pytest.mark.parametrize("words", [("--base", "free"), ("--stops",), ("--keep", "tool")])
def test_choices_of_robots_hold(run, arm, words):
    key = words[0].removeprefix("--")
    value = {"base": "free", "stops": True, "keep": ("tool",)}[key]
    assert run("convert", "arm.urdf", "arm.toml", *words)[0] == 0
    assert read_model("arm.toml") == open_model(arm, Choices(**{key: value})).spec
    code, _, err = run("convert", "arm.toml", "again.toml", *words)
    assert code == 1
    assert "is a model file of ours" in err


def test_what_is_unknown_needs_leniency(run, arm):
    arm.write_text(changed("<axis", '<axs xyz="1 0 0"/><axis', ARM), encoding="utf-8")
    assert run("convert", "arm.urdf", "arm.toml")[0] == 1
    assert not Path("arm.toml").exists()
    code, _, err = run("convert", "arm.urdf", "arm.toml", "--lenient")
    assert code == 0
    assert "unknown element <axs>" in err


def test_limits_of_a_robot_stay(run, arm):
    code, out, err = run("convert", "arm.urdf", "again.urdf")
    assert (code, out) == (0, "again.urdf  bodies: 2, joints: 2\n")
    assert "stops are limits" in err
    text = Path("again.urdf").read_text()
    assert '<limit lower="-2" upper="2" effort="100" velocity="3" />' in text
    assert '<dynamics damping="0.5" friction="0.2" />' in text
    again, before = (read_model(p, Choices(stops=True)) for p in ("again.urdf", arm))
    assert again.joints == before.joints


def test_meshes_are_found_from_the_new_folder(run, arm, tmp_path):
    mesh = tmp_path / "ws" / "robot" / "arm.stl"
    mesh.parent.mkdir(parents=True)
    mesh.write_bytes(binary_stl(TETRAHEDRON))
    named = '<mesh filename="package://robot/arm.stl"/>'
    arm.write_text(changed(CYLINDER, named), encoding="utf-8")
    (tmp_path / "models").mkdir()
    words = ("convert", "arm.urdf")
    assert run(*words, "models/arm.toml", "--package-path", "ws")[0] == 0
    (visual,) = read_model("models/arm.toml").bodies[0].visual
    assert visual.file == "../ws/robot/arm.stl"
    code, _, err = run(*words, "models/arm.urdf", "--package-path", "ws")
    assert code == 0
    assert f"meshes outside of its folder are read with --package-path {Path('ws/robot')}\n" in err
    paths = (tmp_path / "ws" / "robot",)
    again = read_model("models/arm.urdf", Choices(package_paths=paths))
    assert again.bodies[0].visual == (visual,)


def test_a_model_of_ours_by_its_name(run):
    code, out, err = run("convert", "double_pendulum", "pendulum.urdf")
    assert (code, out) == (0, "pendulum.urdf  bodies: 2, joints: 2\n")
    assert "pendulum.urdf: parameters have their declared values: m1 = 1, m2 = 0.6" in err
    assert "Two uniform rods in a vertical plane" in Path("pendulum.urdf").read_text()


def test_what_urdf_cannot_hold_is_refused_and_older_files_stay(run):
    Path("car.urdf").write_text("as it was")
    code, out, err = run("convert", "quarter_car", "car.urdf")
    assert (code, out) == (1, "")
    assert "cannot be written as URDF: 6 problems" in err
    assert 'constraint "tie_rod": URDF has no distance; convert it to .toml' in err
    assert Path("car.urdf").read_text() == "as it was"
    assert [path.name for path in Path().iterdir()] == ["car.urdf"]


@pytest.mark.parametrize(
    ("out", "says"),
    [
        ("arm.sdf", "arm.sdf: SDF is not written; .toml and .urdf are"),
        ("arm.xml", "arm.xml: MJCF is not written; .toml and .urdf are"),
        ("arm.fmu", 'arm.fmu: ".fmu" is not written; .toml and .urdf are'),
        ("arm", "arm: a file without an ending is not written; .toml and .urdf are"),
        ("nowhere/arm.toml", "nowhere/arm.toml: No such file or directory"),
        ("arm.urdf", "arm.urdf: is the file to be read; name another one to write"),
        ("link.urdf", "link.urdf: is the file to be read; name another one to write"),
    ],
)
def test_what_cannot_be_written_is_refused(run, arm, out, says):
    Path("link.urdf").symlink_to(arm)
    code, _, err = run("convert", "arm.urdf", out)
    assert code == 1
    assert err.splitlines()[-1] == f"mbd-fmu: {says}"
    assert arm.read_text() == ARM
    assert {path.name for path in Path().iterdir()} == {"arm.urdf", "link.urdf"}


def test_an_fmu_is_no_model(run, tmp_path):
    (tmp_path / "arm.fmu").write_bytes(b"PK")
    code, _, err = run("convert", "arm.fmu", "arm.toml")
    assert code == 1
    assert err == ("mbd-fmu: arm.fmu: an FMU is not read here; give the model it was built from\n")


def test_an_overlay_is_no_target(run, arm):
    code, _, err = run("convert", arm.name, "arm.mbd.toml")
    assert code == 1
    assert "arm.mbd.toml: is the name of an overlay; give another one" in err
    assert not Path("arm.mbd.toml").exists()
