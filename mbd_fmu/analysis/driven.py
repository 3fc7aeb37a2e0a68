"""A mechanism that is driven along: positions, velocities and accelerations from what is told.

The rows of the mechanism and those of the drivers are met together. Positions by Levenberg and
Marquardt's method with exact Jacobians, from the position before, so that the branch is kept: a
step that leads too far is made in halves. Velocities and accelerations follow by linear algebra,

    J v = -sigma_0,   G v = rate told;      J dv/dt = gamma,   G dv/dt = acceleration told - drift

Source   Haug, Computer Aided Kinematics and Dynamics (1989), ch. 3 and 4; More (1978), the method
         in MINPACK; Allgower & Georg, Numerical Continuation Methods (1990), ch. 2.
Checked  tests/analysis/test_driven.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.linalg import lstsq, null_space
from scipy.optimize import least_squares

from mbd_fmu.analysis.drivers import Driver, Now
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.mechanics.constraints import constraint_jacobian
from mbd_fmu.reference.manifold import ROUGHLY
from mbd_fmu.spatial import Array
from mbd_fmu.system.free_motions import leading_entry, leading_motions
from mbd_fmu.system.plant import Plant

DETERMINED = 1e-7  # of the largest singular value: below it a freedom is not told
MET = 1e-9  # of the characteristic length: what is told is met
LEAP = 0.5  # rad, or of the characteristic length: a longer step may lead to another branch
HALVES = 12  # how often a step is halved
HEAVY = 1e6  # weight of the mechanism's own rows where what is told cannot be met
CONSISTENT = 1e-3  # of the largest velocity or acceleration told: what rows may contradict by
CLOSE = 1e-10  # relative: after a step as short as that, what is left is its square
FLAT = 1e-15  # relative change of the sum of squares: rounding


class UnreachableError(MbdFmuError):
    """What is told cannot be met."""


@dataclass(frozen=True)
class _Rows:
    """Rows on positions at a place: what they miss, and their derivatives by the velocities."""

    own: Array  # phi of the mechanism
    J: Array
    miss: Array  # of the drivers
    G: Array


class Driven:
    """A plant, and what drives it along."""

    def __init__(self, plant: Plant, drivers: Sequence[Driver]) -> None:
        self.plant, self.drivers, self.system = plant, tuple(drivers), plant.system
        system = self.system
        self.n_q, self.n_v = len(system.state_q), len(system.state_v)
        self.usual = np.array([s.nominal for s in system.states.variables[self.n_q :][: self.n_v]])
        lengths = [system.length if turns else 1.0 for d in self.drivers for turns in d.turns]
        self.weight = np.array(lengths)

    def now(self, x: Array, u: Array) -> Now:
        """Return the mechanism at x, where nothing accelerates freely."""
        return Now(self.plant.instant(x, u))

    def places(self, x: Array, u: Array) -> list[Array]:
        """Return what the columns of the drivers are at x."""
        now = self.now(x, u)
        return [driver.place(now) for driver in self.drivers]

    def jacobian(self, now: Now) -> Array:
        """Return G: the derivatives of the drivers' rows by the free velocities."""
        jets = [driver.jet(now) for driver in self.drivers]
        tree, at = now.at.tree, now.at.configuration
        parts = [constraint_jacobian(tree, at, jet.wrench, len(jet.rate)) for jet in jets]
        stacked = np.concatenate([np.zeros((0, tree.forest.nv)), *parts])
        return stacked[:, self.system.state_v]

    # --- What is told, and what is not ---

    def untold(self, x: Array, u: Array) -> list[str]:
        """Name the freedoms that nothing tells at x, each by its leading coordinate."""
        now, n = self.now(x, u), self.system.n_holonomic
        return self._untold(now.at.rows.J[:n, self.system.state_v], self.jacobian(now))

    def _untold(self, J: Array, G: Array) -> list[str]:
        A = self._scaled(J, G)
        free = null_space(A, rcond=DETERMINED) if len(A) else np.eye(self.n_v)
        motions = leading_motions((self.usual[:, None] * free).T)
        return [freedom_name(self.plant, leading_entry(m)) for m in motions]

    def scaled_rows(self, x: Array, u: Array) -> tuple[Array, list[Array]]:
        """Return what the mechanism holds at x, and what each driver tells, made comparable."""
        now, n = self.now(x, u), self.system.n_holonomic
        A = self._scaled(now.at.rows.J[:n, self.system.state_v], self.jacobian(now))
        ends = n + np.cumsum([0, *(driver.size for driver in self.drivers)])
        return A[:n], [A[a:b] for a, b in pairwise(ends)]

    def _scaled(self, J: Array, G: Array) -> Array:
        """Rows on angles by the characteristic length, columns by how far things usually move."""
        own = self.system.row_weight[: len(J), None] * J
        return np.concatenate([own, self.weight[:, None] * G]) * self.usual

    # --- Positions ---

    def moved(
        self, x: Array, inputs: tuple[Array, Array], told: Sequence[Array], when: str
    ) -> Array:
        """Return x moved to where the drivers are as told, while inputs change from u to u'."""
        before, after = inputs
        begin = self.places(x, before)
        done, part = 0.0, 1.0
        while done < 1.0:
            share = min(1.0, done + part)
            asked = [_between(a, b, share) for a, b in zip(begin, told, strict=True)]
            u = before + share * (after - before)
            found = self._met(x, u, asked)
            if found is None:
                part /= 2.0
                if part < 2.0**-HALVES:
                    raise UnreachableError(self._distance(x, after, told, when))
            else:
                x, done, part = found, share, min(1.0, 2.0 * part)
        return x

    def _met(self, x: Array, u: Array, told: Sequence[Array]) -> Array | None:
        """Return the position near x where all rows are met, or None."""
        found = self._nearest(x, u, told, 1.0)
        left, length = self._rows(found, u, told), self.system.length
        own = self.system.row_weight[: len(left.own)] * left.own
        miss = self.weight * left.miss
        is_met = np.abs(miss).max(initial=0.0) <= MET * length
        is_met &= np.abs(own).max(initial=0.0) <= ROUGHLY * length
        way = self.plant.displacement(x, u, found - x) / self.usual
        is_near = np.abs(way).max(initial=0.0) <= LEAP
        is_right = self.plant.branch_cosines(found, u).min(initial=1.0) >= 0.0
        return found if is_met and is_near and is_right else None

    def _nearest(self, x: Array, u: Array, told: Sequence[Array], heavy: float) -> Array:
        """Minimise what the rows miss, those of the mechanism ``heavy`` times as much."""
        n = self._n_tree
        if not n:
            return x
        own = heavy * self.system.row_weight[: self.system.n_holonomic]
        weight = np.concatenate([own, self.weight])
        sizes = self._coordinate_sizes
        kept: dict[bytes, tuple[Array, Array]] = {}

        def coordinates(w: Array) -> Array:
            """From 1 on, in usual sizes: MINPACK measures steps by what it starts from."""
            found: Array = x[:n] + sizes * (w - 1.0)
            return found

        def rows(w: Array) -> tuple[Array, Array]:
            key = w.tobytes()
            if key not in kept:
                kept.clear()
                y = coordinates(w)
                at, to_velocities, length = self._normalized(x, u, y)
                left = self._rows(at, u, told)
                residual = weight * np.concatenate([left.own, -left.miss])
                slope = weight[:, None] * np.concatenate([left.J, left.G]) @ to_velocities
                kept[key] = (
                    np.concatenate([residual, length - 1.0]),
                    np.concatenate([slope, self._length_slopes(y)]) * sizes,
                )
            return kept[key]

        m = len(weight) + len(self._quaternions)
        found = least_squares(
            lambda w: rows(w)[0],
            np.ones(n),
            jac=lambda w: rows(w)[1],
            method="lm" if m >= n else "trf",
            xtol=CLOSE,
            ftol=FLAT,
            gtol=FLAT,
        )
        return self._normalized(x, u, coordinates(found.x))[0]

    def _rows(self, x: Array, u: Array, told: Sequence[Array]) -> _Rows:
        now, n = self.now(x, u), self.system.n_holonomic
        rows, free = now.at.rows, self.system.state_v
        G, misses = self.jacobian(now), []
        first = 0
        for driver, value in zip(self.drivers, told, strict=True):
            miss, D = driver.miss(now, value)
            mine = slice(first, first + driver.size)
            G[mine] = D @ G[mine]
            misses.append(miss)
            first = mine.stop
        return _Rows(rows.phi, rows.J[:n, free], np.concatenate([np.zeros(0), *misses]), G)

    @property
    def _n_tree(self) -> int:
        """How many of the states are coordinates of the tree: they come first."""
        forest = self.system.forest
        return sum(forest.q[i].stop - forest.q[i].start for i in self.system.free_joints)

    @cached_property
    def _coordinate_sizes(self) -> Array:
        return np.array([s.nominal for s in self.system.states.variables[: self._n_tree]])

    @cached_property
    def _quaternions(self) -> tuple[slice, ...]:
        """Those of the tree."""
        starts = self.system.states.quaternions
        return tuple(slice(k, k + 4) for k in starts if k < self._n_tree)

    def _normalized(self, x: Array, u: Array, y: Array) -> tuple[Array, Array, Array]:
        """x at the tree's coordinates y, d(velocities)/dy there, and lengths of quaternions."""
        at = np.concatenate([y, x[len(y) :]])
        sizes = np.ones(len(y))
        lengths = []
        for place in self._quaternions:
            lengths.append(np.linalg.norm(y[place]))
            sizes[place] = lengths[-1]
            at[place] = y[place] / lengths[-1]
        at = self.plant.cut_coordinates(at, u) if self.system.forest.cut else at
        return at, self._velocities_of(at) / sizes, np.array(lengths)

    def _velocities_of(self, x: Array) -> Array:
        """(n_v, n): velocities of rates of the tree's coordinates; columns of B are orthogonal."""
        forest, found = self.system.forest, np.zeros((self.n_v, self._n_tree))
        q = v = 0
        for i in self.system.free_joints:
            kind = self.system.joint(i).kind
            at = slice(q, q + forest.q[i].stop - forest.q[i].start)
            for unit in np.eye(kind.nv):
                b = kind.rate(x[at], unit)
                found[v, at] = b / (b @ b)
                v += 1
            q = at.stop
        return found

    def _length_slopes(self, y: Array) -> Array:
        found = np.zeros((len(self._quaternions), len(y)))
        for k, place in enumerate(self._quaternions):
            found[k, place] = y[place] / np.linalg.norm(y[place])
        return found

    def _distance(self, x: Array, u: Array, told: Sequence[Array], when: str) -> str:
        """Say how near the mechanism comes to what it cannot reach."""
        left = self._rows(self._nearest(x, u, told, HEAVY), u, told).miss
        first, far = 0, []
        for driver in self.drivers:
            miss = left[first : first + driver.size]
            first += driver.size
            k = int(np.argmax(np.abs(miss)))
            far.append((abs(float(miss[k])), "rad" if driver.turns[k] else "m", driver.name))
        worst = max(far, key=lambda entry: entry[0])
        named = ", ".join(name for _, _, name in far)
        return (
            f"{when}: {named} cannot be as told: where the mechanism comes nearest, {worst[2]} "
            f"misses by {worst[0]:.3g} {worst[1]}; keep to what it can reach, or start it where "
            "it is bent the right way (--set JOINT.q_start=VALUE)"
        )

    # --- Velocities and accelerations ---

    def going(self, x: Array, u: Array, rates: Array, when: str) -> Array:
        """Return x with the velocities that the drivers' rates tell."""
        still = x.copy()
        velocities = slice(self.n_q, self.n_q + self.n_v)
        still[velocities] = 0.0
        now = self.now(still, u)
        own = -now.at.rows.sigma
        driven = np.concatenate([np.zeros(0), *(d.jet(now).rate for d in self.drivers)])
        still[velocities] = self._solved(now, own, rates - driven, "velocities", when)
        return still

    def accelerating(self, x: Array, u: Array, told: Array, when: str) -> Array:
        """Return the accelerations of the free velocities that the drivers' tell."""
        now = self.now(x, u)
        drift = np.concatenate([np.zeros(0), *(d.jet(now).drift for d in self.drivers)])
        return self._solved(now, now.at.rows.gamma, told - drift, "accelerations", when)

    def _solved(self, now: Now, own: Array, told: Array, what: str, when: str) -> Array:
        J, G = now.at.rows.J[:, self.system.state_v], self.jacobian(now)
        A = self._scaled(J, G)
        b = np.concatenate([self.system.row_weight * own, self.weight * told])
        if not len(A):
            return np.zeros(self.n_v)
        if self.n_v == 0:
            return np.zeros(0)
        found, _, rank, _ = lstsq(A, b, cond=DETERMINED)
        if rank < self.n_v:
            names = ", ".join(self._untold(J, G))
            raise UnreachableError(
                f"{when}: singular position: what is told does not say how {names} moves; drive "
                "another coordinate, or keep away from it"
            )
        left = np.abs(A @ found - b).max(initial=0.0)
        if left > CONSISTENT * np.abs(b).max(initial=0.0) and left > MET:
            raise UnreachableError(
                f"{when}: the {what} told contradict the constraints by {left:.3g} in SI units; "
                "tell a motion that the mechanism can make"
            )
        return self.usual * found


def _between(a: Array, b: Array, share: float) -> Array:
    """On a straight line; of quaternions the short way."""
    if share == 1.0:
        return b
    if len(a) >= 4 and a[:4] @ b[:4] < 0.0:
        a = np.concatenate([-a[:4], a[4:]])
    return a + share * (b - a)


def freedom_name(plant: Plant, k: int) -> str:
    """Name free velocity k by the coordinate it moves; of a joint that turns as it likes, both."""
    system = plant.system
    for i in system.free_joints:
        joint = system.joint(i)
        if k < joint.kind.nv:
            names = joint.kind.names
            level = names.velocities if joint.kind.quaternion else names.positions
            return system.shown(f"{joint.name}.{level[k].name}")
        k -= joint.kind.nv
    raise ValueError(k)
