"""Energy and power: the books that must balance.

    kinetic + potential - input work + dissipated = constant

Source   T = sum V^T I V / 2, Featherstone (2008), eq. 2.67; [003] eq. 5.45 says the same.
Checked  tests/laws/test_energy.py
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mbd_fmu.mechanics.kinematics import Poses
from mbd_fmu.mechanics.springs import spring_dissipation, spring_energy
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, Scalar


def kinetic_energy(tree: Tree, V: Sequence[Array]) -> Scalar:
    """Return the sum over all bodies, from their velocities V_B."""
    return sum((V_B @ (I_B @ V_B) for V_B, I_B in zip(V, tree.I_B, strict=True)), 0.0) / 2.0


def potential_energy(tree: Tree, placed: Poses, V: Sequence[Array], q: Array) -> Scalar:
    """Return what gravity and all springs hold; gravity counts from the world's origin."""
    total: Scalar = 0.0
    for i, mass in enumerate(tree.mass):
        total = total - mass * (tree.gravity_W @ placed.point_W(i, tree.p_BBcm[i]))
    stretch = spring_stretch(tree, q)
    return total + (stretch * stretch) @ tree.stiffness / 2.0 + spring_energy(tree, placed, V)


def spring_stretch(tree: Tree, q: Array) -> Array:
    """Return the deflection of the joint springs; joints of several freedoms have none."""
    stretch = [np.zeros(0)]
    for i, joint in enumerate(tree.joint):
        dof, at = tree.forest.v[i], tree.forest.q[i]
        single = len(joint.neutral) == 1
        stretch.append(q[at] - tree.rest[dof] if single else np.zeros(len(joint.velocities)))
    return np.concatenate(stretch)


def passive_forces(tree: Tree, q: Array, v: Array) -> Array:
    """Return what springs and dampers in the joints add to the drives. [003]"""
    return -(tree.stiffness * spring_stretch(tree, q)) - tree.damping * v


def dissipated_power(tree: Tree, placed: Poses, V: Sequence[Array], v: Array) -> Scalar:
    """Return the rate at which all dampers take energy out."""
    return (tree.damping * v) @ v + spring_dissipation(tree, placed, V)
