"""A solution of the constrained system with what elimination along the bodies leaves behind.

    [ M  J^T ] [  v   ]   [ f ]
    [ J   0  ] [ -lam ] = [ g ]

Inward, f and g become forces P of the bodies and what the rows still ask for, e; outward, the
motion of each body gives those of what it carries, and the multipliers of the rows it holds:
``body_elimination.py`` has the equations.

Source   Featherstone, Rigid Body Dynamics Algorithms (2008), Tab. 7.1, p. 132, with rows.
Checked  tests/laws/test_body_elimination.py
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np

from mbd_fmu.elements.places import WORLD
from mbd_fmu.mechanics.passes import each
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, Scalar, Transform, array, scaled, times


class Joint(NamedTuple):
    """A joint as it was passed, for rows that are carried through it, in columns."""

    R_PB: Array
    p_PB: Array
    S: Array  # (6, n)
    U: Array  # (6, n)
    D_inverse: Array  # (n, n)
    G: Array  # (n, rows)


class HeldRow(NamedTuple):
    """A row where it was eliminated."""

    w_inverse: Array  # (1,)
    a: Array  # (6,): what it exerts there; of the ground nothing
    W: Array  # (others,): by the rows that are left there


@dataclass(frozen=True)
class BodyFactor:
    """What (1) is solved with."""

    tree: Tree
    held: Mapping[int, tuple[int, ...]]
    through: Mapping[int, tuple[int, ...]]  # rows that are carried through each joint
    left: Mapping[int, tuple[int, ...]]  # rows that are left where each row is eliminated
    joint: Mapping[int, Joint]
    row: Mapping[int, HeldRow]
    doubt: Scalar  # of rows
    loss: Scalar  # of velocities

    @property
    def entries(self) -> list[Array]:
        """All numbers, piece by piece."""
        return [*chain(*self.joint.values()), *chain(*self.row.values())]

    def with_entries(self, entries: Sequence[Array]) -> BodyFactor:
        """Return the same of other numbers."""
        new = iter(entries)
        joint = {i: Joint(*(next(new) for _ in old)) for i, old in self.joint.items()}
        row = {k: HeldRow(*(next(new) for _ in old)) for k, old in self.row.items()}
        return replace(self, joint=joint, row=row)

    def solve(self, f: Array, g: Array) -> tuple[Array, Array]:
        """Return v and lam; of ``g``, all rows are given, of lam those that take part.

        ``f`` and v are of the velocities that nothing prescribes, in order.
        """
        tree, free = self.tree, self._free
        none = np.zeros(6)
        e: dict[int, Scalar] = {k: g[k] for k in self.row}
        P: dict[int, Array] = {}
        w: dict[int, Array] = {}
        for i in each(reversed(range(len(tree.parent)))):
            P_i = P.get(i, none)
            for k in self.held.get(i, ()):
                P_i = P_i + scaled(self._eliminated(k, e), self.row[k].a)
            joint, p = self.joint[i], tree.parent[i]
            if not tree.prescribed[i]:
                w[i] = f[free[i]] + times(joint.S.T, P_i)
                y = times(joint.D_inverse, w[i])
                P_i = P_i - times(joint.U, y)
                for k, column in zip(self.through[i], joint.G.T, strict=True):
                    e[k] = e[k] - times(column, y)
            if p != WORLD:
                P[p] = P.get(p, none) + self._pose(i).force_back(P_i)
        for k in self.held.get(WORLD, ()):
            self._eliminated(k, e)

        lam: dict[int, Scalar] = {}
        self._found(WORLD, None, e, lam)
        A: list[Array] = []
        v: list[Array] = [np.zeros(0)]
        for i in each(range(len(tree.parent))):
            joint, p = self.joint[i], tree.parent[i]
            A_i = none if p == WORLD else self._pose(i).motion(A[p])
            if not tree.prescribed[i]:
                pushed = times(joint.G, array([lam[k] for k in self.through[i]]))
                left = w[i] + pushed - times(joint.U.T, A_i)
                v.append(times(joint.D_inverse, left))
                A_i = A_i + times(joint.S, v[-1])
            self._found(i, A_i, e, lam)
            A.append(A_i)
        return np.concatenate(v), array([lam[k] for k in sorted(self.row)])

    @property
    def _free(self) -> dict[int, slice]:
        """Where the velocities of joints stand among those that nothing prescribes."""
        joints = [i for i, prescribed in enumerate(self.tree.prescribed) if not prescribed]
        ends = list(accumulate(self.joint[i].S.shape[1] for i in joints))
        return {i: slice(a, b) for i, a, b in zip(joints, [0, *ends], ends, strict=False)}

    def _pose(self, i: int) -> Transform:
        return Transform(((self.joint[i].R_PB, self.joint[i].p_PB),))

    def _eliminated(self, k: int, e: dict[int, Scalar]) -> Scalar:
        """Take a row out of the right-hand sides; return what it pushes with."""
        row = self.row[k]
        push = row.w_inverse[0] * e[k]
        for other, W in zip(self.left[k], row.W, strict=True):
            e[other] = e[other] - push * W
        return push

    def _found(
        self, i: int, A_i: Array | None, e: Mapping[int, Scalar], lam: dict[int, Scalar]
    ) -> None:
        """Find the multipliers of the rows that were eliminated at a body that moves so."""
        for k in reversed(self.held.get(i, ())):
            row, asked = self.row[k], e[k]
            for other, W in zip(self.left[k], row.W, strict=True):
                asked = asked - W * lam[other]
            if A_i is not None:
                asked = asked - times(row.a, A_i)
            lam[k] = row.w_inverse[0] * asked
