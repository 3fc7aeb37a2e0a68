"""Joints between free bodies: constraint rows, freedoms, prescribed motions. [004]

Rows are put together from three kinds:

    meet     p_b - p_a = 0                   two points coincide (3 rows)                     (1)
    across   x_a . y_b = c                   a direction of each keeps an angle (1 row)       (2)
    within   x_a . (p_b - p_a) = 0           a point keeps to a plane of the other (1 row)    (3)

and the screw z_a . (p_b - p_a) = h theta. What is left are the freedoms, each with a rate that is
linear in the velocities; with d = p_b - p_a, w = w_b - w_a, and d* the rate of d seen from a,

    turning about z    z_a . w             sliding along x    (x_a . d)'                       (4)
    universal          (A^T A)^-1 A^T w    with A = (z_a, k_b), axes that keep their angle     (5)
    ball, free         R_b^T w, R_b^T d*                                                       (6)
    constant velocity  2 g_i' / (1 + g_i^2) with g' = (w + g (g.w) - g x w) / 2, g_z = 0        (7)

where g is the Gibbs vector of the turn of b in a, in axes of a; b's z is along its own shaft.

A force tau along a rate J u enters the equations as J^T tau, by virtual power: so these rates
define drives, springs, gears and prescribed motions alike.

Source   [004]; Haug, Computer Aided Kinematics and Dynamics (1989), sec. 9.4.
Checked  tests/laws/test_absolute.py, tests/laws/test_absolute_rows.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mbd_fmu.model.spec import Joint
from mbd_fmu.oracle.jets import (
    FIXED,
    Jet,
    Rate,
    Scene,
    along,
    dot,
    scale,
    stack,
    swept,
)
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import Values, Vector, quaternion_of, unit_vector_of, vector_of
from mbd_fmu.spatial import Array, conjugate, quaternion_product, rotation_matrix, skew

X, Y, Z = range(3)

# Which freedoms turn, by type.
TURNING = {
    "revolute": (True,),
    "helical": (True,),
    "prismatic": (False,),
    "cylindrical": (True, False),
    "universal": (True, True),
    "constant_velocity": (True, True),
    "planar": (True, False, False),
    "translational": (False,) * 3,
    "spherical": (True,) * 3,
    "free": (True, True, True, False, False, False),
}


@dataclass(frozen=True)
class Side:
    """One body of a joint: which one, the joint point from its mass centre, axes; all in its U."""

    body: int
    s: Array
    axes: Array  # columns x, y, z: z along the axis; x along the second one where that is given


@dataclass(frozen=True)
class Link:
    """A joint between two bodies, as drawn."""

    joint: Joint
    a: Side
    b: Side
    quat_ab: Array  # turn from the U of a to that of b, as drawn
    lead: float  # travel per radian of a helical joint
    second: Array  # second axis of a universal joint, in the axes of b
    reference: float  # the coordinate in the drawn position, where there is but one


@dataclass(frozen=True)
class Rows:
    """Constraints of one element: residuals of the first len(g) rows; the others are of velocities.

    ``rate.value`` is what velocities miss, and rate.J u' = -rate.bias holds accelerations.
    """

    g: Array
    rate: Rate


@dataclass(frozen=True)
class Freedoms:
    """Coordinates of a joint as the FMU counts them, and the rates of its freedoms."""

    q: Array
    rate: Rate


@dataclass(frozen=True)
class PrescribedMotion:
    """A prescribed motion, in the joint's own coordinates: q, v and dv/dt."""

    q: Array
    v: Array
    vd: Array


def axes_about(z: Array, second: Array | None) -> Array:
    """Columns x, y, z with z given, and x along the second axis as far as it is across z."""
    helper = np.eye(3)[Y if abs(z[0]) > 0.9 else X] if second is None else second
    x = helper - (helper @ z) * z
    x = x / np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)


def from_centre(k: int, point: Vector, centres: Sequence[Array], p: Values) -> Array:
    """A point given in U, from the mass centre; on the ground, from the world's origin."""
    place = vector_of(point, p).astype(float)
    return place if k == FIXED else place - centres[k]


def link_of(joint: Joint, index: dict[str, int], centres: Sequence[Array], p: Values) -> Link:
    """Put numbers into a joint."""
    a, b = index[joint.parent], index[joint.child]
    quat = quaternion_of(joint.orientation, p).astype(float)
    z = unit_vector_of(joint.axis, p).astype(float) if joint.axis else np.eye(3)[Z]
    second = unit_vector_of(joint.axis2, p).astype(float) if joint.axis2 else None
    is_bent = joint.type == "constant_velocity"
    axes = axes_about(z, None if is_bent else second)
    on_child = _shortest_turn(z, second) @ axes if is_bent and second is not None else axes
    return Link(
        joint,
        Side(a, from_centre(a, joint.point, centres, p), rotation_matrix(quat) @ axes),
        Side(b, from_centre(b, joint.point2, centres, p), on_child),
        quat,
        float(value_of(joint.own[0], p)) / (2 * np.pi) if joint.type == "helical" else 0.0,
        axes.T @ second if second is not None else np.zeros(3),
        float(value_of(joint.reference, p)),
    )


