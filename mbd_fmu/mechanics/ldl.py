"""Small symmetric positive definite systems, without pivoting: L D L^T in plain loops.

Works on symbols as on numbers, so the size is kept to the freedoms of one joint; larger
systems are factorised at run time.

Source   Golub & Van Loan, Matrix Computations (2013), alg. 4.1.2.
Checked  tests/unit/test_ldl.py
"""

from __future__ import annotations

from dataclasses import dataclass

from mbd_fmu.spatial import Array, Scalar, array


@dataclass(frozen=True)
class Factor:
    """L (unit lower triangular, by rows) and the reciprocals of D."""

    L: tuple[tuple[Scalar, ...], ...]
    d_inverse: tuple[Scalar, ...]

    def solve(self, B: Array) -> Array:
        """Return A^-1 B, for a vector or for columns."""
        n = len(self.d_inverse)
        if n == 0:
            return B
        columns = B.reshape(n, -1).T
        return array([self._solve_column(list(b)) for b in columns]).T.reshape(B.shape)

    def _solve_column(self, x: list[Scalar]) -> list[Scalar]:
        n = len(x)
        for i in range(n):
            for k in range(i):
                x[i] = x[i] - self.L[i][k] * x[k]
        x = [a * d for a, d in zip(x, self.d_inverse, strict=True)]
        for i in reversed(range(n)):
            for k in range(i + 1, n):
                x[i] = x[i] - self.L[k][i] * x[k]
        return x


def factorize(A: Array) -> Factor:
    """Factorise a symmetric positive definite matrix; only its lower triangle is read."""
    n = len(A)
    L: list[list[Scalar]] = [[0.0] * i for i in range(n)]
    d: list[Scalar] = []
    for i in range(n):
        for k in range(i):
            done = sum((L[i][m] * d[m] * L[k][m] for m in range(k)), 0.0)
            L[i][k] = (A[i, k] - done) / d[k]
        d.append(A[i, i] - sum((L[i][m] * d[m] * L[i][m] for m in range(i)), 0.0))
    return Factor(tuple(map(tuple, L)), tuple(1.0 / x for x in d))
