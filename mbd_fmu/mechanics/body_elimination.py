"""The constrained solution by elimination along the bodies, in time linear in them.

    [ M  J^T ] [  v   ]   [ f ]
    [ J   0  ] [ -lam ] = [ g ]                                                               (1)

with independent rows J. Neither M nor J is put together: in a long chain M is full, and whatever
eliminates it takes the cube of its length. A body with all it carries is felt through its joint as
an articulated inertia I_A and a force P + A lam, where lam are the multipliers of the rows that act
out there and are not eliminated yet; what those rows ask of the body's acceleration a is

    A^T a + W lam = e                                                                         (2)

A joint is passed as by the articulated-body algorithm, with D = S^T I_A S + armature,

    I_A <- I_A - U D^-1 U^T,  A <- A - U D^-1 G,  W <- W + G^T D^-1 G                         (3)
    U = I_A S,  G = S^T A

and where a row's own motion is all beneath, at the body that carries its loop or at the ground, it
is eliminated from (2): its lam is a force by which the body feels its own acceleration,

    I_A <- I_A + a_k a_k^T / W_kk                                                              (4)

and so for A and W of the other rows. Rows are carried as far as their loops reach, no further.

Two things can go wrong, as in elimination.py. Rows come near to redundant: W_kk, what is left of
``gain`` after the rows before it, is compared with that and with what the velocities it was carried
through do at its reach. Digits get lost: in D, of what was taken away by the joints just above.

Source   Featherstone, Rigid Body Dynamics Algorithms (2008), Tab. 7.1, and sec. 8.5 for loops;
         Popov, Vereshchagin & Zenkevich, Manipulation Robots (1978): rows carried along a chain.
Checked  tests/laws/test_body_elimination.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from mbd_fmu.elements.places import WORLD
from mbd_fmu.mechanics.acting_rows import ActingRows
from mbd_fmu.mechanics.body_factor import BodyFactor, HeldRow, Joint
from mbd_fmu.mechanics.elimination import FAR_ENOUGH, LEAST, MOST_LOST, PART
from mbd_fmu.mechanics.kinematics import Configuration
from mbd_fmu.mechanics.ldl import factorize
from mbd_fmu.mechanics.passes import each
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, Scalar, array, scaled, symmetric, times

SOUND = 0.01  # of what it is compared with, a pivot of a row; with less others go first
INSIDE = 1e-9  # of its wrenches, what rows exert together that move nothing but a loop


@dataclass(frozen=True)
class BodyElimination:
    """Which rows take part, and at which bodies, or the ground, they are eliminated, in order."""

    held: Mapping[int, tuple[int, ...]]
    share: float = 1.0  # of the smallest pivot, where this was chosen

    @property
    def rows(self) -> tuple[int, ...]:
        """All that take part."""
        return tuple(sorted(chain(*self.held.values())))

    @property
    def least_share(self) -> float:
        """Down to which share it is trusted."""
        return min(FAR_ENOUGH, PART * self.share)


@dataclass
class _Passing:
    """What has been gathered on the way to the ground."""

    tree: Tree
    at: Configuration
    reach: Array
    natural: dict[int, Scalar]  # of rows: what velocities do that they were carried through
    W: dict[int, dict[int, Scalar]]  # of rows that are not eliminated yet
    A: dict[int, dict[int, Array]] = field(default_factory=dict)  # by body and row
    held: dict[int, tuple[int, ...]] = field(default_factory=dict)
    through: dict[int, tuple[int, ...]] = field(default_factory=dict)
    left: dict[int, tuple[int, ...]] = field(default_factory=dict)
    joint: dict[int, Joint] = field(default_factory=dict)
    row: dict[int, HeldRow] = field(default_factory=dict)
    gain: dict[int, Scalar] = field(default_factory=dict)
    doubt: Scalar = 0.0
    loss: Scalar = 0.0

    def share(self, k: int) -> Scalar:
        """Return how large the pivot of a row is, of what it is compared with."""
        return self.W[k][k] / (self.gain[k] + self.reach[k] ** 2 * self.natural[k])

    def hold(self, k: int, body: int, I_A: Array) -> Array:
        """Eliminate a row where it is, by (4); the ground feels nothing."""
        against = 1.0 / self.share(k)
        self.doubt = self.doubt + against * against
        W = self.W.pop(k)
        w_inverse = 1.0 / W.pop(k)
        for other, of_other in W.items():
            share = w_inverse * of_other
            for third, of_third in W.items():
                self.W[other][third] = self.W[other].get(third, 0.0) - share * of_third
            del self.W[other][k]
        a = np.zeros(0)
        if body != WORLD:
            there = self.A[body]
            a = there.pop(k, np.zeros(6))
            I_A = symmetric(I_A + np.outer(scaled(w_inverse, a), a))
            for other, of_other in W.items():
                there[other] = there.get(other, np.zeros(6)) - scaled(w_inverse * of_other, a)
        self.held[body] = (*self.held.get(body, ()), k)
        self.left[k] = tuple(W)
        self.row[k] = HeldRow(array([w_inverse]), a, array([*W.values()]))
        return I_A

    def go_through(self, i: int, I_A: Array, taken: Sequence[tuple[Array, Array]]) -> Array:
        """Pass joint i by (3), and return the inertia felt beneath; ``taken`` by joints above."""
        tree, S, rows = self.tree, self.at.S[i], tuple(sorted(self.A.get(i, {})))
        R_PB, p_PB = self.at.X_BP[i].pose
        if tree.prescribed[i]:
            nothing = np.zeros((0, 0))
            self.through[i] = ()
            self.joint[i] = Joint(R_PB, p_PB, np.zeros((6, 0)), np.zeros((6, 0)), nothing, nothing)
            return I_A
        U = times(I_A, S)
        D = symmetric(times(S.T, U)) + np.diag(tree.armature[tree.forest.v[i]])
        D_inverse = symmetric(factorize(D).solve(np.eye(len(D))))
        for F, E in taken:
            lost = times(S.T, F)
            for n in range(len(D)):
                self.loss = self.loss + D_inverse[n, n] * times(times(lost[n], E), lost[n])
        columns = [self.A[i][k] for k in rows]
        G = np.stack([times(S.T, column) for column in columns], axis=1) if rows else S.T[:, :0]
        given = times(D_inverse, G)
        back = times(U, given)
        does = sum(np.diag(D_inverse), 0.0)
        for n, k in enumerate(rows):
            self.A[i][k] = columns[n] - back[:, n]
            self.natural[k] = self.natural[k] + does
            for m, other in enumerate(rows[: n + 1]):
                through = times(G[:, n], given[:, m])
                self.W[k][other] = self.W[k].get(other, 0.0) + through
                self.W[other][k] = self.W[k][other]
            self.gain[k] = self.gain[k] + times(G[:, n], given[:, n])
        self.through[i] = rows
        self.joint[i] = Joint(R_PB, p_PB, S, U, D_inverse, G)
        return symmetric(I_A - times(times(U, D_inverse), U.T))


Chooser = Callable[[int, _Passing], Iterator[int]]


def _passed(
    tree: Tree,
    at: Configuration,
    acting: Mapping[int, ActingRows],
    rows: Sequence[int],
    reach: Array,
    next_held: Chooser,
) -> _Passing:
    """Go from the tips to the ground; rows are eliminated where and when the chooser says."""
    none = dict.fromkeys(rows, 0.0)
    it = _Passing(tree, at, reach, dict(none), {k: {k: 0.0} for k in rows}, gain=dict(none))
    for body, own in acting.items():
        there = [k for k in own.rows.tolist() if k in none]
        columns = zip(there, own.of(there).T, strict=True)
        it.A[body] = {k: F for k, F in columns if (F != 0.0).any()}
    I_A = list(tree.I_B)
    taken: dict[int, list[tuple[Array, Array]]] = {}
    for i in each(reversed(range(len(tree.parent)))):
        for k in next_held(i, it):
            I_A[i] = it.hold(k, i, I_A[i])
        I_a = it.go_through(i, I_A[i], taken.get(i, ()))
        p, X = tree.parent[i], at.X_BP[i]
        if p == WORLD:
            continue
        I_A[p] = I_A[p] + X.inertia_back(I_a)
        joint = it.joint[i]
        if joint.D_inverse.size:
            taken.setdefault(p, []).append((X.force_back(joint.U), joint.D_inverse))
        carried = it.A.get(i, {})
        beneath = it.A.setdefault(p, {}) if carried else {}
        for k, F in carried.items():
            back = X.force_back(F)
            beneath[k] = beneath[k] + back if k in beneath else back
    for k in next_held(WORLD, it):
        it.hold(k, WORLD, np.zeros((6, 6)))
    return it


def factorise_along(
    it: BodyElimination,
    tree: Tree,
    at: Configuration,
    acting: Mapping[int, ActingRows],
    reach: Array,
) -> BodyFactor:
    """Factorise (1); ``reach`` is the length at which each row is measured, in its own unit."""
    found = _passed(tree, at, acting, it.rows, reach, lambda i, _: iter(it.held.get(i, ())))
    return BodyFactor(
        tree,
        found.held,
        found.through,
        found.left,
        found.joint,
        found.row,
        found.doubt,
        found.loss,
    )


# --- Choosing, in numbers ---


def body_elimination_of(
    tree: Tree,
    at: Configuration,
    acting: Mapping[int, ActingRows],
    rows: Sequence[int],
    reach: Array,
) -> BodyElimination | None:
    """Choose where rows are eliminated by the numbers of some position; None: unsound anywhere."""
    home = {k: _home(tree, at, acting, k) for k in rows}
    ready: set[int] = set()

    def next_sound(i: int, passing: _Passing) -> Iterator[int]:
        """Of the rows whose motion is all beneath, and sound: the one with the fewest others."""
        ready.update(k for k in rows if home[k] == i)
        while ready:
            share = {k: passing.share(k) for k in ready if i == WORLD or k in passing.A.get(i, ())}
            fit = [k for k in share if share[k] > SOUND]
            if not fit and i == WORLD:  # nothing more comes to help
                fit = [k for k in share if share[k] >= max(*share.values(), LEAST**2)]
            if not fit:
                return
            k = min(fit, key=lambda k: (len(passing.W[k]), k))
            ready.remove(k)
            yield k

    with np.errstate(all="ignore"):
        found = _passed(tree, at, acting, rows, reach, next_sound)
    if len(found.row) < len(rows) or not np.isfinite(found.doubt) or not found.loss < MOST_LOST:
        return None
    share = found.doubt**-0.25 if found.doubt > 0.0 else 1.0
    return BodyElimination(found.held, share) if share >= LEAST else None


def _home(tree: Tree, at: Configuration, acting: Mapping[int, ActingRows], k: int) -> int:
    """Return the body beneath which all is that a row moves: of a loop the one that carries it.

    What acts between bodies that somebody carries moves nothing else; what holds something to the
    ground moves all on the way.
    """
    wrench = {body: own.of([k])[:, 0] for body, own in acting.items() if k in own.rows}
    most = max(np.abs(F).max() for F in wrench.values())
    bodies = set(wrench)
    while len(bodies) > 1:
        outer = max(bodies)  # carriers have lower numbers
        bodies.remove(outer)
        p = tree.parent[outer]
        if p == WORLD:
            return WORLD
        back = at.X_BP[outer].force_back(wrench.pop(outer))
        wrench[p] = wrench.get(p, np.zeros(6)) + back
        bodies.add(p)
    (body,) = bodies
    return body if np.abs(wrench[body]).max() <= INSIDE * most else WORLD
