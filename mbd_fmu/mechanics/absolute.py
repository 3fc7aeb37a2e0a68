"""Absolute coordinates: every body free, every joint as constraint rows. [004]

A third road to the same motion, with no dynamics in common with the recursive one. Each body has
the position of its mass centre, a quaternion, a velocity and an angular velocity, all in the world;
joints are put together from three kinds of rows, at position, velocity and acceleration level:

    meet     p_b - p_a = 0                   two points coincide (3 rows)                     (1)
    across   x_a . y_b = c                   a direction of each keeps an angle (1 row)       (2)
    within   x_a . (p_b - p_a) = c           a point keeps to a plane of the other (1 row)    (3)

With w the angular velocities, d = p_b - p_a and the points at s from the mass centres,

    meet     g' = v_b + w_b x s_b - v_a - w_a x s_a
    across   g' = (x x y) . (w_a - w_b),   g'' = ... + ((w_a x x) x y + x x (w_b x y)) . (w_a - w_b)
    within   g' = (w_a x x) . d + x . d',  g'' = ... + 2 (w_a x x) . d' + (w_a x (w_a x x)) . d

The equations M a = Q + J^T lam, J a = gamma are solved by least squares, which gives the right
motion also where rows are redundant, and the smallest multipliers. Numbers only.

Source   [004]; Haug, Computer Aided Kinematics and Dynamics (1989), ch. 9 and 11.
Checked  tests/laws/test_absolute.py, tests/laws/test_absolute_run.py
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mbd_fmu.model.expressions import value_of
from mbd_fmu.model.quantities import Values, inertia_of, quaternion_of, unit_vector_of, vector_of
from mbd_fmu.model.spec import GROUND, Joint, Spec
from mbd_fmu.spatial import Array, rotation_matrix, skew

FIXED = -1  # the ground, as a body index


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
    lead: float  # travel per radian of a helical joint
    second: Array  # second axis of a universal joint, in the axes of b


@dataclass(frozen=True)
class Body:
    """Mass, inertia about the mass centre in U, and where that is in U."""

    mass: float
    inertia: Array
    com: Array


@dataclass(frozen=True)
class State:
    """Per body (rows): mass centre, quaternion of U, velocity, angular velocity; in the world."""

    p: Array
    quat: Array
    v: Array
    w: Array


@dataclass(frozen=True)
class Row:
    """One constraint: residual, gradients with respect to v and w of both bodies, and drift."""

    g: float
    on_a: Array  # (6,): v, then w
    on_b: Array
    gamma: float


@dataclass(frozen=True)
class Solution:
    """Accelerations (n, 6: linear, then angular), and what each joint exerts on its child."""

    acceleration: Array
    wrench: dict[str, tuple[Array, Array]]  # force, and torque about the point the child carries


class AbsoluteRoad:
    """A mechanism in absolute coordinates; trees and closed loops alike."""

    def __init__(self, spec: Spec, parameters: Values | None = None) -> None:
        self.spec = spec
        self.parameters = spec.nominal if parameters is None else parameters
        self.index = {body.name: k for k, body in enumerate(spec.bodies)} | {GROUND: FIXED}
        self.bodies = [
            Body(
                float(value_of(body.mass, self.parameters)),
                inertia_of(body, self.parameters).astype(float),
                vector_of(body.com, self.parameters).astype(float),
            )
            for body in spec.bodies
        ]
        self.links = [self._link(joint) for joint in spec.joints]
        self.gravity = vector_of(spec.gravity, self.parameters).astype(float)

    def _link(self, joint: Joint) -> Link:
        p = self.parameters
        a, b = self.index[joint.parent], self.index[joint.child]
        R_PC = rotation_matrix(quaternion_of(joint.orientation, p)).astype(float)
        z = unit_vector_of(joint.axis, p).astype(float) if joint.axis else np.array([0.0, 0, 1])
        second = unit_vector_of(joint.axis2, p).astype(float) if joint.axis2 else None
        axes = _axes(z, second)
        com_a = np.zeros(3) if a == FIXED else self.bodies[a].com
        com_b = np.zeros(3) if b == FIXED else self.bodies[b].com
        return Link(
            joint,
            Side(a, vector_of(joint.point, p).astype(float) - com_a, R_PC @ axes),
            Side(b, vector_of(joint.point2, p).astype(float) - com_b, axes),
            float(value_of(joint.pitch, p)) / (2 * np.pi),
            axes.T @ second if second is not None else np.zeros(3),
        )

    def rows(self, link: Link, state: State) -> Iterator[Row]:
        """Rows of one joint: as many as it takes freedoms away."""
        rows = _Rows(link, state)
        meet, across, within = rows.meet, rows.across, rows.within
        x, y, z = range(3)
        lock_axis = (across(x, z), across(y, z))  # the axes stay parallel
        match link.joint.type:
            case "rigid":
                yield from (*meet(), *lock_axis, across(x, y))
            case "revolute":
                yield from (*meet(), *lock_axis)
            case "prismatic":
                yield from (within(x), within(y), *lock_axis, across(x, y))
            case "cylindrical":
                yield from (within(x), within(y), *lock_axis)
            case "helical":
                yield from (within(x), within(y), *lock_axis, rows.screw())
            case "universal":
                yield from (*meet(), rows.keep_angle())
            case "spherical":
                yield from meet()
            case "planar":
                yield from (within(z), *lock_axis)

    def solve(self, state: State, drives: dict[str, Array]) -> Solution:
        """Accelerations under gravity and the drives of the joints (per freedom, by joint name)."""
        n = len(self.bodies)
        M, Q = np.zeros((6 * n, 6 * n)), np.zeros(6 * n)
        for k, body in enumerate(self.bodies):
            R = rotation_matrix(state.quat[k])
            I_W = R @ body.inertia @ R.T
            M[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = body.mass * np.eye(3)
            M[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = I_W
            Q[6 * k : 6 * k + 3] = body.mass * self.gravity
            Q[6 * k + 3 : 6 * k + 6] = -np.cross(state.w[k], I_W @ state.w[k])
        for link in self.links:
            if link.joint.name in drives:
                self._drive(Q, link, state, drives[link.joint.name])
        J, gamma, owner = self.constraints(state)
        m = len(gamma)
        kkt = np.block([[M, -J.T], [J, np.zeros((m, m))]])
        solution = np.linalg.lstsq(kkt, np.concatenate([Q, gamma]), rcond=1e-13)[0]
        return Solution(
            solution[: 6 * n].reshape(n, 6), self._wrenches(state, J, solution[6 * n :], owner)
        )

    def constraints(self, state: State) -> tuple[Array, Array, list[int]]:
        """J, gamma, and for each row the joint it belongs to."""
        J, gamma, owner = [], [], []
        for k, link in enumerate(self.links):
            for row in self.rows(link, state):
                line = np.zeros(6 * len(self.bodies))
                for side, part in ((link.a, row.on_a), (link.b, row.on_b)):
                    if side.body != FIXED:
                        line[6 * side.body : 6 * side.body + 6] += part
                J.append(line)
                gamma.append(row.gamma)
                owner.append(k)
        return np.array(J).reshape(len(owner), 6 * len(self.bodies)), np.array(gamma), owner

    def residuals(self, state: State) -> Array:
        """How far the joints are from closing, row by row."""
        return np.array([row.g for link in self.links for row in self.rows(link, state)])

    def _wrenches(
        self, state: State, J: Array, lam: Array, owner: list[int]
    ) -> dict[str, tuple[Array, Array]]:
        found = {}
        for k, link in enumerate(self.links):
            mine = np.array([o == k for o in owner], dtype=bool)
            # what acts on the child; on the ground, what acts on the parent, the other way round
            body, sign = (link.b.body, 1.0) if link.b.body != FIXED else (link.a.body, -1.0)
            F = sign * (J[mine, 6 * body : 6 * body + 6].T @ lam[mine])
            _, point_b, _ = _points(link, state)
            lever = point_b - state.p[body]
            found[link.joint.name] = F[:3], F[3:] - np.cross(lever, F[:3])
        return found

    def _drive(self, Q: Array, link: Link, state: State, tau: Array) -> None:
        """Add the wrench of the drives, on the child at its joint point and against the parent."""
        force, torque = _drive_wrench(link, state, tau)
        _, point, _ = _points(link, state)
        for side, sign in ((link.b, 1.0), (link.a, -1.0)):
            if side.body != FIXED:
                at = slice(6 * side.body, 6 * side.body + 6)
                lever = point - state.p[side.body]
                Q[at] += sign * np.concatenate([force, torque + np.cross(lever, force)])


def _axes(z: Array, second: Array | None) -> Array:
    """Columns x, y, z with z given, and x along the second axis as far as it is across z."""
    helper = np.eye(3)[1 if abs(z[0]) > 0.9 else 0] if second is None else second
    x = helper - (helper @ z) * z
    x = x / np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)


def _rotation(body: int, state: State) -> Array:
    return np.eye(3) if body == FIXED else rotation_matrix(state.quat[body])


def _points(link: Link, state: State) -> tuple[Array, Array, Array]:
    """Joint points on both sides in the world, and the velocity of b's relative to a's."""
    places, rates = [], []
    for side in (link.a, link.b):
        s = _rotation(side.body, state) @ side.s
        if side.body == FIXED:
            places.append(s)
            rates.append(np.zeros(3))
        else:
            places.append(state.p[side.body] + s)
            rates.append(state.v[side.body] + np.cross(state.w[side.body], s))
    return places[0], places[1], rates[1] - rates[0]


class _Rows:
    """The three kinds of rows of one joint at one state."""

    def __init__(self, link: Link, state: State) -> None:
        self.R = [_rotation(side.body, state) for side in (link.a, link.b)]
        self.s = [R @ side.s for R, side in zip(self.R, (link.a, link.b), strict=True)]
        self.w = [
            np.zeros(3) if side.body == FIXED else state.w[side.body] for side in (link.a, link.b)
        ]
        self.axes = [R @ side.axes for R, side in zip(self.R, (link.a, link.b), strict=True)]
        point_a, point_b, self.d_rate = _points(link, state)
        self.d = point_b - point_a
        self.link = link
        # drift of d'': what is left of it when nothing accelerates
        self.swing = [np.cross(w, np.cross(w, s)) for w, s in zip(self.w, self.s, strict=True)]

    def meet(self) -> list[Row]:
        """(1), a row for each direction of the world."""
        drift = self.swing[0] - self.swing[1]
        return [self._point_row(e, float(self.d @ e), float(drift @ e)) for e in np.eye(3)]

    def _point_row(self, e: Array, g: float, gamma: float) -> Row:
        """A row on d along a direction e: its gradients through both points."""
        on_a = -np.concatenate([e, np.cross(self.s[0], e)])
        return Row(g, on_a, np.concatenate([e, np.cross(self.s[1], e)]), gamma)

    def across(self, i: int, j: int) -> Row:
        """(2), between axis i of a and axis j of b."""
        return self._angle_row(self.axes[0][:, i], self.axes[1][:, j], 0.0)

    def _angle_row(self, x: Array, y: Array, offset: float) -> Row:
        w_a, w_b = self.w
        n = np.cross(x, y)
        turning = np.cross(np.cross(w_a, x), y) + np.cross(x, np.cross(w_b, y))
        zero = np.zeros(3)
        return Row(
            float(x @ y) - offset,
            np.concatenate([zero, n]),
            np.concatenate([zero, -n]),
            float(-turning @ (w_a - w_b)),
        )

    def keep_angle(self) -> Row:
        """(2) for a universal joint: the axis fixed in a and the second one, fixed in b."""
        second = self.axes[1] @ self.link.second
        return self._angle_row(self.axes[0][:, 2], second, self.link.second[2])

    def within(self, i: int) -> Row:
        """(3), along axis i of a."""
        x, w_a = self.axes[0][:, i], self.w[0]
        x_rate = np.cross(w_a, x)
        drift = float((self.swing[0] - self.swing[1]) @ x)
        drift -= 2 * float(x_rate @ self.d_rate) + float(np.cross(w_a, x_rate) @ self.d)
        row = self._point_row(x, float(x @ self.d), drift)
        # the direction turns with a: (w_a x x) . d = w_a . (x x d)
        return Row(
            row.g, row.on_a + np.concatenate([np.zeros(3), np.cross(x, self.d)]), row.on_b, drift
        )

    def screw(self) -> Row:
        """Travel along the axis per turn: a row on velocities, z . d' - h z . w_ab = 0."""
        along, z, h = self.within(2), self.axes[0][:, 2], self.link.lead
        w_a, w_b = self.w
        turning = h * float(np.cross(w_a, z) @ (w_b - w_a))
        twist = np.concatenate([np.zeros(3), h * z])
        return Row(0.0, along.on_a + twist, along.on_b - twist, along.gamma + turning)


