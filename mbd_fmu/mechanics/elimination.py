"""The constrained solution by elimination in a fixed order: sparse, on symbols as on numbers.

    [ M  J^T ] [  v   ]   [ f ]
    [ J   0  ] [ -lam ] = [ g ]                                                               (1)

with independent rows J, as L D L^T without pivoting. The order is chosen once, by numbers at one
position: of the unknowns whose pivot is sound there, the one with the fewest neighbours is next.
Whatever the order, pivots of velocities are positive and those of rows negative, as M is positive
semidefinite. So each is a difference of what adds to it and what takes away,

    |d| = gain - loss,    gain >= 0,  loss >= 0

and its rounding is that of the larger term. Two things can go wrong, and are judged apart.

Rows come near to redundant. The pivot of a row is compared with ``natural``, what its velocities
do at the row's reach, as in the dense solution: (natural + gain) / |d| is 1 over the square of the
share that a pivot has there. The sum of their squares is ``doubt``, and doubt^(-1/4) a share that
is never above the smallest of all. It is small at singular positions, and also where masses differ
much; so it is trusted down to a part of what it was where the order was chosen.

Digits get lost. Of a velocity, loss / |d| says how many: articulated beside composite inertia,
thousands in a long chain. That is the condition of M itself, which no order takes away and the
dense solution has, too. Their sum is ``loss``.

Errors of the solution, as the energy measures them, are some 10 roundings times
1 / share^2 + loss.
No scaling of velocities or rows changes the rounding of L D L^T, so that there is none, and no
regularisation.

Source   Vanderbei, SIAM J. Optim. 5 (1995), p. 100: any order of a quasidefinite matrix; Duff,
         Erisman & Reid, Direct Methods for Sparse Matrices (2017), ch. 11: minimum degree.
Checked  tests/laws/test_elimination.py
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mbd_fmu.mechanics.passes import each
from mbd_fmu.spatial import Array, Scalar, array

ALIKE = 1e-9  # lengths of rows that differ by less are the same
# Of what it is compared with, a pivot that is chosen, of a row and of a velocity; then with less.
SOUND = ((0.05, 0.05), (0.01, 0.01), (2e-3, 2e-3), (0.05, 1e-5), (2e-3, 1e-5), (5e-5, 1e-5))
FAR_ENOUGH = 0.05  # share of a pivot that is trusted anywhere
PART = 0.25  # of the share where the order was chosen: so far down others are trusted, too
LEAST = 0.005  # share below which none is: 1e-11 of an acceleration
MOST_LOST = 1e6  # by velocities: 1e-9 of an acceleration
MOST_WORK = 50_000  # products of a factorisation: written out, more are a burden to compilers


@dataclass(frozen=True)
class Elimination:
    """Which rows take part, the order of the unknowns, and where L has entries then."""

    n: int  # velocities
    rows: tuple[int, ...]
    touched: tuple[tuple[int, ...], ...]  # velocities, by each of these rows
    order: tuple[int, ...]  # of velocities and, counted on, these rows
    below: tuple[tuple[int, ...], ...]  # the diagonal of each column of L, ascending
    weightless: frozenset[int] = frozenset()  # velocities that move no mass: rows hold them
    share: float = 1.0  # of the smallest pivot, where this was chosen

    @property
    def least_share(self) -> float:
        """Down to which share it is trusted."""
        return min(FAR_ENOUGH, float(f"{PART * self.share:.1e}"))  # alike on every machine

    @property
    def work(self) -> int:
        """Products that a factorisation takes."""
        return sum(len(entries) * (len(entries) + 1) // 2 for entries in self.below)

    @property
    def signs(self) -> list[int]:
        """Of the pivots."""
        return [1 if unknown < self.n else -1 for unknown in self.order]


@dataclass(frozen=True)
class SparseFactor:
    """L by columns, its entries where the elimination says, and the reciprocals of D."""

    elimination: Elimination
    L: tuple[tuple[Scalar, ...], ...]
    d_inverse: tuple[Scalar, ...]
    doubt: Scalar  # of rows
    loss: Scalar  # of velocities

    @property
    def entries(self) -> list[Array]:
        """All numbers that a solution takes."""
        return [array(self.d_inverse), *map(array, self.L)]

    def with_entries(self, entries: Sequence[Array]) -> SparseFactor:
        """Return the same of other numbers."""
        d_inverse, *L = (tuple(part) for part in entries)
        return replace(self, L=tuple(L), d_inverse=d_inverse)

    def solve(self, f: Array, g: Array) -> tuple[Array, Array]:
        """Return v and lam of (1); of ``g``, all rows are given, of lam those that take part."""
        it = self.elimination
        right = [*f, *(g[j] for j in it.rows)]
        y = [right[unknown] for unknown in it.order]
        for k in each(range(len(y))):
            for i, entry in zip(it.below[k], self.L[k], strict=True):
                y[i] = y[i] - entry * y[k]
        for k in each(reversed(range(len(y)))):
            y[k] = y[k] * self.d_inverse[k]
            for i, entry in zip(it.below[k], self.L[k], strict=True):
                y[k] = y[k] - entry * y[i]
        place = {unknown: k for k, unknown in enumerate(it.order)}
        found = np.array([y[place[i]] for i in range(len(y))], dtype=np.result_type(f, g))
        return found[: it.n], -found[it.n :]


def factorise(it: Elimination, M: Array, J: Array, reach: Array) -> SparseFactor:
    """Factorise (1); ``reach`` is the length at which each row is measured, in its own unit."""
    place = {unknown: k for k, unknown in enumerate(it.order)}
    column: list[dict[int, Scalar]] = [dict.fromkeys(places, 0.0) for places in it.below]
    for a, b, value in _entries(it, M, J):
        column[min(place[a], place[b])][max(place[a], place[b])] = value
    gain: list[Scalar] = [0.0 if unknown >= it.n else M[unknown, unknown] for unknown in it.order]
    loss: list[Scalar] = [0.0] * len(gain)
    natural = _natural(it, M, reach)
    L, d_inverse, sign = [], [], it.signs
    doubt: Scalar = 0.0
    lost: Scalar = 0.0
    for k in each(range(len(it.order))):
        unknown = it.order[k]
        size_inverse = 1.0 / (gain[k] - loss[k])
        if unknown < it.n:
            lost = lost + loss[k] * size_inverse
        else:
            against = (gain[k] + natural[unknown - it.n]) * size_inverse
            doubt = doubt + against * against
        d_inverse.append(sign[k] * size_inverse)
        L.append(tuple(value * d_inverse[k] for value in column[k].values()))
        for a, i in enumerate(it.below[k]):
            for entry, j in zip(L[k][:a], it.below[k][:a], strict=True):
                column[j][i] = column[j][i] - entry * column[k][i]
            through = L[k][a] * column[k][i]
            if sign[i] == sign[k]:
                loss[i] = loss[i] + sign[k] * through
            else:
                gain[i] = gain[i] + sign[k] * through
    return SparseFactor(it, tuple(L), tuple(d_inverse), doubt, lost)


def _entries(it: Elimination, M: Array, J: Array) -> Iterator[tuple[int, int, Scalar]]:
    """Yield what may differ from zero beside the diagonal of (1)."""
    known = {frozenset((it.order[k], it.order[i])) for k, s in enumerate(it.below) for i in s}
    for a in range(it.n):
        yield from ((a, b, M[a, b]) for b in range(a) if frozenset((a, b)) in known)
    for k, (j, touched) in enumerate(zip(it.rows, it.touched, strict=True)):
        yield from ((it.n + k, a, J[j, a]) for a in touched)


def _natural(it: Elimination, M: Array, reach: Array) -> list[Scalar]:
    """Return what each row's pivot is compared with."""
    return [
        reach[it.rows[k]] ** 2
        * sum((1.0 / M[a, a] for a in it.touched[k] if a not in it.weightless), 0.0)
        for k in each(range(len(it.rows)))
    ]


