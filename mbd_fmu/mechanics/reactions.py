"""Constraint forces: what a joint exerts on its child, drive and spring excluded.

Source   The transmitted wrench without what the drives exert, F - T S^T F with S^T T = 1: it
         does no work on the joint's motion. Featherstone (2008), sec. 3.2 and 5.3.
Checked  tests/laws/test_reactions.py
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mbd_fmu.elements.places import WORLD
from mbd_fmu.mechanics.acting_rows import ActingRows
from mbd_fmu.mechanics.cut_joints import CutMotion
from mbd_fmu.mechanics.kinematics import Configuration, Poses
from mbd_fmu.mechanics.passes import each
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.model.spec import Spec
from mbd_fmu.quantities.vectors import vector_of
from mbd_fmu.spatial import Array, length_of, skew, times


def joint_reactions(
    tree: Tree, at: Configuration, placed: Poses, transmitted: Sequence[Array]
) -> list[Array]:
    """Torque and force on the declared child, at the joint point it carries, in world axes."""
    reactions = []
    for i in each(range(len(transmitted))):
        F_B = transmitted[i]
        q_F = at.q[tree.forest.q[i]] + tree.shift[i]
        T = tree.joint[i].motion.T(q_F, tree.constants[i])
        constraint = F_B - times(T, times(at.S[i].T, F_B))
        R_WB = placed.R_WB[i]
        torque, force = times(R_WB, constraint[:3]), times(R_WB, constraint[3:])
        if tree.forest.reversed[i]:
            # The declared child is the carrier; its joint point is the origin of F.
            R_FB, p_FB = at.X_BP[i].factors[-1]
            torque = torque + times(skew(times(times(R_WB, R_FB.T), p_FB)), force)
            torque, force = -torque, -force
        reactions.append(np.concatenate([torque, force]))
    return reactions


def cut_reaction(
    cut: CutMotion, acting: Mapping[int, ActingRows], mine: range, lam: Array
) -> Array:
    """Return the same of a cut joint, from the multipliers of its rows."""
    # what acts on the child; where that is the ground, the opposite of what acts on the parent
    (body, X), is_child = (cut.cut.M.body, cut.X_MC), True
    if body == WORLD:
        (body, X), is_child = (cut.cut.F.body, cut.X_MP), False
    own = acting[body].of(mine) if body in acting else np.zeros((6, len(mine)))
    F_B = times(own, lam[mine.start : mine.stop])
    _, p_BM = X.pose
    R_WB = cut.motion.placed.R_WB[body]
    force = times(R_WB, F_B[3:])
    torque = times(R_WB, F_B[:3] - times(skew(p_BM), F_B[3:]))
    return np.concatenate([torque, force] if is_child else [-torque, -force])


def characteristic_length(spec: Spec) -> float:
    """Return the length that makes torques comparable with forces.

    As the model says; else the mean distance of the joints' points from the mass centres of the
    bodies they join, 1 m where that is nothing. It depends neither on axes nor on cuts.
    """
    if spec.characteristic_length is not None:
        return spec.characteristic_length
    centre = {body.name: vector_of(body.com, spec.nominal) for body in spec.bodies}
    distances = [
        length_of((vector_of(point, spec.nominal) - centre[body]).astype(float))
        for joint in spec.joints
        if not joint.leads_anywhere
        for body, point in ((joint.parent, joint.point), (joint.child, joint.point2))
        if body in centre
    ]
    return float(np.mean(distances)) if any(distances) else 1.0
