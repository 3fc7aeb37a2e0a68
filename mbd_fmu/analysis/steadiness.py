"""Does a linear system stay the same while the mechanism goes on? Only then eigenvalues judge it.

A state at rest that does not accelerate stays. In a steady motion coordinates advance on which
nothing depends: a little later the linear system must be the same, apart from what only follows,
as where a wheel has come to. What spins and is told in axes that spin with it is not: seen from
there gravity turns.

Source   Meirovitch, Methods of Analytical Dynamics (1970): stability of motions whose variational
         equations are constant.
Checked  tests/laws/test_linearization.py
"""

from __future__ import annotations

import numpy as np

from mbd_fmu.spatial import Array

SAME = 1e-6  # of the largest entry
ROUNDING = 1e-14  # likewise
ACCELERATES = 1e-6  # 1/s2, in rad or lengths
ADVANCED = 0.3  # rad, or of the characteristic length: how much later


def essential(A: Array, share: float) -> list[int]:
    """Return the states on which another one depends, once those are left out that only follow.

    What nothing depends on has a column of zeros: entries below a share of the largest in their
    row, or rounding of the largest of all.
    """
    kept, size = list(range(len(A))), np.abs(A)
    rounding = ROUNDING * size.max(initial=0.0)
    counts = size > np.maximum(share * size.max(axis=1, initial=0.0), rounding)[:, None]
    while idle := [k for k in kept if not counts[kept, k].any()]:
        kept = [k for k in kept if k not in idle]
    return kept


def stays_same(A: Array, later: Array) -> bool:
    """Tell whether the part that matters is the same later."""
    kept = essential(A, SAME)
    if kept != essential(later, SAME):
        return False
    here, there = A[np.ix_(kept, kept)], later[np.ix_(kept, kept)]
    return bool(np.abs(here - there).max(initial=0.0) <= SAME * np.abs(here).max(initial=0.0))
