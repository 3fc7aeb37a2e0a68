"""Where the bodies are and how fast they move, from the ground outward.

Source   Featherstone, Rigid Body Dynamics Algorithms (2008), sec. 4.4 and eq. 4.7.
Checked  tests/laws/test_kinematics.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, Transform, quaternion_product, skew
from mbd_fmu.topology.forest import WORLD


def transforms(tree: Tree, q: Array) -> tuple[Transform, ...]:
    """X_BP of every body: from its carrier's frame P to its own frame B."""
    found = []
    for i, joint in enumerate(tree.joint):
        R_FB, p_FB = joint.place(q[tree.forest.q[i]] + tree.shift[i])
        found.append(Transform(((tree.R_PF[i], tree.p_PF[i]), (R_FB, p_FB))))
    return tuple(found)


def velocities(tree: Tree, X_BP: Sequence[Transform], v: Array) -> list[Array]:
    """V_B of every body, in its frame B; the ground rests."""
    V: list[Array] = []
    for i, joint in enumerate(tree.joint):
        V_J = joint.S @ v[tree.forest.v[i]]
        p = tree.parent[i]
        V.append(V_J if p == WORLD else X_BP[i].motion(V[p]) + V_J)
    return V


@dataclass(frozen=True)
class Poses:
    """Internal frames in the world: axes R_WB, origins p_WB; and the turn of U as a quaternion."""

    R_WB: tuple[Array, ...]
    p_WB: tuple[Array, ...]
    quat_WU: tuple[Array, ...]

    def point_W(self, i: int, p_B: Array) -> Array:
        """Return a point of body i in the world."""
        return self.p_WB[i] + self.R_WB[i] @ p_B


def poses(tree: Tree, X_BP: Sequence[Transform], q: Array) -> Poses:
    """Place every body in the world.

    The quaternion follows the joints, not the matrix: its sign stays continuous by itself.
    """
    R_WB: list[Array] = []
    p_WB: list[Array] = []
    quat_WU: list[Array] = []
    for i, joint in enumerate(tree.joint):
        p = tree.parent[i]
        R_PB, p_PB = X_BP[i].pose
        since_drawn = q[tree.forest.q[i]]
        if len(since_drawn) == 1:
            since_drawn = since_drawn - tree.reference[i]
        quat_PU = quaternion_product(tree.quat_PC[i], joint.turn(since_drawn, tree.axis_U[i]))
        if p == WORLD:
            R_WB.append(R_PB)
            p_WB.append(p_PB)
            quat_WU.append(quat_PU)
        else:
            R_WB.append(R_WB[p] @ R_PB)
            p_WB.append(p_WB[p] + R_WB[p] @ p_PB)
            quat_WU.append(quaternion_product(quat_WU[p], quat_PU))
    return Poses(tuple(R_WB), tuple(p_WB), tuple(quat_WU))


def point_velocity(V_B: Array, p_B: Array) -> Array:
    """Return the velocity, in B, of a point that a body carries at p_B."""
    return V_B[3:] + skew(V_B[:3]) @ p_B
