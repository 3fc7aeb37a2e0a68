"""Processes that work for us: begun afresh, ended with us, whatever becomes of them."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any, ParamSpec, TypeVar

from mbd_fmu.host.stopping import at_forced_end, deaf_children, held_back, stop_with_parent

P = ParamSpec("P")
T = TypeVar("T")


@contextmanager
def fresh_processes(
    jobs: int, folder: Path, prepare: Callable[..., None] | None = None, *args: Any
) -> Iterator[ProcessPoolExecutor]:
    """Give processes that begin afresh: no threads or open libraries are inherited.

    Their temporary files lie in a folder of ours, so that nothing stays of one that is lost.
    """
    fresh = multiprocessing.get_context("spawn")
    older = set(multiprocessing.active_children())
    with ProcessPoolExecutor(jobs, fresh, _prepare, (folder, prepare, args)) as pool:
        try:
            yield pool
        except BaseException:
            for worker in set(multiprocessing.active_children()) - older:
                worker.terminate()
            pool.shutdown(cancel_futures=True)
            raise


def submitted(
    pool: ProcessPoolExecutor, work: Callable[P, T], *args: P.args, **named: P.kwargs
) -> Future[T]:
    """Give work to a pool; a process that begins for it does not hear Ctrl-C."""
    with held_back(), deaf_children():
        return pool.submit(work, *args, **named)


def _prepare(folder: Path, prepare: Callable[..., None] | None, args: tuple[Any, ...]) -> None:
    tempfile.tempdir = str(folder)
    stop_with_parent()
    Thread(target=_end_after_parent, daemon=True).start()
    if prepare is not None:
        prepare(*args)


def _end_after_parent() -> None:
    """End a worker whose parent was killed: no signal says so, and it would wait for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@at_forced_end
def _kill_workers() -> None:
    for worker in multiprocessing.active_children():
        worker.kill()
