"""Coming to the constraints and staying on them: the twin of ``runtime/manifold.c``.

Projection, after each internal step, moves the coordinates by Newton's method until the rows are
met, each time by the least motion of mass, then takes out of the velocities what breaks the rows.

Source   Eich-Soellner & Fuehrer, Numerical Methods in Multibody Dynamics (1998), sec. 5.3.
Checked  tests/laws/test_loops.py, tests/models/test_soak.py
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.mechanics.constrained import (
    EPSILON,
    ConstrainedSolution,
    largest_rounding,
    rank_tolerance,
    solve_constrained,
)
from mbd_fmu.spatial import Array
from mbd_fmu.system.plant import Closure, Plant

STALLED = 1e4  # times rounding, generously: what Newton's method cannot better there, is rounding
NEAR = 0.02  # of the largest singular value: near enough to a singular position to be told
ROUGHLY = 1e-5  # of the characteristic length: how far the data of a model may contradict itself
ITERATIONS = 50


class MisfitError(MbdFmuError):
    """Values cannot be made to fit together."""


@dataclass(frozen=True)
class GenericRank:
    """Rank of the rows in general position: of those on positions, of all."""

    holonomic: int
    all: int


class Manifold:
    """The constraints of a plant under given inputs."""

    def __init__(self, plant: Plant, u: Array) -> None:
        self.plant, self.u, self.system = plant, u, plant.system
        self.n_q, self.n_v = len(self.system.state_q), len(self.system.state_v)

    def project(self, x: Array, generic_rank: GenericRank) -> Array:
        """Return the nearest x that meets the constraints."""
        every, rounding = np.ones(self.n_v, dtype=bool), self.plant.closure(x, self.u).rounding
        tolerance = rank_tolerance(rounding, self.system.row_weight, self.system.length)
        x = self._at_position(x, self._inertia(x), every, generic_rank.holonomic, tolerance)
        return self._at_velocity(x, self._inertia(x), every, generic_rank.all, tolerance)

    def tangential(
        self, x: Array, error: Array, tolerance: float, seen: Sequence[ConstrainedSolution]
    ) -> Array:
        """Near a singular position, return of the error of a step what projection will leave.

        There the accelerations across the constraints are known to rounding over the cube of the
        distance; where that comes near the tolerance, they say nothing about the step. What is
        free is told by those solutions ``seen`` on the way whose rows were nearest to redundant,
        and furthest from it.
        """
        rounding = self.plant.closure(x, self.u).rounding
        noise = largest_rounding(rounding, self.system.row_weight, self.system.length)
        sure = sorted((s for s in seen if s.share > 0.0), key=lambda s: s.share)
        if not sure or sure[0].share ** 3 * tolerance > noise:
            return error
        M, velocities = self._inertia(x), slice(self.n_q, self.n_q + self.n_v)

        def left(d: Array) -> Array:
            for N in (sure[0].free, sure[-1].free):
                d = N @ np.linalg.solve(N.T @ M @ N, N.T @ M @ d)
            return d

        stays = error.copy()
        d = left(self.plant.displacement(x, self.u, error))
        stays[: self.n_q] = (self.plant.retract(x, self.u, d) - x)[: self.n_q]
        stays[velocities] = left(error[velocities])
        return stays

    @staticmethod
    def passes_singular(seen: Sequence[ConstrainedSolution]) -> bool:
        """Tell whether a step leads so near to a singular position that projection is needed.

        Without it the mechanism may go on another way. What is always near to redundant, as by
        very different masses, is no singular position.
        """
        shares = [s.share for s in seen if s.share > 0.0]
        return bool(shares) and min(shares) < min(NEAR, max(shares) / 2.0)

    def _at_position(
        self, x: Array, M: Array, free: Array, generic_rank: int | None, tolerance: float
    ) -> Array:
        """From nearby: Newton's method, until it gains no more.

        What is left then is rounding, or lies in the model's data where rows say the same, or it
        is a failure.
        """
        x = self.plant.seen_by_rows(x, self.u)
        kept, before = x, math.inf
        for n in range(ITERATIONS + 1):
            left = self.plant.closure(x, self.u)
            if self._misses(left) <= 1.0:
                break
            d = self._correction(left, M, free, generic_rank, tolerance)
            size = self._removable(left, d)
            if n == ITERATIONS or not size < before / 2.0:
                x = kept if size > before else x
                contradicts = not self._size(left.phi) <= ROUGHLY * self.system.length
                if contradicts or not min(size, before) <= STALLED:
                    raise MisfitError(self._misfit(left.phi))
                break
            kept, before = x, size
            x = self.plant.retract(x, self.u, d)
        return self.plant.cut_coordinates(x, self.u)

    def _correction(
        self, left: Closure, M: Array, free: Array, generic_rank: int | None, tolerance: float
    ) -> Array:
        """Return the least motion of what is free that takes phi out."""
        n, d = self.system.n_holonomic, np.zeros(self.n_v)
        d[free] = solve_constrained(
            M[np.ix_(free, free)],
            np.zeros(int(free.sum())),
            left.J[:n, free],
            -left.phi,
            self.system.row_weight[:n],
            generic_rank,
            tolerance,
            self.system.length,
        ).v
        return d

    def _inertia(self, x: Array) -> Array:
        return self.plant.inertia(x, self.u)

    def _size(self, residual: Array) -> float:
        """The largest of the first rows, made comparable."""
        weight = self.system.row_weight[: len(residual)]
        return float(np.abs(weight * residual).max(initial=0.0))

    def _misses(self, left: Closure) -> float:
        """The largest miss in multiples of what rounding alone may make of it."""
        return float(np.abs(left.phi / (EPSILON * left.rounding)).max(initial=0.0))

    def _removable(self, left: Closure, d: Array) -> float:
        """The same of what the correction d takes out."""
        n = self.system.n_holonomic
        return self._size(left.J[:n] @ d) / (EPSILON * self._size(left.rounding))

    def _at_velocity(
        self, x: Array, M: Array, free: Array, generic_rank: int | None, tolerance: float
    ) -> Array:
        weight, scale = self.system.row_weight, self.system.length
        M = M[np.ix_(free, free)]
        x = x.copy()
        v = x[self.n_q : self.n_q + self.n_v]
        for _ in range(2):  # the second time takes rounding out
            left = self.plant.closure(x, self.u)
            zero = np.zeros(int(free.sum()))
            v[free] += solve_constrained(
                M, zero, left.J[:, free], -left.sigma, weight, generic_rank, tolerance, scale
            ).v
        sigma = self.plant.closure(x, self.u).sigma
        if self._size(sigma) > ROUGHLY * (scale + np.abs(v).max(initial=0)):
            raise MisfitError(self._misfit(sigma, what="velocities", per="/s"))
        return x

    def _misfit(self, residual: Array, *, what: str = "positions", per: str = "") -> str:
        """Name the elements that miss most, in metres and radians."""
        worst: dict[tuple[str, bool], float] = {}
        for row, value in zip(self.system.rows, residual, strict=False):
            key = row.element, row.turns
            worst[key] = max(worst.get(key, 0.0), abs(float(value)))
        listed = sorted(worst.items(), key=lambda item: -item[1])[:5]
        text = ", ".join(
            f'"{name}" by {value:.3g} {"rad" if turns else "m"}{per}'
            for (name, turns), value in listed
            if value > 0
        )
        return f"{what} cannot be made to fit; these miss most: {text}"
