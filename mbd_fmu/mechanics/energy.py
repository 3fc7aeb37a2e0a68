"""Energy and power: the books that must balance.

    kinetic + potential - input work + dissipated = constant

Source   T = sum V^T I V / 2, Featherstone (2008), eq. 2.67; [003] eq. 5.45 says the same.
Checked  tests/laws/test_energy.py
"""

from __future__ import annotations

from collections.abc import Sequence

from mbd_fmu.mechanics.joint_forces import joint_dissipation, joint_potential
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
    return total + joint_potential(tree, q) + spring_energy(tree, placed, V)


def dissipated_power(tree: Tree, placed: Poses, V: Sequence[Array], q: Array, v: Array) -> Scalar:
    """Return the rate at which everything that takes energy out does so."""
    return joint_dissipation(tree, q, v) + spring_dissipation(tree, placed, V)
