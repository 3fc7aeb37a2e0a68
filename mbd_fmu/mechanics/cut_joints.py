"""Coordinates of cut joints: they follow from the bodies, but are kept like any other's.

A cut joint has springs, drives, stops and outputs as a joint of the tree has. Its velocities are
T^T V_FM, its coordinates are integrated with them, so that turns are counted, and then measured:
the pose of M in F says what they are, the integrated value how many turns went before.

Source   Featherstone, Rigid Body Dynamics Algorithms (2008), sec. 8.2: loop joints.
Checked  tests/laws/test_cut_joints.py: a joint is the same in the tree and as a cut
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mbd_fmu.mechanics.closures import Cut, Mount
from mbd_fmu.mechanics.kinematics import Motion
from mbd_fmu.spatial import (
    Array,
    Scalar,
    Transform,
    array,
    conjugate,
    cross_motion,
    quaternion_product,
    skew,
)
from mbd_fmu.topology.forest import WORLD


@dataclass(frozen=True)
class CutMotion:
    """A cut joint at an instant, at its coordinates q."""

    cut: Cut
    motion: Motion
    q: Array

    @property
    def since_drawn(self) -> Array:
        """Coordinates since the drawn position; of a quaternion, itself."""
        return self.q - self.cut.reference if len(self.q) == 1 else self.q

    @cached_property
    def X_MC(self) -> Transform:
        """From the child's B to M."""
        return Transform(((self.cut.M.axes, self.cut.M.origin),))

    @cached_property
    def X_MP(self) -> Transform:
        """From the parent's B to M."""
        (R_WP, p_WP), (R_WM, p_WM) = self._body_pose(self.cut.F.body), self._pose(self.cut.M)
        return Transform(((R_WP.T @ R_WM, R_WP.T @ (p_WM - p_WP)),))

    @property
    def axes_W(self) -> Array:
        """Axes of M in the world."""
        return self._pose(self.cut.M)[0]

    @cached_property
    def T(self) -> Array:
        """Wrenches of unit drives on the child, in M."""
        return self.cut.joint.motion.T(self.since_drawn, self.cut.constants)

    @cached_property
    def V_FM(self) -> Array:
        """Motion of M in F, in axes of M."""
        return self._in_M(self.motion.V_B)

    @cached_property
    def v(self) -> Array:
        """Velocities of the joint."""
        return self.T.T @ self.V_FM

    def vd(self, A_B: list[Array]) -> Array:
        """Return the accelerations of the joint, from those of the bodies."""
        V_M = self.X_MC.motion(self._of(self.motion.V_B, self.cut.M.body))
        bias = self.cut.joint.motion.bias(self.since_drawn, self.v, self.cut.constants)
        return self.T.T @ (self._in_M(A_B) - cross_motion(V_M, self.V_FM) - bias)

    def wrenches(self) -> dict[int, Array]:
        """Return what unit drives exert on child and parent, in their B, in columns."""
        found = {}
        if self.cut.M.body != WORLD:
            found[self.cut.M.body] = self.X_MC.force_back(self.T)
        if self.cut.F.body != WORLD:
            found[self.cut.F.body] = -self.X_MP.force_back(self.T)
        return found

    @cached_property
    def placed(self) -> Placed:
        """M in F, as the bodies say."""
        (R_WF, p_WF), (R_WM, p_WM) = self._pose(self.cut.F), self._pose(self.cut.M)
        quat_WF = quaternion_product(self._turn(self.cut.F.body), self.cut.quat_PC)
        quat_FM = quaternion_product(conjugate(quat_WF), self._turn(self.cut.M.body))
        p_FM = R_WF.T @ (p_WM - p_WF)
        return Placed(R_WF.T @ R_WM, p_FM, quat_FM, self.since_drawn, self.cut.constants)

    def cut_coordinates(self) -> Array:
        """Return the coordinates as the bodies say, with as many turns as q has."""
        found = CUT_COORDINATES[self.cut.type](self.placed)
        return found + self.cut.reference if len(found) == 1 else found

    def branch_cosines(self) -> Array:
        """Return cosines that are 1 where the rows are met, and -1 where the wrong way round."""
        of_type = BRANCH_COSINES.get(self.cut.type)
        return np.zeros(0) if of_type is None else of_type(self.placed)

    def _in_M(self, of_bodies: list[Array]) -> Array:
        """Difference of two bodies' velocities or accelerations, in M."""
        on_child = self.X_MC.motion(self._of(of_bodies, self.cut.M.body))
        return on_child - self.X_MP.motion(self._of(of_bodies, self.cut.F.body))

    def _of(self, of_bodies: list[Array], body: int) -> Array:
        return np.zeros(6) if body == WORLD else of_bodies[body]

    def _pose(self, mount: Mount) -> tuple[Array, Array]:
        R_WB, p_WB = self._body_pose(mount.body)
        return R_WB @ mount.axes, p_WB + R_WB @ mount.origin

    def _body_pose(self, body: int) -> tuple[Array, Array]:
        if body == WORLD:
            return np.eye(3), np.zeros(3)
        return self.motion.placed.R_WB[body], self.motion.placed.p_WB[body]

    def _turn(self, body: int) -> Array:
        return self.motion.turning(body)[1]


