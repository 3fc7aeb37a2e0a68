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

from dataclasses import dataclass

import numpy as np

from mbd_fmu.errors import MbdFmuError, SpecError
from mbd_fmu.export.plant import Plant
from mbd_fmu.mechanics.constrained import RANK, MasslessError, least
from mbd_fmu.reference.discs import disc_problems
from mbd_fmu.reference.weightless import COARSE_RANK, refuse_weightless
from mbd_fmu.spatial import Array

CLOSED = 1e-14  # of the characteristic length: where Newton's method stops
ROUGHLY = 1e-5  # where it may stop if rounding, in the model's data too, keeps it from there
ITERATIONS = 50
NUDGE = 1e-3  # rad or m: how far away from the start the rank in general position is looked for


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
        every = np.ones(self.n_v, dtype=bool)
        x = self._at_position(x, every, ceiling.holonomic, RANK)
        return self._at_velocity(x, every, ceiling.all, RANK)

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
        gave_way = False
        for level in ("q", "v"):
            solve = self._put_together if level == "q" else self._at_velocity
            held = self.system.held(self.plant.p, level)
            try:
                x = solve(x, held == 0, None, COARSE_RANK)
            except AssemblyError:
                x = solve(x, held < 2, None, COARSE_RANK)
                gave_way = True
        return Assembled(x, self._ceiling(x), gave_way)

    def _put_together(
        self, x: Array, free: Array, ceiling: int | None, rank_tolerance: float
    ) -> Array:
        """Return x with all rows met, and joints not the wrong way round."""
        x = self._at_position(x, free, ceiling, rank_tolerance)
        forest, joints = self.system.forest, self.system.spec.joints
        cuts = zip(forest.cut, self.plant.instant(x, self.u).cuts, strict=True)
        wrong = [f'"{joints[k].name}"' for k, cut in cuts if cut.upright().min(initial=1.0) < 0.0]
        if wrong:
            raise AssemblyError(
                f"the start positions lead to joints the wrong way round: {', '.join(wrong)}; "
                "give positions nearer to where they fit"
            )
        return x

    def _at_position(
        self, x: Array, free: Array, ceiling: int | None, rank_tolerance: float
    ) -> Array:
        """Newton's method; from start values, that may be far off, with shorter steps."""
        is_start = ceiling is None
        n = self.system.n_holonomic
        weight, scale = self.system.row_weight[:n], self.system.length
        M = self.plant.inertia(x, self.u)[np.ix_(free, free)]
        phi, _, J = self.plant.closure(x, self.u)
        size = np.abs(weight * phi).max(initial=0.0)
        for _ in range(ITERATIONS):
            if size <= CLOSED * scale:
                break
            d = np.zeros(self.n_v)
            zero = np.zeros(int(free.sum()))
            d[free] = least(
                M, zero, J[:n, free], -phi, weight, ceiling, rank_tolerance, self.system.length
            ).v
            before, step = size, 1.0
            while True:  # shorter steps until it helps
                trial = self.plant.moved(x, self.u, step * d)
                phi, _, J = self.plant.closure(trial, self.u)
                size = np.abs(weight * phi).max(initial=0.0)
                if size < before or step < 1e-3 or not is_start or before <= ROUGHLY * scale:
                    break
                step /= 2.0
            if not size < before and before <= ROUGHLY * scale:
                break  # rounding
            if not (is_start or size < before / 2.0):
                raise AssemblyError(self._misfit(phi))
            x = trial
        else:
            raise AssemblyError(self._misfit(phi))
        return self.plant.measured(x, self.u)

    def _at_velocity(
        self, x: Array, free: Array, ceiling: int | None, rank_tolerance: float
    ) -> Array:
        weight, scale = self.system.row_weight, self.system.length
        M = self.plant.inertia(x, self.u)[np.ix_(free, free)]
        x = x.copy()
        v = x[self.n_q : self.n_q + self.n_v]
        for _ in range(2):  # the second time takes rounding out
            _, sigma, J = self.plant.closure(x, self.u)
            zero = np.zeros(int(free.sum()))
            v[free] += least(
                M, zero, J[:, free], -sigma, weight, ceiling, rank_tolerance, self.system.length
            ).v
        _, sigma, _ = self.plant.closure(x, self.u)
        if np.abs(weight * sigma).max(initial=0.0) > ROUGHLY * (scale + np.abs(v).max(initial=0)):
            raise AssemblyError(self._misfit(sigma, rate=True))
        return x

    def _ceiling(self, x: Array) -> Ceiling:
        """Find the rank here and a little further along the free motion."""
        every = np.ones(self.n_v, dtype=bool)
        ranks = [self._rank(x)]
        M, (_, _, J) = self.plant.inertia(x, self.u), self.plant.closure(x, self.u)
        direction = 1.0 / (1.0 + np.arange(self.n_v))  # no direction that a mechanism would prefer
        zeros, weight = np.zeros(len(J)), self.system.row_weight
        d = least(M, M @ direction, J, zeros, weight, None, COARSE_RANK, self.system.length).v
        size = np.abs(d).max(initial=0.0)
        if size > 0.0:
            try:
                beside = self.plant.moved(x, self.u, NUDGE / size * d)
                ranks.append(self._rank(self._at_position(beside, every, None, COARSE_RANK)))
            except AssemblyError:
                pass
        return Ceiling(max(r.holonomic for r in ranks), max(r.all for r in ranks))

    def _rank(self, x: Array) -> Ceiling:
        M, (_, _, J) = self.plant.inertia(x, self.u), self.plant.closure(x, self.u)
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
        return f"the start {what} cannot be made to fit; these miss most: {text}"
