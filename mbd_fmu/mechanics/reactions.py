"""Constraint forces: what a joint exerts on its child, drive and spring excluded.

Source   The part of the transmitted wrench that does no work on the joint's motion,
         F - S S^T F, Featherstone (2008), sec. 3.2 and 5.3. It holds for every joint whose drive
         acts along its own motion, which is how S of revolute, prismatic and free joints is scaled.
Checked  tests/laws/test_reactions.py
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mbd_fmu.mechanics.kinematics import Poses
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, Transform, skew


def joint_reactions(
    tree: Tree, X_BP: Sequence[Transform], placed: Poses, transmitted: Sequence[Array]
) -> list[Array]:
    """Torque and force on the declared child, at the joint point it carries, in world axes."""
    reactions = []
    for i, F_B in enumerate(transmitted):
        S = tree.joint[i].S
        F_B = F_B - S @ (S.T @ F_B)  # noqa: PLW2901
        R_WB = placed.R_WB[i]
        torque, force = R_WB @ F_B[:3], R_WB @ F_B[3:]
        if tree.forest.reversed[i]:
            # The declared child is the carrier; its joint point is the origin of F.
            _, p_FB = X_BP[i].factors[-1]
            R_FB = X_BP[i].factors[-1][0]
            torque = torque + skew(R_WB @ R_FB.T @ p_FB) @ force
            torque, force = -torque, -force
        reactions.append(np.concatenate([torque, force]))
    return reactions