@dataclass(frozen=True)
class Placed:
    """M in F: axes, origin, turn of the child since drawn; what q is near to; constants."""

    R: Array
    p: Array
    quat: Array
    near: Array
    k: Array


def _about_z(at: Placed) -> Scalar:
    """About z, which both frames have in common."""
    return _angle(at.R[1, 0], at.R[0, 0], at.near[0])


def _universal_angles(at: Placed) -> Array:
    """About z of F, which takes k to R k; and about k, from z of F as M sees it to z."""
    k, z = at.k, np.array([0.0, 0.0, 1.0])
    turned, seen = at.R @ k, at.R.T @ z
    first = k[0] * turned[1] - k[1] * turned[0], k[0] * turned[0] + k[1] * turned[1]
    second = -((skew(k) @ z) @ seen), seen[2] - (k @ seen) * k[2]
    return array([_angle(*first, at.near[0]), _angle(*second, at.near[1])])


CUT_COORDINATES: dict[str, Callable[[Placed], Array]] = {
    "rigid": lambda _: np.zeros(0),
    "revolute": lambda at: array([_about_z(at)]),
    "prismatic": lambda at: at.p[2:],
    "cylindrical": lambda at: array([_about_z(at), at.p[2]]),
    "helical": lambda at: array([at.p[2] / at.k[0]]),
    "universal": _universal_angles,
    "planar": lambda at: array([_about_z(at), at.p[0], at.p[1]]),
    "translational": lambda at: at.p,
    "spherical": lambda at: at.quat,
    "free": lambda at: np.concatenate([at.quat, at.p]),
}


# Rows on directions are sines: half a turn away they are met, too.
BRANCH_COSINES: dict[str, Callable[[Placed], Array]] = {
    "rigid": lambda at: np.diag(at.R),
    "revolute": lambda at: at.R[2, 2:],
    "prismatic": lambda at: np.diag(at.R),
    "cylindrical": lambda at: at.R[2, 2:],
    "helical": lambda at: array([at.R[2, 2], _in_thread(at)]),
    "planar": lambda at: at.R[2, 2:],
    "translational": lambda at: np.diag(at.R),
}


def _in_thread(at: Placed) -> Scalar:
    """Cosine of the angle by which a helical joint is ahead of its travel."""
    turn = at.p[2:] / at.k[0]
    return np.cos(turn)[0] * at.R[0, 0] + np.sin(turn)[0] * at.R[1, 0]


def _angle(s: Scalar, c: Scalar, near: Scalar) -> Scalar:
    """Return the angle with sine and cosine as s : c that is less than half a turn from near."""
    cn, sn = np.cos(array([near]))[0], np.sin(array([near]))[0]
    s, c = s * cn - c * sn, c * cn + s * sn
    r = np.sqrt(array([s * s + c * c]))[0]
    return near + 2.0 * np.arctan(array([s / (r + c)]))[0]
