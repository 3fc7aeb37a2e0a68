"""The freedoms of a mechanism at a state: minimal coordinates on its constraints.

States near one on the constraints differ by (d, v), displacements and changes of velocities of the
tree, that keep the rows met:

    J_h d = 0,    J dv + (d sigma/d d) d = 0                                                  (1)

with J_h the rows on positions, J all of them. Displacements have n - rank J_h freedoms, velocities
n - rank J; nonholonomic rows take one from the velocities alone. Coordinates of joints that tell
the others are picked by a pivoted QR decomposition, velocities first; d and dv of all joints are
then T times those picked. Inputs that move the constraints move the others while those rest.

Source   Golub & Van Loan, Matrix Computations (2013), sec. 5.5: subset selection by pivoted QR;
         Neimark & Fufaev (1972), ch. II: freedoms of position and of velocity.
Checked  tests/laws/test_linearization.py
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import qr

from mbd_fmu.analysis.operating_point import OperatingPoint
from mbd_fmu.analysis.tangents import Tangents
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.mechanics.constrained import ConstrainedSolution, solve_constrained
from mbd_fmu.spatial import Array
from mbd_fmu.system.system import System
from mbd_fmu.system.weightless import COARSE_RANK


class SingularError(MbdFmuError):
    """The freedoms at a state are not those of the states around it."""


@dataclass(frozen=True)
class Quantity:
    """What a number is."""

    name: str
    unit: str


@dataclass(frozen=True)
class Freedoms:
    """Which coordinates are picked, and how all of them follow."""

    positions: tuple[int, ...]  # picked, among the free velocities
    velocities: tuple[int, ...]
    T: Array  # (2 nv, n): (d, dv) of all joints by those picked

    @property
    def picked(self) -> list[int]:
        """Which entries of (d, dv) they are."""
        nv = len(self.T) // 2
        return [*self.positions, *(nv + k for k in self.velocities)]


def coordinates_of(system: System) -> tuple[tuple[Quantity, ...], tuple[Quantity, ...]]:
    """Name a displacement per free velocity, and these velocities.

    Where a joint has a quaternion, displacements are small turns and shifts in axes of the child.
    """
    positions, velocities = [], []
    for i in system.free_joints:
        joint = system.joint(i)
        names = joint.kind.names
        own = [(c.name, c.unit) for c in names.positions]
        if joint.kind.quaternion:
            own = [
                (f"{'turn' if c.name.startswith('w') else 'shift'}.{c.name[-1]}", c.unit[:-2])
                for c in names.velocities
            ]
        positions += [Quantity(system.shown(f"{joint.name}.{n}"), unit) for n, unit in own]
        velocities += [
            Quantity(system.shown(f"{joint.name}.{c.name}"), c.unit) for c in names.velocities
        ]
    return tuple(positions), tuple(velocities)


def freedoms_at(
    at: OperatingPoint,
    tangents: Tangents,
    preferred: Sequence[int] = (),
    preferred_positions: Sequence[int] = (),
) -> Freedoms:
    """Find the freedoms; velocities and positions that are preferred are picked, if they can be."""
    nv = len(at.v)
    N_q, N_v = _free_motions(at)
    size = usual_sizes(at.system)
    velocities = _picked(N_v, size, preferred)
    positions = _picked(N_q, size, (*preferred_positions, *velocities))
    basis = np.block([[N_q, np.zeros_like(N_v)], [_carried(at, tangents, N_q), N_v]])
    picked = [*positions, *(nv + k for k in velocities)]
    T = basis @ np.linalg.inv(basis[picked])
    return Freedoms(positions, velocities, T)


def _free_motions(at: OperatingPoint) -> tuple[Array, Array]:
    """Displacements and velocities that no row forbids, a column each."""
    nv, rank = len(at.v), at.generic_rank
    if rank is None:
        return np.eye(nv), np.eye(nv)
    found = [_solved(at, at.system.n_holonomic), _solved(at, len(at.J))]
    if (found[0].rank, found[1].rank) != (rank.holonomic, rank.all):
        raise SingularError(
            f"{at.system.spec.name}: this is a singular position: its rows have rank "
            f"{found[1].rank} here and {rank.all} beside it, so it has no tangents of its own; "
            "ask for another one"
        )
    return found[0].free, found[1].free


def _solved(
    at: OperatingPoint, count: int, f: Array | None = None, g: Array | None = None
) -> ConstrainedSolution:
    """Solve the first ``count`` rows."""
    system = at.system
    return solve_constrained(
        at.M,
        np.zeros(len(at.v)) if f is None else f,
        at.J[:count],
        np.zeros(count) if g is None else g,
        system.row_weight[:count],
        None,
        COARSE_RANK,
        system.length,
    )


def _carried(at: OperatingPoint, tangents: Tangents, d: Array) -> Array:
    """Return changes of velocities that keep sigma while displaced by d: (1)."""
    if at.generic_rank is None:
        return np.zeros_like(d)
    sigma = tangents.closure(at, tangents.directions(d=d))[1]
    found = [_solved(at, len(at.J), g=-change).v for change in sigma.T]
    return np.stack(found, axis=1) if found else np.zeros_like(d)


def followers(
    at: OperatingPoint, tangents: Tangents, freedoms: Freedoms, what: str, which: Sequence[int]
) -> Array:
    """(d, dv) of all joints as some of u or p change by 1, while what is picked rests."""
    nv, count = len(at.v), len(which)
    found = np.zeros((2 * nv, count))
    if at.generic_rank is None:
        return found
    n, units = at.system.n_holonomic, np.eye(tangents.sizes[what])[:, list(which)]
    change = np.vstack(tangents.closure(at, tangents.directions(**{what: units})))
    for k in np.flatnonzero(np.abs(change).max(axis=0, initial=0.0)):
        d = _solved(at, n, g=-change[:n, k]).v
        along = {"d": d[:, None], what: units[:, k : k + 1]}
        sigma = tangents.closure(at, tangents.directions(**along))[1][:, 0]
        found[:, k] = np.concatenate([d, _solved(at, len(at.J), g=-sigma).v])
    rested: Array = found - freedoms.T @ found[freedoms.picked]
    return rested


def _picked(N: Array, size: Array, preferred: Iterable[int]) -> tuple[int, ...]:
    """Pick rows of N that tell the others: those preferred first, as far as they say more."""
    count, rows = N.shape[1], N / size[:, None]
    rows = rows / np.abs(rows).max(initial=1e-300)
    found: list[int] = []
    for k in preferred:
        if np.linalg.matrix_rank(rows[[*found, k]], tol=COARSE_RANK) > len(found):
            found.append(k)
    if len(found) < count:
        told = np.linalg.svd(rows[found])[2][len(found) :].T if found else np.eye(count)
        _, _, order = qr((rows @ told).T, pivoting=True, mode="economic")
        found += [int(k) for k in order[: count - len(found)]]
    return tuple(sorted(found[:count]))


def picked_rows(T: Array, first: Array, rates: Array) -> list[int]:
    """Pick states that tell the others of a tangent space T: as many as it has directions.

    Of those marked ``first``, coordinates, as many as they have freedoms; of the others the rest,
    rather such as the ``rates`` of the coordinates picked, df/dx, follow.
    """
    N = np.linalg.svd(T[first])[2]
    rank = int(np.linalg.matrix_rank(T[first], tol=COARSE_RANK)) if first.any() else 0
    positions, rest = T[first] @ N[:rank].T, T[~first] @ N[rank:].T
    own = _picked(positions, np.ones(len(positions)), ()) if rank else ()
    paired = np.abs(rates[first][:, ~first][list(own)]).argmax(axis=1) if own else ()
    left = rank < T.shape[1]
    others = _picked(rest, np.ones(len(rest)), map(int, paired)) if left else ()
    return [
        *(int(np.flatnonzero(first)[k]) for k in own),
        *(int(np.flatnonzero(~first)[k]) for k in others),
    ]


def usual_sizes(system: System) -> Array:
    """By what angles turn and lengths move, in general: 1 rad, the characteristic length."""
    n = len(system.state_q)
    states = system.states.variables[n : n + len(system.state_v)]
    return np.array([state.nominal for state in states])
