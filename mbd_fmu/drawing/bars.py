"""A body in a line drawing: the axes of what is long in it, and what ties the rest to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np

from mbd_fmu.drawing.stand_ins import NO_TURN, joint_points, stand_ins
from mbd_fmu.elements.constraint import Constraint
from mbd_fmu.elements.force import Force
from mbd_fmu.model.spec import Body, Spec, Visual
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import Vector, quaternion_of, vector_of
from mbd_fmu.spatial import Array, rotation_matrix

LONG = 2.0  # at least so many times as long as wide: what is drawn as a line
TOUCHES = 1e-3  # of the longest bar: what is nearer lies on it
CORNERS = 16  # of what is round

Bar = tuple[Array, Array]


@dataclass(frozen=True)
class Bars:
    """Lines that stand for a body, in its U."""

    thick: list[Bar]  # what is long
    thin: list[Bar]  # from there to joints, springs and the mass centre
    edges: list[Bar]  # of its solids, where nothing is long


def bars_of(spec: Spec, body: Body) -> Bars:
    """Draw a body by lines: everything it carries, or is held by, hangs together."""
    com = vector_of(body.com, spec.nominal).astype(float)
    ends = list(joint_points(spec, body, spec.nominal))
    solids = [_Solid(spec, s) for s in body.visual or stand_ins(spec, body) if s.shape != "mesh"]
    thick = [solid.axis for solid in solids if solid.is_long]
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
    return Bars(thick, thin, [] if thick else [edge for s in solids for edge in s.edges()])


def _foot(bar: Bar, point: Array) -> Array:
    """Return the point of a bar that is nearest to a point."""
    a, b = bar
    along = float((point - a) @ (b - a)) / float((b - a) @ (b - a))
    return a + min(max(along, 0.0), 1.0) * (b - a)


def _ties(spec: Spec, body: Body) -> Iterator[Array]:
    """Yield where springs, rods and constraints of points hold the body."""
    ties: list[Force | Constraint] = [f for f in spec.forces if f.line]
    ties += [c for c in spec.constraints if c.holds_points]
    for tie in ties:
        for name, point in ((tie.parent, tie.point), (tie.child, tie.point2)):
            if name == body.name:
                yield vector_of(point, spec.nominal).astype(float)


class _Solid:
    """A box, cylinder or sphere: its middle, and half its three diameters as vectors."""

    def __init__(self, spec: Spec, visual: Visual) -> None:
        def vector(given: Vector) -> Array:
            return vector_of(given, spec.nominal).astype(float)

        self.kind = visual.shape
        radius = float(value_of(visual.radius, spec.nominal))
        if self.kind == "cylinder":
            a, b = vector(visual.start), vector(visual.end)
            self.middle = (a + b) / 2
            # any two directions across: those that singular values know as without length
            across = np.linalg.svd((b - a)[None, :])[2][1:]
            self.halves = [*(radius * across), (b - a) / 2]
        elif self.kind == "sphere":
            self.middle, self.halves = vector(visual.center), list(radius * np.eye(3))
        else:
            turn = quaternion_of(visual.turn or NO_TURN, spec.nominal)
            edges = rotation_matrix(turn).astype(float) * vector(visual.size)
            self.middle, self.halves = vector(visual.center), list(edges.T / 2)

    @property
    def is_long(self) -> bool:
        _, medium, longest = sorted(float(np.linalg.norm(half)) for half in self.halves)
        return longest > 0 and longest >= LONG * medium

    @property
    def axis(self) -> Bar:
        """Return the line through the middle along the longest diameter."""
        half = max(self.halves, key=lambda half: float(half @ half))
        return self.middle - half, self.middle + half

    def edges(self) -> Iterator[Bar]:
        """Yield the edges of a box, rims and sides of a cylinder, great circles of a sphere."""
        a, b, c = self.halves
        if self.kind == "sphere":
            for one, other in ((a, b), (b, c), (c, a)):
                yield from self._circle(self.middle, one, other)
        elif self.kind == "cylinder":
            for end in (-c, c):
                yield from self._circle(self.middle + end, a, b)
            for side in (a, b, -a, -b):
                yield self.middle + side - c, self.middle + side + c
        else:
            for k, half in enumerate(self.halves):
                one, other = self.halves[k - 1], self.halves[k - 2]
                for s, t in product((-1, 1), repeat=2):
                    corner = self.middle + s * one + t * other
                    yield corner - half, corner + half

    def _circle(self, middle: Array, a: Array, b: Array) -> Iterator[Bar]:
        angles = np.linspace(0.0, 2 * np.pi, CORNERS + 1)
        yield from pairwise(middle + np.cos(t) * a + np.sin(t) * b for t in angles)
