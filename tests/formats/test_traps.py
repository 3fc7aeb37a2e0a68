"""Files that other readers take, and misunderstand in silence: each is refused in its line."""

import tomllib
from pathlib import Path

import pytest

from mbd_fmu.cli import main
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.model_files import open_model
from tests.formats.arm import ARM, SDF_ARM, changed


def traps(name):
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return {trap["name"]: trap for trap in tomllib.loads(text)["trap"]}


TRAPS, SDF_TRAPS = traps("traps.toml"), traps("traps_sdf.toml")


def written(folder, trap, name="arm.urdf"):
    text = trap.get("whole", SDF_ARM if name.endswith(".sdf") else ARM)
    for old, new in trap.get("change", ()):
        text = changed(old, new, text)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("trap", TRAPS.values(), ids=TRAPS)
def test_a_trap_is_refused_in_its_line_with_a_remedy(tmp_path, trap):
    check(written(tmp_path, trap), trap)


@pytest.mark.parametrize("trap", SDF_TRAPS.values(), ids=SDF_TRAPS)
def test_a_trap_in_sdf_is_refused_in_its_line_with_a_remedy(tmp_path, trap):
    check(written(tmp_path, trap, "arm.sdf"), trap)


def check(path, trap):
    with pytest.raises(MbdFmuError) as refused:
        open_model(path)
    found = str(refused.value).replace(f"{path}: ", "FILE: ").replace(str(path), "").splitlines()
    assert [line.strip() for line in (found[1:] or found)] == trap["says"]


def test_a_byte_of_another_encoding_is_named(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_bytes(ARM.replace("grey", "gr\xfcn").encode("latin-1"))
    with pytest.raises(MbdFmuError, match=r"arm\.urdf:3: the byte 0xfc is not of the file's encod"):
        open_model(path)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        *(
            ("arm.urdf", name)
            for name in ("misspelt tag", "zero axis", "entity bomb", "two parents")
        ),
        *(("arm.sdf", name) for name in ("misspelt element", "circle of poses", "gearbox")),
    ],
)
def test_a_refusal_is_one_message_and_leaves_nothing_behind(tmp_path, capsys, file, name):
    trap = (SDF_TRAPS if file.endswith(".sdf") else TRAPS)[name]
    path = written(tmp_path, trap, file)
    assert main(["build", str(path), "-o", str(tmp_path / "arm.fmu")]) == 1
    assert main(["show", str(path)]) == 1
    assert [p.name for p in tmp_path.iterdir()] == [file]
    said = capsys.readouterr()
    assert not said.out
    assert said.err.count(trap["says"][0]) == 2
    assert "Traceback" not in said.err


def test_all_problems_are_told_at_once_in_the_order_of_the_file(tmp_path):
    text = changed("0 1 0", "0 0 0", changed("2.0", "-1"))
    path = tmp_path / "arm.urdf"
    path.write_text(changed("<dynamics damping", "<dynamics dampng", text))
    with pytest.raises(MbdFmuError) as refused:
        open_model(path)
    lines = str(refused.value).splitlines()
    assert lines[0] == f"{path}: 3 problems"
    assert [line.split(":")[1] for line in lines[1:]] == ["8", "28", "30"]


def test_the_lenient_reader_goes_on_and_tells(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(changed('<origin xyz="0 0 0.1"', '<orgin xyz="0 0 0.1"'))
    opened = open_model(path, Choices(is_lenient=True))
    assert opened.report.warnings() == [
        f'{path}:25: joint "shoulder": unknown element <orgin>; did you mean "origin"?'
    ]
    assert opened.spec.joints[0].point == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + ARM.encode(),
        ARM.replace('"1.0"', '"1.0" encoding="utf-16"', 1).encode("utf-16"),
        ARM.replace('"1.0"', '"1.0" encoding="iso-8859-1"', 1)
        .replace("grey", "gr\xfcn")
        .encode("latin-1"),
        ARM.replace("\n", "\r\n").encode(),
        ARM.replace("<robot ", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" ').encode(),
    ],
    ids=["byte order mark", "UTF-16", "Latin-1 declared", "lines of Windows", "expanded xacro"],
)
def test_what_is_unusual_but_right_is_read_exactly(tmp_path, data):
    path, plain = tmp_path / "arm.urdf", tmp_path / "plain" / "arm.urdf"
    plain.parent.mkdir()
    plain.write_text(ARM)
    path.write_bytes(data)
    assert open_model(path).spec == open_model(plain).spec


@pytest.mark.parametrize(
    "name",
    [
        "../secret.stl",
        "package://../secret.stl",
        "package://arm/../../secret.stl",
        "{folder}/secret.stl",
    ],
)
def test_no_mesh_outside_the_folders_is_read(tmp_path, name):
    (tmp_path / "secret.stl").write_bytes(b"secret")
    folder = tmp_path / "arm"
    folder.mkdir()
    mesh = f'<mesh filename="{name.format(folder=tmp_path)}"/>'
    path = folder / "arm.urdf"
    path.write_text(changed('<cylinder radius="0.05" length="0.4"/>', mesh))
    opened = open_model(path)
    assert [visual.shape for visual in opened.spec.bodies[0].visual] == ["box"]
    assert any("drawn as a box: it lies outside" in entry.text for entry in opened.report.noted)
