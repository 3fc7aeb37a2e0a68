"""The plane of a plane mechanism: what its joints allow turns about one direction, across it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mbd_fmu.elements.axes import axes_about
from mbd_fmu.elements.places import GROUND
from mbd_fmu.mechanics.arrangement import Arrangement, arrange
from mbd_fmu.model.spec import Spec
from mbd_fmu.spatial import Array

ALIGNED = 1e-6  # sine of the angle up to which directions are one: axes are typed with few digits


def plane_normal(spec: Spec) -> list[float]:
    """Return the normal of the plane all bodies move in, in the world as drawn; else nothing.

    Joints are asked, not a motion, which may be plane by chance. What flies moves in no plane.
    """
    motions = np.array(list(_motions(spec))).reshape(-1, 6)
    turns = motions[np.linalg.norm(motions[:, :3], axis=1) > 0, :3]
    slides = motions[:, 3:]
    if len(turns):
        normal = turns[0]
    else:
        *_, directions = np.linalg.svd(slides) if len(slides) else (np.eye(3),)
        if np.linalg.matrix_rank(slides, tol=ALIGNED) != 2:
            return []
        normal = directions[2]
    normal = normal / np.linalg.norm(normal)
    is_plane = (
        np.all(np.abs(np.cross(turns, normal)) <= ALIGNED)
        and np.all(np.abs(slides @ normal) <= ALIGNED)
    )  # fmt: skip
    return [float(x) for x in normal] if is_plane else []


def _motions(spec: Spec) -> Iterator[Array]:
    """Yield what every joint allows, as drawn, in the world: turn and slide, six numbers."""
    nominal = spec.nominal
    axes = {GROUND: np.eye(3)}  # of U, by body
    waiting = list(spec.joints)
    while waiting:
        joint = next((j for j in waiting if {j.parent, j.child} & set(axes)), None)
        if joint is None:  # what hangs on nothing flies: in no plane
            yield from np.eye(6)
            return
        waiting.remove(joint)
        against = joint.parent not in axes
        at = arrange(joint, against=against, parameters=nominal)
        carrier, carried = (joint.parent, joint.child)[:: -1 if against else 1]
        R_WC = axes[carrier] @ at.R_PC.astype(float)
        axes.setdefault(carried, R_WC)
        for column in _columns(at):
            yield np.concatenate([R_WC @ column[:3], R_WC @ column[3:]])


def _columns(at: Arrangement) -> Iterator[Array]:
    """Yield the columns of S where the joint is as drawn, in axes of the carried body's U."""
    R_CM = axes_about(at.axis_C, at.x_C).astype(float) if at.axis_C.any() else np.eye(3)
    k = at.constants(R_CM.T @ at.axis2_C).astype(float)
    S = at.kind.motion.S(np.array(at.kind.neutral, dtype=float), k).astype(float)
    for column in S.T:
        yield np.concatenate([R_CM @ column[:3], R_CM @ column[3:]])
