"""What q, v and tau mean: arrays over all freedoms, or mappings by the names of joints.

An array has an entry for each coordinate, or velocity, of the joints of the tree, in the order of
the forest. A mapping names joints, ``{"elbow": 0.3, "ball": [1, 0, 0, 0]}``, or single entries,
``{"elbow.q": 0.3}``; what it does not name is open.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from mbd_fmu.elements.names import Component, Names
from mbd_fmu.errors import DataError, nearest
from mbd_fmu.model.spec import Joint
from mbd_fmu.spatial import Array
from mbd_fmu.system.system import QUATERNION_SLACK, System
from mbd_fmu.system.variable import Variable, components_of

Given = ArrayLike | Mapping[str, ArrayLike] | None


@dataclass(frozen=True)
class JointVector:
    """A kind of vector with entries for joints: how it is written down."""

    symbol: str  # in messages: "q"
    variables: tuple[Variable, ...]  # one per entry
    joints: dict[str, slice]  # entries of each joint, by its name
    n_array: int  # what an array holds; entries beyond belong to joints that close loops
    following: frozenset[str] = frozenset()  # joints that close loops, where they cannot be told
    quaternions: tuple[slice, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What the entries are called."""
        return tuple(v.name for v in self.variables)

    def read(self, given: Given, base: Array) -> tuple[Array, Array]:
        """Return ``base`` with what is given put in, and which entries are given."""
        values, told = base.copy(), np.zeros(len(base), dtype=bool)
        if given is None:
            return values, told
        if isinstance(given, Mapping):
            problems = list(self._put(given, values, told))
        else:
            problems = list(self._put_all(given, values, told))
        problems = problems or list(self._long_quaternions(values, told))
        if problems:
            raise DataError("\n  ".join(problems))
        return values, told

    def _put_all(self, given: ArrayLike, values: Array, told: Array) -> Iterator[str]:
        found = numbers_in(given)
        n, own = self.n_array, ", ".join(self.names[: self.n_array])
        if found is None or found.shape != (n,):
            said = f"{found.size} values" if found is not None else f"{given!r} is no vector"
            yield f"{self.symbol}: {said}; give {n}, in this order: {own}"
        elif not np.isfinite(found).all():
            wrong = self.names[int(np.flatnonzero(~np.isfinite(found))[0])]
            yield f"{self.symbol}: {wrong} is no finite number; give one"
        else:
            values[:n], told[:n] = found, True

    def _put(self, given: Mapping[str, ArrayLike], values: Array, told: Array) -> Iterator[str]:
        entry = {name: slice(k, k + 1) for k, name in enumerate(self.names)}
        for name, value in given.items():
            if name in self.following:
                yield (
                    f'{self.symbol}: joint "{name}" closes a loop and follows the others; give '
                    "theirs (m.inverse_kinematics leads any joint), or cut another: cut = true"
                )
                continue
            at = self.joints.get(name) or entry.get(name)
            if at is None:
                known = [*self.joints, *entry]
                yield f'{self.symbol}: no joint "{name}"; {nearest(str(name), known)}'
                continue
            found, n = numbers_in(value), at.stop - at.start
            if n == 0 and (found is None or found.size):
                yield f'{self.symbol}: joint "{name}" has no freedom; leave it out'
                continue
            if found is None or found.size != n or not np.isfinite(found).all():
                own = ", ".join(self.names[at])
                yield (
                    f'{self.symbol} of "{name}": {value!r}; give {n} finite '
                    f"number{'s' if n != 1 else ''}: {own}"
                )
                continue
            values[at], told[at] = found.ravel(), True

    def _long_quaternions(self, values: Array, told: Array) -> Iterator[str]:
        """Quaternions are given whole, and of length 1 as far as people write it down."""
        for at in self.quaternions:
            if not told[at].any():
                continue
            length = float(np.linalg.norm(values[at]))
            if not told[at].all() or not abs(length - 1.0) <= QUATERNION_SLACK:
                own = ", ".join(self.names[at])
                yield f"{self.symbol}: {own} have length {length:g}; give all four, of length 1"
            values[at] /= length or 1.0


