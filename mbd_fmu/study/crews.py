"""Who runs the chunks of a study: this process, processes beside it, or a cluster.

A chunk may end the process that runs it. Then nothing is known of what else was at work there,
either: such chunks come back without an outcome, and are given out again one at a time.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Protocol

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.host.scratch import scratch_folder
from mbd_fmu.host.workers import fresh_processes, submitted
from mbd_fmu.spatial import Array
from mbd_fmu.study.targets import Course, Outcome, Target


@dataclass(frozen=True)
class Work:
    """What all chunks of a study have in common."""

    target: Target
    course: Course


class Crew(Protocol):
    """Runs chunks: cases from one to before another."""

    def outcomes(
        self, chunks: Iterable[range], cases: Array
    ) -> Iterator[tuple[range, Outcome | None]]:
        """Run chunks, and give each back when it is done; None: its worker ended."""


@dataclass(frozen=True)
class Here:
    """This process, with threads of compiled code."""

    work: Work
    threads: int

    def outcomes(
        self, chunks: Iterable[range], cases: Array
    ) -> Iterator[tuple[range, Outcome | None]]:
        """Run one chunk after the other."""
        for chunk in chunks:
            yield chunk, self.work.target.run(self.work.course, rows(cases, chunk), self.threads)


@dataclass(frozen=True)
class Beside:
    """Processes of this machine: what one of them dies of does not reach us."""

    work: Path  # a file
    jobs: int
    folder: Path  # for temporary files

    def outcomes(
        self, chunks: Iterable[range], cases: Array
    ) -> Iterator[tuple[range, Outcome | None]]:
        """Keep all processes busy; where one ends, new ones go on."""
        waiting = iter(chunks)
        while (first := next(waiting, None)) is not None:
            yield from self._until_one_ends(first, waiting, cases)

    def _until_one_ends(
        self, first: range, waiting: Iterator[range], cases: Array
    ) -> Iterator[tuple[range, Outcome | None]]:
        at_work: dict[Future[Outcome], range] = {}
        ended = False
        with fresh_processes(self.jobs, self.folder, _take, self.work) as pool:
            _await_start(pool, self.jobs)
            for chunk in (first, *islice(waiting, self.jobs)):
                at_work[_begun(pool, rows(cases, chunk))] = chunk
            while at_work:
                for future in wait(at_work, return_when=FIRST_COMPLETED).done:
                    chunk, outcome = at_work.pop(future), _outcome(future)
                    ended = ended or outcome is None
                    following = None if ended else next(waiting, None)
                    if following is not None:
                        at_work[_begun(pool, rows(cases, following))] = following
                    yield chunk, outcome


def _begun(pool: ProcessPoolExecutor, cases: Array) -> Future[Outcome]:
    """Give cases to a pool; if one of its processes has just ended, they are lost with it."""
    try:
        return submitted(pool, _run, cases)
    except BrokenProcessPool as error:
        lost: Future[Outcome] = Future()
        lost.set_exception(error)
        return lost


def _outcome(future: Future[Outcome]) -> Outcome | None:
    try:
        return future.result()
    except BrokenProcessPool:
        return None


def _await_start(pool: ProcessPoolExecutor, jobs: int) -> None:
    """Refuse processes that end before they are given any case: no case is to blame.

    A pool begins a process when something is to do and nobody free; all begin together.
    """
    try:
        for future in [submitted(pool, _ready) for _ in range(jobs)]:
            future.result()
    except BrokenProcessPool:
        raise MbdFmuError(
            "processes for the study do not start; a script that starts one begins its work "
            'below if __name__ == "__main__":'
        ) from None


@contextmanager
def processes(work: Work, jobs: int) -> Iterator[Beside]:
    """Give processes of this machine.

    What all chunks share goes to them by a file: a process that ends while it begins would not
    read it, and we would wait for ever at a pipe that is full.
    """
    with scratch_folder() as folder:
        path = folder / "work"
        path.write_bytes(pickle.dumps(work))
        yield Beside(path, jobs, folder)


def rows(cases: Array, chunk: range) -> Array:
    """Return the cases of a chunk."""
    return cases[chunk.start : chunk.stop]


_taken: Work | None = None


def _take(work: Path) -> None:
    """Begin a process of a study: what all chunks share is read once."""
    global _taken  # noqa: PLW0603  it is the process's
    _taken = pickle.loads(work.read_bytes())  # noqa: S301  we wrote it


def _ready() -> None:
    """Say that a process has begun."""


def _run(cases: Array) -> Outcome:
    assert _taken is not None
    return _taken.target.run(_taken.course, cases, 1)