# --- Choosing, in numbers ---


def independent_rows(M: Array, J: Array, reach: Array, rank: int) -> tuple[int, ...]:
    """Return so many rows: each time the one that is furthest from those before.

    What moves no mass counts as what moves least.
    """
    mass = np.diag(M)
    A = J / np.outer(reach, np.sqrt(np.where(mass > 0.0, mass, mass[mass > 0.0].min())))
    rows: list[int] = []
    for _ in range(rank):
        length = np.linalg.norm(A, axis=1)
        # the first of those that are equal but for rounding: every machine chooses the same
        rows.append(int((length > (1.0 - ALIKE) * length.max()).argmax()))
        along = A[rows[-1]] / length[rows[-1]]
        for _ in range(2):  # the second time takes rounding out
            A = A - np.outer(A @ along, along)
    return tuple(sorted(rows))


def elimination_of(
    M: Array, J: Array, reach: Array, rows: Sequence[int], there: tuple[Array, Array]
) -> Elimination | None:
    """Choose the order by the numbers of some position; None: unsound pivots, or too much work.

    ``there`` tells which entries of M and J may differ from zero elsewhere.
    """
    n, chosen = len(M), list(rows)
    weightless = frozenset(np.flatnonzero(np.diag(M) <= 0.0).tolist())
    touched = tuple(tuple(np.flatnonzero(there[1][j]).tolist()) for j in chosen)
    meets = [set(np.flatnonzero(row).tolist()) - {i} for i, row in enumerate(there[0])]
    for k, velocities in enumerate(touched):
        meets.append(set(velocities))
        for i in velocities:
            meets[i].add(n + k)
    K = np.block([[M, J[chosen].T], [J[chosen], np.zeros((len(chosen), len(chosen)))]])
    compared = np.concatenate([np.diag(M), np.zeros(len(chosen))])
    for k, (j, velocities) in enumerate(zip(chosen, touched, strict=True)):
        moved = (1.0 / M[i, i] for i in velocities if i not in weightless)
        compared[n + k] = reach[j] ** 2 * sum(moved)
    for sound in SOUND:
        order = _order(K.copy(), compared.copy(), n, [set(others) for others in meets], sound)
        if order is not None:
            found = _judged(Elimination(n, tuple(chosen), touched, *order, weightless), M, J, reach)
            return found if found.share >= LEAST else None
    return None


