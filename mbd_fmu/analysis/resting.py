"""States on the constraints that rest, move only as they are led, or are a little further on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mbd_fmu.analysis.freedoms import SingularError, freedoms_at
from mbd_fmu.analysis.operating_point import OperatingPoint
from mbd_fmu.analysis.tangents import Tangents
from mbd_fmu.mechanics.constrained import solve_constrained
from mbd_fmu.reference.manifold import Manifold, MisfitError
from mbd_fmu.spatial import Array
from mbd_fmu.system.weightless import COARSE_RANK


def resting(at: OperatingPoint) -> OperatingPoint:
    """Return the position on the constraints, at rest."""
    at = with_velocities(at, np.zeros(len(at.v)))
    if at.generic_rank is None:
        return at
    x = Manifold(at.plant, at.u).project(at.x, at.generic_rank)
    return with_velocities(replace(at, x=x), np.zeros(len(at.v)))


def with_velocities(at: OperatingPoint, v: Array) -> OperatingPoint:
    """Return the same position with other velocities."""
    x, n = at.x.copy(), len(at.system.state_q)
    x[n : n + len(v)] = v
    return replace(at, x=x)


def led_along(at: OperatingPoint) -> Array:
    """Return the velocities that follow from prescribed motions alone; v of the state is 0."""
    if at.generic_rank is None:
        return np.zeros(len(at.v))
    left, system = at.plant.closure(at.x, at.u), at.system
    return solve_constrained(
        at.M,
        np.zeros(len(at.v)),
        left.J,
        -left.sigma,
        system.row_weight,
        at.rank,
        COARSE_RANK,
        system.length,
    ).v


def with_rates(
    at: OperatingPoint, tangents: Tangents, preferred: Sequence[int], v: Array
) -> OperatingPoint:
    """Return a resting state with those velocities picked that are preferred; the others follow."""
    freedoms, led, nv = freedoms_at(at, tangents, preferred), led_along(at), len(at.v)
    picked = list(freedoms.velocities)
    columns = freedoms.T[nv:, len(freedoms.positions) :]
    return with_velocities(at, led + columns @ (v - led)[picked])


def advanced(
    at: OperatingPoint, tangents: Tangents, preferred: Sequence[int], d: Array
) -> OperatingPoint | None:
    """Return the state moved on by d with the same preferred velocities; None if there is none."""
    moved = replace(at, x=at.plant.retract(at.x, at.u, d))
    try:
        return with_rates(resting(moved), tangents, preferred, at.v)
    except (MisfitError, SingularError):
        return None
