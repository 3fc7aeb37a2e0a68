"""Coordinates of cut joints: they follow from the bodies, but are kept like any other's.

A cut joint has springs, drives, stops and outputs as a joint of the tree has. Its velocities are
T^T V_FM, its coordinates are integrated with them, so that turns are counted, and then measured:
the pose of M in F says what they are, the integrated value how many turns went before.

Source   Featherstone, Rigid Body Dynamics Algorithms (2008), sec. 8.2: loop joints.
Checked  tests/laws/test_cut_joints.py: a joint is the same in the tree and as a cut
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mbd_fmu.elements.closing import Placed
from mbd_fmu.elements.places import WORLD, BodyFrame
from mbd_fmu.mechanics.cuts import Cut
from mbd_fmu.mechanics.kinematics import BodyMotion
from mbd_fmu.spatial import Array, Transform, conjugate, cross_motion, quaternion_product, times


@dataclass(frozen=True)
class CutMotion:
    """A cut joint at an instant, at its coordinates q."""

    cut: Cut
    motion: BodyMotion
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
        return Transform(((times(R_WP.T, R_WM), times(R_WP.T, p_WM - p_WP)),))

    @property
    def axes_W(self) -> Array:
        """Axes of M in the world."""
        return self._pose(self.cut.M)[0]

    @cached_property
    def T(self) -> Array:
        """Wrenches of unit drives on the child, in M."""
        return self.cut.kind.motion.T(self.since_drawn, self.cut.constants)

    @cached_property
    def V_FM(self) -> Array:
        """Motion of M in F, in axes of M."""
        return self._in_M(self.motion.V_B)

    @cached_property
    def v(self) -> Array:
        """Velocities of the joint."""
        return times(self.T.T, self.V_FM)

    def vd(self, A_B: list[Array]) -> Array:
        """Return the accelerations of the joint, from those of the bodies."""
        V_M = self.X_MC.motion(self._of(self.motion.V_B, self.cut.M.body))
        bias = self.cut.kind.motion.bias(self.since_drawn, self.v, self.cut.constants)
        return times(self.T.T, self._in_M(A_B) - cross_motion(V_M, self.V_FM) - bias)

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
        p_FM = times(R_WF.T, p_WM - p_WF)
        return Placed(times(R_WF.T, R_WM), p_FM, quat_FM, self.since_drawn, self.cut.constants)

    def cut_coordinates(self) -> Array:
        """Return the coordinates as the bodies say, with as many turns as q has."""
        found = self.cut.kind.closing.coordinates(self.placed)
        return found + self.cut.reference if len(found) == 1 else found

    def branch_cosines(self) -> Array:
        """Return cosines that are 1 where the rows are met, and -1 where the wrong way round."""
        return self.cut.kind.closing.branch(self.placed)

    def _in_M(self, of_bodies: list[Array]) -> Array:
        """Difference of two bodies' velocities or accelerations, in M."""
        on_child = self.X_MC.motion(self._of(of_bodies, self.cut.M.body))
        return on_child - self.X_MP.motion(self._of(of_bodies, self.cut.F.body))

    def _of(self, of_bodies: list[Array], body: int) -> Array:
        return np.zeros(6) if body == WORLD else of_bodies[body]

    def _pose(self, frame: BodyFrame) -> tuple[Array, Array]:
        R_WB, p_WB = self._body_pose(frame.body)
        return times(R_WB, frame.axes), p_WB + times(R_WB, frame.origin)

    def _body_pose(self, body: int) -> tuple[Array, Array]:
        if body == WORLD:
            return np.eye(3), np.zeros(3)
        return self.motion.placed.R_WB[body], self.motion.placed.p_WB[body]

    def _turn(self, body: int) -> Array:
        return self.motion.turning(body)[1]