def _drive_wrench(link: Link, state: State, tau: Array) -> tuple[Array, Array]:
    """Force and torque of unit drives on the child, by the meaning of each joint; world axes."""
    R_a, R_b = _rotation(link.a.body, state), _rotation(link.b.body, state)
    axes_a, axes_b = R_a @ link.a.axes, R_b @ link.b.axes
    z, zero = axes_a[:, 2], np.zeros(3)
    match link.joint.type:
        case "revolute" | "helical":
            return zero, z * tau[0]
        case "prismatic":
            return z * tau[0], zero
        case "cylindrical":
            return z * tau[1], z * tau[0]
        case "planar":
            return axes_a[:, :2] @ tau[1:], z * tau[0]
        case "universal":
            pair = np.stack([z, axes_b @ link.second], axis=1)
            return zero, pair @ np.linalg.solve(pair.T @ pair, tau)
        case "spherical":
            return zero, R_b @ tau
        case "free":
            return R_b @ tau[3:], R_b @ tau[:3]
    return zero, zero


def quaternion_rates(quat: Array, w: Array) -> Array:
    """Time derivatives of quaternions for angular velocities in the world (rows)."""
    W = np.array([[[0.0, *(-x)], *np.column_stack([x, skew(x)])] for x in w])
    return np.einsum("nij,nj->ni", W, quat) / 2
