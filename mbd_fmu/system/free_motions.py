"""Free motions told apart: each by one velocity that is 1 while the others so told rest.

Source   Gauss-Jordan elimination, Golub & Van Loan, Matrix Computations (2013), sec. 3.
Checked  tests/laws/test_loops.py, tests/unit/test_weightless.py
"""

from __future__ import annotations

import numpy as np

from mbd_fmu.spatial import Array

ONE = 1e-12  # rounding of a leading entry


def leading_motions(free: Array) -> list[Array]:
    """Return a basis of the rows' span with unit leading entries, in the order of these."""
    free = free.copy()
    leading = []
    for k in range(len(free)):  # pivots as far to the left as they are good
        rest = np.abs(free[k:])
        good = rest.max(axis=0) > 0.1 * rest.max()
        j = int(np.argmax(good))
        i = k + int(np.argmax(rest[:, j]))
        free[[k, i]] = free[[i, k]]
        free[k] /= free[k, j]
        others = np.arange(len(free)) != k
        free[others] -= np.outer(free[others, j], free[k])
        leading.append(j)
    return [motion for _, motion in sorted(zip(leading, free, strict=True), key=lambda m: m[0])]


def leading_entry(motion: Array) -> int:
    """Return which velocity tells such a motion."""
    return int(np.argmax(np.abs(motion - 1.0) < ONE))
