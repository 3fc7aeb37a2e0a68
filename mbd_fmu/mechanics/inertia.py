"""Joint-space inertia matrix of a tree: the composite-rigid-body algorithm.

Source   Featherstone, Rigid Body Dynamics Algorithms (2008), Tab. 6.2, p. 107.
Seed     spatial_v2 HandC.m, read for its shape; written anew.
Checked  tests/laws/test_dynamics.py
"""

from __future__ import annotations

import numpy as np

from mbd_fmu.elements.places import WORLD
from mbd_fmu.mechanics.kinematics import Configuration
from mbd_fmu.mechanics.passes import each
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, symmetric, times


def _way_to_ground(tree: Tree, i: int) -> list[int]:
    """Return body i, its carrier, and so on."""
    way = [i]
    while tree.parent[way[-1]] != WORLD:
        way.append(tree.parent[way[-1]])
    return way


def joint_space_inertia(tree: Tree, at: Configuration) -> Array:
    """H(q), such that the kinetic energy is ``v @ H @ v / 2``, but for rotors of cut joints."""
    I_c = list(tree.I_B)  # composite: body i with everything it carries
    for i in each(reversed(range(len(tree.parent)))):  # tips before roots
        if tree.parent[i] != WORLD:
            I_c[tree.parent[i]] = I_c[tree.parent[i]] + at.X_BP[i].inertia_back(I_c[i])
    columns = {}
    for i in range(len(tree.parent)):
        on_way = i
        for j in each(_way_to_ground(tree, i)):
            if j == i:
                F = times(I_c[i], at.S[i])  # force at body j per unit acceleration of joint i
                columns[i, i] = symmetric(times(at.S[i].T, F))
            else:
                F = at.X_BP[on_way].force_back(F)
                columns[j, i] = times(at.S[j].T, F)
            on_way = j
        columns[i, i] = columns[i, i] + np.diag(tree.armature[tree.forest.v[i]])

    nv, dof = tree.forest.nv, tree.forest.v
    H = np.zeros((nv, nv), dtype=np.result_type(float, *(c.dtype for c in columns.values())))
    for (j, i), block in columns.items():
        H[dof[j], dof[i]] = block
        H[dof[i], dof[j]] = block.T
    return H