def _judged(it: Elimination, M: Array, J: Array, reach: Array) -> Elimination:
    """Say how small the pivots are where it was chosen."""
    doubt = float(factorise(it, M, J, reach).doubt)
    return replace(it, share=doubt**-0.25 if doubt > 0.0 else 1.0)


def _order(
    K: Array, compared: Array, n: int, meets: list[set[int]], sound: tuple[float, float]
) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]] | None:
    """Return the order of the unknowns of K, and where L has entries below its diagonal."""
    sign = np.array([1.0] * n + [-1.0] * (len(K) - n))
    least = np.where(sign > 0.0, sound[1], sound[0])
    left, order, below, work = set(range(len(K))), [], [], 0
    while left:
        fit = [k for k in left if sign[k] * K[k, k] > least[k] * compared[k]]
        if not fit:
            return None
        k = min(fit, key=lambda k: (len(meets[k]), k))
        left.remove(k)
        order.append(k)
        work += len(meets[k]) * (len(meets[k]) + 1) // 2
        if work > MOST_WORK:
            return None
        below.append(meets[k])
        through = np.outer(K[:, k], K[k]) / K[k, k]
        K -= through
        for i in meets[k]:
            compared[i] += max(0.0, -sign[i] * through[i, i])
            meets[i] = (meets[i] | meets[k]) - {i, k}
    place = {unknown: k for k, unknown in enumerate(order)}
    return tuple(order), tuple(tuple(sorted(place[i] for i in others)) for others in below)
