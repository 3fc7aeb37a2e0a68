"""Where the bodies are and how fast they move, from the ground outward.

Source   Featherstone, Rigid Body Dynamics Algorithms (2008), sec. 4.4 and eq. 4.7.
Checked  tests/laws/test_kinematics.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mbd_fmu.elements.places import WORLD, BodyPoint
from mbd_fmu.mechanics.passes import each
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, Transform, cross_motion, quaternion_product, skew, times


@dataclass(frozen=True)
class Configuration:
    """A tree at its coordinates: per body, X_BP from carrier to body and S of its joint."""

    q: Array
    X_BP: tuple[Transform, ...]
    S: tuple[Array, ...]


def configure(tree: Tree, q: Array) -> Configuration:
    """Put coordinates in."""
    X_BP, S = [], []
    for i in each(range(len(tree.joint))):
        joint, q_F = tree.joint[i], q[tree.forest.q[i]] + tree.shift[i]
        k = tree.constants[i]
        X_BP.append(Transform(((tree.R_PF[i], tree.p_PF[i]), joint.place(q_F, k))))
        S.append(joint.motion.S(q_F, k))
    return Configuration(q, tuple(X_BP), tuple(S))


def velocities(tree: Tree, at: Configuration, v: Array) -> list[Array]:
    """V_B of every body, in its frame B; the ground rests."""
    V: list[Array] = []
    for i in each(range(len(tree.parent))):
        p = tree.parent[i]
        V.append(carried_velocity(tree, at, v, i, None if p == WORLD else V[p]))
    return V


def carried_velocity(tree: Tree, at: Configuration, v: Array, i: int, V_P: Array | None) -> Array:
    """V_B of one body, from that of its carrier; None: it rests."""
    V_J: Array = times(at.S[i], v[tree.forest.v[i]])
    return V_J if V_P is None else at.X_BP[i].motion(V_P) + V_J


def velocity_products(tree: Tree, at: Configuration, V: Sequence[Array], v: Array) -> list[Array]:
    """V_B x S v + S' v of every body: the acceleration it has when no joint accelerates."""
    return [velocity_product(tree, at, v, i, V[i]) for i in each(range(len(tree.joint)))]


def velocity_product(tree: Tree, at: Configuration, v: Array, i: int, V_B: Array) -> Array:
    """Return that of one body."""
    joint, dof = tree.joint[i], tree.forest.v[i]
    q_F = at.q[tree.forest.q[i]] + tree.shift[i]
    bias = joint.motion.bias(q_F, v[dof], tree.constants[i])
    return cross_motion(V_B, times(at.S[i], v[dof])) + bias


def accelerations(
    tree: Tree, at: Configuration, V: Sequence[Array], v: Array, vd: Array, of_ground: Array
) -> list[Array]:
    """A_B of every body, in its frame B, when the ground accelerates as told."""
    c = velocity_products(tree, at, V, v)
    A: list[Array] = []
    for i in each(range(len(tree.parent))):
        p = tree.parent[i]
        A_P = of_ground if p == WORLD else A[p]
        A.append(at.X_BP[i].motion(A_P) + times(at.S[i], vd[tree.forest.v[i]]) + c[i])
    return A


@dataclass(frozen=True)
class Poses:
    """Internal frames in the world: axes R_WB, origins p_WB; and the turn of U as a quaternion."""

    R_WB: tuple[Array, ...]
    p_WB: tuple[Array, ...]
    quat_WU: tuple[Array, ...]

    def point_W(self, i: int, p_B: Array) -> Array:
        """Return a point of body i in the world."""
        return self.p_WB[i] + times(self.R_WB[i], p_B)


def poses(tree: Tree, at: Configuration) -> Poses:
    """Place every body in the world.

    The quaternion follows the joints, not the matrix: its sign stays continuous by itself.
    """
    R_WB: list[Array] = []
    p_WB: list[Array] = []
    quat_WU: list[Array] = []
    for i in each(range(len(tree.joint))):
        p = tree.parent[i]
        R_PB, p_PB = at.X_BP[i].pose
        quat_PU = carried_turn(tree, at, i)
        if p == WORLD:
            R_WB.append(R_PB)
            p_WB.append(p_PB)
            quat_WU.append(quat_PU)
        else:
            R_WB.append(times(R_WB[p], R_PB))
            p_WB.append(p_WB[p] + times(R_WB[p], p_PB))
            quat_WU.append(quaternion_product(quat_WU[p], quat_PU))
    return Poses(tuple(R_WB), tuple(p_WB), tuple(quat_WU))


def carried_turn(tree: Tree, at: Configuration, i: int) -> Array:
    """Return the turn from the carrier's U to that of body i, a quaternion."""
    since_drawn = at.q[tree.forest.q[i]]
    if len(since_drawn) == 1:
        since_drawn = since_drawn - tree.reference[i]
    turn = tree.joint[i].turn(since_drawn, tree.constants[i])
    in_user_axes = np.concatenate([turn[:1], times(tree.R_UB[i], turn[1:])])
    return quaternion_product(tree.quat_PC[i], in_user_axes)


def point_velocity(V_B: Array, p_B: Array) -> Array:
    """Return the velocity, in B, of a point that a body carries at p_B."""
    return V_B[3:] + times(skew(V_B[:3]), p_B)


@dataclass(frozen=True)
class BodyMotion:
    """A tree at q and v. What is asked for is computed once, what is not, never."""

    tree: Tree
    q: Array
    v: Array

    @cached_property
    def configuration(self) -> Configuration:
        """Transforms from carrier to body, and what each joint allows."""
        return configure(self.tree, self.q)

    @cached_property
    def placed(self) -> Poses:
        """Poses in the world."""
        return poses(self.tree, self.configuration)

    @cached_property
    def V_B(self) -> list[Array]:
        """Spatial velocities, each in its body's frame."""
        return velocities(self.tree, self.configuration, self.v)

    def point(self, at: BodyPoint) -> tuple[Array, Array]:
        """Position and velocity of a point of a body, or of the ground, in the world."""
        if at.body == WORLD:
            return at.place, np.zeros(3)
        velocity = times(self.placed.R_WB[at.body], point_velocity(self.V_B[at.body], at.place))
        return self.placed.point_W(at.body, at.place), velocity

    def turning(self, body: int) -> tuple[Array, Array, Array]:
        """Axes of U, quaternion of U and angular velocity of a body, in the world."""
        if body == WORLD:
            return np.eye(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3)
        R_WB = self.placed.R_WB[body]
        R_WU, w_W = times(R_WB, self.tree.R_UB[body].T), times(R_WB, self.V_B[body][:3])
        return R_WU, self.placed.quat_WU[body], w_W