def _shortest_turn(a: Array, b: Array) -> Array:
    """Rotation matrix that takes one unit vector to another by the shortest way."""
    K = skew(np.cross(a, b))
    turned: Array = np.eye(3) + K + K @ K / (1.0 + a @ b)
    return turned


class Pair:
    """A joint at a state."""

    def __init__(self, link: Link, scene: Scene) -> None:
        self.link, self.scene = link, scene
        self.place_b = scene.point(link.b.body, link.b.s)
        self.d = self.place_b - scene.point(link.a.body, link.a.s)
        self.spin_a, self.spin_b = scene.spin(link.a.body), scene.spin(link.b.body)
        self.spin = self.spin_b - self.spin_a

    @cached_property
    def axes_a(self) -> list[Jet]:
        """x, y, z carried by a."""
        return [self.scene.direction(self.link.a.body, e) for e in self.link.a.axes.T]

    @cached_property
    def axes_b(self) -> list[Jet]:
        """x, y, z carried by b."""
        return [self.scene.direction(self.link.b.body, e) for e in self.link.b.axes.T]

    @cached_property
    def second(self) -> Jet:
        """The second axis of a universal joint, carried by b."""
        return self.scene.direction(self.link.b.body, self.link.b.axes @ self.link.second)

    def rows(self) -> Rows:
        """As many as the joint takes freedoms away."""
        found = list(self._rows())
        g = np.concatenate([np.zeros(0), *(value for value, _ in found)])
        return Rows(g, stack([rate for _, rate in found], self.scene.n_speeds))

    def _rows(self) -> list[tuple[Array, Rate]]:
        kind = self.link.joint.type
        if kind == "free":
            return []
        meet = (self.d.value, self.d.rate)
        if kind == "spherical":
            return [meet]
        if kind == "universal":
            angle = dot(self.axes_a[Z], self.second)
            return [meet, (angle.value - self.link.second[Z], angle.rate)]
        if kind == "constant_velocity":
            twist = self._cosine(X, Y) - self._cosine(Y, X)
            return [meet, (twist.value, twist.rate)]
        parallel = [self._across(X, Z), self._across(Y, Z)]
        match kind:
            case "rigid":
                return [meet, *parallel, self._across(X, Y)]
            case "revolute":
                return [meet, *parallel]
            case "prismatic":
                return [self._within(X), self._within(Y), *parallel, self._across(X, Y)]
            case "cylindrical":
                return [self._within(X), self._within(Y), *parallel]
            case "helical":
                return [self._within(X), self._within(Y), *parallel, self._screw()]
            case "translational":
                return [*parallel, self._across(X, Y)]
            case _:  # planar
                return [self._within(Z), *parallel]

    def _cosine(self, i: int, j: int) -> Jet:
        return dot(self.axes_a[i], self.axes_b[j])

    def _across(self, i: int, j: int) -> tuple[Array, Rate]:
        row = self._cosine(i, j)  # (2)
        return row.value, row.rate

    def _within(self, i: int) -> tuple[Array, Rate]:
        row = dot(self.axes_a[i], self.d)  # (3)
        return row.value, row.rate

    def _screw(self) -> tuple[Array, Rate]:
        travel, rate = self._within(Z)
        turned = self.freedoms.q - self.link.reference
        return travel - self.link.lead * turned, rate - self._turning.times(self.link.lead)

    @property
    def _turning(self) -> Rate:
        return along(self.axes_a[Z], self.spin)

    @cached_property
    def freedoms(self) -> Freedoms:
        """Coordinates, and rates by (4) to (6)."""
        axes, link = self.axes_a, self.link
        match link.joint.type:
            case "rigid":
                return self._free_to([], [])
            case "revolute" | "helical":
                return self._free_to([link.reference + self._angle()], [self._turning])
            case "prismatic":
                travel = dot(axes[Z], self.d)
                return self._free_to([link.reference + travel.value[0]], [travel.rate])
            case "cylindrical" | "planar":
                along_ = (Z,) if link.joint.type == "cylindrical" else (X, Y)
                slides = [dot(axes[i], self.d) for i in along_]
                places = [self._angle(), *(slide.value[0] for slide in slides)]
                return self._free_to(places, [self._turning, *(slide.rate for slide in slides)])
            case "translational":
                slides = [dot(axis, self.d) for axis in axes]
                places = [slide.value[0] for slide in slides]
                return self._free_to(places, [slide.rate for slide in slides])
            case "universal":
                return self._universal()
            case "constant_velocity":
                return self._constant_velocity()
        e = [self.scene.direction(link.b.body, x) for x in np.eye(3)]
        rates = [along(x, self.spin) for x in e]
        if link.joint.type == "spherical":
            return self._free_to(self._turned(), rates)
        seen = self.d.rate - swept(self.spin_a, self.d)
        q = np.concatenate([self._turned(), self.scene.turn(link.a.body).T @ self.d.value])
        return self._free_to(q, [*rates, *(along(x, seen) for x in e)])

    def _free_to(self, q: Array | list[float], rates: list[Rate]) -> Freedoms:
        return Freedoms(np.array(q, dtype=float), stack(rates, self.scene.n_speeds))

    def _universal(self) -> Freedoms:
        z, k = self.axes_a[Z], self.second
        seen = np.array([x.value @ k.value for x in self.axes_a])
        first = self._counted_on(np.arctan2(seen[Y], seen[X]), 0)
        b_z = self.axes_b[Z].value  # where z_a was as drawn, carried along by b
        sine, cosine = k.value @ np.cross(z.value, b_z), z.value @ b_z
        tilt = self.link.second[Z]  # both seen across k: less what they have along it
        second = self._counted_on(np.arctan2(sine, cosine - tilt * tilt), 1)
        inverse = np.linalg.inv([[1.0, tilt], [tilt, 1.0]])
        both = stack([along(z, self.spin), along(k, self.spin)], self.scene.n_speeds)
        return Freedoms(np.array([first, second]), both.through(inverse))  # (5)

    def _constant_velocity(self) -> Freedoms:
        trace = self._cosine(X, X) + self._cosine(Y, Y) + self._cosine(Z, Z)
        inverse = trace.of(lambda t: (1.0 / (1.0 + t), -1.0 / (1.0 + t) ** 2, 2.0 / (1.0 + t) ** 3))
        g_x = scale(inverse, self._cosine(Z, Y) - self._cosine(Y, Z))
        g_y = scale(inverse, self._cosine(X, Z) - self._cosine(Z, X))
        both, (x, y, z) = scale(g_x, g_y), self.axes_a
        by_x, by_y = g_x.of(_over_one_and_square), g_y.of(_over_one_and_square)
        about_x = x + scale(by_x, scale(both, y) - scale(g_y, z))  # (7)
        about_y = y + scale(by_y, scale(both, x) + scale(g_x, z))
        at_rest = self.link.a.axes.T @ rotation_matrix(self.link.quat_ab) @ self.link.b.axes
        drawn = np.array([at_rest[Z, Y] - at_rest[Y, Z], at_rest[X, Z] - at_rest[Z, X]])
        drawn = drawn / (1.0 + np.trace(at_rest))
        bends = 2.0 * (np.arctan([g_x.value[0], g_y.value[0]]) - np.arctan(drawn))
        return self._free_to(bends, [along(about_x, self.spin), along(about_y, self.spin)])

    def _angle(self) -> float:
        """From x_a to x_b about z_a."""
        x_b = self.axes_b[X].value
        sine, cosine = self.axes_a[Y].value @ x_b, self.axes_a[X].value @ x_b
        return self._counted_on(np.arctan2(sine, cosine), 0)

    def _counted_on(self, angle: float, n: int) -> float:
        """The same angle, in the turn nearest to the last known coordinate."""
        near = self.scene.state.near.get(self.link.joint.name)
        if near is None:
            return float(angle)
        last = near[n] - self.link.reference
        return float(angle + 2 * np.pi * np.round((last - angle) / (2 * np.pi)))

    def _turned(self) -> Array:
        """Quaternion of b since drawn."""
        quat_a = self.scene.quaternion(self.link.a.body)
        drawn = quaternion_product(quat_a, self.link.quat_ab)
        return quaternion_product(conjugate(drawn), self.scene.quaternion(self.link.b.body))

    def prescribed_rows(self, prescribed: PrescribedMotion) -> Rows:
        """Rows that make the joint follow a motion."""
        free = self.freedoms
        rate = Rate(free.rate.value - prescribed.v, free.rate.J, free.rate.bias - prescribed.vd)
        return Rows(_difference(free.q, prescribed.q), rate)


def _over_one_and_square(g: float) -> tuple[float, float, float]:
    """1 / (1 + g^2) and its derivatives."""
    s = 1.0 + g * g
    return 1.0 / s, -2.0 * g / s**2, (6.0 * g * g - 2.0) / s**3


def _difference(q: Array, prescribed: Array) -> Array:
    """What q is beyond the prescribed one, per freedom; of turns, in axes of the child."""
    if len(q) < 4:
        return q - prescribed
    quat = quaternion_product(conjugate(prescribed[:4]), q[:4])
    turn = 2.0 * np.copysign(1.0, quat[0]) * quat[1:]
    shift = [rotation_matrix(prescribed[:4]).T @ (q[4:] - prescribed[4:])] if len(q) > 4 else []
    return np.concatenate([turn, *shift])
