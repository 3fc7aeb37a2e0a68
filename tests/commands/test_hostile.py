"""FMUs from anywhere: whatever is wrong with one is exit code 1 and one message, nothing else."""

from __future__ import annotations

import os
import random
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest

from mbd_fmu.drawing.scene import SCENE_FILE
from mbd_fmu.host import foreign_archive
from mbd_fmu.host.foreign_archive import MOST_FILES, MOST_RATIO, FmuArchive
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import read_model
from mbd_fmu.signals.schedule import MOST_POINTS, communication_points
from tests import damaged
from tests.damaged import DESCRIPTION, described, rewritten

COMMANDS = ("simulate", "view", "validate")


@pytest.fixture
def fmu(fmu_of):
    """A small FMU in good order."""
    return fmu_of(read_model(library()["pendulum"]))


@pytest.fixture
def refused(run, tmp_path, monkeypatch):
    """Give a file to commands; they must refuse it and leave nothing. Return what they say."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))

    def check(path, commands=COMMANDS):
        before = set(tmp_path.rglob("*"))
        said = ""
        for command in commands:
            code, out, err = run(command, path)
            assert code == 1, (command, out, err)
            assert err.startswith("mbd-fmu: ")
            assert "Traceback" not in out + err
            assert "a fault of mbd-fmu" not in err
            assert Path.cwd() == tmp_path  # fmpy goes elsewhere to load a library
            said += err
        assert set(tmp_path.rglob("*")) == before
        return said

    return check


# ---- What the description says

DESCRIPTIONS = {
    "a wrong GUID": (described("guid", "wrong"), "the GUID is not"),
    "no step": (described("stepSize", "0"), "stepSize of its default experiment is 0"),
    "a step back": (described("stepSize", "-1"), "experiment is -1, no positive number; give --st"),
    "a step that is no number": (described("stepSize", "NaN"), "default experiment is nan"),
    "a tiny step": (described("stepSize", "1e-30"), "10 s in steps of 1e-30 s are 1e+31 comm"),
    "an end before the start": (described("stopTime", "-5"), "default experiment is -5"),
    "an end after all time": (described("stopTime", "1e300"), "shorten the time (--stop)"),
    "an endless time": (described("stopTime", "INF"), "default experiment is inf"),
    "an identifier that is a path": (described("modelIdentifier", "../X"), '"../X" is no plain'),
    "no identifier": (described("modelIdentifier", ""), '"" is no plain name'),
    "another identifier": (described("modelIdentifier", "nobody"), "there is no binaries/"),
    "another version": (described("fmiVersion", "9"), "Unsupported FMI version"),
    "a reference beyond": (described("valueReference", "99999"), "value reference 99999"),
    "no description": ({DESCRIPTION: None}, "no item named 'modelDescription.xml'"),
    "an empty description": ({DESCRIPTION: b""}, "cannot be read as an FMU"),
}


@pytest.mark.parametrize("case", DESCRIPTIONS)
def test_a_description_that_cannot_be_meant_is_told(case, fmu, refused, tmp_path):
    changes, message = DESCRIPTIONS[case]
    assert message in refused(rewritten(fmu, tmp_path / "bad.fmu", changes))


def test_steps_and_times_of_the_user_replace_those_of_the_fmu(fmu, run, tmp_path):
    bad = rewritten(fmu, tmp_path / "bad.fmu", described("stepSize", "0"))
    assert run("simulate", bad, "--stop", "0.1", "--step", "0.05")[0] == 0


@pytest.mark.parametrize("words", [["--stop", "1e9"], ["--step", "1e-9"]])
@pytest.mark.parametrize("is_fmu", [True, False])
def test_a_hopeless_number_of_points_is_refused_with_both_numbers(words, is_fmu, fmu, run):
    code, _, err = run("simulate", fmu if is_fmu else "pendulum", *words)
    assert code == 1
    for word in (" s in steps of ", f"at most {MOST_POINTS:,} are run", "--stop", "--step"):
        assert word in err


def test_as_many_points_as_are_allowed_are_made():
    assert len(communication_points(0, MOST_POINTS * 1e-3, 1e-3)) == MOST_POINTS + 1


# ---- What the scene says


@pytest.mark.parametrize("case", damaged.SCENE_CHANGES)
def test_a_scene_of_another_shape_is_refused(case, fmu, refused, tmp_path):
    bad = rewritten(fmu, tmp_path / "bad.fmu", {SCENE_FILE: damaged.SCENE_CHANGES[case]})
    assert "scene" in refused(bad, ["view"])


def test_a_scene_of_another_shape_is_refused_by_every_command_that_shows_it(fmu, run, tmp_path):
    change = damaged.SCENE_CHANGES["bodies are a number"]
    rewritten(fmu, tmp_path / "bad.fmu", {SCENE_FILE: change})
    (tmp_path / "t.csv").write_text("time,a\n0,1\n1,2\n")
    for words in (
        ("view", "t.csv", "--scene", "bad.fmu"),
        ("validate", "bad.fmu", "--report", "r.html"),
        ("simulate", "bad.fmu", "--stop", "0.1", "--plot"),
    ):
        code, _, err = run(*words)
        assert (code, err) == (
            1,
            "mbd-fmu: bad.fmu: the scene, bodies: is not a list; build it anew\n",
        )


@pytest.mark.parametrize("name", ["../X", "/X", "..", "a/../../X", "X\\n"])
def test_names_in_an_fmu_never_become_paths(name, fmu, run, tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    scene = damaged.replaced(r'"model":"[^"]*"', f'"model":"{name}"'.replace("\\", "\\\\"))
    changes = described("modelName", name.removesuffix("\\n")) | {SCENE_FILE: scene}
    bad = rewritten(fmu, tmp_path / "bad.fmu", changes)
    os.chdir(inner)
    for command in ("simulate", "view"):
        code, out, _ = run(command, bad, "--stop", "0.1")
        assert (code, out.count("\n")) == (0, 1)
    assert sorted(path.suffix for path in inner.iterdir()) == [".csv", ".html"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.fmu", "inner"]


def test_what_stands_in_names_does_not_command_a_terminal(fmu, run, tmp_path):
    bad = rewritten(fmu, tmp_path / "bad.fmu", described("modelName", "[/red]&#x85;[bold]"))
    code, out, _ = run("validate", bad)
    assert code == 0
    assert "[/red]\\x85[bold]" in out


# ---- What the archive is

NAMES = ("../X", "/X", "a/../../X", "C:/X", "a\\b", "..\\X", "a//b", "a\0b", ".", "..", "")


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_would_lie_outside_is_refused(name, fmu, refused, tmp_path):
    bad = rewritten(fmu, tmp_path / "bad.fmu", {name: b"out"})
    assert "leads out of the archive, or is no plain path" in refused(bad)


ARCHIVES = {
    "encrypted": (lambda fmu, out: damaged.flagged(fmu, out, flags=1), "is encrypted"),
    "strongly encrypted": (lambda fmu, out: damaged.flagged(fmu, out, flags=0x41), "is encrypted"),
    "unknown packing": (lambda fmu, out: damaged.flagged(fmu, out, method=99), "by method 99"),
    "bzip2": (lambda fmu, out: damaged.flagged(fmu, out, method=12), "FMUs are packed by deflate"),
    "two descriptions": (lambda fmu, out: damaged.doubled(fmu, out, DESCRIPTION), "2 times"),
    "a false size": (lambda fmu, out: damaged.promised(fmu, out, 1), "the archive is damaged"),
    "a promise": (lambda fmu, out: damaged.promised(fmu, out, 2_000_000_000), "allowed are 500 MB"),
    "a file and a folder": (
        lambda fmu, out: rewritten(fmu, out, {f"{DESCRIPTION}/x": b""}),
        "the archive is damaged: Not a directory",
    ),
    "a name beyond all limits": (
        lambda fmu, out: rewritten(fmu, out, {"x" * 300: b""}),
        "File name too long",
    ),
    "no archive": (lambda _, out: out.write_bytes(b"PK"), "not a zip file"),
    "an empty archive": (lambda _, out: out.write_bytes(b"PK\5\6" + bytes(18)), "no item named"),
}


@pytest.mark.parametrize("case", ARCHIVES)
def test_an_archive_that_fmi_does_not_know_is_refused(case, fmu, refused, tmp_path):
    make, message = ARCHIVES[case]
    make(fmu, tmp_path / "bad.fmu")
    assert message in refused(tmp_path / "bad.fmu")


def test_a_bomb_is_refused_before_it_is_unpacked(fmu, refused, tmp_path):
    """A megabyte that would become a gigabyte; zeros are packed a thousand times smaller."""
    bad = damaged.bomb(fmu, tmp_path / "bad.fmu", 100)
    with zipfile.ZipFile(bad) as archive:
        assert sum(e.file_size for e in archive.infolist()) > MOST_RATIO * bad.stat().st_size
    assert f"allowed beyond 10 MB are {MOST_RATIO} times" in refused(bad)


def test_what_is_small_may_be_packed_as_well_as_it_can(fmu, tmp_path):
    with FmuArchive(damaged.bomb(fmu, tmp_path / "good.fmu", 9)) as archive:
        assert archive.sizes["resources/zeros"] == 9_000_000


def test_more_files_than_anybody_needs_are_refused(fmu, refused, tmp_path):
    many = {f"resources/{k}": b"" for k in range(MOST_FILES)}
    bad = rewritten(fmu, tmp_path / "bad.fmu", many)
    assert "files, allowed are 10,000" in refused(bad, ["simulate"])


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("LARGEST", r'"binaries/linux64/pendulum.so" has \d+ MB, allowed are 0 MB'),
        ("MOST_BYTES", "unpacked it has 0 MB, allowed are 0 MB"),
        ("LARGEST_TEXT", '"modelDescription.xml" has 0 MB, allowed are 0 MB'),
    ],
)
def test_each_limit_has_its_message(limit, message, fmu, monkeypatch):
    monkeypatch.setattr(foreign_archive, limit, 5000)
    with pytest.raises(foreign_archive.FmuError, match=message):
        FmuArchive(fmu)


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_pipe_or_a_folder_is_no_fmu_and_nobody_waits_for_it(refused, tmp_path):
    os.mkfifo(tmp_path / "pipe.fmu")
    (tmp_path / "folder.fmu").mkdir()
    for name in ("pipe.fmu", "folder.fmu"):
        assert f"{name}: cannot be read as an FMU: it is no ordinary file" in refused(name)


# ---- What the library is

LIBRARIES = {
    "none": (None, "it has none"),
    "text": (b"hello", "file too short"),
    "long text": (b"hello" * 1000, "invalid ELF header"),
    "cut short": (lambda data: data[:2000], "a process that loads it crashes"),
    "cut in the middle": (lambda data: data[: len(data) // 2], "a process that loads it crashes"),
    "zeros": (lambda data: data[:4096] + bytes(len(data) - 4096), "a process that loads it crash"),
}


@pytest.mark.skipif(sys.platform != "linux", reason="libraries of Linux")
@pytest.mark.parametrize("case", LIBRARIES)
def test_a_library_that_does_not_load_is_one_message(case, fmu, refused, tmp_path):
    """Loading one that was cut short ends the process that does it: another one tries first."""
    change, message = LIBRARIES[case]
    name = damaged.library_of(fmu)
    assert message in refused(rewritten(fmu, tmp_path / "bad.fmu", {name: change}))


# ---- What the experiment inside says

TABLES = {
    b"time,pivot.q\n0,0\n" + b"1" * 200_000: "field larger than field limit",
    b"time,pivot.q\n0,0\n1,": '"" is no finite number',
    b"time,pivot.q\n0,0\n1e308,1\n": "cannot be followed",
    "time,a\n0,1\n1,2\n".encode("utf-16"): "not UTF-8",
}


@pytest.mark.parametrize("table", TABLES, ids=list(TABLES.values()))
def test_a_reference_inside_that_is_none_is_told(table, fmu, refused, tmp_path):
    bad = damaged.with_experiment(fmu, tmp_path / "bad.fmu", table)
    assert TABLES[table] in refused(bad, ["validate"])


# ---- Anything at all


def _fuzz(n, fmu, run, tmp_path):
    rng, bad = random.Random(1), tmp_path / "bad.fmu"
    for _ in range(n):
        bad.write_bytes(damaged.garbled(fmu.read_bytes(), rng))
        for command in COMMANDS:
            code, out, err = run(command, bad)
            assert code in (0, 1)
            assert "a fault of mbd-fmu" not in err
            assert (code == 1) == err.startswith("mbd-fmu: "), (out, err)


def test_files_that_were_garbled_at_random_are_run_or_refused(fmu, run, tmp_path):
    _fuzz(25, fmu, run, tmp_path)


@pytest.mark.slow
def test_many_files_that_were_garbled_at_random_are_run_or_refused(fmu, run, tmp_path):
    _fuzz(3000, fmu, run, tmp_path)
