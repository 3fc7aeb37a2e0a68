"""Labels in line drawings: where they may stand so that none hides another.

Problem: things to be named lie anywhere, close together, with lines between them. Each label comes
with places it would like, the best first. Wanted are places where no label covers another one or a
symbol, as few lines as possible, and each as near to the best as that allows.

The way: one label after the other takes its cheapest place, then all look again until none moves.
Widths are those of a wide font (DejaVu Sans), so that any other leaves room.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from mbd_fmu.spatial import Array

Point = tuple[float, float]
Line = tuple[Point, Point]

ROUNDS = 6
GAP = 2.0  # pixels between labels
HIDDEN = 1e4  # cost of covering another label, or a symbol
CROSSED = 6.0  # and of a line that runs through it, in places further down the list

_WIDTHS = {0.45: " .,:;'|!()[]/\\ijlftrI-", 1.0: "mwMW%@—", 0.8: "ABCDGHKNOQRUV&_=+<>~#"}
_WIDTH = {character: width for width, row in _WIDTHS.items() for character in row}


@dataclass(frozen=True)
class Box:
    """A rectangle with sides along the picture's."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        """Tell whether two have an area in common."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def grown(self, by: float) -> Box:
        """Return the box with a margin around it."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def around(self, other: Box) -> Box:
        """Return the smallest box around both."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def holds(self, other: Box) -> bool:
        """Tell whether the other lies inside."""
        return self.around(other) == self


@dataclass(frozen=True)
class Label:
    """A text, the places its middle may have, and the lines it may stand on."""

    text: str
    size: float  # of the font, in pixels
    places: Sequence[Point]  # the best first
    own: frozenset[Line] = frozenset()

    def box(self, place: Point) -> Box:
        """Return what it covers at a place."""
        return text_box(self.text, self.size, place)


def text_box(text: str, size: float, middle: Point) -> Box:
    """Return what a text covers, at most."""
    half = size * sum(_WIDTH.get(character, 0.68) for character in text) / 2
    x, y = middle
    return Box(x - half, y - 0.66 * size, x + half, y + 0.66 * size)


def baseline(size: float, middle: Point) -> Point:
    """Return where SVG wants the middle of a text whose anchor is the middle."""
    return middle[0], middle[1] + 0.35 * size


def places_around(place: Point, text: str, size: float, reach: float) -> list[Point]:
    """Return places around a symbol of the given radius, near ones first, right ones first."""
    box = text_box(text, size, (0.0, 0.0))
    half, high = box.right, box.bottom
    x, y = place
    found = []
    for ring in range(8):
        away = reach + ring * (3.0 + 2.0 * ring)
        for degrees in (-35, 35, 145, -145, -90, 90, 0, 180, -60, 60, 120, -120):
            c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
            # the side of the text that looks at the symbol stays away from it, not its middle
            found.append((x + away * c + half * _side(c), y + away * s + high * _side(s)))
    return found


def _side(direction: float) -> float:
    """From -1 to 1: how far a text is pushed to the side it stands on."""
    return max(-1.0, min(1.0, 1.6 * direction))


def placed(
    labels: Sequence[Label], solids: Iterable[Box], lines: Iterable[Line], frame: Box
) -> list[Point]:
    """Return a place for each label, as far as possible inside the frame."""
    lines = list(lines)
    fixed, ends = _sides(solids), np.array(lines).reshape(-1, 4)
    boxes = [_sides(label.box(place) for place in label.places) for label in labels]
    costs = [
        np.arange(len(own))
        + HIDDEN * (_overlaps(own, fixed) + _outside(own, frame))
        + CROSSED * _crossings(own, ends[[line not in label.own for line in lines]])
        for label, own in zip(labels, boxes, strict=True)
    ]
    chosen = [-1] * len(labels)
    for _ in range(ROUNDS):
        before = list(chosen)
        taken = np.array([boxes[k][n] if n >= 0 else _NOWHERE for k, n in enumerate(chosen)])
        taken = taken.reshape(-1, 4) + GAP * _OUTWARD
        for k, own in enumerate(boxes):
            taken[k] = _NOWHERE
            chosen[k] = int(np.argmin(costs[k] + HIDDEN * _overlaps(own, taken)))
            taken[k] = own[chosen[k]] + GAP * _OUTWARD
        if chosen == before:
            break
    return [label.places[n] for label, n in zip(labels, chosen, strict=True)]


# Below, boxes are rows of an array: left, top, right, bottom; and lines: x, y, x, y of their ends.
_OUTWARD = np.array([-1.0, -1.0, 1.0, 1.0])
_NOWHERE = np.array([np.inf, np.inf, -np.inf, -np.inf])


def _sides(boxes: Iterable[Box]) -> Array:
    return np.array([(b.left, b.top, b.right, b.bottom) for b in boxes]).reshape(-1, 4)


def _overlaps(boxes: Array, others: Array) -> Array:
    """Count for each box those of the others that it covers."""
    left, top, right, bottom = boxes.T[:, :, None]
    left2, top2, right2, bottom2 = others.T
    both = (left < right2) & (left2 < right) & (top < bottom2) & (top2 < bottom)
    return np.count_nonzero(both, axis=1)


def _outside(boxes: Array, frame: Box) -> Array:
    left, top, right, bottom = boxes.T
    inside = (left >= frame.left) & (top >= frame.top)
    return ~(inside & (right <= frame.right) & (bottom <= frame.bottom))


def _crossings(boxes: Array, lines: Array) -> Array:
    """Count for each box the lines that run through: clipped to it, something is left of them."""
    hull = np.concatenate([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])[None, :]
    corners = np.hstack(
        [np.minimum(lines[:, :2], lines[:, 2:]), np.maximum(lines[:, :2], lines[:, 2:])]
    )
    near = lines[_overlaps(corners, hull + GAP * _OUTWARD) > 0]
    first, last = np.zeros((len(boxes), len(near))), np.ones((len(boxes), len(near)))
    for axis in (0, 1):
        start, step = near[:, axis], near[:, axis + 2] - near[:, axis]
        step = np.where(step == 0, 1e-9, step)  # as good as parallel to the side
        one = (boxes[:, axis, None] - start) / step
        other = (boxes[:, axis + 2, None] - start) / step
        np.maximum(first, np.minimum(one, other), out=first)
        np.minimum(last, np.maximum(one, other), out=last)
    return np.count_nonzero(first < last, axis=1)
