"""Motions told in a way that can hardly be meant: the twin of ``runtime/contradictions.c``.

Over a step the mean rate of a position lies between the velocities told at both ends, or not far
beside them; that of a velocity between the accelerations. What lies farther out is the *excess*. It
is summed up with its sign, so that rounded values do not count, and held against the way that was
made, of a turn about all axes. How far beside: as far as the rates themselves change in ``REACH``
steps, because positions that are interpolated between rows of a table run ahead of velocities
interpolated likewise.

If rates that are zero at both ends stand beside a value that moves, that is said at once: hardly
anybody means it, and mostly an input is not connected. Likewise if a position that makes the rates
stands still and jumps in turn: then it is held over several steps.

Checked  tests/unit/test_contradictions.py
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mbd_fmu.reference.course import Levels
from mbd_fmu.reference.motions import Track
from mbd_fmu.reference.turns import difference
from mbd_fmu.spatial import Array
from mbd_fmu.system.variables import Table

REACH = 50.0
MOVED = 1e-9  # of 1 and the value: what moves less does not move
CLEARLY = 1e-6  # what moves so far beside rates that are zero is said at once
STEPS = 3  # so many steps with movement tell enough
SHARE = 0.5  # of the way
STAIRS = 3  # so many of them make a staircase


_OF_A_TURN = ("orientation", "angular velocity", "angular acceleration")


def said_of(track: Track, level: int, table: Table) -> str:
    """Say what contradicts what, and what helps."""
    if track.turns:
        what, rate = (f"the {_OF_A_TURN[k]} of {track.motion.name}" for k in (level, level + 1))
    else:
        names = {place: v.name for place, v in zip(table.acting, table.inputs, strict=True)}
        what, rate = (names[track.places[k][0]] for k in (level, level + 1))
    return (
        f"the motion told contradicts itself: {what} moves, but not at the rate that {rate} tells; "
        f'connect {rate}, or build the FMU with motion = "position" and give positions alone'
    )


def said_of_stairs(track: Track) -> str:
    """Say that what leads a motion is held over several steps."""
    return (
        f'the {track.motion.level} told of "{track.motion.name}" stands still and jumps in turn, '
        "as if it were held over several steps; tell it anew at each step, or with its derivative"
    )


@dataclass
class Stairs:
    """Watches the level that leads a track, from step to step."""

    before: Array | None = None
    is_still: bool = False
    number: int = 0
    is_said: bool = False

    def find(self, prescribed: Array, *, is_led: bool) -> bool:
        """Return true, once, where a value has stood still and jumped for the third time."""
        before, self.before = self.before, prescribed
        if before is None or is_led:
            self.is_still, self.number = False, 0
            return False
        moves = bool(np.any(prescribed != before))
        if moves:
            self.number = self.number + 1 if self.is_still else 0
        self.is_still = not moves
        if self.number < STAIRS or self.is_said:
            return False
        self.is_said = True
        return True


@dataclass
class _Sum:
    excess: Array
    way: float = 0.0
    steps: int = 0


@dataclass
class Contradictions:
    """Watches what is told for one track, from step to step."""

    track: Track
    before: Levels | None = None
    length: float = 0.0
    is_said: bool = False
    sums: list[_Sum] = field(default_factory=list)

    def find(self, prescribed: Levels, length: float) -> int | None:
        """Return the level that its rate contradicts, once; ``length`` is that of the next step."""
        before, h = self.before, self.length
        self.before, self.length = prescribed, length
        if not self.sums:
            n = len(prescribed[1])
            self.sums = [_Sum(np.zeros(n)) for _ in range(2)]
        if before is None:
            return None
        found = [level for level in (0, 1) if self._contradicts(level, before, prescribed, h)]
        if not found or self.is_said:
            return None
        self.is_said = True
        return found[0]

    def _contradicts(self, level: int, before: Levels, prescribed: Levels, h: float) -> bool:
        moved = difference(prescribed[level], before[level], turns=self.track.turns and level == 0)
        rates = np.stack([before[level + 1], prescribed[level + 1]])
        above = (
            np.abs(np.stack([before[2], prescribed[2]])).max(axis=0) if level == 0 else 0.0 * moved
        )
        beside = REACH * h * (np.abs(rates[1] - rates[0]) + h * above)
        low, high = h * rates.min(axis=0) - beside, h * rates.max(axis=0) + beside
        size, way = 1.0 + np.abs(prescribed[level]).max(), float(np.abs(moved).sum())
        total = self.sums[level]
        total.excess += moved - np.clip(moved, low, high)
        if way <= MOVED * size:
            return False
        total.way += way
        total.steps += 1
        is_dead = not (np.any(rates) or np.any(above)) and way > CLEARLY * size
        much = total.steps >= STEPS and np.abs(total.excess).max() > SHARE * total.way
        return bool(is_dead or much)
