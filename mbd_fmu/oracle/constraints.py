"""Constraints that are no joints, as rows between free bodies; their multipliers are forces.

With d = p_b - p_a from the point on the parent to that on the child:

    distance         |d| - l = 0                        lam: the rod's push                     (1)
    point_in_plane   n_a . d = 0                        lam: force along n                      (2)
    point_on_line    x_a . d = y_a . d = 0              x, y across the line                    (3)
    coupling         r_1 q_1 + r_2 q_2 + ... - o = 0    lam: force along the sum                (4)
    gear, rack       the same, of -r q_a + q_b          lam: force along q_b
    knife_edge       a_b . (p_b)* = 0                   on velocities                           (5)

A thin disc (centre c, axis a, radius r) on a plane of the parent (point p, normal n) touches it at
c - r e, where e = (n - (a . n) a) / s across the axis is steepest, and s = sqrt(1 - (a . n)^2):

    contact          n . (c - p) - r s = 0                                                      (6)
    rolling          t . v = 0,  l . v = 0              t = (a x n) / s along, l = n x t across (7)

v is the velocity of the disc's matter at the contact, less that of the plane's. A wheel set has the
contacts of two discs, both of their rolling along, and across for the first only: the second one's
would say the same. A star marks velocities seen from the parent.

Source   [002]; Neimark & Fufaev, Dynamics of Nonholonomic Systems (1972), ch. I, for the disc.
Checked  tests/laws/test_absolute_rows.py, tests/laws/test_absolute_constraints.py
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mbd_fmu.elements.constraint import Constraint
from mbd_fmu.elements.constraints.coupling import Coupling
from mbd_fmu.elements.constraints.distance import Distance
from mbd_fmu.elements.constraints.gear import Gear
from mbd_fmu.elements.constraints.knife_edge import KnifeEdge
from mbd_fmu.elements.constraints.point_in_plane import PointInPlane
from mbd_fmu.elements.constraints.point_on_line import PointOnLine
from mbd_fmu.elements.constraints.rack_pinion import RackPinion
from mbd_fmu.elements.constraints.rolling_disc import RollingDisc
from mbd_fmu.elements.constraints.wheel_set import WheelSet
from mbd_fmu.oracle.jets import (
    Jet,
    Rate,
    Scene,
    along,
    cross,
    dot,
    scale,
    square_root,
    stack,
    swept,
)
from mbd_fmu.oracle.joints import Freedoms, Rows, axes_about, from_centre
from mbd_fmu.oracle.transmission import summed
from mbd_fmu.quantities.expressions import Quantity, value_of
from mbd_fmu.quantities.vectors import Values, Vector, unit_vector_of, vector_of
from mbd_fmu.spatial import Array


@dataclass(frozen=True)
class Tie:
    """A constraint with its numbers: bodies, points from their mass centres, directions in U."""

    constraint: Constraint
    a: int
    ends: tuple[tuple[int, Array], ...]  # body and point on the child; of the second disc, too
    point: Array  # on a
    axis: Array
    normal: Array
    size: float  # length of a rod, radius of a disc
    ratios: Array  # of joints
    offset: float


def tie_of(
    constraint: Constraint, index: dict[str, int], centres: Sequence[Array], p: Values
) -> Tie:
    """Put numbers into a constraint."""
    a = index[constraint.parent]
    ends = [(constraint.child, constraint.point2)] if constraint.point2 else []
    axis: Vector = ()
    normal: Vector = ()
    size: Quantity = 0.0
    ratios: Vector = ()
    offset: Quantity = 0.0
    match constraint:
        case Distance():
            between = vector_of(constraint.point2, p) - vector_of(constraint.point, p)
            drawn = float(np.linalg.norm(between.astype(float)))  # in the world
            size = drawn if constraint.length is None else constraint.length
        case PointOnLine() | PointInPlane() | KnifeEdge():
            axis = constraint.axis
        case Coupling():
            ratios, offset = constraint.ratios, constraint.offset
        case Gear():
            ratios, offset = (-value_of(constraint.ratio, p), 1.0), constraint.offset
        case RackPinion():
            ratios, offset = (-value_of(constraint.radius, p), 1.0), constraint.offset
        case RollingDisc() | WheelSet():
            axis, normal, size = constraint.axis, constraint.normal, constraint.radius
            if isinstance(constraint, WheelSet):
                ends.append((constraint.child2, constraint.center2))
    return Tie(
        constraint,
        a,
        tuple((index[body], from_centre(index[body], at, centres, p)) for body, at in ends),
        from_centre(a, constraint.point or (0.0, 0.0, 0.0), centres, p),
        _direction(axis, p),
        _direction(normal, p),
        float(value_of(size, p)),
        vector_of(ratios, p).astype(float),
        float(value_of(offset, p)),
    )


def _direction(vector: Vector, p: Values) -> Array:
    return unit_vector_of(vector, p).astype(float) if vector else np.zeros(3)


def tie_rows(tie: Tie, scene: Scene, joints: Mapping[str, Freedoms]) -> Rows:
    """Rows of a constraint, those on positions first."""
    kind = tie.constraint.type
    if tie.constraint.joints:
        total, rate = summed([joints[name] for name in tie.constraint.joints], tie.ratios)
        return Rows(total - tie.offset, rate)  # (4)
    plane = scene.point(tie.a, tie.point)
    if kind in ("rolling_disc", "wheel_set"):
        discs = [_Disc(tie, scene, plane, k, c) for k, c in tie.ends]
        rolling = [rate for disc in discs for rate in disc.rolling()]
        # of two discs: along, along, across
        kept = rolling if len(discs) == 1 else [rolling[0], rolling[2], rolling[1]]
        return _rows([disc.contact() for disc in discs], kept, scene)
    (body, at), *_ = tie.ends
    point = scene.point(body, at)
    d = point - plane
    match kind:
        case "distance":
            length = dot(d, d).of(square_root)
            return Rows(length.value - tie.size, length.rate)  # (1)
        case "point_in_plane":
            return _rows([dot(scene.direction(tie.a, tie.axis), d)], [], scene)  # (2)
        case "point_on_line":
            across = axes_about(tie.axis, None).T[:2]
            return _rows([dot(scene.direction(tie.a, e), d) for e in across], [], scene)  # (3)
        case _:  # knife_edge
            seen = d.rate - swept(scene.spin(tie.a), d)
            return _rows([], [along(scene.direction(body, tie.axis), seen)], scene)  # (5)


def _rows(holonomic: list[Jet], others: list[Rate], scene: Scene) -> Rows:
    g = np.concatenate([np.zeros(0), *(jet.value for jet in holonomic)])
    return Rows(g, stack([*(jet.rate for jet in holonomic), *others], scene.n_speeds))


class _Disc:
    """A thin disc on a plane, at a state."""

    def __init__(self, tie: Tie, scene: Scene, plane: Jet, body: int, centre: Array) -> None:
        self.r, self.plane = tie.size, plane
        self.n, self.axis = scene.direction(tie.a, tie.normal), scene.direction(body, tie.axis)
        self.centre = scene.point(body, centre)
        self.spin, self.spin_a = scene.spin(body), scene.spin(tie.a)
        self.lean = dot(self.axis, self.n)
        self.sine = self.lean.of(_sine)

    def contact(self) -> Jet:
        """(6)"""
        return dot(self.n, self.centre - self.plane) - self.sine.times(self.r)

    def rolling(self) -> list[Rate]:
        """(7), along and across."""
        inverse = self.sine.of(lambda s: (1.0 / s, -1.0 / s**2, 2.0 / s**3))
        arm = scale(inverse, self.n - scale(self.lean, self.axis)).times(-self.r)
        lever = self.centre + arm - self.plane
        of_plane = self.plane.rate + swept(self.spin_a, lever)
        slip = self.centre.rate + swept(self.spin, arm) - of_plane
        t = scale(inverse, cross(self.axis, self.n))
        return [along(t, slip), along(cross(self.n, t), slip)]


def _sine(cosine: float) -> tuple[float, float, float]:
    s = np.sqrt(1.0 - cosine * cosine)
    return s, -cosine / s, -1.0 / s**3
