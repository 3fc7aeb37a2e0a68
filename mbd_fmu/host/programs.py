"""Programs that work for us, a compiler, a browser: none outlives us or keeps us waiting."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from mbd_fmu.host.stopping import at_forced_end, held_back

_RUNNING: set[subprocess.Popen[bytes]] = set()


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
    environment = dict(os.environ if environment is None else environment)
    if folder is not None:
        environment |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    try:
        with held_back():
            # A session of its own: the whole family can be ended, and hears no Ctrl-C before us.
            process = subprocess.Popen(  # noqa: S603
                command,
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL if data is None else subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
            _RUNNING.add(process)
        out, err = process.communicate(data, timeout=seconds)
    except BaseException:
        if process is not None:
            _kill(process)
            process.wait()
        raise
    finally:
        if process is not None:
            _RUNNING.discard(process)
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()
    return subprocess.CompletedProcess(command, process.returncode, out, err)


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
