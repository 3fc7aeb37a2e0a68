"""A mechanism as a linear system near a state: A, B, C, D of its freedoms.

    xi' = A xi + B u,    y = C xi + D u

xi holds small changes of the coordinates and velocities that are picked as minimal ones (see
``freedoms``), u and y those of inputs and outputs; integrated work is left out. With T the changes
of all joints, A = E (df/dx) T, E being what picks: on the constraints, never off them.

Source   Eich-Soellner & Fuehrer (1998), ch. 2: state space form of linear constrained systems.
Checked  tests/laws/test_linearization.py, tests/laws/test_bicycle.py
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mbd_fmu.analysis.freedoms import (
    Freedoms,
    Quantity,
    coordinates_of,
    followers,
    freedoms_at,
    usual_sizes,
)
from mbd_fmu.analysis.operating_point import OperatingPoint, point_of
from mbd_fmu.analysis.poles import Poles
from mbd_fmu.analysis.resting import advanced
from mbd_fmu.analysis.steadiness import ACCELERATES, ADVANCED, stays_same
from mbd_fmu.analysis.tangents import Tangents
from mbd_fmu.errors import DataError, nearest
from mbd_fmu.spatial import Array
from mbd_fmu.system.system import System


@dataclass(frozen=True)
class Linearization:
    """See above.

    Eigenvalues tell of stability where it ``is_steady``.

    ``states`` are the picked coordinates, then the picked velocities; ``n_positions`` says how many
    are coordinates. ``shapes`` maps xi to displacements of all ``coordinates`` of joints.
    """

    name: str
    A: Array  # (n, n)
    B: Array  # (n, n inputs)
    C: Array  # (n outputs, n)
    D: Array  # (n outputs, n inputs)
    states: tuple[Quantity, ...]
    inputs: tuple[Quantity, ...]
    outputs: tuple[Quantity, ...]
    n_positions: int
    values: Array  # of the states there: coordinates (0 of small turns and shifts), velocities
    accelerations: Array  # of the picked velocities there: zero at rest and in steady motion
    coordinates: tuple[Quantity, ...]
    shapes: Array  # (n coordinates, n)
    # at rest, or in a motion along which A stays the same; None: it moves, and nobody has looked
    is_steady: bool | None

    @cached_property
    def poles(self) -> Poles:
        """Eigenvalues and eigenvectors of A."""
        return Poles(self.A)

    @property
    def eigenvalues(self) -> Array:
        """Of A: as many as there are freedoms of position and of velocity together."""
        return self.poles.eigenvalues

    @property
    def frequencies(self) -> Array:
        """Natural frequencies in Hz, of each eigenvalue."""
        return np.abs(self.eigenvalues) / (2.0 * np.pi)

    @property
    def damping(self) -> Array:
        """Damping ratio of each eigenvalue."""
        size = np.abs(self.eigenvalues)
        return np.where(size > 0.0, -self.eigenvalues.real / np.where(size > 0.0, size, 1.0), 0.0)

    @property
    def mode_shapes(self) -> Array:
        """Displacements of all coordinates, a column per eigenvalue, the largest one 1."""
        found = self.shapes @ self.poles.vectors
        for k in range(found.shape[1]):
            largest = found[np.argmax(np.abs(found[:, k])), k] if len(found) else 0.0
            found[:, k] /= largest or 1.0
        return found

    @property
    def n_velocities(self) -> int:
        """Freedoms of velocity."""
        return len(self.states) - self.n_positions

    @property
    def stability(self) -> str:
        """Say stable, unstable, neutral; or unknown, where A does not stay as it is."""
        return self.poles.stability if self.is_steady else "unknown"

    def transfer(self, frequencies: Array) -> Array:
        """Return C (s - A)^-1 B + D at s = 2 pi i f: (n frequencies, n outputs, n inputs)."""
        n = len(self.A)
        s = 2j * np.pi * np.asarray(frequencies)
        return (
            np.array([self.C @ np.linalg.solve(w * np.eye(n) - self.A, self.B) for w in s]).reshape(
                len(s), len(self.outputs), len(self.inputs)
            )
            + self.D
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all of it for programs: numbers, lists and texts; complex ones as [re, im]."""
        return {
            "name": self.name,
            **{key: getattr(self, key).tolist() for key in "ABCD"},
            **{
                kind: [{"name": q.name, "unit": q.unit} for q in getattr(self, kind)]
                for kind in ("states", "inputs", "outputs", "coordinates")
            },
            "freedoms": {"position": self.n_positions, "velocity": self.n_velocities},
            "at": self.values.tolist(),
            "accelerations": self.accelerations.tolist(),
            "eigenvalues": _pairs(self.eigenvalues),
            "frequencies": self.frequencies.tolist(),
            "damping": self.damping.tolist(),
            "mode_shapes": [_pairs(shape) for shape in self.mode_shapes.T],
            "is_steady": self.is_steady,
            "stability": self.stability,
        }


def _pairs(values: Array) -> list[list[float]]:
    return [[float(value.real), float(value.imag)] for value in values]


