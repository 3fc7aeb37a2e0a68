"""Processes that are started to be ended: what is left of them, and of what they started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from mbd_fmu.host.programs import processors

ROOT = Path(__file__).parents[1]

# A compiler that never ends, with a child that never ends, but for its version; it notes who they
# are.
SLOW_COMPILER = """#!/bin/sh
[ "$1" = --version ] && echo slow && exit
sleep 300 &
mktemp > /dev/null
echo "$$ $!" > "{marks}/$$.new"
mv "{marks}/$$.new" "{marks}/$$.mark"
wait
"""


class SlowCompiler:
    """A compiler that is never done; a build starts several at once where it can."""

    def __init__(self, folder: Path) -> None:
        self.program, self._folder = folder / "slow_cc", folder
        self.program.write_text(SLOW_COMPILER.format(marks=folder))
        self.program.chmod(0o755)

    def has_begun(self) -> bool:
        return len(self._marks()) >= min(processors(), 2)

    def is_gone(self) -> bool:
        pids = [int(pid) for mark in self._marks() for pid in mark.read_text().split()]
        return not any(map(is_alive, pids))

    def _marks(self) -> list[Path]:
        return list(self._folder.glob("*.mark"))


def is_alive(pid: int) -> bool:
    """Tell whether a process still does anything; one that nobody has asked for yet does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def started(words: list[str], folder: Path, scratch: Path) -> subprocess.Popen[str]:
    """Start a command as a terminal does: Ctrl-C reaches it and its children.

    Also where nobody hears it, as in what a script has started behind itself.
    """
    listens = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); "
    listens += "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    return subprocess.Popen(
        [sys.executable, "-S", "-c", listens, *words],
        cwd=folder,
        env=os.environ | {"TMPDIR": str(scratch), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        restore_signals=True,
    )


def ended(process: subprocess.Popen[str], number: signal.Signals) -> tuple[int, str]:
    """Send a signal, Ctrl-C to all of its group; return exit code and errors."""
    if number == signal.SIGINT:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    _, err = process.communicate(timeout=60)
    return process.returncode, err


def wait_until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait for something that is going to happen."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
