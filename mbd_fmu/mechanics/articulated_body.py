"""Accelerations of a tree in time linear in its bodies: the articulated-body algorithm.

The work at one joint is one function of that joint's data, so that straight-line code and
loops over joints can come from one text.

Joints whose motion is prescribed take part as they are: their acceleration is known, the force
they take is found (hybrid dynamics).

Source   Featherstone, Rigid Body Dynamics Algorithms (2008), Tab. 7.1, p. 132; sec. 9.2 (hybrid).
Seed     spatial_v2 FDab.m, read for its shape; written anew.
Checked  tests/laws/test_dynamics.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mbd_fmu.elements.places import WORLD
from mbd_fmu.mechanics.inverse_dynamics import base_acceleration
from mbd_fmu.mechanics.kinematics import Configuration, velocities, velocity_products
from mbd_fmu.mechanics.ldl import Factor, factorize
from mbd_fmu.mechanics.passes import each
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, cross_force, symmetric, times


@dataclass(frozen=True)
class Articulated:
    """A joint with everything it carries, as felt from below. RBDA eq. 7.43 - 7.48."""

    U: Array  # (6, nv): I_A S
    D: Factor  # of S^T I_A S + diag(armature)
    u: Array  # (nv,): tau - S^T p_A
    I_a: Array  # (6, 6): inertia felt by the carrier, in B
    p_a: Array  # (6,): force felt by the carrier, in B


def articulate(
    S: Array, I_A: Array, p_A: Array, c: Array, tau: Array, armature: Array
) -> Articulated:
    """Pass the articulated inertia and bias force of a body through its joint."""
    U = times(I_A, S)
    D = factorize(times(S.T, U) + np.diag(armature))
    u = tau - times(S.T, p_A)
    I_a = symmetric(I_A - times(U, D.solve(U.T)))
    return Articulated(U, D, u, I_a, p_A + times(I_a, c) + times(U, D.solve(u)))


def carry(S: Array, I_A: Array, p_A: Array, c: Array, vd: Array) -> Articulated:
    """Pass them through a joint that follows a prescribed motion: it yields nothing."""
    p_a = p_A + times(I_A, c + times(S, vd))
    return Articulated(np.zeros((6, 0)), factorize(np.zeros((0, 0))), np.zeros(0), I_A, p_a)


def forward_dynamics(
    tree: Tree,
    at: Configuration,
    v: Array,
    tau: Array,
    applied: Sequence[Array] | None = None,
    vd_prescribed: Array | None = None,
) -> tuple[Array, Array]:
    """Return the accelerations of all joints, and the generalised forces they take.

    ``tau`` acts in joints that are free to move, ``vd_prescribed`` holds the accelerations of those
    whose motion is prescribed; ``applied[i]`` acts on body i, in B at its joint point.
    """
    V = velocities(tree, at, v)
    if vd_prescribed is None:
        vd_prescribed = np.zeros(tree.forest.nv)
    dof, rotor = tree.forest.v, tree.armature
    I_A = list(tree.I_B)
    p_A = [cross_force(V[i], times(tree.I_B[i], V[i])) for i in each(range(len(V)))]
    if applied is not None:
        p_A = [p_A[i] - applied[i] for i in each(range(len(V)))]
    c = velocity_products(tree, at, V, v)

    felt: dict[int, Articulated] = {}
    for i in each(reversed(range(len(tree.parent)))):  # tips before roots
        S = at.S[i]
        if tree.prescribed[i]:
            felt[i] = carry(S, I_A[i], p_A[i], c[i], vd_prescribed[dof[i]])
        else:
            felt[i] = articulate(S, I_A[i], p_A[i], c[i], tau[dof[i]], rotor[dof[i]])
        p = tree.parent[i]
        if p != WORLD:
            I_A[p] = I_A[p] + at.X_BP[i].inertia_back(felt[i].I_a)
            p_A[p] = p_A[p] + at.X_BP[i].force_back(felt[i].p_a)

    A: list[Array] = []
    vd: list[Array] = [np.zeros(0)]
    taken: list[Array] = [np.zeros(0)]
    for i in each(range(len(tree.parent))):  # and outward again
        p = tree.parent[i]
        A_B = at.X_BP[i].motion(base_acceleration(tree) if p == WORLD else A[p]) + c[i]
        is_prescribed = tree.prescribed[i]
        vd.append(
            vd_prescribed[dof[i]]
            if is_prescribed
            else felt[i].D.solve(felt[i].u - times(felt[i].U.T, A_B))
        )
        A.append(A_B + times(at.S[i], vd[-1]))
        if is_prescribed:
            through = times(at.S[i].T, times(I_A[i], A[i]) + p_A[i])
            taken.append(through + rotor[dof[i]] * vd[-1])
        else:
            taken.append(tau[dof[i]])
    return np.concatenate(vd), np.concatenate(taken)
