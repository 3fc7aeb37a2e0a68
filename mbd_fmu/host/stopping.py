"""Ctrl-C and the system's request to end: everything is cleaned up, then we are gone.

A signal becomes an exception in the main thread, so that every ``with`` block ends as it should.
Python delivers it only between its own instructions: where foreign code does not come back, a
thread waits some seconds, cleans up as far as it can, and ends the process.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType

# Ctrl-C, the request to end, the terminal that was closed (not on Windows).
_SIGNALS = [getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, n)]
GRACE = 5.0  # seconds for an orderly end

_holds = 0
_waiting: int | None = None
_last_duties: list[Callable[[], None]] = []


class Stopped(SystemExit):
    """Somebody wants us to end; ``code`` is the exit code that says so."""


def at_forced_end(duty: Callable[[], None]) -> Callable[[], None]:
    """Register what must be cleaned up also where no ``with`` block is reached any more."""
    _last_duties.append(duty)
    return duty


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """Let signals end what is inside by ``Stopped``; outside the main thread they do nothing."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    done = threading.Event()
    ours, theirs = socket.socketpair()
    theirs.settimeout(0)
    watcher = threading.Thread(target=_watch, args=(ours, done), daemon=True)
    earlier = {n: signal.getsignal(n) for n in _SIGNALS}
    fd = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    watcher.start()
    try:
        for number, before in earlier.items():
            if before is not signal.SIG_IGN:  # as under nohup
                signal.signal(number, _stop)
        yield
    except Stopped:
        _do_last_duties()
        raise
    finally:
        for number, before in earlier.items():
            signal.signal(number, before)
        signal.set_wakeup_fd(fd)
        done.set()
        theirs.close()
        watcher.join()
        ours.close()


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Let a signal wait until the end of a few lines that must not be torn apart."""
    global _holds, _waiting  # noqa: PLW0603  signals belong to the process
    if threading.current_thread() is not threading.main_thread():  # none comes there
        yield
        return
    _holds += 1
    try:
        yield
    finally:
        _holds -= 1
    if _waiting is not None and not _holds:
        number, _waiting = _waiting, None
        _stop(number, None)


def stop_with_parent() -> None:
    """Prepare a worker process: it ends when its parent tells it, and Ctrl-C is the parent's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)


@contextlib.contextmanager
def deaf_children() -> Iterator[None]:
    """Let processes begun here not hear Ctrl-C, which reaches all processes of a terminal."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _stop(number: int, _frame: FrameType | None) -> None:
    global _waiting  # noqa: PLW0603
    if _holds:
        _waiting = number
        return
    for other in _SIGNALS:  # the end is not to be disturbed; what starts later would inherit this
        signal.signal(other, signal.SIG_IGN)
    raise Stopped(128 + number)


def _end(number: int, frame: FrameType | None) -> None:
    """End a worker where it stands: it has no result that anybody waits for."""
    if _holds:
        _stop(number, frame)
        return
    _do_last_duties()
    os._exit(128 + number)


def _do_last_duties() -> None:
    for duty in _last_duties:
        with contextlib.suppress(Exception):
            duty()


def _watch(ours: socket.socket, done: threading.Event) -> None:
    """Read the numbers of signals as they come; after one of ours the time runs."""
    while number := ours.recv(1):
        if number[0] in _SIGNALS and not done.wait(GRACE):
            _do_last_duties()
            print("mbd-fmu: stopped", file=sys.stderr, flush=True)  # noqa: T201
            os._exit(128 + number[0])
