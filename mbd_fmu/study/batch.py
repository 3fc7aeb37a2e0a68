"""Many cases of a mechanism, run by compiled code on all processors.

Each case gives the bits that the FMU gives in co-simulation, whatever runs beside it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import accumulate
from queue import SimpleQueue

import numpy as np
from numpy.typing import ArrayLike

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.host.programs import processors
from mbd_fmu.model.spec import Spec
from mbd_fmu.options import ZIG
from mbd_fmu.signals.inputs import RunInputs
from mbd_fmu.signals.names import Names
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array
from mbd_fmu.study.library import HEAR, KEEPS, Cases, Plan, batch_library
from mbd_fmu.study.points import laid_out
from mbd_fmu.study.request import Asked, Request, request_of
from mbd_fmu.system.system import System, system_of

MOST_IN_CHUNK = 256  # cases in one call: then progress is told, and an interruption heard
CHUNKS_PER_THREAD = 4  # at least, if there are cases enough: none waits long for another


@dataclass(frozen=True)
class BatchResult:
    """Outputs of all cases; of one that failed those up to there, then NaN.

    ``values`` has the shape (cases, times, names). Where only the last outputs are kept there is
    one time; of extremes there are two rows, the least and the greatest values over all times.
    """

    time: Array
    names: tuple[str, ...]
    values: Array
    failed: dict[int, str]  # case -> why
    warnings: dict[int, tuple[str, ...]]

    def column(self, name: str) -> Array:
        """Return one output: a row for each case."""
        return self.values[:, :, self.names.index(name)]

    def case(self, k: int) -> Trajectory:
        """Return one case whose outputs were all kept."""
        if len(self.time) != self.values.shape[1]:
            raise ValueError("only extremes of the cases were kept")
        return Trajectory(self.time, self.names, self.values[k])


def run_batch(
    mechanism: Spec | System,
    parameters: Mapping[str, ArrayLike],
    *,
    inputs: RunInputs = None,
    interpolate: bool = False,
    stop: float | None = None,
    step: float | None = None,
    outputs: Names | None = None,
    keep: str = "all",
    threads: int | None = None,
    lanes: bool = True,
    compiler: str = ZIG,
    progress: Callable[[str], None] = lambda _: None,
) -> BatchResult:
    """Run a mechanism once for each set of parameters, from 0 to ``stop``.

    ``parameters`` holds, by name, parameters, start values among them, and inputs that stay: an
    array with one number for each case, or one number for all. ``inputs`` are those that change
    over time, the same for all cases, in any form that ``simulate`` takes (``signals.inputs``):
    tables are held or on straight lines, functions are followed on straight lines. Times that are
    not given are the model's own. ``lanes=False`` runs cases one by one also where several fit side
    by side.
    """
    system = mechanism if isinstance(mechanism, System) else system_of(mechanism)
    fmu = system.spec.fmu
    asked = Asked(
        parameters,
        inputs,
        interpolate,
        fmu.stop_time if stop is None else stop,
        fmu.communication_step if step is None else step,
        outputs,
        keep,
        processors() if threads is None else threads,
    )
    request = request_of(system, asked)
    library = batch_library(system, compiler, progress)
    return _Run(library, request, lanes=lanes).result(asked.threads, progress)


class _Run:
    """A request, laid out for the library. Arrays live as long as this does."""

    def __init__(self, library: ctypes.CDLL, request: Request, *, lanes: bool) -> None:
        self.library, self.request, self.lanes = library, request, lanes
        self.settings = request.cases
        rows = {"all": len(request.times), "last": 1, "extremes": 2}[request.keep]
        shape = (len(request.cases), rows, len(request.names))
        try:
            self.kept = np.empty(shape)
        except MemoryError:
            raise MbdFmuError(
                f"{shape[0]} cases of {rows} times and {shape[2]} outputs do not fit into memory; "
                'name fewer outputs, or use keep="last" or keep="extremes"'
            ) from None
        self.failed = np.zeros(len(request.cases), dtype=np.intc)
        self.errors: dict[int, list[str]] = {}
        self.warnings: dict[int, list[str]] = {}
        self.hear = HEAR(self._hear)
        self.plan = self._plan(rows)

    def _plan(self, rows: int) -> Plan:
        request, is_last = self.request, self.request.keep == "last"
        self.points = laid_out(
            request.points,
            request.columns,
            lambda point: point.length is None if is_last else point.is_asked,
        )
        return Plan(
            points=self.points.table,
            n_settings=len(request.settings),
            n_outputs=len(request.outputs),
            setting=request.settings.ctypes.data,
            output=request.outputs.ctypes.data,
            n_rows=rows,
            keep=KEEPS.index(request.keep),
        )

    def _hear(self, case: int, is_error: int, text: bytes) -> None:
        said = self.errors if is_error else self.warnings
        said.setdefault(case, []).append(text.decode("utf-8", "replace"))

    def result(self, threads: int, progress: Callable[[str], None]) -> BatchResult:
        """Run all cases and gather what they gave and said."""
        n = len(self.request.cases)
        chunk = min(MOST_IN_CHUNK, -(-n // (threads * CHUNKS_PER_THREAD)))
        chunk += -chunk % max(1, self.library.batch_width())  # no lane stays empty but at the end
        chunks = [slice(first, min(first + chunk, n)) for first in range(0, n, chunk)]
        with (
            self._workers(min(threads, len(chunks))) as workers,
            closing(self._finished(chunks, workers)) as finished,
        ):
            for done in accumulate(finished):
                progress(f"{done} of {n} cases")
        times = self.request.times[-1:] if self.request.keep == "last" else self.request.times
        return BatchResult(
            times,
            self.request.names,
            self.kept,
            {k: "\n".join(self.errors.get(k, ())) for k in np.flatnonzero(self.failed).tolist()},
            {k: tuple(self.warnings[k]) for k in sorted(self.warnings)},
        )

    @contextmanager
    def _workers(self, n: int) -> Iterator[SimpleQueue[int]]:
        """What each thread works with; given back at the end."""
        made: list[int] = []
        free: SimpleQueue[int] = SimpleQueue()
        try:
            for _ in range(n):
                worker = self.library.batch_new(self.plan, self.hear, int(self.lanes))
                if not worker:
                    raise MbdFmuError("out of memory; use fewer threads")
                made.append(worker)
                free.put(worker)
            yield free
        finally:
            for worker in made:
                self.library.batch_free(worker)

    def _finished(
        self, chunks: Sequence[slice], workers: SimpleQueue[int]
    ) -> Generator[int, None, None]:
        """Run the chunks and yield how many cases each has; one worker needs no other thread."""

        def run(chunk: slice) -> int:
            worker = workers.get()
            try:
                self.library.batch_run(worker, self._cases(chunk))
            finally:
                workers.put(worker)
            return chunk.stop - chunk.start

        if workers.qsize() == 1:
            yield from map(run, chunks)
            return
        with ThreadPoolExecutor(workers.qsize()) as pool:
            try:
                for finished in as_completed([pool.submit(run, chunk) for chunk in chunks]):
                    yield finished.result()
            finally:
                pool.shutdown(cancel_futures=True)

    def _cases(self, chunk: slice) -> Cases:
        settings, kept = self.settings[chunk], self.kept[chunk]
        return Cases(
            len(kept),
            chunk.start,
            settings.ctypes.data,
            kept.ctypes.data,
            self.failed[chunk].ctypes.data,
        )
