"""Forces across the joints for a given motion: the recursive Newton-Euler algorithm.

Source   Featherstone, Rigid Body Dynamics Algorithms (2008), Tab. 5.1, p. 96.
Seed     spatial_v2 ID.m, read for its shape; written anew.
Checked  tests/laws/test_dynamics.py
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mbd_fmu.elements.places import WORLD
from mbd_fmu.mechanics.kinematics import Configuration, accelerations, velocities
from mbd_fmu.mechanics.passes import each
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, cross_force, times


def base_acceleration(tree: Tree) -> Array:
    """Return the acceleration of the ground that stands in for gravity: upward."""
    return np.concatenate([np.zeros(3), -tree.gravity_W])


def transmitted_forces(
    tree: Tree, at: Configuration, v: Array, vd: Array, applied: Sequence[Array]
) -> list[Array]:
    """F_B of every joint: what the carrier exerts on body i through it, in B at the joint point.

    ``applied[i]`` is what acts on body i besides joints and gravity, in B at the same point.
    """
    V = velocities(tree, at, v)
    A = accelerations(tree, at, V, v, vd, base_acceleration(tree))  # from the ground outward
    F = [
        times(tree.I_B[i], A[i]) + cross_force(V[i], times(tree.I_B[i], V[i])) - applied[i]
        for i in each(range(len(A)))
    ]
    return carried_back(tree, at, F)


def carried_back(tree: Tree, at: Configuration, F: Sequence[Array]) -> list[Array]:
    """Return what goes through every joint where each body takes F_B; of several, in columns."""
    through = list(F)
    for i in each(reversed(range(len(tree.parent)))):
        p = tree.parent[i]
        if p != WORLD:
            through[p] = through[p] + at.X_BP[i].force_back(through[i])
    return through


def along_freedoms(at: Configuration, F: Sequence[Array]) -> Array:
    """Return the part of transmitted forces along the freedoms of the joints."""
    return np.concatenate([np.zeros(0), *(times(at.S[i].T, F[i]) for i in each(range(len(F))))])


def inverse_dynamics(tree: Tree, at: Configuration, v: Array, vd: Array) -> Array:
    """Return the generalised forces that make the tree accelerate by vd under gravity alone."""
    F = transmitted_forces(tree, at, v, vd, [np.zeros(6)] * len(tree.parent))
    return along_freedoms(at, F) + tree.armature[: tree.forest.nv] * vd
