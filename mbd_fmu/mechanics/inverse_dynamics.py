"""Forces across the joints for a given motion: the recursive Newton-Euler algorithm.

Source   Featherstone, Rigid Body Dynamics Algorithms (2008), Tab. 5.1, p. 96.
Seed     spatial_v2 ID.m, read for its shape; written anew.
Checked  tests/laws/test_dynamics.py
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mbd_fmu.mechanics.kinematics import velocities
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, Transform, cross_force, cross_motion
from mbd_fmu.topology.forest import WORLD


def base_acceleration(tree: Tree) -> Array:
    """Return the acceleration of the ground that stands in for gravity: upward."""
    return np.concatenate([np.zeros(3), -tree.gravity_W])


def transmitted_forces(
    tree: Tree, X_BP: Sequence[Transform], v: Array, vd: Array, applied: Sequence[Array]
) -> list[Array]:
    """F_B of every joint: what the carrier exerts on body i through it, in B at the joint point.

    ``applied[i]`` is what acts on body i besides joints and gravity, in B at the same point.
    """
    V = velocities(tree, X_BP, v)
    A: list[Array] = []
    F: list[Array] = []
    for i, joint in enumerate(tree.joint):  # from the ground outward
        p = tree.parent[i]
        dof = tree.forest.v[i]
        A_P = base_acceleration(tree) if p == WORLD else A[p]
        A.append(X_BP[i].motion(A_P) + joint.S @ vd[dof] + cross_motion(V[i], joint.S @ v[dof]))
        F.append(tree.I_B[i] @ A[i] + cross_force(V[i], tree.I_B[i] @ V[i]) - applied[i])

    for i in reversed(range(len(tree.parent))):  # and back
        if tree.parent[i] != WORLD:
            F[tree.parent[i]] = F[tree.parent[i]] + X_BP[i].force_back(F[i])
    return F


def inverse_dynamics(tree: Tree, X_BP: Sequence[Transform], v: Array, vd: Array) -> Array:
    """Return the generalised forces that make the tree accelerate by vd under gravity alone."""
    F = transmitted_forces(tree, X_BP, v, vd, [np.zeros(6)] * len(tree.parent))
    return np.concatenate(
        [np.zeros(0), *(joint.S.T @ F_B for joint, F_B in zip(tree.joint, F, strict=True))]
    )
