"""Can a link weigh what its file says? Where a power of ten would repair it, that is told."""

from __future__ import annotations

import math

import numpy as np

from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.robots.placements import Mass
from mbd_fmu.model.checks import ROUNDING
from mbd_fmu.quantities.limits import SMALLEST
from mbd_fmu.spatial import Array

# m2: what programs leave as moments of a point mass, per kg; a solid would be 30 nm large
NOISE = 1e-15
# Moments are rounded by hand; a thin plate may miss the triangle inequality by this share.
TRIANGLE = 0.01
POWERS = (0.1, 10.0, 0.01, 100.0, 1e-3, 1e3)  # nearest first
# The radius of gyration of a solid is a part of its size; meshes are seldom all of a link.
LARGEST_GYRATION = 10.0
SMALLEST_GYRATION = 1e-3
# m: a mesh that is larger, on a link whose mass is not spread so far, is in millimetres
LARGE_MESH = 20.0


def without_noise(mass: float, inertia: Array) -> Array:
    """Return zeros for what is but rounding."""
    return np.zeros((3, 3)) if np.abs(inertia).max() < NOISE * mass else inertia


def check_mass(
    mass_line: int,
    line: int,
    where: str,
    mass: float,
    inertia: Array,
    extents: tuple[float, ...],
    account: Account,
) -> None:
    """Write down what no link can weigh, and what it hardly does."""
    if mass < 0.0:
        account.problem(mass_line, f"{where}, mass", f"{mass:g} kg", "give a mass of 0 or more")
        return
    if 0.0 < mass < SMALLEST:
        account.problem(mass_line, f"{where}, mass", f"{mass:g} kg", "give 0, or a real mass")
        return
    moments = np.linalg.eigvalsh(inertia)
    shown = ", ".join(f"{m:g}" for m in moments)
    size = np.abs(inertia).max()
    place = f"{where}, inertia"
    if moments[0] < -ROUNDING * size:
        remedy = _repair(inertia) or (
            "give it about the mass centre, in axes of the origin, with ixy = -integral(x*y dm)"
        )
        found = f"has a negative principal moment: {shown}"
        account.doubt(line, place, found, remedy)
    elif moments[0] + moments[1] < moments[2] * (1.0 - TRIANGLE):
        found = f"principal moments {shown}: one is larger than the two others together"
        remedy = _repair(inertia) or "no distribution of mass has them; check the numbers"
        account.doubt(line, place, found, remedy)
    elif mass > 0.0 and size > 0.0 and extents:
        _check_size(line, place, mass, float(moments[2]), max(extents), account)
    if mass == 0.0 and size > 0.0:
        account.note(place, line, "turns a link without mass; is the mass missing?")


def mesh_doubt(mass: Mass, extent: float, *, is_alone: bool) -> str:
    """Say what is odd about the size of a mesh, or about that of an inertia; empty if nothing is.

    Where other shapes say how large the link is, its inertia was judged by them.
    """
    moment = float(np.linalg.eigvalsh(mass.inertia)[2])
    gyration = math.sqrt(max(moment, 0.0) / mass.mass) if mass.mass > 0.0 else 0.0
    if extent > LARGE_MESH and gyration < SMALLEST_GYRATION * extent:
        return f"the mesh is {extent:.3g} m long; is it in millimetres? scale 0.001 would mend that"
    return _size_doubt(gyration, extent) if is_alone and gyration > 0.0 else ""


def _repair(inertia: Array) -> str:
    """Name the one number that a power of ten would mend; empty if there is none."""
    for factor in POWERS:
        for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
            changed = inertia.copy()
            changed[i, j] = changed[j, i] = inertia[i, j] * factor
            moments = np.linalg.eigvalsh(changed)
            possible = moments[0] > 0.0 and moments[0] + moments[1] >= moments[2]
            if possible and inertia[i, j]:
                key = f"i{'xyz'[i]}{'xyz'[j]}"
                return f"a power of ten would repair it: {key}={inertia[i, j] * factor:g}?"
    return ""


def _check_size(
    line: int, where: str, mass: float, moment: float, extent: float, account: Account
) -> None:
    """Compare the radius of gyration with the size of what is seen."""
    if not extent > 0.0:
        return
    doubt = _size_doubt(math.sqrt(moment / mass), extent)
    if doubt:
        account.note(where, line, doubt)


def _size_doubt(gyration: float, extent: float) -> str:
    if SMALLEST_GYRATION * extent <= gyration <= LARGEST_GYRATION * extent:
        return ""
    power = 2 * round(math.log10(gyration / extent))
    much = "large" if power > 0 else "small"
    return (
        f"the radius of gyration is {gyration:g} m and the link's shapes are {extent:g} m long: "
        f"is the inertia too {much} by some 1e{abs(power)}, in other units than kg.m2?"
    )
