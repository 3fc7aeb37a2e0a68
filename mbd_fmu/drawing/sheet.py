"""A sheet of a line drawing in SVG: lines, symbols, and names that keep off one another."""

from __future__ import annotations

from functools import reduce
from xml.sax.saxutils import escape

from mbd_fmu.drawing.labels import (
    Box,
    Label,
    Line,
    Point,
    baseline,
    placed,
    places_around,
)

EDGE = 4.0  # pixels that names keep off the edge of the sheet
MOST_NAMES = 300  # beyond, a sheet would be all names, and finding places takes long
FAR = 18.0  # pixels from which on a thin line leads from a name to what it names


class Sheet:
    """A sheet of a size in pixels; it grows where names find no room."""

    def __init__(self, width: float, height: float) -> None:
        self.frame = Box(0.0, 0.0, width, height)
        self._parts: list[str] = []
        self._solids: list[Box] = []
        self._lines: list[Line] = []
        self._names: list[tuple[Label, Point, str]] = []

    def line(self, kind: str, a: Point, b: Point, more: str = "") -> None:
        """Draw a line; names would rather not stand on it."""
        ends = f'x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}"'
        self._parts.append(f'<line class="{kind}" {ends}{more}/>')
        self._lines.append((a, b))

    def symbol(self, part: str, box: Box) -> None:
        """Draw what no name may cover."""
        self._parts.append(part)
        self._solids.append(box)

    def text(self, text: str, size: float, middle: Point) -> None:
        """Write what has its place."""
        label = Label(text, size, [middle])
        self.symbol(_text(label, middle, ""), label.box(middle))

    def name(self, text: str, size: float, place: Point, reach: float, style: str) -> None:
        """Name what has its place and radius; where the name stands is found in the end."""
        label = Label(text, size, places_around(place, text, size, reach))
        self._names.append((label, place, style))

    def svg(self, style: str) -> str:
        """Place the names, if there is any room for them, and write the sheet."""
        names = self._names if len(self._names) <= MOST_NAMES else []
        labels = [label for label, _, _ in names]
        inside = self.frame.grown(-EDGE)
        where = placed(labels, self._solids, self._lines, inside)
        parts, covered = list(self._parts), [self.frame]
        for (label, place, look), middle in zip(names, where, strict=True):
            box = label.box(middle)
            covered.append(box.grown(EDGE))
            end = _nearest(box, place)
            if (end[0] - place[0]) ** 2 + (end[1] - place[1]) ** 2 > FAR**2:
                ends = f"{place[0]:.1f} {place[1]:.1f} L{end[0]:.1f} {end[1]:.1f}"
                parts.append(f'<path class="leader" d="M{ends}"/>')
            parts.append(_text(label, middle, look))
        return picture(reduce(Box.around, covered), style, parts)


def picture(frame: Box, style: str, parts: list[str]) -> str:
    """Write what lies inside a frame, on white."""
    width, height = frame.right - frame.left, frame.bottom - frame.top
    corner = f'x="{frame.left:.1f}" y="{frame.top:.1f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{frame.left:.1f} {frame.top:.1f} '
        f'{width:.1f} {height:.1f}" width="{width:.0f}" height="{height:.0f}">\n'
        f"<style>{style}</style>\n"
        f'<rect {corner} width="{width:.1f}" height="{height:.1f}" fill="white"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _text(label: Label, middle: Point, look: str) -> str:
    x, y = baseline(label.size, middle)
    size = f'font-size="{label.size:g}"'
    return f'<text {size} x="{x:.1f}" y="{y:.1f}"{look}>{escape(label.text)}</text>'


def _nearest(box: Box, place: Point) -> Point:
    x, y = place
    return min(max(x, box.left), box.right), min(max(y, box.top), box.bottom)
