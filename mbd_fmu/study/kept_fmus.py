"""An FMU in a process of a study: unpacked and loaded once, its instance reset between runs.

A reset must give what a new instance gives. Whether it does is tried in each process, by the
second run, to the last bit; where it does not, every run gets an instance of its own.
"""

from __future__ import annotations

import atexit
import hashlib
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from threading import Lock

import numpy as np

from mbd_fmu.errors import FmuError
from mbd_fmu.host.scratch import scratch_folder
from mbd_fmu.spatial import Array
from mbd_fmu.study.fmu_walk import FmuWalk, Way
from mbd_fmu.validate.runner import Fmu


@dataclass(frozen=True)
class Ran:
    """What came of a run: outputs at all times, NaN after a failure, and what the FMU said."""

    values: Array
    warnings: tuple[str, ...] = ()
    failure: str | None = None


@dataclass
class KeptFmu:
    """An FMU that is ready to run again and again, by one thread at a time."""

    source: str
    fmu: Fmu
    runs: int = 0
    resets: bool = True
    walk: FmuWalk | None = None  # the last one
    lock: Lock = field(default_factory=Lock)

    def run(self, way: Way, settings: Mapping[str, float]) -> Ran:
        """Run from the beginning to the end, or to where it fails."""
        with self.lock:
            found = self._run(way, settings, keep=self.resets)
            if found.failure is not None:
                return found
            self.runs += 1
            if self.runs == 2 and self.resets:
                fresh = self._run(way, settings, keep=False)
                self.resets = np.array_equal(fresh.values, found.values, equal_nan=True)
                return fresh
            return found

    def _run(self, way: Way, settings: Mapping[str, float], *, keep: bool) -> Ran:
        if self.walk is None or self.walk.way is not way:
            self.walk = FmuWalk(self.fmu, way)
        try:
            self.fmu.walk(self.walk, settings, keep=keep)
        except FmuError as error:
            told = str(error).replace(str(self.fmu.path), self.source)
            return Ran(self.walk.values, failure=told)
        return Ran(self.walk.values, tuple(self.fmu.warnings))


_KEPT: dict[bytes, KeptFmu] = {}
_left = ExitStack()
_opening = Lock()
atexit.register(_left.close)


def kept_fmu(source: str, content: bytes) -> KeptFmu:
    """Return the FMU of some bytes, loaded if it has not been before."""
    key = hashlib.sha256(content).digest()
    with _opening:
        if key not in _KEPT:
            path = _left.enter_context(scratch_folder()) / "study.fmu"
            path.write_bytes(content)
            _KEPT[key] = KeptFmu(source, _left.enter_context(Fmu(path)))
    return _KEPT[key]
