"""Momentum of what flies: constant but for gravity, whatever goes on inside.

The sum of m v gains gravity's impulse and nothing else; the angular momentum about the common mass
centre gains nothing. Springs, motors and loops between the bodies cannot change either; nor can
rotors, for what one exerts on a body it exerts on the other, and it carries no momentum itself.

Source   Newton's and Euler's laws, summed over the bodies: forces between them cancel in pairs.
Checked  tests/unit/test_momentum.py
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mbd_fmu.elements.places import GROUND
from mbd_fmu.model.inertias import inertia_of
from mbd_fmu.model.spec import Joint, Spec
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import vector_of
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array
from mbd_fmu.validate.invariants import AS_SIGNALS, Invariant


@dataclass(frozen=True)
class Flight:
    """Bodies that nothing ties to the ground, with what their momentum takes."""

    bodies: tuple[str, ...]
    masses: Array  # (n,)
    inertias: Array  # (n, 3, 3): about the mass centre, in the axes the quaternion turns
    gravity: Array  # (3,)


def flight_of(spec: Spec) -> Flight | None:
    """Return the bodies of a mechanism that flies as a whole, with its declared parameters."""
    if spec.moving_base or any(map(_is_tie, spec.joints)) or not spec.bodies:
        return None
    if any(name == GROUND for force in spec.forces for _, name in force.bodies):
        return None
    if any(name == GROUND for c in spec.constraints for _, name in c.bodies):
        return None
    return Flight(
        tuple(body.name for body in spec.bodies),
        np.array([value_of(body.mass, spec.nominal) for body in spec.bodies], dtype=float),
        np.array([inertia_of(body, spec.nominal) for body in spec.bodies], dtype=float),
        vector_of(spec.gravity, spec.nominal),
    )


def _is_tie(joint: Joint) -> bool:
    """Tell joints that can change the momentum.

    One to the ground does, unless it is free and does nothing; one that is told to move jumps a
    little at communication points.
    """
    if joint.drive == "motion":
        return True
    if GROUND not in (joint.parent, joint.child):
        return False
    acts = joint.drive != "none" or joint.damping or joint.friction or joint.armature
    return joint.kind.restricts or bool(acts)


def momentum_of(result: Trajectory, flight: Flight, tolerance: float) -> list[Invariant]:
    """Return both laws, if poses and velocities of all bodies are put out."""
    found = [_motion(result, body) for body in flight.bodies]
    motions = [motion for motion in found if motion is not None]
    if len(motions) < len(found):
        return []
    com, v, w, quat = (np.stack(parts, axis=1) for parts in zip(*motions, strict=True))  # (t, n, .)
    m = flight.masses[:, None]
    linear = m * v
    impulse = np.outer(result.time - result.time[0], flight.masses.sum() * flight.gravity)
    center = (m * com).sum(axis=1, keepdims=True) / flight.masses.sum()
    velocity = linear.sum(axis=1, keepdims=True) / flight.masses.sum()
    turns = _rotations(quat)
    inertia = turns @ flight.inertias @ np.swapaxes(turns, -1, -2)
    angular = (inertia @ w[..., None])[..., 0] + m * np.cross(com - center, v - velocity)
    return [
        _constant("linear momentum", linear, impulse, tolerance),
        _constant("angular momentum", angular, 0.0 * impulse, tolerance),
    ]


def _constant(name: str, parts: Array, gained: Array, tolerance: float) -> Invariant:
    """Hold the change of a sum against the largest sum of its parts' sizes."""
    total = parts.sum(axis=1) - gained
    worst = float(np.abs(total - total[0]).max())
    size = float(np.linalg.norm(parts, axis=2).sum(axis=1).max())
    relative = worst / size if size > 0 else worst
    return Invariant(name, relative, tolerance, "of what the bodies carry", AS_SIGNALS)


def _motion(result: Trajectory, body: str) -> tuple[Array, Array, Array, Array] | None:
    """Return mass centre, velocity, angular velocity and quaternion of a body over time."""
    parts = []
    for key, letters in (("com", "xyz"), ("v", "xyz"), ("w", "xyz"), ("quat", "wxyz")):
        names = [f"{body}.{key}.{c}" for c in letters]
        if not all(name in result for name in names):
            names = [name.replace(".", "_") for name in names]
        if not all(name in result for name in names):
            return None
        parts.append(np.stack([result.column(name) for name in names], axis=1))
    return parts[0], parts[1], parts[2], parts[3]


def _rotations(quat: Array) -> Array:
    """Return the matrices of quaternions, w first: (..., 4) to (..., 3, 3)."""
    w, x, y, z = np.moveaxis(quat, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))
