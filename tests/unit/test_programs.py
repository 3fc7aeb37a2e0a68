"""Programs that work at once: really together, each heard in full, none left over."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mbd_fmu.host.programs import processors, run_programs
from tests.ending import is_alive, wait_until

# It goes on when the other has begun.
MEET = """
import pathlib, sys, time
pathlib.Path(sys.argv[1]).touch()
while not pathlib.Path(sys.argv[2]).exists():
    time.sleep(0.01)
"""
NOTE = "import os, pathlib, time; pathlib.Path(str(os.getpid()) + '.pid').touch(); time.sleep(300)"


def python(text, *arguments):
    return [sys.executable, "-c", text, *arguments]


def run(commands, folder, at_once=2, seconds=60.0):
    return run_programs(commands, at_once=at_once, seconds=seconds, folder=folder)


def noted(folder):
    return [int(path.stem) for path in folder.glob("*.pid")]


def test_two_work_at_the_same_time(tmp_path):
    done = run([python(MEET, "a", "b"), python(MEET, "b", "a")], tmp_path)
    assert [program.returncode for program in done] == [0, 0]


def test_one_after_the_other_where_there_is_one_processor(tmp_path):
    with pytest.raises(subprocess.TimeoutExpired):
        run([python(MEET, "a", "b"), python(MEET, "b", "a")], tmp_path, at_once=1, seconds=0.5)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_all_that_they_say_is_heard_however_much(tmp_path):
    """More than a pipe holds, which is 64 kB."""
    text = "import sys; print('o' * 300000); print('e' * 300000, file=sys.stderr)"
    for program in run([python(text)] * 3, tmp_path):
        assert (program.stdout.strip(), program.stderr.strip()) == (b"o" * 300000, b"e" * 300000)


def test_they_begin_in_the_order_they_are_given(tmp_path):
    commands = [python(f"open('order', 'a').write('{k}')") for k in range(4)]
    run(commands, tmp_path, at_once=1)
    assert (tmp_path / "order").read_text() == "0123"


@pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="processes seen in /proc")
def test_after_one_fails_no_other_goes_on_or_begins(tmp_path):
    failing = "import glob, sys, time\nwhile not glob.glob('*.pid'): time.sleep(0.01)\nsys.exit(3)"
    commands = [python(NOTE), python(failing), python("open('begun', 'w')")]
    done = run(commands, tmp_path)
    assert [program.returncode for program in done] == [3]
    assert len(noted(tmp_path)) == 1
    wait_until(lambda: not any(map(is_alive, noted(tmp_path))))
    assert not (tmp_path / "begun").exists()


@pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="processes seen in /proc")
def test_none_outlives_one_that_takes_too_long(tmp_path):
    begin = time.monotonic()
    with pytest.raises(subprocess.TimeoutExpired):
        run([python(NOTE)] * 2, tmp_path, seconds=1.0)
    assert time.monotonic() - begin < 30
    wait_until(lambda: not any(map(is_alive, noted(tmp_path))))


def test_a_program_that_is_not_there_is_told(tmp_path):
    with pytest.raises(OSError, match="no_such_program"):
        run([python("pass"), [str(tmp_path / "no_such_program")]], tmp_path)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="not on this system")
def test_a_processor_that_is_not_ours_is_not_counted():
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        assert processors() == 1
    finally:
        os.sched_setaffinity(0, before)
    assert processors() == len(before)
