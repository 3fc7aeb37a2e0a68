"""The README says only what is so."""

import re
import tomllib
from pathlib import Path

import pytest

from mbd_fmu.cli import main
from mbd_fmu.errors import SpecError
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.validate.runner import Fmu, check_fmu

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")


def block(language, holding):
    """The first code block of a language that holds a text."""
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    for kind, found in fences:
        if kind == language and holding in found:
            return found
    raise AssertionError(holding)


def test_the_python_example_builds_an_fmu_with_its_parameter(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(block("python", "Mechanism"), "README", "exec"), {})
    assert check_fmu(tmp_path / "pendulum.fmu") == []
    assert "L" in Fmu(tmp_path / "pendulum.fmu").names("parameter")


def test_the_lines_from_python_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scope = {}
    exec(compile(block("python", "mbd_fmu.load"), "README", "exec"), scope)
    assert (tmp_path / "plot.html").is_file()
    assert scope["tau"].shape == (2,)
    assert len(scope["poles"]) == 4


def test_the_model_file_says_what_the_python_example_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scope = {}
    exec(compile(block("python", "Mechanism"), "README", "exec"), scope)
    table = tomllib.loads(block("toml", "[[joint]]"))
    ours, theirs = spec_of_table(table, "README"), scope["pendulum"].spec()
    assert (ours.bodies, ours.joints, ours.parameters) == (
        theirs.bodies,
        theirs.joints,
        theirs.parameters,
    )


def test_the_errors_are_printed_as_shown():
    table = tomllib.loads(block("toml", "[[joint]]"))
    table["joint"][0] |= {"child": "rodd", "axis": [0, 0, 0]}
    with pytest.raises(SpecError) as caught:
        spec_of_table(table, "pendulum.toml")
    assert str(caught.value) == block("", "2 problems").strip()


def test_every_command_shown_exists(capsys):
    for command in re.findall(r"^mbd-fmu (\w+)", block("sh", "mbd-fmu"), re.MULTILINE):
        with pytest.raises(SystemExit) as caught:
            main([command, "--help"])
        assert caught.value.code == 0
    capsys.readouterr()


def test_the_table_of_models_lists_them_all():
    lines = block("", "worst of range").splitlines()
    rows = [line.split()[:2] for line in lines[1:-1]]
    assert rows == [[name, "pass"] for name in library()]
    assert lines[-1] == f"{len(rows)} of {len(rows)} pass"
