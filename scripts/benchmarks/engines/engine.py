"""What an engine must be able to do to be timed."""

from typing import Protocol, runtime_checkable

from mbd_fmu.spatial import Array
from scripts.benchmarks.work import State, Work

MOST_LINKS = 300  # of engines whose time or memory is not linear in the links of a chain


class UnableError(Exception):
    """An engine that cannot compute a mechanism, with the reason."""


def refuse_long(work: Work) -> None:
    """Leave a mechanism out that would take minutes for a round, or all memory."""
    if len(work.links) > MOST_LINKS:
        raise UnableError(f"its time or memory outgrows the links: {MOST_LINKS} of them, no more")


class Engine(Protocol):
    """A mechanism in one engine."""

    tolerance: float  # of the accelerations, relative to the largest of ours
    has_moving_rows: bool  # it knows how rows of loops change in time; else compared at rest

    def take(self, state: State) -> None:
        """Go to a state."""

    def accelerations(self) -> Array:
        """Return those of the tree's joints there, in our order."""

    def repeat(self, times: int) -> None:
        """Evaluate the motion there, so many times."""


@runtime_checkable
class CalledFromPython(Engine, Protocol):
    """An engine whose calls have a price of their own."""

    def repeat_nothing(self, times: int) -> None:
        """Make as many calls that compute nothing."""
