"""Outputs of points: where they are and how they move, and how far two are from each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mbd_fmu.elements.names import Component, xyz
from mbd_fmu.elements.places import GROUND, WORLD, BodyPoint
from mbd_fmu.mechanics.seen_from import SeenFrom
from mbd_fmu.model.named_outputs import OutputDistance, OutputPoint
from mbd_fmu.model.spec import Spec
from mbd_fmu.spatial import Array, array, norm, times
from mbd_fmu.system.outputs.block import Block, Solved, Stage


def origin_of(now: Solved, body: str) -> BodyPoint:
    """Return the origin of a body as it is put out; that of the ground is the world's."""
    i = now.at.tree.places.number(body)
    return BodyPoint(i, np.zeros(3) if i == WORLD else now.at.tree.origin_B[i])


def whose_axes(body: str) -> str:
    """Say in whose axes a vector is told."""
    return "world axes" if body == GROUND else f'axes of "{body}"'


@dataclass(frozen=True)
class _Point:
    """What is put out of a point."""

    point: OutputPoint

    def position(self, now: Solved) -> Array:
        seen, at, to = self._seen(now)
        return self._told(now, seen, seen.relative(at, to)[0])

    def velocity(self, now: Solved) -> Array:
        seen, at, to = self._seen(now)
        return self._told(now, seen, seen.relative(at, to)[1])

    def acceleration(self, now: Solved) -> Array:
        seen, at, to = self._seen(now)
        return self._told(now, seen, seen.relative_acceleration(at, to))

    def _seen(self, now: Solved) -> tuple[SeenFrom, BodyPoint, BodyPoint]:
        """From the last body that carries all it is about; the point; and what it is seen from."""
        point, places = self.point, now.at.tree.places
        bodies = (point.body, point.relative_to, point.axes_of)
        seen = now.at.seen_from(*map(places.number, bodies))
        return seen, places.point(point.body, point.point), origin_of(now, point.relative_to)

    def _told(self, now: Solved, seen: SeenFrom, vector: Array) -> Array:
        R, _, _ = seen.turning(now.at.tree.places.number(self.point.axes_of))
        return times(R.T, vector)


def point_blocks(spec: Spec) -> Iterator[Block]:
    """Yield positions, velocities and, where they are asked for, accelerations of points."""
    for point in spec.points:
        of, text = _Point(point), f'point "{point.name}" of body "{point.body}"'
        seen = point.relative_to != GROUND
        place = f', from the origin of "{point.relative_to}", ' if seen else " in the world"
        axes = "" if point.is_in_world else f"{'' if seen else ', '}{whose_axes(point.axes_of)}"
        named = xyz(f"{point.name}.r", "m", f"{text}{place}{axes}")
        yield Block(Stage.POSITIONS, named, of.position)
        by = f' as "{point.relative_to}" sees it' if seen else ""
        axes = whose_axes(point.axes_of)
        named = xyz(f"{point.name}.v", "m/s", f"velocity of {text}{by}, {axes}")
        yield Block(Stage.VELOCITIES, named, of.velocity)
        if point.acceleration:
            named = xyz(f"{point.name}.a", "m/s2", f"acceleration of {text}{by}, {axes}")
            yield Block(Stage.ACCELERATIONS, named, of.acceleration)


@dataclass(frozen=True)
class _Distance:
    """Between two points."""

    of: OutputDistance

    def length(self, now: Solved) -> Array:
        between, _ = self._between(now)
        return array([norm(between)])

    def rate(self, now: Solved) -> Array:
        """Return the part of the relative velocity along the line; none where there is none."""
        between, rate = self._between(now)
        return array([times(between, rate) / norm(between)])

    def _between(self, now: Solved) -> tuple[Array, Array]:
        of, places = self.of, now.at.tree.places
        seen = now.at.seen_from(places.number(of.parent), places.number(of.child))
        (p, v), (p2, v2) = (
            seen.point(places.point(body, point))
            for body, point in ((of.parent, of.point), (of.child, of.point2))
        )
        return p2 - p, v2 - v


def distance_blocks(output: OutputDistance) -> Iterator[Block]:
    """Yield the distance of two points, and its rate."""
    of, ends = _Distance(output), f'the points of "{output.name}" on "{output.parent}"'
    ends += f' and "{output.child}"'
    named = Component(f"{output.name}.length", "m", f"distance between {ends}")
    yield Block(Stage.POSITIONS, (named,), of.length)
    text = f"rate of the distance between {ends}, positive as they part"
    yield Block(Stage.VELOCITIES, (Component(f"{output.name}.rate", "m/s", text),), of.rate)
