"""Cut joints and constraints as rows, at position, velocity and acceleration level.

    phi(q, t) = 0      holonomic rows
    sigma(q, v, t) = 0 their rates, and the nonholonomic rows
    J dv/dt = gamma    the rates of those; J, the constraint Jacobian, is sigma's derivative in v

What the rows of an element are, its type says; here they are gathered.

Source   [002], [004]; Haug, Computer Aided Kinematics and Dynamics (1989), ch. 9.
Checked  tests/laws/test_constraints.py
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from mbd_fmu.elements.closing import FramePair
from mbd_fmu.elements.jets import BodyJets, Jet, Wrenches
from mbd_fmu.elements.places import WORLD
from mbd_fmu.mechanics.acting_rows import ActingRows, acting_rows
from mbd_fmu.mechanics.cut_joints import CutMotion
from mbd_fmu.mechanics.kinematics import BodyMotion, Configuration, accelerations
from mbd_fmu.mechanics.passes import each
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, Scalar, array, times


@dataclass(frozen=True)
class Rows:
    """All rows: the holonomic ones of all elements, then the nonholonomic ones."""

    phi: Array  # (n_holonomic,)
    J: Array  # (n, nv)
    sigma: Array  # (n,)
    gamma: Array  # (n,)
    acting: Mapping[int, ActingRows]  # by body, in order
    counted: Array  # (n_holonomic,): size of the coordinates that a gear compares, turns and all


def constraint_rows(motion: BodyMotion, vd: Array, cuts: Sequence[CutMotion]) -> Rows:
    """Gather the rows of all cut joints and constraints; ``vd`` is zero where joints are free."""
    tree, at = motion.tree, motion.configuration
    A_B = accelerations(tree, at, motion.V_B, motion.v, vd, np.zeros(6))
    bodies = BodyJets(motion.placed.R_WB, motion.placed.p_WB, motion.V_B, A_B)

    def coordinate(i: int) -> Jet:
        """Coordinate of joint i, of the tree or, counted on, cut."""
        if i >= len(tree.parent):
            cut = cuts[i - len(tree.parent)]
            return Jet(cut.q, cut.wrenches(), cut.v, cut.vd(A_B))
        return tree_coordinate(motion, vd, i)

    holonomic: list[Jet] = []
    for k in each(range(len(tree.cuts))):
        cut = tree.cuts[k]
        pair = FramePair(bodies, cut.F, cut.M, cut.constants)
        holonomic += [row.jet(pair) for row in cut.kind.closing.rows]
    nonholonomic: list[Jet] = []
    counted: list[Scalar] = [0.0] * sum(len(row.value) for row in holonomic)
    for k in each(range(len(tree.constraints))):
        constraint = tree.constraints[k]
        size = constraint.counted(coordinate)
        for row in constraint.rows(bodies, coordinate):
            if isinstance(row, Jet):
                holonomic.append(row)
                counted.append(size)
            else:
                nonholonomic.append(row.row)
    rows = [*holonomic, *nonholonomic]
    acting, sigma = acting_rows(rows), _stacked(row.rate for row in rows)
    return Rows(
        phi=_stacked(row.value for row in rows),
        J=_jacobian(tree, at, acting, len(sigma)),
        sigma=sigma,
        gamma=-_stacked(row.drift for row in rows),
        acting=acting,
        counted=array(counted),
    )


def _stacked(parts: Iterable[Array]) -> Array:
    return np.concatenate([np.zeros(0), *parts])


def constraint_jacobian(tree: Tree, at: Configuration, wrench: Wrenches, n: int) -> Array:
    """J (n, nv) of rows that act on a few bodies, by what unit multipliers exert on them."""
    rows = np.arange(n)
    return _jacobian(tree, at, {body: ActingRows(rows, F) for body, F in wrench.items()}, n)


def _jacobian(tree: Tree, at: Configuration, acting: Mapping[int, ActingRows], n: int) -> Array:
    """J (n, nv) of rows by what unit multipliers exert on the bodies.

    Power is force times velocity: the generalized force J^T lam of the wrenches, carried to the
    ground, has the derivatives of the rows' rates in v for its coefficients.
    """
    parts = (at.q, *(own.F for own in acting.values()), *at.S)
    kind = np.result_type(float, *(part.dtype for part in parts))
    J_T = np.zeros((tree.forest.nv, n), dtype=kind)
    for bodies, rows in _rows_by_bodies(acting, n):
        F = {i: acting[i].of(rows) for i in bodies}
        for i in each(_ways_to_ground(tree, bodies)):
            J_T[tree.forest.v[i], rows.start : rows.stop] = times(at.S[i].T, F[i])
            p = tree.parent[i]
            if p != WORLD:
                back = at.X_BP[i].force_back(F[i])
                F[p] = F[p] + back if p in F else back
    return J_T.T


def _rows_by_bodies(
    acting: Mapping[int, ActingRows], n: int
) -> Iterator[tuple[tuple[int, ...], range]]:
    """Yield rows, one behind the other, that act on the same bodies: those of one element do."""
    touched: list[tuple[int, ...]] = [()] * n
    for body, own in acting.items():
        for k in own.rows[(own.F != 0.0).any(axis=0)]:
            touched[k] = (*touched[k], body)
    first = 0
    for bodies, same in groupby(touched):
        last = first + len(list(same))
        yield bodies, range(first, last)
        first = last


def _ways_to_ground(tree: Tree, bodies: Iterable[int]) -> list[int]:
    """Return bodies and all that carry them, the carried before their carriers."""
    found: set[int] = set()
    for body in bodies:
        i = body
        while i != WORLD and i not in found:
            found.add(i)
            i = tree.parent[i]
    return sorted(found, reverse=True)


def tree_coordinate(motion: BodyMotion, vd: Array, i: int) -> Jet:
    """Return the coordinates of a joint of the tree; of a quaternion, its rates are velocities."""
    tree = motion.tree
    q_F = motion.q[tree.forest.q[i]] + tree.shift[i]
    T = tree.joint[i].motion.T(q_F, tree.constants[i])
    wrench = {i: T}
    if tree.parent[i] != WORLD:
        wrench[tree.parent[i]] = -motion.configuration.X_BP[i].force_back(T)
    dof = tree.forest.v[i]
    return Jet(motion.q[tree.forest.q[i]], wrench, motion.v[dof], vd[dof])
