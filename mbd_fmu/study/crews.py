"""Who runs the chunks of a study: this process, processes beside it, or a cluster.

A chunk may end the process that runs it. It comes back without an outcome then, and is given out
again.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from mbd_fmu.host.scratch import scratch_folder
from mbd_fmu.host.workers import Workers, fresh_processes
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
        self, chunks: Sequence[range], cases: Array
    ) -> Iterator[tuple[range, Outcome | None]]:
        """Run chunks, and give each back when it is done; None: its worker ended."""


@dataclass(frozen=True)
class Here:
    """This process, with threads of compiled code."""

    work: Work
    threads: int

    def outcomes(
        self, chunks: Sequence[range], cases: Array
    ) -> Iterator[tuple[range, Outcome | None]]:
        """Run one chunk after the other."""
        for chunk in chunks:
            yield chunk, self.work.target.run(self.work.course, rows(cases, chunk), self.threads)


@dataclass(frozen=True)
class Beside:
    """Processes of this machine: what one of them dies of does not reach us."""

    workers: Workers

    def outcomes(
        self, chunks: Sequence[range], cases: Array
    ) -> Iterator[tuple[range, Outcome | None]]:
        """Keep all processes busy; where one ends, a new one goes on."""
        tasks = [(rows(cases, chunk),) for chunk in chunks]
        for k, outcome in self.workers.results(_run, tasks):
            yield chunks[k], outcome


@contextmanager
def processes(work: Work, jobs: int) -> Iterator[Beside]:
    """Give processes of this machine.

    What all chunks share goes to them by a file: a process that ends while it begins would not
    read it, and we would wait for ever at a pipe that is full.
    """
    with scratch_folder() as folder:
        path = folder / "work"
        path.write_bytes(pickle.dumps(work))
        with fresh_processes(jobs, folder, _take, path) as workers:
            yield Beside(workers)


def rows(cases: Array, chunk: range) -> Array:
    """Return the cases of a chunk."""
    return cases[chunk.start : chunk.stop]


_taken: Work | None = None


def _take(work: Path) -> None:
    """Begin a process of a study: what all chunks share is read once."""
    global _taken  # noqa: PLW0603  it is the process's
    _taken = pickle.loads(work.read_bytes())  # noqa: S301  we wrote it


def _run(cases: Array) -> Outcome:
    assert _taken is not None
    return _taken.target.run(_taken.course, cases, 1)
