"""Couplings that restrict nothing, and wrenches from outside: what all of them do together.

What one of them does, its type says (``elements.forces``).

Source   [003] sec. 5.4, [004].
Checked  tests/laws/test_springs.py, tests/laws/test_forces.py
"""

from __future__ import annotations

import numpy as np

from mbd_fmu.elements.places import WORLD
from mbd_fmu.mechanics.kinematics import BodyMotion
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, Scalar, skew


def applied_forces(tree: Tree, motion: BodyMotion, inputs: Array) -> list[Array]:
    """F_B on every body from all couplings and wrenches, in B about its origin."""
    F: list[Array] = [np.zeros(6) for _ in tree.parent]
    for force, own in zip(tree.forces, tree.force_inputs, strict=True):
        for load in force.loads(motion, inputs[own]):
            if load.body != WORLD:
                R_WB, p_WB = motion.placed.R_WB[load.body], motion.placed.p_WB[load.body]
                moment = load.torque + skew(load.at - p_WB) @ load.force
                F_B = np.concatenate([R_WB.T @ moment, R_WB.T @ load.force])
                F[load.body] = F[load.body] + F_B
    return F


def stored_energy(tree: Tree, motion: BodyMotion) -> Scalar:
    """Return what springs, bushings and attractions hold."""
    return sum((part for force in tree.forces for part in force.energies(motion)), 0.0)


def lost_power(tree: Tree, motion: BodyMotion) -> Scalar:
    """Return the rate at which their dampers take energy out."""
    return sum((part for force in tree.forces for part in force.losses(motion)), 0.0)


def input_power(tree: Tree, motion: BodyMotion, inputs: Array) -> Scalar:
    """Return the rate at which what acts from outside works."""
    pairs = zip(tree.forces, tree.force_inputs, strict=True)
    return sum((part for force, own in pairs for part in force.powers(motion, inputs[own])), 0.0)
