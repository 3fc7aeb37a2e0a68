"""What an engine must be able to do to be timed."""

from typing import Protocol

from mbd_fmu.spatial import Array
from scripts.benchmarks.work import State


class Unable(Exception):
    """An engine that cannot compute a mechanism, with the reason."""


class Engine(Protocol):
    """A mechanism in one engine."""

    #: of the accelerations, relative to the largest: how near it can come to ours
    tolerance: float
    #: whether rows that hold loops are known to it with their change in time
    has_moving_rows: bool

    def take(self, state: State) -> None:
        """Go to a state."""

    def accelerations(self) -> Array:
        """Return those of the tree's joints there, in our order."""

    def repeat(self, times: int) -> None:
        """Evaluate the motion there, so many times."""

    def repeat_nothing(self, times: int) -> None:
        """Make as many calls that compute nothing."""
