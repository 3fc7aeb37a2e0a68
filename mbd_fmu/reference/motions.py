"""Prescribed motions from step to step: the twin of ``runtime/motions.c``.

What an importer tells leads a motion over the next step, by the law of ``course.py``. What it has
reached then is remembered; nothing else is, but for the lengths of the last steps and whether
derivatives can be trusted.

Checked  tests/unit/test_motions.py, tests/laws/test_prescribed.py, tests/twins/test_roads.py
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mbd_fmu.elements.prescribed import Places
from mbd_fmu.errors import DataError
from mbd_fmu.reference.course import Course, Levels, course
from mbd_fmu.reference.turns import difference, unit
from mbd_fmu.spatial import Array
from mbd_fmu.system.system import System
from mbd_fmu.system.variables import PrescribedMotion, Table

PROMISE = 1e-6  # share of the way by which a value may miss what its derivative promised
ROUNDING = 1e-9

_LEAD = {"position": 0, "velocity": 1, "full": 2}  # the level whose derivative counts


@dataclass(frozen=True)
class Track:
    """A scalar, or a turn, of a motion: where its position, velocity, acceleration act."""

    motion: PrescribedMotion
    places: Places

    @property
    def turns(self) -> bool:
        """Its position is a quaternion."""
        return len(self.places[0]) > len(self.places[1])

    @property
    def lead(self) -> int:
        """Return the level whose derivative counts."""
        return _LEAD[self.motion.level]

    def of(self, acting: Array) -> Levels:
        """Pick position, velocity and acceleration."""
        q, v, a = (acting[place] for place in self.places)
        return (unit(q) if self.turns else q), v, a


@dataclass(frozen=True)
class Memory:
    """What motions remember: all that acted at the end of the last step, and how it came there."""

    acting: Array
    length: float = 0.0  # of the last step; 0: none yet, what is told is true
    span: float = 0.0  # its H
    led: frozenset[int] = frozenset()  # tracks that a derivative led
    distrusted: frozenset[int] = frozenset()  # tracks whose derivatives led astray


@dataclass(frozen=True)
class Way:
    """All that acts over one step."""

    table: Table
    acting: Array  # at its start
    rates: Array  # of the inputs
    length: float
    courses: tuple[tuple[Track, Course], ...]
    memory: Memory  # at its end, but for what is reached
    said: tuple[Levels, ...]  # what was told for each track
    astray: tuple[Track, ...]  # tracks whose derivatives are left out from here on

    def at(self, t: float) -> Array:
        """All that acts a time t into the step."""
        now = self.acting.copy()
        now[list(self.table.acting)] += t * self.rates
        if self.table.time is not None:
            now[self.table.time] += t
        for track, course_of_track in self.courses:
            for place, values in zip(track.places, course_of_track.at(t), strict=True):
                now[place] = values
        return now

    def inputs_at_end(self, inputs: Array, end: Array) -> Array:
        """Inputs after the step: a motion told in full, and all with a rate, have moved on."""
        after = inputs + self.length * self.rates
        input_of = {place: k for k, place in enumerate(self.table.acting)}
        for track, _ in self.courses:
            if track.motion.level == "full":
                for place in (*track.places[0], *track.places[1]):
                    after[input_of[place]] = end[place]
        return after


class Motions:
    """What acts on the equations, from what an importer tells step by step."""

    def __init__(self, system: System) -> None:
        self.system, self.table = system, system.table
        self.tracks = tuple(Track(*track) for track in system.table.tracks)
        self.waits = np.array(system.table.waiting, dtype=bool)
        self.places = np.array(system.table.acting, dtype=int)
        self.memory = Memory(np.zeros(system.table.n_acting))
        inputs = {place: k for k, place in enumerate(system.table.acting)}
        self.quaternions = [
            [inputs[place] for place in track.places[0]]
            for track in self.tracks
            if track.turns and track.places[0][0] in inputs
        ]  # among the inputs

    def acting(self, inputs: Array, p: Array, time: float) -> Array:
        """All that acts now: before the first step what is told is true."""
        if self.memory.length == 0.0:
            self._refuse_lost(inputs)
            return self.system.acting(inputs, p, time)
        now = self.memory.acting.copy()
        now[self.places[~self.waits]] = inputs[~self.waits]
        if self.table.time is not None:
            now[self.table.time] = time
        return now

    def way(self, acting: Array, inputs: Array, rates: Array, length: float) -> Way:
        """Return all that acts over a step of the given length, from what acts now."""
        self._refuse_lost(inputs)
        memory = self.memory
        given, rate = acting.copy(), np.zeros_like(acting)
        given[self.places], rate[self.places] = inputs, rates
        span = max(length, memory.length, memory.span - memory.length / 2.0)
        courses, prescribed, led, astray = [], [], set(), set()
        for k, track in enumerate(self.tracks):
            reached, said = track.of(acting), track.of(given)
            if k in memory.led and self._is_astray(track, reached, said):
                astray.add(k)
            prescribed.append(said)
            lead: Array | None = rate[track.places[track.lead]]
            if track.motion.level != "full":
                is_led = k in memory.led or np.any(lead != 0.0)
                lead = lead if is_led and k not in memory.distrusted | astray else None
                led |= {k} if lead is not None else set()
            courses.append((track, course(track.motion.level, reached, said, lead, length, span)))
        after = Memory(acting, length, span, frozenset(led), memory.distrusted | astray)
        lost = tuple(self.tracks[k] for k in sorted(astray))
        return Way(
            self.table, acting, rates, length, tuple(courses), after, tuple(prescribed), lost
        )

    def _refuse_lost(self, inputs: Array) -> None:
        """Refuse quaternions without length."""
        for places in self.quaternions:
            if inputs[places] @ inputs[places] > 0.0:
                continue
            first, last = (self.table.inputs[places[k]].name for k in (0, -1))
            raise DataError(
                f"the quaternion {first} to {last} has length 0, which is no orientation; "
                "give one of length 1"
            )

    def _is_astray(self, track: Track, reached: Levels, prescribed: Levels) -> bool:
        """Tell whether the value told is not where its derivative led in the last step."""
        turns = track.turns and track.lead == 0
        missed = np.abs(difference(prescribed[track.lead], reached[track.lead], turns=turns)).max()
        way = self.memory.length * np.abs(reached[track.lead + 1]).max()
        size = 1.0 + np.abs(prescribed[track.lead]).max()
        return bool(missed > PROMISE * way + ROUNDING * size)

    def arrive(self, way: Way) -> Array:
        """Take over what was reached; all that acts at the end."""
        end = way.at(way.length)
        self.memory = replace(way.memory, acting=end)
        return end
