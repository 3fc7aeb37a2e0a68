"""Joint-space inertia matrix of a tree: the composite-rigid-body algorithm.

Source   Featherstone, Rigid Body Dynamics Algorithms (2008), Tab. 6.2, p. 107.
Seed     spatial_v2 HandC.m, read for its shape; written anew.
Checked  tests/laws/test_dynamics.py
"""

from __future__ import annotations

import numpy as np

from mbd_fmu.elements.places import WORLD
from mbd_fmu.mechanics.kinematics import Configuration
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, symmetric


def joint_space_inertia(tree: Tree, at: Configuration) -> Array:
    """H(q), such that the kinetic energy is ``v @ H @ v / 2``, but for rotors of cut joints."""
    I_c = list(tree.I_B)  # composite: body i with everything it carries
    columns = {}
    for i in reversed(range(len(tree.parent))):  # tips before roots
        F = I_c[i] @ at.S[i]  # force at body i per unit joint acceleration
        columns[i, i] = symmetric(at.S[i].T @ F) + np.diag(tree.armature[tree.forest.v[i]])
        j = i
        while tree.parent[j] != WORLD:
            F = at.X_BP[j].force_back(F)
            j = tree.parent[j]
            columns[j, i] = at.S[j].T @ F
        if tree.parent[i] != WORLD:
            I_c[tree.parent[i]] = I_c[tree.parent[i]] + at.X_BP[i].inertia_back(I_c[i])

    nv, dof = tree.forest.nv, tree.forest.v
    H = np.zeros((nv, nv), dtype=np.result_type(float, *(c.dtype for c in columns.values())))
    for (j, i), block in columns.items():
        H[dof[j], dof[i]] = block
        H[dof[i], dof[j]] = block.T
    return H
