"""What the rows of the constraints exert on a body: of those rows alone that act on it.

Most elements act on few bodies. A matrix of all rows for each body would be nearly all zeros, and
work with it would grow with the square of the mechanism.

Source   Power is force times velocity: J^T in its columns, not yet carried to the ground, [004].
Checked  tests/laws/test_constraints.py, tests/unit/test_growth.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mbd_fmu.elements.jets import Jet
from mbd_fmu.spatial import Array, times


@dataclass(frozen=True)
class ActingRows:
    """Rows that act on a body, in order; in columns what unit multipliers of them exert, in B."""

    rows: Array  # (k,)
    F: Array  # (6, k)

    def by(self, lam: Array) -> Array:
        """Return what multipliers, of all rows there are, exert together; of several, in columns.

        lam is (n,) or (n, several).
        """
        found: Array = times(self.F, lam[self.rows])
        return found

    def of(self, asked: Sequence[int]) -> Array:
        """Return what unit multipliers of other rows exert: zeros where these do not act."""
        wanted = np.array(asked, dtype=int)
        place = np.searchsorted(self.rows, wanted).clip(max=len(self.rows) - 1)
        acts = self.rows[place] == wanted
        found = np.zeros((6, len(wanted))).astype(self.F.dtype)
        found[:, acts] = self.F[:, place[acts]]
        return found


def acting_rows(jets: Sequence[Jet]) -> dict[int, ActingRows]:
    """Gather what rows, one jet after the other, exert on each body that any acts on."""
    first, parts = 0, dict[int, list[tuple[range, Array]]]()
    for jet in jets:
        mine = range(first, first + len(jet.rate))
        first = mine.stop
        for body, F in jet.wrench.items():
            parts.setdefault(body, []).append((mine, F))
    return {
        body: ActingRows(
            np.array([k for mine, _ in own for k in mine], dtype=int),
            np.concatenate([F for _, F in own], axis=1),
        )
        for body, own in sorted(parts.items())
    }
