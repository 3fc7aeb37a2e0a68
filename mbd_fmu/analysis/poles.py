"""Eigenvalues of a linear system in the words of vibration: frequency, damping, stability.

An eigenvalue s = -zeta w +- i w sqrt(1 - zeta^2) has natural frequency w = |s| and damping ratio
zeta = -Re s / |s|. With left and right vectors y, x of length 1 it is known as well as A times its
condition 1 / |y^* x|. States on which nothing depends, such as where a wheel has come to, are taken
out before: their eigenvalues are zero, each with its state for a (generalised) vector.

Source   Meirovitch, Fundamentals of Vibrations (2001), ch. 2; Golub & Van Loan, Matrix
         Computations (2013), sec. 7.2.2: condition of an eigenvalue.
Checked  tests/laws/test_linearization.py
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import eig

from mbd_fmu.analysis.steadiness import essential
from mbd_fmu.spatial import Array

# How well A is known, of its norm, after the solves it comes from. Eigenvalues that are zero twice,
# as of a coordinate that nothing depends on, are known to the root of that.
ROUNDING = 1e-12
IDLE = 1e-12  # of the largest entry of a row: an entry that is zero but for rounding
WORST = 1e-6  # of the largest eigenvalue, or of 1/s: worse is none known


@dataclass(frozen=True)
class Pole:
    """One eigenvalue; of a pair, that with the positive imaginary part."""

    value: complex
    shape: Array  # eigenvector, states of the linear system
    tolerance: float  # how well it is known

    @property
    def is_pair(self) -> bool:
        """It stands for its conjugate, too."""
        return self.value.imag > 0.0

    @property
    def is_idle(self) -> bool:
        """It is zero: of a coordinate or a rate on which nothing depends."""
        return abs(self.value) <= self.tolerance

    @property
    def frequency(self) -> float:
        """Natural frequency in Hz."""
        return abs(self.value) / (2.0 * math.pi)

    @property
    def damping(self) -> float:
        """Damping ratio: 1 and -1 where nothing oscillates."""
        return -self.value.real / abs(self.value) if self.value else 0.0


@dataclass(frozen=True)
class Poles:
    """All eigenvalues of A, slow ones first, and how what is disturbed behaves."""

    A: Array

    @cached_property
    def _solved(self) -> tuple[Array, Array, Array]:
        """Eigenvalues, vectors, and how well they are known."""
        A, n = self.A, len(self.A)
        kept = essential(A, IDLE)
        idle = [k for k in range(n) if k not in kept]
        values, left, right = _eigen(A[np.ix_(kept, kept)])
        overlap = np.abs(np.sum(left.conj() * right, axis=0))
        known = ROUNDING * _norm(A) / np.maximum(overlap, ROUNDING)
        vectors = np.zeros((n, n), dtype=complex)
        vectors[kept, : len(kept)] = right
        for k, value in enumerate(values):  # what only follows: (s - A_ii) x_i = A_ik x_k
            matrix = value * np.eye(len(idle)) - A[np.ix_(idle, idle)]
            asked = A[np.ix_(idle, kept)] @ right[:, k]
            vectors[idle, k] = np.linalg.lstsq(matrix, asked, rcond=None)[0]
        vectors[idle, range(len(kept), n)] = 1.0
        values = np.concatenate([values, np.zeros(len(idle))])
        known = np.concatenate([known, np.zeros(len(idle))])
        worst = WORST * np.abs(values).max(initial=1.0)
        order = np.lexsort((values.imag, values.real, np.round(np.abs(values), 9)))
        return values[order], vectors[:, order], np.minimum(known, worst)[order]

    @property
    def eigenvalues(self) -> Array:
        """By size."""
        return self._solved[0]

    @property
    def vectors(self) -> Array:
        """Eigenvectors, in the order of the eigenvalues, a column each."""
        return self._solved[1]

    @property
    def tolerances(self) -> Array:
        """How well each eigenvalue is known."""
        return self._solved[2]

    @property
    def each(self) -> list[Pole]:
        """Yield every eigenvalue, of a pair one."""
        return [
            Pole(complex(value), vector, float(known))
            for value, vector, known in zip(
                self.eigenvalues, self.vectors.T, self.tolerances, strict=True
            )
            if value.imag >= 0.0
        ]

    @property
    def growing(self) -> int:
        """Number of eigenvalues with which disturbances grow."""
        return int(np.sum(self.eigenvalues.real > self.tolerances))

    @property
    def dying(self) -> int:
        """Number of eigenvalues with which disturbances die away."""
        return int(np.sum(self.eigenvalues.real < -self.tolerances))

    @property
    def idle(self) -> int:
        """Number of eigenvalues that are zero: of coordinates and rates nothing depends on."""
        return int(np.sum(np.abs(self.eigenvalues) <= self.tolerances))

    @property
    def stability(self) -> str:
        """Say stable, unstable, or neutral: what is disturbed neither grows nor dies away."""
        if self.growing:
            return "unstable"
        return "stable" if self.dying == len(self.eigenvalues) else "neutral"


def _eigen(A: Array) -> tuple[Array, Array, Array]:
    if not len(A):
        empty = np.zeros((0, 0), dtype=complex)
        return np.zeros(0, dtype=complex), empty, empty
    values, left, right = eig(A, left=True, right=True)
    return values, left, right


def _norm(A: Array) -> float:
    return float(np.linalg.norm(A, 2)) if A.size else 0.0
