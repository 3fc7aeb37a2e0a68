"""Programs that work for us, a compiler, a browser: none outlives us or keeps us waiting."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from mbd_fmu.host.stopping import at_forced_end, held_back

_RUNNING: set[subprocess.Popen[bytes]] = set()
_LOOK = 0.005  # seconds between looks at several programs


def run_program(
    command: Sequence[str],
    *,
    seconds: float,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    data: bytes | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run a program and wait for its end; it and its children end with us.

    ``folder`` is where it works, and where it puts temporary files: one that is killed leaves them.
    Raises ``subprocess.TimeoutExpired`` after some seconds, ``OSError`` if it does not start.
    """
    process: subprocess.Popen[bytes] | None = None
    given = subprocess.DEVNULL if data is None else subprocess.PIPE
    try:
        with held_back():
            process = _begun(command, folder, environment, given, subprocess.PIPE, subprocess.PIPE)
        out, err = process.communicate(data, timeout=seconds)
    finally:
        if process is not None:
            _end(process)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def processors() -> int:
    """Return how many programs can work at once here."""
    if hasattr(os, "sched_getaffinity"):  # a container may have fewer than the machine
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_programs(
    commands: Sequence[Sequence[str]],
    *,
    at_once: int,
    seconds: float,
    folder: Path,
    environment: Mapping[str, str] | None = None,
) -> list[subprocess.CompletedProcess[bytes]]:
    """Run programs, some at once, each as above, until one fails; return those that are done.

    They are begun in the order they are given. All that is asked of the system is asked in this
    thread, so that a signal ends them as it ends a single one.
    """
    waiting = [*reversed(commands)]
    running: list[_Busy] = []
    done: list[subprocess.CompletedProcess[bytes]] = []
    with ExitStack() as files:
        try:
            while (waiting or running) and not any(program.returncode for program in done):
                while waiting and len(running) < at_once:
                    # what they say goes into files, which take any amount while nobody reads
                    out, err = (
                        files.enter_context(tempfile.TemporaryFile(dir=folder)) for _ in range(2)
                    )
                    with held_back():
                        none = subprocess.DEVNULL
                        process = _begun(waiting[-1], folder, environment, none, out, err)
                        running.append(_Busy(waiting.pop(), process, out, err, time.monotonic()))
                done += [busy.outcome() for busy in running if busy.process.poll() is not None]
                running = [busy for busy in running if busy.process.returncode is None]
                for busy in running:
                    busy.refuse_late(seconds)
                if running:
                    time.sleep(_LOOK)
        finally:
            for busy in running:
                _end(busy.process)
    return done


@dataclass(frozen=True)
class _Busy:
    """A program at work beside others."""

    command: Sequence[str]
    process: subprocess.Popen[bytes]
    out: IO[bytes]
    err: IO[bytes]
    since: float

    def refuse_late(self, seconds: float) -> None:
        """Raise an error if it takes too long."""
        if time.monotonic() > self.since + seconds:
            raise subprocess.TimeoutExpired([*self.command], seconds)

    def outcome(self) -> subprocess.CompletedProcess[bytes]:
        """Return what came of it, now that it is done."""
        _end(self.process)
        said = []
        for file in (self.out, self.err):
            file.seek(0)
            said.append(file.read())
        return subprocess.CompletedProcess(self.command, self.process.returncode, *said)


def _begun(
    command: Sequence[str],
    folder: Path | None,
    environment: Mapping[str, str] | None,
    *streams: int | IO[bytes],
) -> subprocess.Popen[bytes]:
    environment = dict(os.environ if environment is None else environment)
    if folder is not None:
        environment |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    stdin, stdout, stderr = streams
    # A session of its own: the whole family can be ended, and hears no Ctrl-C before us.
    process = subprocess.Popen(  # noqa: S603
        command,
        cwd=folder,
        env=environment,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        start_new_session=True,
    )
    _RUNNING.add(process)
    return process


def _end(process: subprocess.Popen[bytes]) -> None:
    """Let go of a program; one that is not known to be done is ended."""
    if process.returncode is None:
        _kill(process)
        process.wait()
    _RUNNING.discard(process)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a program with all it has started; on Windows it alone."""
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


@at_forced_end
def _kill_all() -> None:
    for process in list(_RUNNING):
        _kill(process)
