"""What can be told of a motion: driving constraints, as rows beside those of the mechanism.

A coordinate of a joint, a component of a point, the turn of a body, the pose of a joint that turns
as it likes. Of each, ``jet`` gives gradient, rate and drift of its rows, and ``miss`` how far it is
from what is told, m, with D where dm/dt = -D (rate of the rows). Of a turn told by a quaternion,

    m = 2 vec(e),   e = q^-1 q_told  (axes of the child)  or  q_told q^-1  (world)        (1)
    D = e_w 1 -+ [e_v]x

Source   Haug, Computer Aided Kinematics and Dynamics (1989), sec. 3.5: driving constraints;
         (1) by the product rule from dq/dt = q (0, w) / 2.
Checked  tests/analysis/test_drivers.py
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mbd_fmu.elements.jets import BodyJets, Jet
from mbd_fmu.elements.joint import JointType
from mbd_fmu.elements.places import BodyPoint
from mbd_fmu.mechanics.constraints import tree_coordinate
from mbd_fmu.mechanics.equations import Instant
from mbd_fmu.mechanics.kinematics import accelerations
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, conjugate, quaternion_product, rotation_matrix, skew
from mbd_fmu.system.system import System


@dataclass(frozen=True)
class Now:
    """An instant, and what bodies carry then; no free joint accelerates."""

    at: Instant

    @cached_property
    def A_B(self) -> list[Array]:
        """Accelerations of the bodies."""
        at = self.at
        return accelerations(at.tree, at.configuration, at.V_B, at.v, at.vd, np.zeros(6))

    @cached_property
    def bodies(self) -> BodyJets:
        """Points and directions of bodies."""
        placed = self.at.placed
        return BodyJets(placed.R_WB, placed.p_WB, self.at.V_B, self.A_B)

    def joint(self, i: int) -> Jet:
        """Coordinates of joint i, of the tree or, counted on, cut."""
        n = len(self.at.tree.parent)
        if i < n:
            return tree_coordinate(self.at.motion, self.at.vd, i)
        cut = self.at.cuts[i - n]
        return Jet(cut.q, cut.wrenches(), cut.v, cut.vd(self.A_B))


@dataclass(frozen=True)
class Driver(ABC):
    """Rows that can be told; names of the columns that tell them, rates and accelerations too."""

    columns: tuple[str, ...]
    rates: tuple[str, ...]
    accelerations: tuple[str, ...]
    turns: tuple[bool, ...]  # per row

    @property
    def size(self) -> int:
        """Number of rows."""
        return len(self.turns)

    @property
    def of_joint(self) -> bool:
        """Tell whether it is a joint's own."""
        return False

    @property
    def name(self) -> str:
        """What it is called in messages."""
        first, last = self.columns[0], self.columns[-1]
        return first if first == last else f"{first} to {last}"

    @abstractmethod
    def place(self, now: Now) -> Array:
        """Return what its columns are now."""

    @abstractmethod
    def jet(self, now: Now) -> Jet:
        """Return its rows; of a turn the value is no position."""

    @abstractmethod
    def miss(self, now: Now, told: Array) -> tuple[Array, Array]:
        """Return m and D."""

    @abstractmethod
    def column_rates(self, now: Now) -> Array:
        """Return the derivatives of its columns in time."""

    @abstractmethod
    def row_rates(self, told: Array, rate: Array, acceleration: Array) -> tuple[Array, Array]:
        """Return rates and accelerations of the rows from derivatives of the columns."""


@dataclass(frozen=True)
class _Scalar(Driver):
    """One component, told as it is."""

    def place(self, now: Now) -> Array:
        return self.jet(now).value

    def miss(self, now: Now, told: Array) -> tuple[Array, Array]:
        return told - self.place(now), np.eye(1)

    def column_rates(self, now: Now) -> Array:
        return self.jet(now).rate

    def row_rates(self, told: Array, rate: Array, acceleration: Array) -> tuple[Array, Array]:
        del told
        return rate, acceleration


@dataclass(frozen=True)
class _Coordinate(_Scalar):
    """Coordinate n of joint i."""

    i: int
    n: int

    @property
    def of_joint(self) -> bool:
        return True

    def jet(self, now: Now) -> Jet:
        return now.joint(self.i)[self.n]


@dataclass(frozen=True)
class _Component(_Scalar):
    """One component of a point that a body carries, in the world."""

    point: Callable[[Tree], BodyPoint]
    axis: int

    def jet(self, now: Now) -> Jet:
        return now.bodies.point(self.point(now.at.tree))[self.axis]


@dataclass(frozen=True)
class _Turn(Driver):
    """The turn of body i in the world; rows in world axes."""

    i: int

    def place(self, now: Now) -> Array:
        return now.at.placed.quat_WU[self.i]

    def jet(self, now: Now) -> Jet:
        return now.bodies.spin(self.i).row

    def miss(self, now: Now, told: Array) -> tuple[Array, Array]:
        e = _short_way(quaternion_product(_unit(told), conjugate(self.place(now))))
        return 2.0 * e[1:], e[0] * np.eye(3) + skew(e[1:])

    def column_rates(self, now: Now) -> Array:
        w = np.concatenate([np.zeros(1), self.jet(now).rate])
        return quaternion_product(w, self.place(now)) / 2.0

    def row_rates(self, told: Array, rate: Array, acceleration: Array) -> tuple[Array, Array]:
        return turn_rates(told, rate, acceleration)


