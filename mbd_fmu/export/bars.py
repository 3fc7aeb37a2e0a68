"""A body in a line drawing: the axes of what is long in it, and what ties the rest to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mbd_fmu.export.stand_ins import NO_TURN, joint_points, stand_ins
from mbd_fmu.model.expressions import value_of
from mbd_fmu.model.quantities import quaternion_of, vector_of
from mbd_fmu.model.spec import Body, Constraint, Force, Spec, Visual
from mbd_fmu.spatial import Array, rotation_matrix

LONG = 2.0  # at least so many times as long as wide: what is drawn as a line
TOUCHES = 1e-3  # of the longest bar: what is nearer lies on it

Bar = tuple[Array, Array]

_PULLED = ("spring_damper", "inverse_square")
_TIED = ("distance", "point_on_line", "point_in_plane")


@dataclass(frozen=True)
class Bars:
    """Lines that stand for a body, in its U: thick ones, and thin ones to what lies beside."""

    thick: list[Bar]
    thin: list[Bar]


def bars_of(spec: Spec, body: Body) -> Bars:
    """Draw a body by lines: everything it carries, or is held by, hangs together."""
    com = vector_of(body.com, spec.nominal).astype(float)
    ends = list(joint_points(spec, body))
    thick = list(_axes(spec, body))
    if not thick:
        thick = [(ends[0], ends[1])] if len(ends) == 2 else [(end, com) for end in ends]
        thick = [(a, b) for a, b in thick if np.linalg.norm(b - a) > 0]
    longest = max((float(np.linalg.norm(b - a)) for a, b in thick), default=0.0)
    thin: list[Bar] = []
    for point in (com, *ends, *_ties(spec, body)):
        feet = [_foot(bar, point) for bar in thick + thin] or [com]
        away, foot = min((float(np.linalg.norm(f - point)), k, f) for k, f in enumerate(feet))[::2]
        if away > TOUCHES * longest:
            thin.append((foot, point))
    return Bars(thick, thin)


def _foot(bar: Bar, point: Array) -> Array:
    """Return the point of a bar that is nearest to a point."""
    a, b = bar
    along = float((point - a) @ (b - a)) / float((b - a) @ (b - a))
    return a + min(max(along, 0.0), 1.0) * (b - a)


def _axes(spec: Spec, body: Body) -> Iterator[Bar]:
    for solid in body.visual or stand_ins(spec, body):
        if solid.shape == "cylinder":
            a, b = (vector_of(end, spec.nominal).astype(float) for end in (solid.start, solid.end))
            width = 2 * float(value_of(solid.radius, spec.nominal))
            if np.linalg.norm(b - a) >= LONG * width:
                yield a, b
        elif solid.shape == "box":
            yield from _axis_of_box(spec, solid)


def _axis_of_box(spec: Spec, solid: Visual) -> Iterator[Bar]:
    size = vector_of(solid.size, spec.nominal).astype(float)
    k = int(np.argmax(size))
    if size[k] >= LONG * np.delete(size, k).max():
        middle = vector_of(solid.center, spec.nominal).astype(float)
        turn = rotation_matrix(quaternion_of(solid.turn or NO_TURN, spec.nominal)).astype(float)
        half = turn[:, k] * size[k] / 2
        yield middle - half, middle + half


def _ties(spec: Spec, body: Body) -> Iterator[Array]:
    """Yield where springs, rods and constraints of points hold the body."""
    ties: list[Force | Constraint] = [f for f in spec.forces if f.type in _PULLED]
    ties += [c for c in spec.constraints if c.type in _TIED]
    for tie in ties:
        for name, point in ((tie.parent, tie.point), (tie.child, tie.point2)):
            if name == body.name:
                yield vector_of(point, spec.nominal).astype(float)