class Linearizer:
    """A system with the derivatives that it takes to linearise it, for many states."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.tangents = Tangents(system)

    def at(
        self,
        point: OperatingPoint,
        inputs: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
        preferred: Sequence[str] = (),
    ) -> Linearization:
        """Linearise at a state; see ``linearize``."""
        system, tangents = self.system, self.tangents
        positions, velocities = coordinates_of(system)
        names = [q.name for q in velocities]
        freedoms = freedoms_at(point, tangents, [_index(names, n, "velocity") for n in preferred])
        nv, T = len(velocities), freedoms.T
        chosen = _chosen(system.table.inputs, inputs, "input")
        entries = [system.table.acting[k] for k in chosen]
        acting = np.eye(tangents.sizes["u"])[:, entries]
        follow = followers(point, tangents, freedoms, "u", entries)
        along = tangents.directions(d=T[:nv], v=T[nv:])
        driven = tangents.directions(d=follow[:nv], v=follow[nv:], u=acting)
        A = self._rates(point, along)[freedoms.picked]
        wanted = _chosen(system.table.outputs, outputs, "output")
        C, D = (
            tangents.outputs(point, part)[wanted] if wanted else np.zeros((0, part.shape[1]))
            for part in (along, driven)
        )
        picked_q, picked_v = list(freedoms.positions), list(freedoms.velocities)
        return Linearization(
            name=system.spec.name,
            A=A,
            B=self._rates(point, driven)[freedoms.picked],
            C=C,
            D=D,
            states=(*(positions[k] for k in picked_q), *(velocities[k] for k in picked_v)),
            inputs=_quantities(system.table.inputs, chosen),
            outputs=_quantities(system.table.outputs, wanted),
            n_positions=len(picked_q),
            values=np.concatenate([_values(point, positions)[picked_q], point.v[picked_v]]),
            accelerations=point.vd[picked_v],
            coordinates=positions,
            shapes=T[:nv],
            is_steady=self._is_steady(point, freedoms, A),
        )

    def _rates(self, point: OperatingPoint, directions: Array) -> Array:
        """How the rates of (d, v) of all joints change."""
        return np.vstack(
            [
                self.tangents.displacement_rates(point, directions),
                self.tangents.accelerations(point, directions),
            ]
        )

    def _is_steady(self, point: OperatingPoint, freedoms: Freedoms, A: Array) -> bool:
        """Look whether nothing accelerates, and A is the same a little later."""
        if self.system.table.time is not None:  # forces or motions are others then
            return False
        size, picked = usual_sizes(self.system), list(freedoms.velocities)
        if np.abs(point.vd[picked] / size[picked]).max(initial=0.0) > ACCELERATES:
            return False
        fastest = np.abs(point.v / size).max(initial=0.0)
        if fastest == 0.0:
            return True
        way = point.v * (ADVANCED / fastest)
        later = advanced(point, self.tangents, freedoms.velocities, way)
        if later is None:
            return False
        then = freedoms_at(later, self.tangents, freedoms.velocities, freedoms.positions)
        if then.picked != freedoms.picked:
            return False
        nv = len(point.v)
        along = self.tangents.directions(d=then.T[:nv], v=then.T[nv:])
        return stays_same(A, self._rates(later, along)[then.picked])


def linearize(
    system: System,
    *,
    state: Mapping[str, float] | OperatingPoint | None = None,
    settings: Mapping[str, float] | None = None,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
    preferred: Sequence[str] = (),
) -> Linearization:
    """Linearise a mechanism at its start, or at another state.

    ``state`` holds coordinates and velocities of joints by name (``{"elbow.q": 0.3}``), the others
    follow; or it is an ``OperatingPoint``, such as ``Equilibrium.point``. ``settings`` are
    parameters and inputs by name. ``inputs`` and ``outputs`` name the columns of B and the rows of
    C that are wanted: None is all of them. ``preferred`` velocities are picked as minimal ones
    before others.
    """
    point = point_of(system, settings, state)
    return Linearizer(system).at(point, inputs, outputs, preferred)


def _chosen(variables: Sequence[Any], names: Sequence[str] | None, kind: str) -> list[int]:
    if names is None:
        return list(range(len(variables)))
    known = [v.name for v in variables]
    return [_index(known, name, kind) for name in names]


def _index(known: list[str], name: str, kind: str) -> int:
    if name not in known:
        raise DataError(f'no {kind} "{name}"; {nearest(name, known)}')
    return known.index(name)


def _quantities(variables: Sequence[Any], chosen: Sequence[int]) -> tuple[Quantity, ...]:
    return tuple(Quantity(variables[k].name, variables[k].unit) for k in chosen)


def _values(point: OperatingPoint, positions: Sequence[Quantity]) -> Array:
    """Coordinates by name where a state has that name; turns and shifts are from here: 0."""
    by_name = dict(zip(point.system.states.names, point.x, strict=True))
    return np.array([float(by_name.get(q.name, 0.0)) for q in positions])
