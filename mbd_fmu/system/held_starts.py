"""Which start values stay when loops close: those marked fixed, and if it can be those given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from mbd_fmu.spatial import Array
from mbd_fmu.system.starts import StartValue
from mbd_fmu.system.states import States


class Hold(IntEnum):
    """How firmly a start value is held."""

    OPEN = 0
    GIVEN = 1  # in the model, or by a parameter that was changed
    FIXED = 2


@dataclass(frozen=True)
class Start:
    """Of a freedom: where its joint's start values come from, and whether they stay."""

    held: Hold  # by the model
    parameter: int  # index of the first one
    count: int

    def held_with(self, p: Array, declared: Array) -> Hold:
        """Return whether they stay with the parameters p: to change one is to give it."""
        own = slice(self.parameter, self.parameter + self.count)
        is_changed = bool(np.any(p[own] != declared[own]))
        return self.held or (Hold.GIVEN if is_changed else Hold.OPEN)


def held_starts(states: States, values: Sequence[StartValue]) -> dict[str, tuple[Start, ...]]:
    """For each free velocity, where the start values of its coordinates and of it come from."""
    forest = states.forest
    found: dict[str, tuple[Start, ...]] = {}
    entries = iter(values)
    for level, given, joints, slices in (
        ("q", "position", states.joints, forest.every_q),
        ("v", "velocity", states.free_joints, forest.every_v),
    ):
        starts: list[Start] = []
        for i in joints:
            joint = states.joint(i)
            own = [next(entries) for _ in range(slices[i].stop - slices[i].start)]
            parameters = [k for entry in own for k in entry.own_parameters]
            is_given = getattr(joint, given) is not None
            held = Hold.FIXED if joint.fixed else Hold.GIVEN if is_given else Hold.OPEN
            start = Start(held, parameters[0] if parameters else 0, len(parameters))
            if i in states.free_joints:
                starts += [start] * (forest.v[i].stop - forest.v[i].start)
        found[level] = tuple(starts)
    return found