@dataclass(frozen=True)
class _JointPose(Driver):
    """All coordinates of joint i, which begin with a quaternion; rows are its velocities."""

    i: int
    kind: JointType

    @property
    def of_joint(self) -> bool:
        return True

    def place(self, now: Now) -> Array:
        return now.joint(self.i).value

    def jet(self, now: Now) -> Jet:
        return now.joint(self.i)

    def miss(self, now: Now, told: Array) -> tuple[Array, Array]:
        q = self.place(now)
        e = _short_way(quaternion_product(conjugate(q[:4]), _unit(told[:4])))
        m, D = np.zeros(self.size), np.eye(self.size)
        m[:3], D[:3, :3] = 2.0 * e[1:], e[0] * np.eye(3) - skew(e[1:])
        if self.size > 3:  # and moves: d/dt R^T (r_told - r) = -w x m - v
            m[3:] = rotation_matrix(q[:4]).T @ (told[4:] - q[4:])
            D[3:, :3] = -skew(m[3:])
        return m, D

    def column_rates(self, now: Now) -> Array:
        jet = now.joint(self.i)
        return self.kind.rate(jet.value, jet.rate)

    def row_rates(self, told: Array, rate: Array, acceleration: Array) -> tuple[Array, Array]:
        q, qd, qdd = told.copy(), rate.copy(), acceleration.copy()
        q[:4], qd[:4], qdd[:4] = _unit_motion(told[:4], rate[:4], acceleration[:4])
        v = _velocity(self.kind, q, qd)
        # dq/dt = B(q) v, and B is of degree 2 at most: this difference is its derivative
        turning = (self.kind.rate(q + qd, v) - self.kind.rate(q - qd, v)) / 2.0
        return v, _velocity(self.kind, q, qdd - turning)


def turn_rates(told: Array, rate: Array, acceleration: Array) -> tuple[Array, Array]:
    """Angular velocity and acceleration, in the axes a quaternion turns in, from its derivatives.

    Of dq/dt = (0, w) q / 2; the product of both rates has no vector part.
    """
    q, qd, qdd = _unit_motion(told, rate, acceleration)
    back = conjugate(q)
    return 2.0 * quaternion_product(qd, back)[1:], 2.0 * quaternion_product(qdd, back)[1:]


def _velocity(kind: JointType, q: Array, rate: Array) -> Array:
    """v of dq/dt = B v: the columns of B are orthogonal, whatever the joint."""
    columns = [kind.rate(q, unit) for unit in np.eye(kind.nv)]
    return np.array([(b @ rate) / (b @ b) for b in columns])


def _unit(quat: Array) -> Array:
    return quat / np.linalg.norm(quat)


def _short_way(e: Array) -> Array:
    """q and -q are the same turn."""
    return -e if e[0] < 0.0 else e


def _unit_motion(Q: Array, Qd: Array, Qdd: Array) -> tuple[Array, Array, Array]:
    """Q / |Q| with its derivatives."""
    s = float(np.linalg.norm(Q))
    q = Q / s
    sd = q @ Qd
    qd = (Qd - sd * q) / s
    sdd = qd @ Qd + q @ Qdd
    return q, qd, (Qdd - 2.0 * sd * qd - sdd * q) / s


def drivers_of(system: System) -> tuple[Driver, ...]:
    """Return all that can be told, joints first; what is prescribed already is an input."""
    return (*_of_joints(system), *_of_points(system), *_of_bodies(system))


def _of_joints(system: System) -> Iterator[Driver]:
    for i in system.states.joints:
        joint = system.joint(i)
        names, kind = joint.kind.names, joint.kind
        levels = [
            tuple(system.shown(f"{joint.name}.{c.name}") for c in level)
            for level in (names.positions, names.velocities, names.accelerations)
        ]
        turns = tuple(c.unit == "rad/s" for c in names.velocities)
        if kind.quaternion:
            yield _JointPose(levels[0], levels[1], levels[2], turns, i, kind)
            continue
        for n, (q, qd, qdd) in enumerate(zip(*levels, strict=True)):
            yield _Coordinate((q,), (qd,), (qdd,), turns[n : n + 1], i, n)


def _of_points(system: System) -> Iterator[Driver]:
    for k, point in enumerate(system.spec.points):
        names = system.shown(f"{point.name}.r."), system.shown(f"{point.name}.v.")

        def place(tree: Tree, k: int = k) -> BodyPoint:
            return tree.points[k]

        for axis, x in enumerate("xyz"):
            yield _Component((names[0] + x,), (names[1] + x,), (), (False,), place, axis)


def _of_bodies(system: System) -> Iterator[Driver]:
    for i, k in enumerate(system.forest.body):
        body = system.spec.bodies[k].name

        def origin(tree: Tree, i: int = i) -> BodyPoint:
            return BodyPoint(i, tree.origin_B[i])

        def centre(tree: Tree, i: int = i) -> BodyPoint:
            return BodyPoint(i, tree.p_BBcm[i])

        for axis, x in enumerate("xyz"):
            yield _Component((system.shown(f"{body}.r.{x}"),), (), (), (False,), origin, axis)
        quat = tuple(system.shown(f"{body}.quat.{c}") for c in "wxyz")
        w = tuple(system.shown(f"{body}.w.{c}") for c in "xyz")
        yield _Turn(quat, w, (), (True,) * 3, i)
        for axis, x in enumerate("xyz"):
            rate = (system.shown(f"{body}.v.{x}"),)
            yield _Component((system.shown(f"{body}.com.{x}"),), rate, (), (False,), centre, axis)
