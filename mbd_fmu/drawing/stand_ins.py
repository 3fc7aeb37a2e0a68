"""Shapes for bodies whose model draws none: what their inertia says, and bars to their joints.

A body whose inertia is that of a rod, box, cylinder or sphere is shown as that; bars lead to joints
that lie outside. Of one with a matrix, or a point mass, there are bars between joints and a ball at
the mass centre; if no joint holds it, the homogeneous box that has its mass and its moments.

With symbols put in for the parameters, places and sizes are formulas; which shape it is, and what
lies in it, is decided by the declared values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

import numpy as np

from mbd_fmu.model.inertias import equal_box, inertia_of
from mbd_fmu.model.spec import Body, Shape, Spec, Visual
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.functions import greater, lesser
from mbd_fmu.quantities.vectors import (
    Orientation,
    Values,
    Vector,
    unit_vector_of,
    vector_of,
)
from mbd_fmu.spatial import Array, Scalar, array, norm, quaternion_of_matrix, scaled

SLENDER = 0.05  # radius of a bar, of its length
BALL = 2.2  # radius of the ball at a mass centre, of that of the bars
ROD = 0.02  # radius of a rod, of its length: its inertia knows none
FLAT = 0.05  # an edge without length, of the longest: a needle or a plate must be seen, too
NO_TURN = Orientation((1.0, 0.0, 0.0, 0.0))

_COM = -1  # where the mass centre stands among the points of a body


def stand_ins(spec: Spec, body: Body, values: Values | None = None) -> tuple[Visual, ...]:
    """Return what a body is shown as; places in its U, of numbers or symbols as given."""
    declared = _Points(spec, body, spec.nominal)
    shown = declared if values is None else _Points(spec, body, values)
    ends = range(len(declared.places) - 1)
    if isinstance(body.inertia, Shape) and max(declared.size, default=0.0) > 0:
        solid, usual = (_solid(body.inertia, at, declared) for at in (shown, declared))
        places = declared.places
        outside = [(k, _COM) for k in ends if not _is_inside(usual, declared.com, places[k])]
        thinnest = reduce(lesser, _edges(solid))
        return (*_bars(outside, declared, shown, thinnest / 4.0), solid)
    between = [(0, 1)] if len(ends) == 2 else [(k, _COM) for k in ends]
    bars = _bars(between, declared, shown)
    if not bars:
        return (_equal_box(spec, body, shown.com),)
    ball = BALL * value_of(bars[0].radius, {})
    return (*bars, Visual("sphere", radius=ball, center=tuple(shown.com)))


def joint_points(spec: Spec, body: Body, values: Values) -> Iterator[Array]:
    """Yield where joints hold a body, in its U; a free one holds nothing."""
    for joint in spec.joints:
        if not joint.leads_anywhere and body.name in (joint.parent, joint.child):
            point = joint.point if body.name == joint.parent else joint.point2
            yield vector_of(point, values)


class _Points:
    """Where joints hold a body, then its mass centre; and the sizes of the solid it is."""

    def __init__(self, spec: Spec, body: Body, values: Values) -> None:
        self.com = vector_of(body.com, values)
        self.places = [*joint_points(spec, body, values), self.com]
        self.size: list[Scalar] = []
        self.axis = np.zeros(3)
        if isinstance(body.inertia, Shape):
            self.size = [value_of(x, values) for x in body.inertia.size]
            if body.inertia.kind in ("cylinder", "rod"):
                self.axis = unit_vector_of(body.inertia.axis, values)


def _bars(
    between: Sequence[tuple[int, int]], declared: _Points, shown: _Points, thickest: Scalar = None
) -> tuple[Visual, ...]:
    """Cylinders of one radius between points; those that would have no length are left out."""
    ends = [
        (shown.places[a], shown.places[b])
        for a, b in between
        if np.linalg.norm(declared.places[b] - declared.places[a]) > 0
    ]
    lengths = [norm(b - a) for a, b in ends]
    radius = SLENDER * reduce(greater, lengths, 0.0)
    if thickest is not None:
        radius = lesser(radius, thickest)
    return tuple(Visual("cylinder", radius=radius, start=tuple(a), end=tuple(b)) for a, b in ends)


def _solid(shape: Shape, at: _Points, declared: _Points) -> Visual:
    """The solid that the inertia is of, around the mass centre."""
    center = tuple(at.com)
    if shape.kind == "sphere":
        return Visual("sphere", radius=at.size[0], center=center)
    if shape.kind == "box":
        edges = _seen_edges(at.size, declared.size)
        return Visual("box", size=edges, center=center, turn=NO_TURN)
    (radius, length), (wide, long) = (
        (0.0, *p.size) if shape.kind == "rod" else p.size for p in (at, declared)
    )
    length = length if long > 0 else FLAT * radius
    radius = radius if wide > 0 else ROD * length
    half = scaled(length / 2.0, at.axis)
    return Visual("cylinder", radius=radius, start=tuple(at.com - half), end=tuple(at.com + half))


def _edges(solid: Visual) -> list[Scalar]:
    """Edges of the box around a solid, along its own axes."""
    if solid.shape == "box":
        return list(solid.size)
    width = 2.0 * value_of(solid.radius, {})
    if solid.shape == "sphere":
        return [width] * 3
    return [width, width, norm(array(solid.end) - array(solid.start))]


def _is_inside(solid: Visual, com: Array, point: Array) -> bool:
    """Tell whether a point lies in a solid around the mass centre, or on its surface."""
    d, close = point - com, 1 + 1e-9
    if solid.shape == "box":
        return bool(np.all(np.abs(d) <= close * array(_edges(solid)) / 2))
    radius = float(value_of(solid.radius, {}))
    if solid.shape == "sphere":
        return bool(np.linalg.norm(d) <= close * radius)
    half = (array(solid.end) - array(solid.start)) / 2
    along = float(d @ half) / float(half @ half)
    return abs(along) <= close and float(np.linalg.norm(d - along * half)) <= close * radius


def _equal_box(spec: Spec, body: Body, com: Array) -> Visual:
    """The box that has mass and moments of the body, as they are declared."""
    mass = float(value_of(body.mass, spec.nominal))
    edges, R_UB = equal_box(mass, inertia_of(body, spec.nominal).astype(float))
    size: list[float] = edges.tolist() if edges.max() > 0 else [FLAT * 0.1] * 3
    turn = Orientation(tuple(map(float, quaternion_of_matrix(R_UB))))
    return Visual("box", size=_seen_edges(size, size), center=tuple(com), turn=turn)


def _seen_edges(edges: Sequence[Scalar], declared: Sequence[float]) -> Vector:
    """Return edges as they are; those that have no length get one, or nothing would be seen."""
    least = FLAT * reduce(greater, edges)
    return tuple(x if long > 0 else least for x, long in zip(edges, declared, strict=True))
