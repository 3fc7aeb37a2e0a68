"""Prescribed motions over a communication step: the twin of ``runtime/course.c``.

An importer tells what it knows at the start of a step; what a mechanism follows must be one smooth
motion, or the books of its energy would not balance. So a motion never jumps. It starts a step
where the last one ended, at the position, velocity and acceleration *reached*, and is led by a
*guide*, the motion that what was told leads to; what it is off from the guide at the start fades
until the end of the step, by the polynomials of degree five that vanish there with two derivatives:

    y(t) = g(t) + e(t),   e(t) = e0 H0(t/h) + h e1 H1(t/h) + h^2 e2 H2(t/h)

At the end y = g, y' = g', y'' = g''. The guide, with r for what was told less what was reached, h
the length of the step, H the same unless steps vary (see below):

    full       g = q + qd t + qdd t^2/2 + j t^3/6, j the derivative told of qdd; the acceleration
               told acts at once, position and velocity are caught up with over the step
    position   g from (q, v + 3/2 r/H, a + r/H^2), with v and a as reached: with equal steps the
               parabola through the last three values. At the end of a step it is off by h^3 q''' in
               position, 11/6 h^2 q''' in velocity, 2 h q''' in acceleration
    velocity   g' from (v, a + r/H), with g such that y' is the cubic between both ends: off by
               h^2 v'' in velocity and 3/2 h v'' in acceleration

If a derivative of that position is told, too, its value at the end of the step is known: g ends on
it, and r is what it is off from where the motion would go by itself. Then h^2/3 q''' in velocity
and h q''' in acceleration are left, and nothing in position; likewise of a velocity. A derivative
that did not lead to the value told next is no such chord: it is left out from then on, and that is
said.

After a jump D of a position the steps end at 3 D, 0, D, D ...; of a velocity at 2 D, D ...: with
equal steps the recursion is nilpotent, nothing of the past is left after three of them. Where steps
vary, H is the longest of this step, the last one, and the last H less half the last step: that
keeps the recursion contracting for any sequence of steps (tests/unit/test_motions.py looks at
eigenvalues).

Before the first step what is told is true, and what is not told has its start value. Orientations
follow the same law in rotation vectors (``turns.py``).

Source   Hermite's interpolation; Bar-Shalom, Li & Kirubarajan, Estimation with Applications (2001),
         sec. 6.5: the alpha-beta-gamma filter, here with the gains that forget at once.
Checked  tests/unit/test_motions.py, tests/laws/test_prescribed.py, tests/twins/test_roads.py
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mbd_fmu.reference.turns import ORDER, difference, moved, turned, turning_error, unit
from mbd_fmu.spatial import Array

# H0, H1, H2: coefficients of 1, s, ..., s^5
_FADING = np.array(
    [[1, 0, 0, -10, 15, -6], [0, 1, 0, -6, 8, -3], [0, 0, 0.5, -1.5, 1.5, -0.5]], dtype=float
)

Levels = tuple[Array, Array, Array]  # position, velocity, acceleration


@dataclass(frozen=True)
class Course:
    """A track over a step: the guide about a time, and what fades; rows are components."""

    centre: float
    guide: Array  # (n, 4): value, rate, second, third derivative at the centre
    error: Array  # (n, 3): at the start
    length: float
    prescribed: Array | None = None  # of a turn: the quaternion at the centre

    def at(self, t: float) -> Levels:
        """Return position (or quaternion), velocity, acceleration a time t into the step."""
        guide, fading = _shifted(self.guide, t - self.centre), _fading(self.error, self.length, t)
        if self.prescribed is None:
            y = guide + fading
            return y[:, 0], y[:, 1], y[:, 2]
        return turned(fading, guide, self.prescribed)[:3]


def course(
    motion: str, reached: Levels, prescribed: Levels, rates: Array | None, h: float, span: float
) -> Course:
    """Return the way of a track over a step of length h; ``span`` is the H of the law.

    ``rates`` are derivatives of the level that leads, None if none were told.
    """
    q, v, a = reached
    turns = len(q) > len(v)
    zero = np.zeros_like(v)
    centre, third = 0.0, zero
    if motion == "full":
        start, first, second = prescribed
        third = zero if rates is None else rates
        if turns:
            third = third + np.cross(second, first) / 2.0  # so that w goes on as w + alpha t
    elif motion == "position" and rates is None:
        start = prescribed[0]
        r = difference(start, q, turns=turns)
        first, second = v + 1.5 * r / span, a + r / span**2
    elif motion == "position" and rates is not None:
        centre, start = h, prescribed[0] + h * rates
        start = unit(start) if turns else start
        r = difference(start, moved(h * v + h * h / 2.0 * a, q, turns=turns), turns=turns)
        first, second = v + h * a + 1.5 * r / span, a + r / span**2
    else:
        centre = h
        if rates is None:
            second = a + (prescribed[1] - v) / span
            first = prescribed[1] + h * second
        else:
            first = prescribed[1] + h * rates
            second = a + (first - v - h * a) / span
        way = h / 2.0 * (v + first) + h * h / 12.0 * (a - second)  # of a velocity that is a cubic
        start = moved(way, q, turns=turns)
    acts = prescribed[2] if motion == "full" else a
    guide = np.stack([zero if turns else start, first, second, third], axis=1)
    at_start = _shifted(guide, -centre)
    if turns:
        return Course(centre, guide, turning_error(at_start, start, (q, v, acts)), h, start)
    return Course(centre, guide, np.stack([q, v, acts], axis=1) - at_start[:, :3], h)


def _shifted(y: Array, t: float) -> Array:
    """Value and derivatives of a polynomial a time t later."""
    value, first, second, third = y.T
    return np.stack(
        [
            value + t * (first + t * (second / 2.0 + t * third / 6.0)),
            first + t * (second + t * third / 2.0),
            second + t * third,
            third,
        ],
        axis=1,
    )


def _fading(error: Array, h: float, t: float) -> Array:
    """Value and three derivatives of what fades."""
    s = t / h
    found = []
    for order in range(ORDER):
        powers = [math.perm(n, order) * s ** (n - order) if n >= order else 0.0 for n in range(6)]
        found.append(error * [1.0, h, h * h] @ (_FADING @ powers) / h**order)
    return np.stack(found, axis=1)
