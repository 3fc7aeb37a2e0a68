"""Constraint forces: what a joint exerts on its child, drive and spring excluded.

Source   The transmitted wrench without what the drives exert, F - T S^T F with S^T T = 1: it
         does no work on the joint's motion. Featherstone (2008), sec. 3.2 and 5.3.
Checked  tests/laws/test_reactions.py
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mbd_fmu.mechanics.kinematics import Configuration, Poses
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, skew


def joint_reactions(
    tree: Tree, at: Configuration, placed: Poses, transmitted: Sequence[Array]
) -> list[Array]:
    """Torque and force on the declared child, at the joint point it carries, in world axes."""
    reactions = []
    for i, F_B in enumerate(transmitted):
        moved = at.q[tree.forest.q[i]] + tree.shift[i]
        T = tree.joint[i].motion.T(moved, tree.constants[i])
        constraint = F_B - T @ (at.S[i].T @ F_B)
        R_WB = placed.R_WB[i]
        torque, force = R_WB @ constraint[:3], R_WB @ constraint[3:]
        if tree.forest.reversed[i]:
            # The declared child is the carrier; its joint point is the origin of F.
            R_FB, p_FB = at.X_BP[i].factors[-1]
            torque = torque + skew(R_WB @ R_FB.T @ p_FB) @ force
            torque, force = -torque, -force
        reactions.append(np.concatenate([torque, force]))
    return reactions
