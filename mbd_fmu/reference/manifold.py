"""Coming to the constraints and staying on them: the twin of ``runtime/manifold.c``.

Projection, after each internal step, moves the coordinates by Newton's method until the rows are
met, each time by the least motion of mass, then takes out of the velocities what breaks the rows.

Assembly does the same once, from start values that may be far off. Values marked fixed stay; those
that were given, in the model or by the importer, stay if the others can make up for it, else
they give way, too. A joint that would fit only the wrong way round is an error.

Source   Eich-Soellner & Fuehrer, Numerical Methods in Multibody Dynamics (1998), sec. 5.3.
Checked  tests/laws/test_loops.py, tests/unit/test_assembly.py
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from mbd_fmu.errors import MbdFmuError, SpecError
from mbd_fmu.export.plant import Closure, Plant
from mbd_fmu.mechanics.constrained import (
    EPSILON,
    RANK,
    Least,
    MasslessError,
    largest_rounding,
    least,
    rank_tolerance,
)
from mbd_fmu.reference.discs import disc_problems
from mbd_fmu.reference.weightless import COARSE_RANK, refuse_weightless
from mbd_fmu.spatial import Array

STALLED = 1e4  # times rounding, generously: what Newton's method cannot better there, is rounding
NOISE = 100.0  # times rounding over the cube of the distance from a singular position
NEAR = 0.02  # of the largest singular value: near enough to a singular position to be told
ROUGHLY = 1e-5  # of the characteristic length: how far the data of a model may contradict itself
ITERATIONS = 50
LONGEST = 0.5  # rad, or of the characteristic length: one step from afar; what is farther, jumps
NUDGE = 1e-3  # rad or m: how far away from the start the rank in general position is looked for


class MisfitError(MbdFmuError):
    """Values cannot be made to fit together."""


class AssemblyError(MbdFmuError):
    """The start values cannot be made to fit together."""


@dataclass(frozen=True)
class Ceiling:
    """Rank of the rows in general position: of those on positions, of all."""

    holonomic: int
    all: int


@dataclass(frozen=True)
class Assembled:
    """Consistent start values, and what had to give way."""

    x: Array
    ceiling: Ceiling
    gave_way: bool  # given values were moved, too


class Manifold:
    """The constraints of a plant under given inputs."""

    def __init__(self, plant: Plant, u: Array) -> None:
        self.plant, self.u, self.system = plant, u, plant.system
        self.n_q, self.n_v = len(self.system.state_q), len(self.system.state_v)

    def project(self, x: Array, ceiling: Ceiling) -> Array:
        """Return the nearest x that meets the constraints."""
        every, rounding = np.ones(self.n_v, dtype=bool), self.plant.closure(x, self.u).rounding
        tolerance = rank_tolerance(rounding, self.system.row_weight, self.system.length)
        x = self._at_position(x, self._inertia(x), every, ceiling.holonomic, tolerance)
        return self._at_velocity(x, self._inertia(x), every, ceiling.all, tolerance)

    def tangential(self, x: Array, error: Array, tolerance: float, seen: Sequence[Least]) -> Array:
        """Near a singular position, return of the error of a step what projection will leave.

        There the accelerations across the constraints are known to rounding over the cube of the
        distance; where that comes near the tolerance, they say nothing about the step. What is
        free is told by those solutions ``seen`` on the way whose rows were nearest to redundant,
        and furthest from it.
        """
        rounding = self.plant.closure(x, self.u).rounding
        noise = NOISE * largest_rounding(rounding, self.system.row_weight, self.system.length)
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
        stays[: self.n_q] = (self.plant.moved(x, self.u, d) - x)[: self.n_q]
        stays[velocities] = left(error[velocities])
        return stays

    @staticmethod
    def passes_singular(seen: Sequence[Least]) -> bool:
        """Tell whether a step leads so near to a singular position that projection is needed.

        Without it the mechanism may go on another way. What is always near to redundant, as by
        very different masses, is no singular position.
        """
        shares = [s.share for s in seen if s.share > 0.0]
        return bool(shares) and min(shares) < min(NEAR, max(shares) / 2.0)

    def assemble(self, x: Array) -> Assembled:
        """Return start values that meet the constraints."""
        if problems := disc_problems(self.plant, x, self.u):
            raise SpecError(self.system.spec.name, problems)
        try:
            return self._assembled(x)
        except MasslessError:
            refuse_weightless(self.plant, x, self.u)
            raise

    def _assembled(self, x: Array) -> Assembled:
        gave_way, told = False, x
        for level in ("q", "v"):
            solve = self._put_together if level == "q" else self._set_going
            held = self.system.held(self.plant.p, level)
            try:
                x = solve(x, held == 0)
            except (MisfitError, AssemblyError):
                gave_way = True
                try:
                    x = solve(x, held < 2)
                except MisfitError as misfit:
                    raise AssemblyError(f"the start {misfit}") from None
                if level == "q":
                    self._refuse_jumps(told, x, held)
        return Assembled(x, self._ceiling(x), gave_way)

    def _refuse_jumps(self, told: Array, x: Array, held: Array) -> None:
        """Refuse positions that were given and lie far from where they came to."""
        d = np.abs(self.plant.displacement(told, self.u, x - told)) / self._usual
        far = [
            self.system.state_names[self.n_q + i]
            for i in np.flatnonzero((held > 0) & (d > LONGEST))
        ]
        if far:
            raise AssemblyError(
                f"the start positions given for {', '.join(far)} cannot be kept, and the loops "
                "close only far from them; give start values that fit"
            )

    @property
    def _usual(self) -> Array:
        """By what angles turn and lengths move, in general: 1 rad, the characteristic length."""
        states = self.system.state_variables[self.n_q : self.n_q + self.n_v]
        return np.array([state.nominal for state in states])

    def _put_together(self, x: Array, free: Array) -> Array:
        """Positions from afar: all rows met, and joints not the wrong way round.

        Rows are looked at coarsely; only if some stay open, closely: beside a singular position.
        """
        M = self._inertia(x)
        x = self._at_position(self._approached(x, M, free), M, free, None, COARSE_RANK)
        if self._misses(self.plant.closure(x, self.u)) > STALLED:
            with suppress(MisfitError):
                x = self._at_position(x, M, free, None, RANK)
        forest, joints = self.system.forest, self.system.spec.joints
        cuts = zip(forest.cut, self.plant.instant(x, self.u).cuts, strict=True)
        wrong = [f'"{joints[k].name}"' for k, cut in cuts if cut.upright().min(initial=1.0) < 0.0]
        if wrong:
            raise AssemblyError(
                f"the start positions lead to joints the wrong way round: {', '.join(wrong)}; "
                "give positions nearer to where they fit"
            )
        return x

    def _set_going(self, x: Array, free: Array) -> Array:
        return self._at_velocity(x, self._inertia(x), free, None, COARSE_RANK)

    def _at_position(
        self, x: Array, M: Array, free: Array, ceiling: int | None, tolerance: float
    ) -> Array:
        """From nearby: Newton's method, until it gains no more.

        What is left then is rounding, or lies in the model's data where rows say the same, or it
        is a failure.
        """
        kept, before = x, math.inf
        for n in range(ITERATIONS + 1):
            left = self.plant.closure(x, self.u)
            if self._misses(left) <= 1.0:
                break
            d = self._correction(left, M, free, ceiling, tolerance)
            size = self._removable(left, d)
            if n == ITERATIONS or not size < before / 2.0:
                x = kept if size > before else x
                contradicts = not self._size(left.phi) <= ROUGHLY * self.system.length
                if contradicts or not min(size, before) <= STALLED:
                    raise MisfitError(self._misfit(left.phi))
                break
            kept, before = x, size
            x = self.plant.moved(x, self.u, d)
        return self.plant.measured(x, self.u)

    def _approached(self, x: Array, M: Array, free: Array) -> Array:
        """From afar: steps not too long, and shorter ones until they help; as near as it comes."""
        left = self.plant.closure(x, self.u)
        for _ in range(ITERATIONS):
            before = self._size(left.phi)
            if before <= ROUGHLY * self.system.length:
                break
            d = self._correction(left, M, free, None, COARSE_RANK)
            step = min(1.0, LONGEST / max(np.abs(d / self._usual).max(initial=0.0), LONGEST))
            shortest = 1e-3 * step
            while True:
                trial = self.plant.moved(x, self.u, step * d)
                left = self.plant.closure(trial, self.u)
                if self._size(left.phi) < before or step < shortest:
                    break
                step /= 2.0
            x = trial
        return x

    def _correction(
        self, left: Closure, M: Array, free: Array, ceiling: int | None, tolerance: float
    ) -> Array:
        """Return the least motion of what is free that takes phi out."""
        n, d = self.system.n_holonomic, np.zeros(self.n_v)
        d[free] = least(
            M[np.ix_(free, free)],
            np.zeros(int(free.sum())),
            left.J[:n, free],
            -left.phi,
            self.system.row_weight[:n],
            ceiling,
            tolerance,
            self.system.length,
        ).v
        return d

    def _inertia(self, x: Array) -> Array:
        return self.plant.inertia(x, self.u)

    def _size(self, phi: Array) -> float:
        return float(np.abs(self.system.row_weight[: len(phi)] * phi).max(initial=0.0))

    def _misses(self, left: Closure) -> float:
        """The largest miss in multiples of what rounding alone may make of it."""
        return float(np.abs(left.phi / (EPSILON * left.rounding)).max(initial=0.0))

    def _removable(self, left: Closure, d: Array) -> float:
        """The same of what the correction d takes out."""
        n = self.system.n_holonomic
        return self._size(left.J[:n] @ d) / (EPSILON * self._size(left.rounding))

    def _at_velocity(
        self, x: Array, M: Array, free: Array, ceiling: int | None, tolerance: float
    ) -> Array:
        weight, scale = self.system.row_weight, self.system.length
        M = M[np.ix_(free, free)]
        x = x.copy()
        v = x[self.n_q : self.n_q + self.n_v]
        for _ in range(2):  # the second time takes rounding out
            left = self.plant.closure(x, self.u)
            zero = np.zeros(int(free.sum()))
            v[free] += least(
                M, zero, left.J[:, free], -left.sigma, weight, ceiling, tolerance, scale
            ).v
        sigma = self.plant.closure(x, self.u).sigma
        if np.abs(weight * sigma).max(initial=0.0) > ROUGHLY * (scale + np.abs(v).max(initial=0)):
            raise MisfitError(self._misfit(sigma, rate=True))
        return x

    def _ceiling(self, x: Array) -> Ceiling:
        """Find the rank here and a little further along the free motion."""
        every = np.ones(self.n_v, dtype=bool)
        ranks = [self._rank(x)]
        M, J = self._inertia(x), self.plant.closure(x, self.u).J
        direction = 1.0 / (1.0 + np.arange(self.n_v))  # no direction that a mechanism would prefer
        zeros, weight = np.zeros(len(J)), self.system.row_weight
        d = least(M, M @ direction, J, zeros, weight, None, COARSE_RANK, self.system.length).v
        size = np.abs(d).max(initial=0.0)
        if size > 0.0:
            try:
                beside = self.plant.moved(x, self.u, NUDGE / size * d)
                beside = self._at_position(beside, M, every, None, COARSE_RANK)
                ranks.append(self._rank(beside))
            except MisfitError:
                pass
        return Ceiling(max(r.holonomic for r in ranks), max(r.all for r in ranks))

    def _rank(self, x: Array) -> Ceiling:
        M, J = self._inertia(x), self.plant.closure(x, self.u).J
        n, weight, length = self.system.n_holonomic, self.system.row_weight, self.system.length
        zero, zeros = np.zeros(self.n_v), np.zeros(len(J))
        return Ceiling(
            least(M, zero, J[:n], zeros[:n], weight[:n], None, COARSE_RANK, length).rank,
            least(M, zero, J, zeros, weight, None, COARSE_RANK, length).rank,
        )

    def _misfit(self, residual: Array, *, rate: bool = False) -> str:
        """Name the elements that miss most, in metres and radians."""
        worst: dict[tuple[str, bool], float] = {}
        for row, value in zip(self.system.rows, residual, strict=False):
            key = row.element, row.turns
            worst[key] = max(worst.get(key, 0.0), abs(float(value)))
        listed = sorted(worst.items(), key=lambda item: -item[1])[:5]
        per = "/s" if rate else ""
        text = ", ".join(
            f'"{name}" by {value:.3g} {"rad" if turns else "m"}{per}'
            for (name, turns), value in listed
            if value > 0
        )
        what = "velocities" if rate else "positions"
        return f"{what} cannot be made to fit; these miss most: {text}"
