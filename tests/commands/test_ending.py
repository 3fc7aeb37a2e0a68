"""However a command ends, nothing of it is left: no process, no folder, no half of a file."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
from errno import ENOSPC
from pathlib import Path

import pytest

from mbd_fmu.build import build_fmu
from mbd_fmu.errors import CompileError, MbdFmuError
from mbd_fmu.export.compile import LIMIT_CHOICE
from mbd_fmu.host.scratch import scratch_folder
from mbd_fmu.host.stopping import Stopped, held_back, stoppable
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import read_model
from tests.ending import SlowCompiler, ended, started, wait_until

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").is_file(), reason="signals of POSIX, and processes seen in /proc"
)


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """The folder for temporary files, for this process and its children."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def compiler(tmp_path):
    folder = tmp_path / "compiler"
    folder.mkdir()
    return SlowCompiler(folder)


@pytest.fixture
def here(tmp_path):
    folder = tmp_path / "here"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_build_that_is_stopped_leaves_nothing_and_says_so_in_one_line(
    number, here, scratch, compiler
):
    words = ["-m", "mbd_fmu", "build", "pendulum", "--compiler", str(compiler.program)]
    process = started(words, here, scratch)
    wait_until(compiler.has_begun)
    assert ended(process, number) == (128 + number, "mbd-fmu: stopped\n")
    wait_until(compiler.is_gone)
    assert [*here.iterdir(), *scratch.iterdir()] == []


def test_validations_in_processes_of_their_own_end_with_their_parent(here, scratch):
    for name in "abcdef":  # enough to be at work for long
        shutil.copytree(library()["pendulum"], here / name)
    process = started(["-m", "mbd_fmu", "validate", ".", "--jobs", "2"], here, scratch)
    # a first folder of the command, a second of a compiler or an FMU in a process of its own
    wait_until(lambda: len(list(scratch.rglob("mbd_fmu_*"))) > 1)
    assert ended(process, signal.SIGINT) == (130, "mbd-fmu: stopped\n")
    assert list(scratch.iterdir()) == []
    assert sorted(path.name for path in here.iterdir()) == [*"abcdef"]


# Two locks on one mutex: C code that never comes back, and that no signal wakes.
_STUCK = """
import ctypes, threading
from pathlib import Path
from mbd_fmu.host import stopping
from mbd_fmu.host.scratch import scratch_folder
stopping.GRACE = 0.2
libc, mutex = ctypes.CDLL(None), ctypes.create_string_buffer(256)
with stopping.stoppable(), scratch_folder() as folder:
    libc.pthread_mutex_lock(mutex)
    Path("mark").touch()
    libc.pthread_mutex_lock(mutex)
"""


def test_foreign_code_that_does_not_come_back_is_ended_all_the_same(here, scratch):
    process = started(["-c", _STUCK], here, scratch)
    wait_until((here / "mark").exists)
    assert ended(process, signal.SIGTERM) == (143, "mbd-fmu: stopped\n")
    assert list(scratch.iterdir()) == []


def test_no_build_waits_without_end(here, scratch, compiler, monkeypatch):
    monkeypatch.setenv(LIMIT_CHOICE, "0.5")
    spec = read_model(library()["pendulum"])
    with pytest.raises(CompileError, match=rf"after 0\.5 s and was ended.*{LIMIT_CHOICE}"):
        build_fmu(spec, here / "p.fmu", compiler=str(compiler.program))
    wait_until(compiler.is_gone)
    assert [*here.iterdir(), *scratch.iterdir()] == []


@pytest.mark.parametrize("text", ["soon", "0", "-1", "nan"])
def test_a_time_limit_that_is_none_is_refused(text, here, monkeypatch):
    monkeypatch.setenv(LIMIT_CHOICE, text)
    with pytest.raises(CompileError, match="give a positive number of seconds"):
        build_fmu(read_model(library()["pendulum"]), here / "p.fmu")


def test_signals_are_as_before_when_a_command_is_done():
    before = [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)]
    threads = threading.active_count()
    with stoppable():
        assert signal.getsignal(signal.SIGTERM) not in before
    assert [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)] == before
    assert threading.active_count() == threads


def test_a_signal_waits_for_the_end_of_what_must_not_be_torn_apart():
    reached = []
    with pytest.raises(Stopped) as caught, stoppable():  # noqa: PT012
        with held_back():
            os.kill(os.getpid(), signal.SIGTERM)
            reached.append("inside")
        reached.append("after")
    assert (reached, caught.value.code) == (["inside"], 143)


# ---- Where there is no room


def test_a_full_folder_for_temporary_files_is_named(scratch):
    with pytest.raises(MbdFmuError) as caught, scratch_folder():
        raise OSError(ENOSPC, "No space left on device")
    assert str(caught.value) == (
        f"{scratch}: No space left on device; free some space there, "
        "or name another folder for temporary files in TMPDIR"
    )
    assert list(scratch.iterdir()) == []


def test_commands_name_the_folder_that_is_full(scratch, run, monkeypatch):
    def full(*_, **__):
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    code, _, err = run("build", "pendulum")
    assert code == 1
    assert err.startswith(f"mbd-fmu: {scratch}: No space left on device; free some space there")


def test_a_full_disk_leaves_no_half_of_a_table(run, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(ENOSPC, "No space left on device")

    (tmp_path / "out.csv").write_text("older")
    monkeypatch.setattr(Path, "replace", full)
    code, _, err = run("simulate", "pendulum", "--stop", "0.1", "-o", "out.csv")
    assert (code, err) == (1, "mbd-fmu: out.csv: No space left on device\n")
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {"out.csv": "older"}


@pytest.mark.slow
def test_a_build_needs_no_home_and_no_cache(here, scratch, monkeypatch):
    """The compiler's own libraries are made anew: some ten seconds."""
    monkeypatch.delenv("ZIG_GLOBAL_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/dev/null")
    assert build_fmu(read_model(library()["pendulum"]), here / "p.fmu").path.exists()
    assert [path.name for path in scratch.iterdir()] == [f"mbd_fmu_cache_{os.getuid()}"]
