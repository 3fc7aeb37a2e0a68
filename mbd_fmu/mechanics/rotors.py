"""Rotors behind the joints: inertia that only the joint's own velocity moves.

A motor's rotor turns n times as fast as the joint behind a gear; its inertia, n^2 times its own as
felt at the joint, is the armature a of that freedom. It takes a share of the drive,

    tau_a = -a dv/dt                                                                           (1)

and holds a v^2 / 2. This is the usual idealisation: what the rotor's own shaft does as the bodies
turn is left out, so (1) acts between the two bodies as any drive does, and carries no momentum.

In the tree (1) adds a to the diagonal of the inertia. A cut joint has v = J_c v_tree, so

    tau = -J_c^T a (J_c dv_tree/dt + b_c):    J_c^T a J_c adds to the inertia                  (2)

and the rest is a force like any other, found from the accelerations that are known beforehand.

Source   Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 9: gears, without the rotor's own
         spin; as MuJoCo and Pinocchio have it; (2) by virtual power.
Checked  tests/laws/test_rotors.py
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mbd_fmu.mechanics.constraints import constraint_jacobian
from mbd_fmu.mechanics.cut_joints import CutMotion
from mbd_fmu.mechanics.kinematics import BodyMotion
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, Scalar, symmetric, times


def rotor_forces(tree: Tree, vd: Array) -> Array:
    """(1) in every joint, from the accelerations of all."""
    return -(tree.armature * vd)


def rotor_energy(tree: Tree, v: Array) -> Scalar:
    """Return the kinetic energy of all rotors, from the velocities of every joint."""
    energy: Scalar = times(tree.armature * v, v) / 2.0
    return energy


def cut_rotor_inertia(motion: BodyMotion, cuts: Sequence[CutMotion]) -> Array:
    """Return what rotors of cut joints add to the joint-space inertia, by (2)."""
    tree, nv = motion.tree, motion.tree.forest.nv
    added = np.zeros((nv, nv))
    for cut in cuts:
        armature = tree.armature[cut.cut.v]
        J = constraint_jacobian(tree, motion.configuration, cut.wrenches(), len(armature))
        added = added + symmetric(times(J.T, armature[:, None] * J))
    return added