def numbers_in(given: ArrayLike) -> Array | None:
    """Return what was given as numbers; nothing if it is none."""
    try:
        return np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        return None


def finite_number(name: str, value: ArrayLike) -> float:
    """Return the number that was given by name."""
    found = numbers_in(value)
    if found is None or found.size != 1 or not np.isfinite(found).all():
        raise DataError(f'"{name}": {value!r}; give a finite number')
    return float(found.ravel()[0])


def by_components(given: Mapping[str, ArrayLike], known: Collection[str]) -> dict[str, ArrayLike]:
    """Return settings with vectors taken apart: ``hub`` is ``hub[1]``, ``hub[2]``, ..."""
    found: dict[str, ArrayLike] = {}
    for name, value in given.items():
        parts = components_of(name, known)
        numbers = numbers_in(value) if parts else np.zeros(0)
        if numbers is None or (parts and numbers.shape != (len(parts),)):
            raise DataError(f'"{name}": {value!r}; give {len(parts)} numbers')
        told = dict(zip(parts, numbers.tolist(), strict=True)) if parts else {name: value}
        if twice := sorted(found.keys() & told.keys()):
            raise DataError(f'"{twice[0]}" is given twice, alone and in a vector; give it once')
        found |= told
    return found


def coordinate_vector(system: System) -> JointVector:
    """Return how q is written down."""
    joints, places = _tree_joints(system), system.forest.q
    turning = tuple(
        slice(at.start, at.start + 4)
        for joint, at in zip(joints, places, strict=True)
        if joint.kind.quaternion
    )
    vector = _vector(system, "q", joints, places, lambda n: n.positions)
    return replace(vector, following=_cut_names(system), quaternions=turning)


def velocity_vector(system: System) -> JointVector:
    """Return how v is written down."""
    joints, places = _tree_joints(system), system.forest.v
    vector = _vector(system, "v", joints, places, lambda n: n.velocities)
    return replace(vector, following=_cut_names(system))


def acceleration_vector(system: System) -> JointVector:
    """Return how accelerations are written down."""
    joints, places = _tree_joints(system), system.forest.v
    vector = _vector(system, "a", joints, places, lambda n: n.accelerations)
    return replace(vector, following=_cut_names(system))


def drive_vector(system: System) -> JointVector:
    """Return how forces along the freedoms are written down; cut joints may be named, too."""
    joints = [system.spec.joints[k] for k in system.forest.every_joint]
    vector = _vector(system, "tau", joints, system.forest.every_v, lambda n: n.drives)
    return replace(vector, n_array=system.forest.nv)


def tau_of(system: System, drives: Mapping[str, float]) -> Array:
    """Return what drives do along the freedoms of the tree; others have no place there."""
    vector = drive_vector(system)
    place = {name: k for k, name in enumerate(vector.names[: vector.n_array])}
    if beyond := [name for name in drives if name not in place]:
        raise DataError(
            f'"{beyond[0]}" does not act along a freedom of the tree; ask m.at(q, v).drives(a) for '
            "drives by name"
        )
    tau = np.zeros(vector.n_array)
    for name, value in drives.items():
        tau[place[name]] = value
    return tau


def _vector(
    system: System,
    symbol: str,
    joints: Sequence[Joint],
    places: Sequence[slice],
    part: Callable[[Names], tuple[Component, ...]],
) -> JointVector:
    variables = tuple(
        Variable(system.shown(f"{joint.name}.{c.name}"), "local", c.unit, c.meaning)
        for joint in joints
        for c in part(joint.kind.names)
    )
    own = {joint.name: at for joint, at in zip(joints, places, strict=True)}
    return JointVector(symbol, variables, own, len(variables))


def _tree_joints(system: System) -> list[Joint]:
    return [system.spec.joints[k] for k in system.forest.joint]


def _cut_names(system: System) -> frozenset[str]:
    return frozenset(system.spec.joints[k].name for k in system.forest.cut)
