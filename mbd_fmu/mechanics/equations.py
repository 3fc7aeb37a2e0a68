"""The equations of a mechanism at one instant, gathered.

The same text runs on floats (the NumPy simulation) and on symbols (the code that is exported).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from mbd_fmu.mechanics import energy
from mbd_fmu.mechanics.articulated_body import forward_dynamics
from mbd_fmu.mechanics.forces import applied_forces, wrench_power
from mbd_fmu.mechanics.inverse_dynamics import transmitted_forces
from mbd_fmu.mechanics.joint_forces import passive_forces
from mbd_fmu.mechanics.kinematics import (
    Configuration,
    Motion,
    Poses,
    point_velocity,
)
from mbd_fmu.mechanics.reactions import joint_reactions
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, Scalar, array


class Instant:
    """The mechanism at one instant. What is asked for is computed once, what is not, never."""

    def __init__(
        self,
        tree: Tree,
        q: Array,
        v: Array,
        vd: Array | None = None,
        wrenches: Array | None = None,
    ) -> None:
        self.tree, self.q, self.v = tree, q, v
        self.motion = Motion(tree, q, v)  # what forces follow from
        self._vd = vd
        self.wrenches = np.zeros(6 * len(tree.wrenches)) if wrenches is None else wrenches

    @property
    def vd(self) -> Array:
        """Accelerations; who asks for what follows from them has given them."""
        if self._vd is None:
            raise ValueError("this instant knows no accelerations")
        return self._vd

    @property
    def configuration(self) -> Configuration:
        """Transforms from carrier to body, and what each joint allows."""
        return self.motion.configuration

    @property
    def placed(self) -> Poses:
        """Poses in the world."""
        return self.motion.placed

    @property
    def V_B(self) -> list[Array]:
        """Spatial velocities, each in its body's frame."""
        return self.motion.V_B

    @cached_property
    def applied(self) -> list[Array]:
        """What acts on the bodies besides joints and gravity, in B."""
        return applied_forces(self.tree, self.motion, self.wrenches)

    @cached_property
    def transmitted(self) -> list[Array]:
        """What each joint exerts on its body, drives and all, in B."""
        return transmitted_forces(self.tree, self.configuration, self.v, self.vd, self.applied)

    @cached_property
    def reactions(self) -> list[Array]:
        """Constraint torque and force on each declared child, in world axes."""
        return joint_reactions(self.tree, self.configuration, self.placed, self.transmitted)

    @cached_property
    def passive(self) -> Array:
        """What springs and dampers in the joints add to the drives."""
        return passive_forces(self.tree, self.q, self.v)

    def point_velocity_W(self, i: int, p_B: Array) -> Array:
        """Return the velocity of a point of body i, in world axes."""
        return self.placed.R_WB[i] @ point_velocity(self.V_B[i], p_B)

    def accelerate(self, drive: Array, vd_told: Array) -> tuple[Array, Array]:
        """Return the accelerations of all joints, and the drive each one takes.

        ``drive`` acts in joints that are free to move; ``vd_told`` holds the accelerations of those
        whose motion is prescribed, and their drives are what comes out.
        """
        vd, taken = forward_dynamics(
            self.tree, self.configuration, self.v, drive + self.passive, self.applied, vd_told
        )
        return vd, taken - self.passive

    def powers(self, drive: Array) -> list[Scalar]:
        """Return the power of drives and wrenches, and what dampers and friction take out."""
        work = drive @ self.v + wrench_power(self.tree, self.motion, self.wrenches)
        return [work, energy.dissipated_power(self.tree, self.motion, self.q, self.v)]

    def drive_of(self, i: int) -> Array:
        """Return the force along the freedoms of joint i beyond its spring and damper."""
        return self.configuration.S[i].T @ self.transmitted[i] - self.passive[self.tree.forest.v[i]]

    def rates(self) -> list[Array]:
        """Return dq/dt of every joint."""
        at, dof = self.tree.forest.q, self.tree.forest.v
        return [
            joint.rate(self.q[at[i]], self.v[dof[i]]) for i, joint in enumerate(self.tree.joint)
        ]


# What each block of outputs is, at an instant, for body, joint or point i (forest index).
FORMULAS: dict[str, Callable[[Instant, int], Array]] = {
    "joint position": lambda at, i: at.q[at.tree.forest.q[i]],
    "joint velocity": lambda at, i: at.v[at.tree.forest.v[i]],
    "joint acceleration": lambda at, i: at.vd[at.tree.forest.v[i]],
    "origin": lambda at, i: at.placed.point_W(i, at.tree.origin_B[i]),
    "orientation": lambda at, i: at.placed.quat_WU[i],
    "mass centre": lambda at, i: at.placed.point_W(i, at.tree.p_BBcm[i]),
    "velocity": lambda at, i: at.point_velocity_W(i, at.tree.p_BBcm[i]),
    "angular velocity": lambda at, i: at.placed.R_WB[i] @ at.V_B[i][:3],
    "point": lambda at, k: at.motion.point(at.tree.points[k])[0],
    "point velocity": lambda at, k: at.motion.point(at.tree.points[k])[1],
    "reaction force": lambda at, i: at.reactions[i][3:],
    "reaction torque": lambda at, i: at.reactions[i][:3],
    "drive": lambda at, i: at.drive_of(i),
    "transmitted force": lambda at, i: at.placed.R_WB[i] @ at.transmitted[i][3:],
    "transmitted torque": lambda at, i: at.placed.R_WB[i] @ at.transmitted[i][:3],
    "kinetic": lambda at, _: array([energy.kinetic_energy(at.tree, at.V_B)]),
    "potential": lambda at, _: array([energy.potential_energy(at.tree, at.motion, at.q)]),
}
