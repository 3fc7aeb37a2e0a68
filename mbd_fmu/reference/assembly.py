"""Bringing start values together that may be far off: the twin of ``runtime/assembly.c``.

Values marked fixed stay; those that were given, in the model or by the importer, stay if the others
can make up for it, directly or led there from the declared start, else they give way, too. A given
value that would have to jump is an error, and so is a joint that fits only the wrong way round.

Source   Eich-Soellner & Fuehrer, Numerical Methods in Multibody Dynamics (1998), sec. 5.3;
         Allgower & Georg, Numerical Continuation Methods (1990), ch. 2: being led there.
Checked  tests/unit/test_assembly.py
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from mbd_fmu.errors import MbdFmuError, SpecError
from mbd_fmu.mechanics.constrained import RANK, MasslessError, rank_tolerance, solve_constrained
from mbd_fmu.model.spec import Spec
from mbd_fmu.reference.manifold import (
    ITERATIONS,
    ROUGHLY,
    STALLED,
    GenericRank,
    Manifold,
    MisfitError,
)
from mbd_fmu.spatial import Array
from mbd_fmu.system.held_starts import Hold
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.start_checks import constraint_start_problems
from mbd_fmu.system.system import system_of
from mbd_fmu.system.weightless import COARSE_RANK, refuse_weightless

LONGEST = 0.5  # rad, or of the characteristic length: one step from afar
LITTLE = 0.1  # likewise, of one that only leads to another,
MOST_LED = 10_000  # and so many of those: a hundred turns and more
FAR = 1.6  # likewise, a quarter turn: a given value that gives way by more has jumped
SET_GOING = 1e-9  # of the velocities, in lengths per second: what rows may be left open by
NUDGE = 1e-3  # rad or m: how far away from the start the rank in general position is looked for


class AssemblyError(MbdFmuError):
    """The start values cannot be made to fit together."""


@dataclass(frozen=True)
class Assembled:
    """Consistent start values, and what had to give way."""

    x: Array
    generic_rank: GenericRank
    gave_way: bool  # given values were moved, too


class Assembly(Manifold):
    """The constraints of a plant under given inputs, seen from afar."""

    def assemble(self, x: Array) -> Assembled:
        """Return start values that meet the constraints."""
        if problems := constraint_start_problems(self.plant, x, self.u):
            raise SpecError(self.system.spec.name, problems)
        try:
            return self._assembled(x)
        except MasslessError:
            refuse_weightless(self.plant, x, self.u)
            raise

    def posed(self, x: Array, held: Array) -> Array:
        """Return positions that meet the constraints; those of the ``held`` velocities stay.

        What is free starts where x has it, or is led there from the declared start.
        """
        try:
            if held.all():  # nothing can move: it fits, or not
                return self._at_position(x, self._inertia(x), ~held, None, COARSE_RANK)
            return self._found(x, ~held)
        except MisfitError as misfit:
            raise AssemblyError(f"the {misfit}") from None

    def going(self, x: Array, held: Array) -> Array:
        """Return velocities that meet the constraints; those ``held`` stay, the rest is least."""
        try:
            return self._set_going(x, ~held)
        except MisfitError as misfit:
            raise AssemblyError(f"the {misfit}") from None

    def accelerating(self, x: Array, vd: Array, held: Array) -> Array:
        """Return accelerations that the constraints allow; those ``held`` stay, others move on.

        They are the nearest to ``vd`` by the mass they move.
        """
        M, eq, free = self._inertia(x), self.plant.equations(x, self.u), ~held
        vd, weight, length = vd.copy(), self.system.row_weight, self.system.length
        missing = eq.gamma - eq.J @ vd
        vd[free] += solve_constrained(
            M[np.ix_(free, free)],
            np.zeros(int(free.sum())),
            eq.J[:, free],
            missing,
            weight,
            None,
            COARSE_RANK,
            length,
        ).v
        left = eq.gamma - eq.J @ vd
        if self._size(left) > ROUGHLY * (length + np.abs(missing).max(initial=0.0)):
            raise AssemblyError(f"the {self._misfit(left, what='accelerations', per='/s2')}")
        return vd

    def _assembled(self, x: Array) -> Assembled:
        gave_way, given = False, x
        for level, solve, solve_freely in (
            ("q", self._found, self._put_together),
            ("v", self._set_going, self._set_going),
        ):
            held = self.system.held(self.plant.p, level)
            try:
                x = solve(x, held == Hold.OPEN)
            except (MisfitError, AssemblyError):
                gave_way = True
                try:
                    x = solve_freely(x, held < Hold.FIXED)
                except MisfitError as misfit:
                    raise AssemblyError(f"the start {misfit}") from None
                if level == "q":
                    self._refuse_jumps(given, x, held)
        return Assembled(x, self._generic_rank(x), gave_way)

    def _found(self, given: Array, free: Array) -> Array:
        """Positions with given values held: directly, or led there."""
        try:
            return self._put_together(given, free)
        except (MisfitError, AssemblyError):
            return self._right_way_round(self._led_there(given, free))

    def _led_there(self, given: Array, free: Array) -> Array:
        """Go from the declared start values to those told, closing the loops on the way.

        For start values that differ so much from the declared ones that Newton's method loses its
        way. What is held ends as it was told, to the last digit; the rest where it came to.
        """
        declared = self.system.nominal_parameters()
        p = self.plant.p.copy()
        for start in self.system.starts["q"]:
            own = slice(start.parameter, start.parameter + start.count)
            p[own] = declared[own]
        x = plant_of(self.system, p).start()
        M, way = self._inertia(x), self.plant.displacement(x, self.u, given - x)
        way[free] = 0.0
        far = float(np.abs(way / self._usual).max(initial=0.0)) / LITTLE
        if not far <= MOST_LED:
            raise MisfitError(self._misfit(self.plant.closure(given, self.u).phi))
        steps = math.ceil(far)
        for n in range(steps + 1):
            x = self._at_position(x, M, free, None, COARSE_RANK)
            if n < steps:  # the rest moves with it, along the constraints
                left = self.plant.closure(x, self.u)
                asked = replace(left, phi=left.J[: len(left.phi)] @ way / steps)
                d = self._correction(asked, M, free, None, COARSE_RANK)
                x = self.plant.retract(x, self.u, d + way / steps)
        rest = self.plant.displacement(given, self.u, x - given)
        rest[~free] = 0.0
        return self._at_position(
            self.plant.retract(given, self.u, rest), M, free, None, COARSE_RANK
        )

    def _refuse_jumps(self, given: Array, x: Array, held: Array) -> None:
        """Refuse positions that were given and lie far from where they came to."""
        d = np.abs(self.plant.displacement(given, self.u, x - given)) / self._usual
        jumped = np.flatnonzero((held > Hold.OPEN) & (d > FAR)).tolist()
        far = dict.fromkeys(self._given_position(i) for i in jumped)
        if far:
            raise AssemblyError(
                f"the start positions given for {', '.join(far)} cannot be kept, and the loops "
                "close only far from them; give start values that fit"
            )

    def _given_position(self, i: int) -> str:
        """Return the parameter that gives the position of a freedom, or else its velocity."""
        start = self.system.starts["q"][i]
        if start.count:
            return self.system.table.parameters[start.parameter].name
        return self.system.states.names[self.n_q + i]

    @property
    def _usual(self) -> Array:
        """By what angles turn and lengths move, in general: 1 rad, the characteristic length."""
        states = self.system.states.variables[self.n_q : self.n_q + self.n_v]
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
        return self._right_way_round(x)

    def _right_way_round(self, x: Array) -> Array:
        """Refuse joints that are closed the wrong way round."""
        forest, joints = self.system.forest, self.system.spec.joints
        cuts = zip(forest.cut, self.plant.instant(x, self.u).cuts, strict=True)
        wrong = [
            f'"{joints[k].name}"' for k, cut in cuts if cut.branch_cosines().min(initial=1.0) < 0.0
        ]
        if wrong:
            raise AssemblyError(
                f"the start positions lead to joints the wrong way round: {', '.join(wrong)}; "
                "give positions nearer to where they fit"
            )
        return x

    def _set_going(self, x: Array, free: Array) -> Array:
        """Velocities that fit: rows looked at coarsely; what stays open, as projection will look.

        Beside a singular position the first step would else change what was given.
        """
        M, weight, length = self._inertia(x), self.system.row_weight, self.system.length
        coarse = self._at_velocity(x, M, free, None, COARSE_RANK)
        left = self.plant.closure(coarse, self.u)
        size = self._size(left.sigma)
        speed = np.abs(coarse[self.n_q : self.n_q + self.n_v]).max(initial=0.0)
        if size > SET_GOING * (length + speed):
            tolerance = rank_tolerance(left.rounding, weight, length)
            with suppress(MisfitError):
                fine = self._at_velocity(x, M, free, self._generic_rank(x).all, tolerance)
                sigma = self.plant.closure(fine, self.u).sigma
                if self._size(sigma) < size:
                    return fine
        return coarse

    def _approached(self, x: Array, M: Array, free: Array) -> Array:
        """From afar: steps not too long, and shorter ones until they help; till it is near."""
        x = self.plant.seen_by_rows(x, self.u)
        left = self.plant.closure(x, self.u)
        for n in range(ITERATIONS + 1):
            before = self._size(left.phi)
            if before <= ROUGHLY * self.system.length:
                break
            if n == ITERATIONS:
                raise MisfitError(self._misfit(left.phi))
            d = self._correction(left, M, free, None, COARSE_RANK)
            step = min(1.0, LONGEST / max(np.abs(d / self._usual).max(initial=0.0), LONGEST))
            shortest = 1e-3 * step
            while True:
                trial = self.plant.retract(x, self.u, step * d)
                left = self.plant.closure(trial, self.u)
                if self._size(left.phi) < before or step < shortest:
                    break
                step /= 2.0
            x = trial
        return x

    def _generic_rank(self, x: Array) -> GenericRank:
        """Find the rank here and a little further along the free motion."""
        ranks = [self._rank(x), self._rank(self.beside(x))]
        return GenericRank(max(r.holonomic for r in ranks), max(r.all for r in ranks))

    def beside(self, x: Array) -> Array:
        """Return a position a little further along the free motion; x itself if there is none."""
        M, J = self._inertia(x), self.plant.closure(x, self.u).J
        direction = 1.0 / (1.0 + np.arange(self.n_v))  # no direction that a mechanism would prefer
        zeros, weight = np.zeros(len(J)), self.system.row_weight
        d = solve_constrained(
            M, M @ direction, J, zeros, weight, None, COARSE_RANK, self.system.length
        ).v
        size = np.abs(d).max(initial=0.0)
        if size > 0.0:
            with suppress(MisfitError):
                beside = self.plant.retract(x, self.u, NUDGE / size * d)
                every = np.ones(self.n_v, dtype=bool)
                return self._at_position(beside, M, every, None, COARSE_RANK)
        return x

    def _rank(self, x: Array) -> GenericRank:
        M, J = self._inertia(x), self.plant.closure(x, self.u).J
        n, weight, length = self.system.n_holonomic, self.system.row_weight, self.system.length
        zero, zeros = np.zeros(self.n_v), np.zeros(len(J))
        ranks = {
            k: solve_constrained(
                M, zero, J[:k], zeros[:k], weight[:k], None, COARSE_RANK, length
            ).rank
            for k in {n, len(J)}  # most often the same
        }
        return GenericRank(ranks[n], ranks[len(J)])


@lru_cache(maxsize=1)
def nominal_start(spec: Spec) -> tuple[Assembly, Assembled]:
    """Assemble a mechanism as it is declared; the last is remembered, for several ask for it."""
    system = system_of(spec)
    plant = plant_of(system, system.nominal_parameters())
    assembly = Assembly(plant, system.nominal_inputs())
    return assembly, assembly.assemble(plant.start())
