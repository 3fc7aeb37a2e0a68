"""A joint that closes a loop: constraint rows, coordinates and branch tests of frames F and M.

Rows are formulas of points and directions that bodies carry; calculus is left to ``jets``. Lengths
are in metres; a row on directions is the sine of the angle that must not be, so half a turn away it
is met, too: branch cosines tell these apart.

Source   [002], [004]; Haug, Computer Aided Kinematics and Dynamics (1989), ch. 9.
Checked  tests/laws/test_constraints.py, tests/laws/test_cut_joints.py
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mbd_fmu.elements.jets import BodyJets, Jet, dot
from mbd_fmu.elements.places import BodyFrame, BodyPoint
from mbd_fmu.elements.turns import angle_near
from mbd_fmu.spatial import Array, Scalar, times

METRES, SINE = "m", "r"  # how a row is measured


@dataclass(frozen=True)
class FramePair:
    """Jets of a frame F on the parent and a frame M on the child; constants of the joint."""

    jets: BodyJets
    F: BodyFrame
    M: BodyFrame
    k: Array

    @cached_property
    def axes_F(self) -> list[Jet]:
        """x, y, z of F."""
        return [self.jets.direction(self.F.body, axis) for axis in self.F.axes.T]

    @cached_property
    def axes_M(self) -> list[Jet]:
        """x, y, z of M."""
        return [self.jets.direction(self.M.body, axis) for axis in self.M.axes.T]

    @cached_property
    def p_FM(self) -> Jet:
        """From the origin of F to that of M."""
        child = self.jets.point(BodyPoint(self.M.body, self.M.origin))
        return child - self.jets.point(BodyPoint(self.F.body, self.F.origin))

    def on_child(self, d_M: Array) -> Jet:
        """Return a direction given in M."""
        return self.jets.direction(self.M.body, times(self.M.axes, d_M))

    def across(self, i: int, j: int) -> Jet:
        """Return the cosine between axis i of F and axis j of M."""
        return dot(self.axes_F[i], self.axes_M[j])

    def along(self, i: int) -> Jet:
        """Return how far M is along axis i of F."""
        return dot(self.axes_F[i], self.p_FM)


@dataclass(frozen=True)
class ClosingRow:
    """Rows that are zero where the joint is closed: how each is measured, and what they are."""

    measures: str  # one letter per row
    jet: Callable[[FramePair], Jet]


X, Y, Z = range(3)
POINTS_MEET = ClosingRow(3 * METRES, lambda at: at.p_FM)
ON_AXIS = (
    ClosingRow(METRES, lambda at: at.along(X)),
    ClosingRow(METRES, lambda at: at.along(Y)),
)
IN_PLANE = ClosingRow(METRES, lambda at: at.along(Z))
AXES_PARALLEL = (
    ClosingRow(SINE, lambda at: at.across(X, Z)),
    ClosingRow(SINE, lambda at: at.across(Y, Z)),
)
NO_TWIST = ClosingRow(SINE, lambda at: at.across(X, Y))


@dataclass(frozen=True)
class Placed:
    """M in F: axes, origin, turn of the child since drawn; what q is near to; constants."""

    R: Array
    p: Array
    quat: Array
    near: Array
    k: Array


@dataclass(frozen=True)
class Closing:
    """What a joint does where it closes a loop."""

    rows: tuple[ClosingRow, ...]  # as many as it takes freedoms away
    coordinates: Callable[[Placed], Array]  # as the bodies say, with as many turns as q has
    branch: Callable[[Placed], Array] = lambda _: np.zeros(0)  # 1 on the right branch, -1 opposite

    @property
    def measures(self) -> str:
        """How each row is measured."""
        return "".join(row.measures for row in self.rows)


def angle_about_z(at: Placed) -> Scalar:
    """About z, which both frames have in common."""
    return angle_near(at.R[1, 0], at.R[0, 0], at.near[0])


def axis_upright(at: Placed) -> Array:
    """Branch cosine of axes that are parallel."""
    return at.R[2, 2:]


def axes_upright(at: Placed) -> Array:
    """Branch cosines of frames that do not turn."""
    return np.diag(at.R)
