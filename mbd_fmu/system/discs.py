"""Discs that cannot roll from where they start: they lie flat, or are far from their plane."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mbd_fmu.errors import Problem
from mbd_fmu.mechanics.closures import BodyPoint
from mbd_fmu.mechanics.kinematics import Motion
from mbd_fmu.model.constraints import ON_PLANE
from mbd_fmu.spatial import Array
from mbd_fmu.system.plant import Plant
from mbd_fmu.topology.forest import WORLD

FLAT = 1e-6  # sine of the angle between axis and normal: below it a disc touches nowhere
FAR = 10.0  # radii above or below where it would touch: no drawing is so coarse


def disc_problems(plant: Plant, x: Array, u: Array) -> list[Problem]:
    """Look at all rolling discs before their rows are; those have no value for a flat disc."""
    q, v, _ = plant.coordinates(x, u)
    motion = Motion(plant.tree, q, v)
    pairs = zip(plant.system.spec.constraints, plant.tree.constraints_placed, strict=True)
    problems: list[Problem] = []
    for constraint, r in pairs:
        if r.type in ON_PLANE:
            normal = _turned(motion, r.parent.body, r.normal)
            plane, _ = motion.point(r.parent)
            discs = [(constraint.child, r.child, r.axis)]
            if constraint.second is not None and r.second is not None:
                discs.append((constraint.second[0], *r.second))
            where = f'constraint "{constraint.name}"'
            for body, centre, axis in discs:
                problems += _of_disc(where, body, motion, centre, axis, (plane, normal, r.length))
    return problems


def _of_disc(
    where: str,
    body: str,
    motion: Motion,
    centre: BodyPoint,
    axis: Array,
    plane: tuple[Array, Array, float],
) -> Iterator[Problem]:
    on_plane, normal, radius = plane
    sine = float(np.linalg.norm(np.cross(_turned(motion, centre.body, axis), normal)))
    height = float(normal @ (motion.point(centre)[0] - on_plane))
    if sine < FLAT:
        found = f'the disc of "{body}" lies flat on its plane at the start and touches no one point'
        remedy = (
            "let the axis lean away from the normal; that of an upright wheel is along the plane"
        )
        yield Problem(f"{where}, axis", found, remedy)
    elif abs(height - sine * radius) > FAR * radius:
        found = f'the centre of "{body}" is {height:.3g} m above the plane at the start'
        remedy = f"draw it, or start it, where the disc touches: at {sine * radius:.3g} m"
        yield Problem(f"{where}, center", found, remedy)


def _turned(motion: Motion, body: int, direction: Array) -> Array:
    return direction if body == WORLD else motion.placed.R_WB[body] @ direction
