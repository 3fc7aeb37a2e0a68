"""Files written whole or not at all, and only where there is none or an ordinary one."""

import os
from pathlib import Path

import pytest

from mbd_fmu.build import build_fmu
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.host.writing import plain_name, write_whole
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import read_model

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes, devices and links of POSIX")


def test_an_ordinary_file_is_replaced_and_a_new_one_made(tmp_path):
    for data in (b"one", b"two"):
        write_whole({tmp_path / "deep" / "file": data})
        assert {p.name: p.read_bytes() for p in (tmp_path / "deep").iterdir()} == {"file": data}


@pytest.mark.parametrize("is_there", [True, False])
def test_a_link_stays_and_what_it_leads_to_is_written(is_there, tmp_path):
    target, link = tmp_path / "there" / "target", tmp_path / "link"
    target.parent.mkdir()
    if is_there:
        target.write_bytes(b"older")
    link.symlink_to("there/target")
    write_whole({link: b"new"})
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert [p.name for p in target.parent.iterdir()] == ["target"]


def test_what_is_no_ordinary_file_is_refused_and_stays(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "to_device").symlink_to("/dev/null")
    for name, word in (("pipe", "a pipe"), ("loop", "a link that"), ("to_device", "a device")):
        with pytest.raises(MbdFmuError, match=f"{name}: cannot be written: it is {word}"):
            write_whole({tmp_path / "first": b"x", tmp_path / name: b"x"})
    assert sorted(p.name for p in tmp_path.iterdir()) == ["loop", "pipe", "to_device"]
    assert not Path("/dev/null").is_file()


def test_a_build_refuses_a_device_before_it_works(tmp_path):
    spec, stages = read_model(library()["pendulum"]), []
    (tmp_path / "to_device").symlink_to("/dev/null")
    with pytest.raises(MbdFmuError, match="it is a device; name an ordinary file"):
        build_fmu(spec, tmp_path / "to_device", progress=stages.append)
    assert stages == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("pendulum", "pendulum"),
        ("Modelica.Mechanics.Arm-2", "Modelica.Mechanics.Arm-2"),
        ("../X", "_X"),
        ("..", "model"),
        ("", "model"),
        ("/etc/passwd", "_etc_passwd"),
        ("a\\b:c\0d\ne", "a_b_c_d_e"),
        (".hidden", "hidden"),
        ("Größe", "Größe"),
        ("x" * 5000, "x" * 100),
    ],
)
def test_names_of_others_never_become_paths(text, name):
    assert plain_name(text) == name
