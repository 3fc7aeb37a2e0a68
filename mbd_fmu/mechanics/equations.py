"""The equations of a mechanism, gathered: state in, derivatives and outputs out.

    x = (q, v, input work, dissipated energy)     dx/dt = f(x, u, p)     y = g(x, u, dx/dt, p)

The same text runs on floats (the NumPy simulation) and on symbols (the code that is exported).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mbd_fmu.mechanics import energy
from mbd_fmu.mechanics.articulated_body import forward_dynamics
from mbd_fmu.mechanics.kinematics import Poses, point_velocity, poses, transforms, velocities
from mbd_fmu.mechanics.reactions import joint_reactions
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, Scalar, Transform, array

WORK_STATES = 2  # input work, dissipated energy


class Instant:
    """The mechanism at one instant. What is asked for is computed once, what is not, never."""

    def __init__(self, tree: Tree, q: Array, v: Array, vd: Array) -> None:
        self.tree, self.q, self.v, self.vd = tree, q, v, vd

    @cached_property
    def X_BP(self) -> tuple[Transform, ...]:
        """Transforms from carrier to body."""
        return transforms(self.tree, self.q)

    @cached_property
    def placed(self) -> Poses:
        """Poses in the world."""
        return poses(self.tree, self.X_BP, self.q)

    @cached_property
    def V_B(self) -> list[Array]:
        """Spatial velocities, each in its body's frame."""
        return velocities(self.tree, self.X_BP, self.v)

    @cached_property
    def reactions(self) -> list[Array]:
        """Constraint torque and force on each declared child, in world axes."""
        return joint_reactions(self.tree, self.X_BP, self.placed, self.v, self.vd)

    def point_velocity_W(self, i: int, p_B: Array) -> Array:
        """Return the velocity of a point of body i, in world axes."""
        return self.placed.R_WB[i] @ point_velocity(self.V_B[i], p_B)


# What each block of outputs is, at an instant, for body or joint i (forest index).
FORMULAS: dict[str, Callable[[Instant, int], Array]] = {
    "joint position": lambda at, i: at.q[at.tree.forest.q[i]],
    "joint velocity": lambda at, i: at.v[at.tree.forest.v[i]],
    "joint acceleration": lambda at, i: at.vd[at.tree.forest.v[i]],
    "origin": lambda at, i: at.placed.point_W(i, at.tree.origin_B[i]),
    "orientation": lambda at, i: at.placed.quat_WU[i],
    "mass centre": lambda at, i: at.placed.point_W(i, at.tree.p_BBcm[i]),
    "velocity": lambda at, i: at.point_velocity_W(i, at.tree.p_BBcm[i]),
    "angular velocity": lambda at, i: at.placed.R_WB[i] @ at.V_B[i][:3],
    "point": lambda at, k: at.placed.point_W(at.tree.points[k][0], at.tree.points[k][1]),
    "point velocity": lambda at, k: at.point_velocity_W(*at.tree.points[k]),
    "reaction force": lambda at, i: at.reactions[i][3:],
    "reaction torque": lambda at, i: at.reactions[i][:3],
    "kinetic": lambda at, _: array([energy.kinetic_energy(at.tree, at.V_B)]),
    "potential": lambda at, _: array([energy.potential_energy(at.tree, at.placed, at.q)]),
}


@dataclass(frozen=True)
class State:
    """The parts of x."""

    q: Array
    v: Array
    work: Array  # (2,) or (0,): input work, dissipated energy


def state_of(tree: Tree, x: Array) -> State:
    """Cut x into its parts."""
    nq, nv = tree.forest.nq, tree.forest.nv
    return State(x[:nq], x[nq : nq + nv], x[nq + nv :])


def derivatives(tree: Tree, x: Array, drive: Array) -> Array:
    """dx/dt under the drive forces (nv,); with work states if x has them."""
    state = state_of(tree, x)
    q, v = state.q, state.v
    qd = [
        joint.rate(q[tree.forest.q[i]], v[tree.forest.v[i]]) for i, joint in enumerate(tree.joint)
    ]
    X_BP = transforms(tree, q)
    vd = forward_dynamics(tree, X_BP, v, drive + energy.passive_forces(tree, q, v))
    power: list[Scalar] = []
    if len(state.work):
        power = [drive @ v, energy.dissipated_power(tree, v)]
    return np.concatenate([*qd, vd, array(power)])


def instant(tree: Tree, x: Array, xd: Array) -> Instant:
    """Return the mechanism at the state x with the derivatives xd."""
    nq, nv = tree.forest.nq, tree.forest.nv
    state = state_of(tree, x)
    return Instant(tree, state.q, state.v, xd[nq : nq + nv])
