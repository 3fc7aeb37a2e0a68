"""Processes that work for us: begun afresh, ended with us, whatever becomes of them.

Each has a pipe of its own, and does one task at a time. So whatever ends it, even while it hands
over a result, costs that one task: nobody else waits for a lock it held or the rest of a message.
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.host.stopping import at_forced_end, deaf_children, held_back, stop_with_parent

T = TypeVar("T")
R = TypeVar("R")
_FRESH = multiprocessing.get_context("spawn")
Watch = Callable[[Sequence[int]], None]  # is told which tasks are at work


@dataclass(eq=False)
class _Worker:
    """One process, and our end of its pipe."""

    process: SpawnProcess
    pipe: Connection
    has_begun: bool = False
    task: int | None = None

    @classmethod
    def begun(
        cls, folder: Path, prepare: Callable[..., None] | None, args: Sequence[Any]
    ) -> _Worker:
        ours, theirs = _FRESH.Pipe()
        with theirs:
            process = _FRESH.Process(target=_serve, args=(theirs, folder, prepare, args))
            with held_back(), deaf_children():
                process.start()
        return cls(process, ours)

    def takes(self, index: int, work: Callable[..., Any], task: Sequence[Any]) -> bool:
        """Give it a task; it may have ended since the last one."""
        try:
            self.pipe.send((work, task))
        except OSError:
            return False
        self.task = index
        return True


@dataclass(frozen=True)
class Workers:
    """Processes that have what ``prepare`` made of them."""

    jobs: int
    folder: Path
    prepare: Callable[..., None] | None
    args: Sequence[Any]
    crew: list[_Worker] = field(default_factory=list)
    unborn: list[_Worker] = field(default_factory=list)  # ended while they began, in a row

    def results(
        self, work: Callable[..., R], tasks: Sequence[Sequence[Any]], watch: Watch = lambda _: None
    ) -> Iterator[tuple[int, R | None]]:
        """Run ``work(*task)`` for each, and give it back by its number; None: its process ended."""
        waiting = list(reversed(range(len(tasks))))
        while True:
            self._engage(work, tasks, waiting)
            at_work = [worker.task for worker in self.crew if worker.task is not None]
            if not at_work and not waiting:
                return
            watch(at_work)
            done = [found for worker in self._heard() if (found := self._answer(worker))]
            self._engage(work, tasks, waiting)  # before anybody looks at what is done
            yield from done

    def _engage(
        self, work: Callable[..., R], tasks: Sequence[Sequence[Any]], waiting: list[int]
    ) -> None:
        """Give every process something to do, and begin those that are missing."""
        for worker in [w for w in self.crew if w.has_begun and w.task is None]:
            if not waiting:
                return
            if worker.takes(waiting[-1], work, tasks[waiting[-1]]):
                waiting.pop()
            else:
                self._dismiss(worker)
        free = sum(worker.task is None for worker in self.crew)
        for _ in range(min(self.jobs - len(self.crew), len(waiting) - free)):
            self.crew.append(_Worker.begun(self.folder, self.prepare, self.args))

    def _heard(self) -> list[_Worker]:
        """Wait for processes that say something, or have ended."""
        worker_at = {w.pipe: w for w in self.crew if w.task is not None or not w.has_begun}
        return [worker_at[pipe] for pipe in wait(list(worker_at))]  # type: ignore[index]

    def _answer(self, worker: _Worker) -> tuple[int, Any] | None:
        """Return the number and the result of what it did; None: it has begun."""
        index, worker.task = worker.task, None
        try:
            is_result, found = worker.pipe.recv()
        except (EOFError, OSError):
            self._dismiss(worker)
            if index is not None:
                return index, None
            self._count_unborn(worker)
            return None
        if not is_result:
            raise found
        worker.has_begun = True
        self.unborn.clear()
        return None if index is None else (index, found)

    def _count_unborn(self, worker: _Worker) -> None:
        """Let another begin instead; but if none of as many as there are to be can, give up."""
        self.unborn.append(worker)
        if len(self.unborn) > self.jobs:
            raise MbdFmuError(
                f"{len(self.unborn)} processes ended while they began, one after the other; "
                "something kills them, such as a want of memory; or they come from a script, "
                'which must begin its own work below if __name__ == "__main__":'
            )

    def _dismiss(self, worker: _Worker) -> None:
        self.crew.remove(worker)
        worker.pipe.close()
        worker.process.kill()
        worker.process.join()


@contextmanager
def fresh_processes(
    jobs: int, folder: Path, prepare: Callable[..., None] | None = None, *args: Any
) -> Iterator[Workers]:
    """Give processes that begin afresh: no threads or open libraries are inherited.

    Their temporary files lie in a folder of ours, so that nothing stays of one that is lost.
    """
    workers = Workers(jobs, folder, prepare, args)
    try:
        yield workers
    except BaseException:
        for worker in workers.crew:
            worker.process.terminate()
        raise
    finally:
        for worker in workers.crew:
            worker.pipe.close()  # which they hear
        for worker in workers.crew:
            worker.process.join()


def _serve(
    pipe: Connection, folder: Path, prepare: Callable[..., None] | None, args: Sequence[Any]
) -> None:
    """Be a worker: say that it has begun, then do what comes until nothing more can come."""
    tempfile.tempdir = str(folder)
    stop_with_parent()
    Thread(target=_end_after_parent, daemon=True).start()
    try:
        if prepare is not None:
            prepare(*args)
        pipe.send((True, None))
        while True:
            work, task = pipe.recv()
            pipe.send_bytes(_attempted(work, task))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


def _attempted(work: Callable[..., Any], task: Sequence[Any]) -> memoryview:
    """Return what to say of a task; an error is raised where the task was given out."""
    try:
        return ForkingPickler.dumps((True, work(*task)))
    except Exception as error:  # noqa: BLE001  whatever it is
        error.add_note(traceback.format_exc())
        return ForkingPickler.dumps((False, error))


def _end_after_parent() -> None:
    """End a worker whose parent was killed: no signal says so, and it would work to the end."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@at_forced_end
def _kill_workers() -> None:
    for worker in multiprocessing.active_children():
        worker.kill()
