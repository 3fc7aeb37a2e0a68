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

    def meets(self, line: Line) -> bool:
        """Tell whether a line runs through: clipped to the box, something is left of it."""
        (x, y), (x2, y2) = line
        first, last = 0.0, 1.0
        for start, step, low, high in (
            (x, x2 - x, self.left, self.right),
            (y, y2 - y, self.top, self.bottom),
        ):
            if step == 0:
                if not low < start < high:
                    return False
                continue
            enters, leaves = sorted(((low - start) / step, (high - start) / step))
            first, last = max(first, enters), min(last, leaves)
        return first < last


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
    solids, lines = list(solids), list(lines)
    places: list[Point | None] = [None] * len(labels)
    for _ in range(ROUNDS):
        before = list(places)
        for k, label in enumerate(labels):
            taken = [
                labels[n].box(place).grown(GAP)
                for n, place in enumerate(places)
                if place is not None and n != k
            ]
            places[k] = _cheapest(label, taken + solids, lines, frame)
        if places == before:
            break
    return [place for place in places if place is not None]


def _cheapest(label: Label, taken: list[Box], lines: list[Line], frame: Box) -> Point:
    best, least = label.places[0], math.inf
    for rank, place in enumerate(label.places):
        if rank >= least:
            break  # those further down cost more than what is found
        box = label.box(place)
        cost = rank + HIDDEN * (
            sum(box.overlaps(other) for other in taken) + (not frame.holds(box))
        )
        if cost < least:
            cost += CROSSED * sum(box.meets(line) for line in lines if line not in label.own)
        if cost < least:
            best, least = place, cost
    return best
