"""scripts/packages, on a machine made of small scripts: it helps where it can and never fails."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a script for bash")

COMMANDS = {
    "id": 'cat "$MACHINE/id"',
    "dpkg-query": 'for last; do :; done; test -e "$MACHINE/has/$last" && printf installed',
    "apt-cache": (
        'test "$2" = chromium && echo "  Candidate: (none)" || '
        "seq -f '  Candidate: %g' 20000"  # much more than fits into a pipe
    ),
    "apt-get": (
        'echo "$1" >>"$MACHINE/calls"\n'
        'if [ "$1" = install ]; then\n'
        "    for it; do case $it in valgrind) exit 1 ;; esac; done\n"
        '    shift; for it; do case $it in -*) ;; *) : >"$MACHINE/has/$it" ;; esac; done\n'
        "fi"
    ),
}


class Machine:
    def __init__(self, folder, *, root, has=()):
        self.folder = folder
        for name in ("bin", "has", "scripts"):
            (folder / name).mkdir()
        for name, text in COMMANDS.items():
            (folder / "bin" / name).write_text(f"#!/bin/sh\n{text}\n", encoding="ascii")
            (folder / "bin" / name).chmod(0o755)
        for package in has:
            (folder / "has" / package).touch()
        (folder / "id").write_text("0\n" if root else "1000\n", encoding="ascii")
        shutil.copy(ROOT / "scripts" / "packages", folder / "scripts")

    def run(self):
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            [self.folder / "scripts" / "packages"],
            capture_output=True,
            check=True,
            env=os.environ | {"PATH": path, "MACHINE": str(self.folder)},
            text=True,
        )
        assert done.stdout == ""
        return done.stderr

    def calls(self):
        log = self.folder / "calls"
        return log.read_text().split() if log.exists() else []


ALL = ["libtbb12", "valgrind", "wine64", "qemu-user", "libc6-arm64-cross", "chromium", "ffmpeg"]


def test_where_everything_is_there_it_says_and_does_nothing(tmp_path):
    machine = Machine(tmp_path, root=True, has=ALL)
    assert machine.run() == ""
    assert machine.calls() == []


def test_who_may_not_install_is_told_what_is_missing(tmp_path):
    machine = Machine(tmp_path, root=False, has=ALL[:5])
    text = "not installed: chromium ffmpeg - tests that need them are skipped\n"
    assert machine.run() == text
    assert machine.calls() == []


def test_it_installs_at_once_what_the_platform_has(tmp_path):
    machine = Machine(tmp_path, root=True, has=["valgrind"])
    first = machine.run().splitlines()
    assert first[0] == f"installing {' '.join(name for name in ALL if name != 'valgrind')}"
    assert first[1] == "not installed: chromium - tests that need them are skipped"
    assert machine.calls() == ["update", "install"]
    assert machine.run().splitlines() == first[1:]
    assert machine.calls() == ["update", "install"]  # what failed is not tried at each run


def test_one_that_cannot_be_installed_does_not_keep_the_others_out(tmp_path):
    machine = Machine(tmp_path, root=True, has=ALL[2:])
    last = machine.run().splitlines()[-1]
    assert last == "not installed: valgrind - tests that need them are skipped"
    assert machine.calls() == ["update", "install", "install", "install"]
