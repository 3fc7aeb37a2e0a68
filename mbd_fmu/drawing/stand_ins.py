"""Shapes for bodies whose model draws none: what their inertia says, and bars to their joints.

A body whose inertia is that of a rod, box, cylinder or sphere is shown as that; bars lead to joints
that lie outside. Of one with a matrix, or a point mass, there are bars between joints and a ball at
the mass centre; if no joint holds it, the homogeneous box that has its mass and its moments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from mbd_fmu.model.inertias import equal_box, inertia_of
from mbd_fmu.model.spec import Body, Shape, Spec, Visual
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import Orientation, Vector, unit_vector_of, vector_of
from mbd_fmu.spatial import Array, quaternion_of_matrix

SLENDER = 0.05  # radius of a bar, of its length
BALL = 2.2  # radius of the ball at a mass centre, of that of the bars
ROD = 0.02  # radius of a rod, of its length: its inertia knows none
FLAT = 0.05  # an edge without length, of the longest: a needle or a plate must be seen, too
NO_TURN = Orientation((1.0, 0.0, 0.0, 0.0))


def stand_ins(spec: Spec, body: Body) -> tuple[Visual, ...]:
    """Return what a body is shown as; places in its U."""
    ends = list(joint_points(spec, body))
    com = vector_of(body.com, spec.nominal).astype(float)
    solid = _solid(spec, body, com)
    if solid is not None:
        outside = [(end, com) for end in ends if not _is_inside(solid, com, end)]
        return (*_bars(outside, thinnest=min(_edges(solid))), solid)
    bars = [(ends[0], ends[1])] if len(ends) == 2 else [(end, com) for end in ends]
    shown = _bars(bars)
    if not shown:
        return (_equal_box(spec, body, com),)
    radius = BALL * float(value_of(shown[0].radius, {}))
    return (*shown, Visual("sphere", radius=radius, center=_vector(com)))


def _bars(ends: Sequence[tuple[Array, Array]], thinnest: float = np.inf) -> tuple[Visual, ...]:
    """Cylinders of one radius; those that would have no length are left out."""
    lengths = [float(np.linalg.norm(b - a)) for a, b in ends]
    radius = min(SLENDER * max(lengths, default=0.0), thinnest / 4)
    return tuple(
        Visual("cylinder", radius=radius, start=_vector(a), end=_vector(b))
        for (a, b), length in zip(ends, lengths, strict=True)
        if length > 0
    )


def joint_points(spec: Spec, body: Body) -> Iterator[Array]:
    """Yield where joints hold a body, in its U; a free one holds nothing."""
    for joint in spec.joints:
        if not joint.leads_anywhere and body.name in (joint.parent, joint.child):
            point = joint.point if body.name == joint.parent else joint.point2
            yield vector_of(point, spec.nominal).astype(float)


def _solid(spec: Spec, body: Body, com: Array) -> Visual | None:
    """The solid that the inertia is of, around the mass centre; none of a point or a matrix."""
    if not isinstance(body.inertia, Shape):
        return None
    shape = body.inertia
    size = [float(value_of(x, spec.nominal)) for x in shape.size]
    if max(size, default=0.0) <= 0:
        return None
    if shape.kind == "sphere":
        return Visual("sphere", radius=size[0], center=_vector(com))
    if shape.kind == "box":
        return Visual(
            "box", size=_vector(_seen_edges(np.array(size))), center=_vector(com), turn=NO_TURN
        )
    radius, length = (0.0, size[0]) if shape.kind == "rod" else size
    half = (length or FLAT * radius) / 2 * unit_vector_of(shape.axis, spec.nominal).astype(float)
    return Visual(
        "cylinder",
        radius=radius or ROD * length,
        start=_vector(com - half),
        end=_vector(com + half),
    )


def _edges(solid: Visual) -> list[float]:
    """Edges of the box around a solid, along its own axes."""
    if solid.shape == "box":
        return [float(x) for x in vector_of(solid.size, {})]
    width = 2 * float(value_of(solid.radius, {}))
    if solid.shape == "sphere":
        return [width] * 3
    length = float(np.linalg.norm(vector_of(solid.end, {}) - vector_of(solid.start, {})))
    return [width, width, length]


def _is_inside(solid: Visual, com: Array, point: Array) -> bool:
    """Tell whether a point lies in a solid around the mass centre, or on its surface."""
    d, close = point - com, 1 + 1e-9
    if solid.shape == "box":
        return bool(np.all(np.abs(d) <= close * np.array(_edges(solid)) / 2))
    radius = float(value_of(solid.radius, {}))
    if solid.shape == "sphere":
        return bool(np.linalg.norm(d) <= close * radius)
    half = (vector_of(solid.end, {}) - vector_of(solid.start, {})).astype(float) / 2
    along = float(d @ half) / float(half @ half)
    return abs(along) <= close and float(np.linalg.norm(d - along * half)) <= close * radius


def _equal_box(spec: Spec, body: Body, com: Array) -> Visual:
    mass = float(value_of(body.mass, spec.nominal))
    edges, R_UB = equal_box(mass, inertia_of(body, spec.nominal).astype(float))
    edges = _seen_edges(edges) if edges.max() > 0 else np.full(3, FLAT * 0.1)
    turn = Orientation(_vector(quaternion_of_matrix(R_UB)))
    return Visual("box", size=_vector(edges), center=_vector(com), turn=turn)


def _seen_edges(edges: Array) -> Array:
    """Return edges as they are; those that have no length get one, or nothing would be seen."""
    return np.where(edges > 0, edges, FLAT * edges.max())


def _vector(place: Array) -> Vector:
    return tuple(float(x) for x in place)
