"""Who holds what: wrenches of joints from multipliers, and the rule where rows are redundant.

All multipliers lam_0 + N z hold the same motion, N spanning the null space of J^T. Of the wrenches

    B lam:   force on the child, torque about its joint point / L, for every joint, and the
             multipliers of constraints and prescribed motions, torques / L                      (1)

those of least norm are taken: z = -(B N)^+ B lam_0. A component is unique, whatever the rule,
where its row of B N is zero.

Source   Least norm e.g. Wojtyra & Fraczek, J. Comput. Nonlinear Dyn. 8 (2013), 031012.
Checked  tests/laws/test_absolute_reactions.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mbd_fmu.oracle.jets import FIXED
from mbd_fmu.oracle.joints import TURNING, Pair, Rows
from mbd_fmu.spatial import Array, skew

UNIQUE = 1e-8  # share of a multiplier that holds nothing; rounding is some 1e-12


@dataclass(frozen=True)
class Element:
    """A joint, a prescribed motion or a constraint with its rows; and the joint it acts in."""

    kind: str  # "joint", "motion" or "constraint"
    name: str
    rows: Rows
    pair: Pair | None

    def exerted(self) -> Array:
        """B of this element with L = 1: multipliers to wrench (6, k), or to themselves (k, k)."""
        J = self.rows.rate.J
        if self.kind != "joint" or self.pair is None:
            return np.eye(len(J))
        link, scene = self.pair.link, self.pair.scene
        # on the child; if that is the ground, against what acts on the parent
        body, sign = (link.b.body, 1.0) if link.b.body != FIXED else (link.a.body, -1.0)
        force = sign * J[:, 6 * body : 6 * body + 3].T
        torque = sign * scene.spin(body).J @ J.T
        lever = self.pair.place_b.value - scene.state.p[body]
        return np.concatenate([force, torque - skew(lever) @ force])

    def is_torque(self) -> Array:
        """Which rows of B are torques."""
        if self.kind == "joint":
            return np.array([False] * 3 + [True] * 3)
        if self.pair is None:
            return np.zeros(len(self.rows.rate.J), dtype=bool)
        return np.array(TURNING[self.pair.link.joint.type], dtype=bool)


@dataclass(frozen=True)
class Reactions:
    """What elements exert, by name; in world axes."""

    wrench: dict[str, tuple[Array, Array]]  # force, and torque about the point the child carries
    drive: dict[str, Array]  # that a prescribed motion takes, per freedom
    lam: dict[str, Array]  # multipliers of constraints
    unique: dict[str, Array]  # of joints and constraints: which of these do not hang on the rule


def shared_out(elements: Sequence[Element], lam: Array, N: Array, length: float) -> Reactions:
    """Choose among lam + N z by (1)."""
    ends = np.cumsum([0, *(len(e.rows.rate.J) for e in elements)])
    slices = [slice(a, b) for a, b in pairwise(ends)]
    maps = [element.exerted() for element in elements]
    if N.shape[1]:
        sizes = [np.where(e.is_torque(), 1.0 / length, 1.0)[:, None] for e in elements]
        weighted = [size * B for size, B in zip(sizes, maps, strict=True)]
        held = np.concatenate([B @ lam[at] for B, at in zip(weighted, slices, strict=True)])
        spare = np.concatenate([B @ N[at] for B, at in zip(weighted, slices, strict=True)])
        lam = lam - N @ np.linalg.lstsq(spare, held, rcond=None)[0]
    found = Reactions({}, {}, {}, {})
    for element, B, at in zip(elements, maps, slices, strict=True):
        exerted = B @ lam[at]
        if element.kind == "motion":
            found.drive[element.name] = exerted
            continue
        found.unique[element.name] = np.abs(B @ N[at]).max(axis=1, initial=0.0) < UNIQUE
        if element.kind == "joint":
            found.wrench[element.name] = exerted[:3], exerted[3:]
        else:
            found.lam[element.name] = exerted
    return found
