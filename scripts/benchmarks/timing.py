"""Times of calls on a machine that others use, too.

What is compared takes turns in short windows, so that whatever slows the machine down slows all of
it. The time is that of the thread, not of the clock on the wall. Of many rounds the 10th percentile
counts: disturbances only add, and the very least is a matter of luck.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from mbd_fmu.spatial import Array

WINDOW = 0.5e-3  # s
ROUNDS = 300
LOW, HIGH = 10, 90  # percentiles

Repeat = Callable[[int], None]  # calls something so many times


@dataclass(frozen=True)
class Timing:
    """Seconds per call, one sample per round."""

    samples: Array

    @property
    def seconds(self) -> float:
        """What counts."""
        return float(np.percentile(self.samples, LOW))

    @property
    def spread(self) -> float:
        """The 90th percentile as a multiple of that."""
        return float(np.percentile(self.samples, HIGH)) / self.seconds

    def without(self, other: "Timing") -> "Timing":
        """Return what is left when each round is relieved of what another call takes as a rule."""
        return Timing(np.maximum(self.samples - other.seconds, 0.0))


def take_turns(
    tasks: Mapping[str, Repeat], rounds: int = ROUNDS, window: float = WINDOW
) -> dict[str, Timing]:
    """Return the time per call of each task, measured side by side."""
    times = {name: _times_in(repeat, window) for name, repeat in tasks.items()}
    samples = {name: np.empty(rounds) for name in tasks}
    names = list(tasks)
    for k in range(rounds):
        for name in names[k % len(names) :] + names[: k % len(names)]:
            samples[name][k] = _seconds(tasks[name], times[name]) / times[name]
    return {name: Timing(found) for name, found in samples.items()}


def ratio(one: Timing, other: Timing) -> tuple[float, float, float]:
    """Return how many times as long one takes, with the range over rounds measured together."""
    paired = one.samples / np.maximum(other.samples, 1e-12)
    low, high = np.percentile(paired, [LOW, HIGH])
    return one.seconds / other.seconds, float(low), float(high)


def _times_in(repeat: Repeat, window: float) -> int:
    """Calls that fill a window: found by doubling."""
    times = 1
    while (seconds := _seconds(repeat, times)) < window / 2:
        times *= 2
    return max(1, round(times * window / seconds))


def _seconds(repeat: Repeat, times: int) -> float:
    begin = time.thread_time()
    repeat(times)
    return time.thread_time() - begin
