"""What an export takes, in a process of its own, and what starting the FMU takes."""

import multiprocessing
import resource
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from mbd_fmu import build_fmu
from mbd_fmu.model.spec import Spec
from scripts.benchmarks.results import Export
from scripts.benchmarks.timing import LOW
from scripts.benchmarks.work import Work
from tests.fmu.ctypes_fmu import Instance, Library

STARTS = 15
_KILO = 1 if sys.platform == "darwin" else 1024  # what ru_maxrss counts in


def export(work: Work, path: Path) -> Export:
    """Export a mechanism; the objects of the runtime, the same for all, are there already."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as pool:
        return pool.submit(_export, work.spec, path).result()


def _export(spec: Spec, path: Path) -> Export:
    begin, cpu = time.perf_counter(), _cpu_seconds()
    built = build_fmu(spec, path)
    return Export(
        time.perf_counter() - begin,
        _cpu_seconds() - cpu,
        _peak(),
        sum(built.library_bytes.values()),
        built.motion_operations,
    )


def _cpu_seconds() -> float:
    """Of this process and of the compilers it ran."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _peak() -> int:
    """Memory of the largest process, in bytes."""
    compilers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * _KILO
    return max(_own_peak(), compilers)


def _own_peak() -> int:
    """Of this process alone; under Linux the other count begins with that of its parent."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KILO
    lines = status.read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def startup_seconds(work: Work, fmu: Path) -> float:
    """Return the time from the archive to the first step: unpack, load, instantiate, initialize."""
    found = []
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory() as folder:  # a library loads once from one place
            begin = time.thread_time()
            instance = Instance(Library(fmu, Path(folder))).start(work.inputs)
            found.append(time.thread_time() - begin)
            instance.free()
    return float(np.percentile(found, LOW))
