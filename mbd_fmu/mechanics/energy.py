"""Energy and power: the books that must balance.

    kinetic + potential - input work + dissipated = constant

Source   T = sum V^T I V / 2, Featherstone (2008), eq. 2.67; [003] eq. 5.45 says the same.
Checked  tests/laws/test_energy.py
"""

from __future__ import annotations

from collections.abc import Sequence

from mbd_fmu.mechanics.forces import Movement, lost_power, stored_energy
from mbd_fmu.mechanics.joint_forces import joint_dissipation, joint_potential
from mbd_fmu.mechanics.passes import each
from mbd_fmu.mechanics.rotors import rotor_energy
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, Scalar, times


def kinetic_energy(tree: Tree, V: Sequence[Array], v: Array) -> Scalar:
    """Return what bodies and rotors hold, from velocities V_B and v of every joint."""
    bodies = sum((times(V[i], times(tree.I_B[i], V[i])) for i in each(range(len(V)))), 0.0) / 2.0
    return bodies + rotor_energy(tree, v) if tree.has_rotors else bodies


def potential_energy(tree: Tree, motion: Movement) -> Scalar:
    """Return what gravity and all springs hold; gravity counts from the world's origin."""
    total: Scalar = 0.0
    for i in each(range(len(tree.mass))):
        total = total - tree.mass[i] * (
            times(tree.gravity_W, motion.bodies.placed.point_W(i, tree.p_BBcm[i]))
        )
    return total + joint_potential(tree, motion.q) + stored_energy(tree, motion)


def dissipated_power(tree: Tree, motion: Movement) -> Scalar:
    """Return the rate at which everything that takes energy out does so."""
    return joint_dissipation(tree, motion.q, motion.v) + lost_power(tree, motion)
