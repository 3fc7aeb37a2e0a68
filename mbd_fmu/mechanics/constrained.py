"""The least motion that the constraints allow: one linear problem behind dynamics and projection.

    minimise  v^T M v / 2 - f^T v   subject to   J v = g                                      (1)

With accelerations for v this is Gauss' principle: M v = f + J^T lam. With f = 0 it is the smallest
displacement, or change of velocity, that takes a residual -g out.

Rows may be redundant, or become so in singular positions. Coordinates are scaled by the root of
their inertia, rows on angles by the characteristic length, then J = U s V^T tells how many rows
count: those whose singular value is above RANK of the largest, and never more than the generic
rank, that of the mechanism in general position. Rows are known to their rounding only: beside a
singular position, at a distance that is a singular value's share of the largest, the mechanism is
known to rounding over that share, and where this reaches the distance itself, the row tells nothing
any more (``rank_tolerance``). Where no row counts, as for a door on two hinges, the largest is
rounding; who looks for the generic rank says how large it would be else. What is left over is heard
as far as possible: in the sense of least squares, by all rows alike.

Source   Udwadia & Kalaba, Analytical Dynamics (1996), ch. 3; Golub & Van Loan, Matrix Computations
         (2013), sec. 5.5 and 6.2: null-space method, rank-deficient least squares.
Checked  tests/laws/test_loops.py, tests/fmu/test_loops.py against ``runtime/constrained.c``
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.spatial import Array

RANK = 1e-9
BLIND = 4.0  # how near rounding may come to the distance from a singular position
EPSILON = float(np.finfo(float).eps)


class MasslessError(MbdFmuError):
    """A freedom of the mechanism moves no mass."""


@dataclass(frozen=True)
class ConstrainedSolution:
    """The solution of (1), and what is behind it."""

    v: Array
    rank: int
    multipliers: Array  # lam of least size; others differ by the columns of ``null_multipliers``
    null_multipliers: Array  # N, (n_rows, n_rows - rank): J^T N = 0, orthonormal but for weights
    share: float  # of the smallest singular value that counts; 0 if fewer count than could
    free: Array  # (n, n - rank): motions that no row forbids


def largest_rounding(rounding: Array, weight: Array, length: float) -> float:
    """Return how well rows on positions are known, as a share of the characteristic length."""
    return EPSILON * float((weight[: len(rounding)] * rounding).max(initial=0.0)) / length


def rank_tolerance(rounding: Array, weight: Array, length: float) -> float:
    """Return the share below which a singular value is rounding; see ``mechanics.rounding``."""
    return max(RANK, BLIND * math.sqrt(largest_rounding(rounding, weight, length)))


def solve_constrained(
    M: Array,
    f: Array,
    J: Array,
    g: Array,
    weight: Array,
    generic_rank: int | None = None,
    tolerance: float = RANK,
    length: float = 1.0,
) -> ConstrainedSolution:
    """Solve (1); ``weight`` multiplies the rows to make them comparable.

    Where no row counts they are all made of rounding: they are compared also with what a velocity
    does at the characteristic ``length``. Where something is not finite, nor is the solution.
    """
    if not (np.isfinite(M).all() and np.isfinite(J).all()):
        (m, n), nan = J.shape, np.nan
        return ConstrainedSolution(
            np.full(n, nan), 0, np.full(m, nan), np.zeros((m, 0)), 0.0, np.full((n, n), nan)
        )
    inertia = np.diag(M)
    s = 1.0 / np.sqrt(np.where(inertia > 0.0, inertia, 1.0))
    natural = length * s[np.any(J != 0.0, axis=0)].max(initial=0.0)
    M_s, f_s = s[:, None] * M * s, s * f
    U, sigma, Vt = np.linalg.svd(weight[:, None] * J * s, full_matrices=True)
    largest = sigma.max(initial=natural)
    rank = int(np.sum(sigma > tolerance * largest))
    rank, could = (rank, rank) if generic_rank is None else (min(rank, generic_rank), generic_rank)
    U_1, V_1, N = U[:, :rank], Vt[:rank].T, Vt[rank:].T

    particular = V_1 @ ((U_1.T @ (weight * g)) / sigma[:rank])
    try:
        L = np.linalg.cholesky(N.T @ M_s @ N)
    except np.linalg.LinAlgError:
        raise MasslessError("a freedom of the mechanism moves no mass") from None
    free = np.linalg.solve(L.T, np.linalg.solve(L, N.T @ (f_s - M_s @ particular)))
    v_s = particular + N @ free
    missing = M_s @ v_s - f_s
    lam = U_1 @ ((V_1.T @ missing) / sigma[:rank])
    share = 0.0 if rank < could else float(sigma[:rank].min(initial=largest) / (largest or 1.0))
    null_multipliers = weight[:, None] * U[:, rank:]
    return ConstrainedSolution(s * v_s, rank, weight * lam, null_multipliers, share, s[:, None] * N)
