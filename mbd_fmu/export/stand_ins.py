"""Shapes for bodies whose model draws none: bars between joints, a ball at the mass centre.

A body that no joint holds becomes the homogeneous box that has its mass and its moments.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mbd_fmu.model.expressions import value_of
from mbd_fmu.model.quantities import inertia_of, vector_of
from mbd_fmu.model.spec import Body, Orientation, Spec, Vector, Visual
from mbd_fmu.spatial import Array, quaternion_of_matrix

SLENDER = 0.05  # radius of a bar, of its length
BALL = 2.2  # radius of the ball at a mass centre, of that of the bars


def stand_ins(spec: Spec, body: Body) -> tuple[Visual, ...]:
    """Return what a body is shown as; places in its U."""
    ends = list(_joint_points(spec, body))
    com = vector_of(body.com, spec.nominal).astype(float)
    bars = [(ends[0], ends[1])] if len(ends) == 2 else [(end, com) for end in ends]
    bars = [bar for bar in bars if np.linalg.norm(bar[1] - bar[0]) > 0]
    if not bars:
        return (_equal_box(spec, body, com),)
    radius = SLENDER * max(float(np.linalg.norm(b - a)) for a, b in bars)
    shown = [Visual("cylinder", radius=radius, start=_vector(a), end=_vector(b)) for a, b in bars]
    return (*shown, Visual("sphere", radius=BALL * radius, center=_vector(com)))


def _joint_points(spec: Spec, body: Body) -> Iterator[Array]:
    for joint in spec.joints:
        if not joint.leads_anywhere and body.name in (joint.parent, joint.child):
            point = joint.point if body.name == joint.parent else joint.point2
            yield vector_of(point, spec.nominal).astype(float)


def _equal_box(spec: Spec, body: Body, com: Array) -> Visual:
    """A box with edges a, b, c has moments m (b^2 + c^2) / 12 and so on."""
    mass = float(value_of(body.mass, spec.nominal))
    moments, R_UB = np.linalg.eigh(inertia_of(body, spec.nominal).astype(float))
    squares = 6 * (moments.sum() - 2 * moments) / mass if mass > 0 else np.zeros(3)
    edges = np.sqrt(np.maximum(squares, 0.0))
    size = edges.max() if edges.max() > 0 else 0.1
    edges = np.maximum(edges, 0.05 * size)  # a needle or a point must be seen, too
    R_UB[:, 2] = np.cross(R_UB[:, 0], R_UB[:, 1])  # right-handed
    turn = Orientation(_vector(quaternion_of_matrix(R_UB)))
    return Visual("box", size=_vector(edges), center=_vector(com), turn=turn)


def _vector(place: Array) -> Vector:
    return tuple(float(x) for x in place)
