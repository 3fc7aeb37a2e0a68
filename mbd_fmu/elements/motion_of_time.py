"""A prescribed motion that is a function of time: no inputs tell it.

Joints that turn and slide about given axes take a function for each coordinate. One that turns as
it likes takes roll, pitch and yaw, about axes fixed in the parent, and one that moves as it likes a
displacement in axes of the parent. Rates are the exact derivatives; of a turn with the quaternion Q

    w = 2 vec(Q' Q*),   alpha = 2 vec(Q'' Q*)

Source   Featherstone (2008), sec. 4.5: quaternions and angular velocity.
Checked  tests/laws/test_motion_of_time.py
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mbd_fmu.elements.joint import JointType
from mbd_fmu.elements.prescribed import LEVELS, POSITION, JointMotion, Part, PrescribedLayout
from mbd_fmu.errors import Problem, shortened
from mbd_fmu.quantities.expressions import TIME
from mbd_fmu.quantities.showing import show
from mbd_fmu.quantities.table import Table
from mbd_fmu.quantities.taylor import Taylor, taylor
from mbd_fmu.quantities.time_functions import (
    Formula,
    TimeFunction,
    read_time_function,
    read_time_functions,
    start_problems,
)
from mbd_fmu.quantities.vectors import Values
from mbd_fmu.spatial import (
    Array,
    Scalar,
    array,
    conjugate,
    quaternion_of_rpy,
    quaternion_product,
    scaled,
)

BY_TIME = "time"  # what tells such a motion, where others are told by inputs
_STILL = (Formula(0.0),) * 3


@dataclass(frozen=True)
class MotionOfTime:
    """See above."""

    slides: tuple[TimeFunction, ...] = ()  # coordinates, or the displacement of what moves freely
    rpy: tuple[TimeFunction, ...] = ()  # of what turns as it likes

    @property
    def uses_time(self) -> bool:
        """It moves."""
        return any(function.uses_time for function in (*self.slides, *self.rpy))

    def inputs(self, layout: PrescribedLayout, t: Scalar, parameters: Values) -> Array:
        """Return what an importer would tell for this motion, in the order of the layout."""
        slides = [function.levels(t, parameters) for function in self.slides]
        turn = _turn([function.levels(t, parameters) for function in self.rpy])
        parts = [turn[part.level] if part.turns else _level(slides, part) for part in layout.parts]
        return np.concatenate([np.zeros(0), *parts])

    def problems(self, where: str, nominal: Mapping[str, float]) -> list[Problem]:
        """It has a place, a velocity and an acceleration at the start."""
        return start_problems(where, (*self.slides, *self.rpy), nominal, is_motion=True)

    def start(self, layout: PrescribedLayout, nominal: Mapping[str, float]) -> JointMotion:
        """Return the motion as it is at the time 0."""
        return layout.motion(self.inputs(layout, 0.0, nominal).astype(float))


def _level(numbers: list[Taylor], part: Part) -> Array:
    """Pick values, rates or second rates."""
    return array([(x.value, x.rate, x.second)[LEVELS.index(part.level)] for x in numbers])


def _turn(rpy: list[Taylor]) -> dict[str, Array]:
    """Return quaternion, angular velocity and angular acceleration, by their levels."""
    if not rpy:
        return {}
    entries = [taylor(x) for x in quaternion_of_rpy(*rpy)]
    quat, rate, second = (
        array([x.value for x in entries]),
        array([x.rate for x in entries]),
        array([x.second for x in entries]),
    )
    back = conjugate(quat)
    spins = (scaled(2.0, quaternion_product(r, back)[1:]) for r in (rate, second))
    return dict(zip(LEVELS, (quat, *spins), strict=True))


def is_formula(table: Table, key: str, kind: JointType) -> bool:
    """Tell, and say, that a formula stands where words name inputs: bare texts are words there."""
    text = table.raw(key).strip() if table.has(key) and isinstance(table.raw(key), str) else ""
    if not text or (text.isidentifier() and text != TIME):
        return False
    own = f'"{shortened(text)}"'
    shown = f"{{ expression = {own} }}" if kind.nv == 1 else f"[{own}, 0, …]"
    if kind.quaternion:
        parts = (f'{part} = [0, 0, "sin(time)"]' for part in pose_parts(kind))
        shown = f"{{ {', '.join(parts)} }}"
    remedy = f"write a function of time in braces or brackets: {key} = {shown}"
    table.problem(key, f'"{shortened(text)}" is no word for inputs', remedy)
    return True


def read_motion_of_time(table: Table, key: str, kind: JointType) -> MotionOfTime:
    """Read the functions that move a joint of a type, or the base."""
    data = table.raw(key)
    if kind.quaternion:
        return _read_free(table, key, data, kind)
    if kind.nv == 1 and not isinstance(data, list | tuple):
        return MotionOfTime((read_time_function(table, key, data),))
    if isinstance(data, list | tuple):
        return MotionOfTime(read_time_functions(table, key, data, kind.nv))
    remedy = f"give a list of {kind.nv} functions of time, one for each coordinate"
    table.problem(key, f"{show(data)} is one function, coordinates are {kind.nv}", remedy)
    return MotionOfTime((Formula(0.0),) * kind.nv)


def _read_free(table: Table, key: str, data: Any, kind: JointType) -> MotionOfTime:
    parts = pose_parts(kind)
    own = table.inner(f"{table.where}, {key}", data)
    given = {
        part: read_time_functions(own, part, own.raw(part), 3) if own.has(part) else _STILL
        for part in parts
    }
    if own.is_clean and not any(own.has(part) for part in parts):
        remedy = f"give {' and '.join(parts)}, three functions of time each"
        own.problem("", "says no motion", remedy)
    own.done()
    return MotionOfTime(given.get("position", ()), given["rpy"])


def pose_parts(kind: JointType) -> tuple[str, ...]:
    """Return what the motion of a joint with a quaternion is made of."""
    moves = any(part.level == POSITION and not part.turns for part in kind.layout.parts)
    return ("position", "rpy") if moves else ("rpy",)
