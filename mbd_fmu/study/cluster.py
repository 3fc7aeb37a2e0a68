"""A study on a cluster, an extra; the door to Dask distributed.

The scheduler keeps what all chunks share with its tasks, so that what dies with a worker is made
again on another, and the chunks of that worker with it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, cast

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.export.identity import package_digest
from mbd_fmu.spatial import Array
from mbd_fmu.study.crews import Work, rows
from mbd_fmu.study.targets import Outcome

SECONDS = 10  # to reach the scheduler
AHEAD = 4  # chunks per thread that wait on the cluster


@dataclass(frozen=True)
class Cluster:
    """Workers of a Dask scheduler."""

    work: Work
    address: str
    client: Any
    distributed: Any

    def outcomes(
        self, chunks: Sequence[range], cases: Array
    ) -> Iterator[tuple[range, Outcome | None]]:
        """Keep the workers busy; a chunk that ends worker after worker is lost."""
        waiting = iter(chunks)
        threads = sum(self.client.nthreads().values())
        shared = self.client.submit(_same, self.work, pure=False)
        at_work: dict[Any, range] = {}

        def begin(chunk: range) -> Any:
            future = self.client.submit(_run, shared, rows(cases, chunk), pure=False)
            at_work[future] = chunk
            return future

        first = [begin(chunk) for chunk in islice(waiting, max(1, threads) * AHEAD)]
        finished = self.distributed.as_completed(first, loop=self.client.loop)
        for future in finished:
            chunk = at_work.pop(future)
            yield chunk, self._outcome(future)
            for following in islice(waiting, 1):
                finished.add(begin(following))

    def _outcome(self, future: Any) -> Outcome | None:
        try:
            return cast("Outcome", future.result())
        except self.distributed.KilledWorker:
            return None
        except (CancelledError, OSError):
            if self.client.status == "running":
                raise
            raise MbdFmuError(
                f"--scheduler {self.address}: the scheduler ended, or the way to it; what is done "
                "is kept, and the same command goes on when there is one again"
            ) from None


@contextmanager
def cluster(work: Work, address: str) -> Iterator[Cluster]:
    """Reach a scheduler; its workers need this package, and for mechanisms a compiler."""
    try:
        import distributed  # noqa: PLC0415  an extra
    except ImportError:
        raise MbdFmuError(
            '--scheduler takes Dask: pip install "mbd-fmu[cluster]", here and on the workers'
        ) from None
    try:
        client = distributed.Client(address, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise MbdFmuError(f"--scheduler {address}: no scheduler answers there ({error})") from None
    with client:
        if not client.nthreads():
            raise MbdFmuError(f"--scheduler {address}: has no workers; begin some: dask worker")
        _refuse_others(client, address)
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # tracebacks of its own
        yield Cluster(work, address, client, distributed)


def _refuse_others(client: Any, address: str) -> None:
    """Refuse workers with another package than ours: they might give other bits."""
    try:
        versions = set(client.run(package_digest).values())
    except ImportError:
        versions = {b""}
    if versions != {package_digest()}:
        raise MbdFmuError(
            f"--scheduler {address}: workers have no mbd-fmu, or another version than this one; "
            "install the same there"
        )


def _same(work: Work) -> Work:
    return work


def _run(work: Work, cases: Array) -> Outcome:
    return work.target.run(work.course, cases, 1)
