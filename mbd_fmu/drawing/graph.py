"""A picture of the graph of a mechanism: bodies as boxes, couplings as lines, in SVG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from xml.sax.saxutils import escape

from mbd_fmu.drawing.labels import Box, Label, Line, Point, baseline, placed, text_box
from mbd_fmu.drawing.sheet import picture
from mbd_fmu.elements.constraint import Constraint
from mbd_fmu.elements.places import GROUND
from mbd_fmu.topology.connect import BASE_BODY
from mbd_fmu.topology.graph import precedes
from mbd_fmu.topology.structure import Structure

GAP, ROW, WIDTH, HEIGHT, MARGIN = 38.0, 110.0, 112.0, 34.0, 24.0
BEND, DIP, LANE = 45.0, 52.0, 24.0  # of couplings beside the tree
NAME, SMALL = 13, 11  # sizes of the font
STRETCHES = (1.0, 1.25, 1.6, 2.0, 2.5, 3.2, 4.0)
_ENDLESS = Box(-1e9, -1e9, 1e9, 1e9)

# kind of coupling: color, width and dashes
LINES = {
    "joint": ("#1f5fa8", 2, "none"),
    "fictitious": ("#8a97a3", 1.5, "2 4"),
    "cut": ("#b3261e", 2, "7 4"),
    "constraint": ("#8a3fa0", 2, "7 4"),
    "force": ("#2f8a4b", 2, "3 3"),
}
_STYLE = f"""
  text {{ font: {NAME}px system-ui, sans-serif; fill: #1c2733; text-anchor: middle; }}
  .small {{ font-size: {SMALL}px; }}
  .body {{ fill: #eaf1f8; stroke: #1f5fa8; stroke-width: 1.5; }}
  .base {{ fill: #e3e8ec; stroke: #55626e; stroke-width: 1.5; }}
""" + "".join(
    f"  path.{kind} {{ stroke: {color}; stroke-width: {width}; stroke-dasharray: {dashes}; "
    f"fill: none; }}\n  text.{kind} {{ fill: {color}; }}\n"
    for kind, (color, width, dashes) in LINES.items()
)


@dataclass(frozen=True)
class _Coupling:
    """A line between two vertices of the graph."""

    kind: str
    label: str
    one: int
    other: int


@dataclass(frozen=True)
class _Curve:
    """Where a coupling runs: Bezier's cubic."""

    coupling: _Coupling
    controls: tuple[Point, Point, Point, Point]

    def at(self, t: float) -> Point:
        s = 1 - t
        weights = (s**3, 3 * s * s * t, 3 * s * t * t, t**3)
        x, y = (sum(w * p[k] for w, p in zip(weights, self.controls, strict=True)) for k in (0, 1))
        return x, y

    @property
    def lines(self) -> list[Line]:
        return list(pairwise(self.at(k / 12) for k in range(13)))

    def labelled(self) -> Label:
        """On the line, its middle first; then beside it."""
        ts = (0.5, 0.6, 0.4, 0.7, 0.3, 0.8, 0.2)
        text = self.coupling.label
        half = text_box(text, SMALL, (0.0, 0.0)).right + 6
        on = [self.at(t) for t in ts]
        beside = [(x + side * half, y) for x, y in on for side in (1, -1)]
        return Label(text, SMALL, (*on, *beside), frozenset(self.lines))


def graph_svg(structure: Structure) -> str:
    """Draw bodies by their distance from the base, cut joints and forces dashed.

    Where labels find no room beside one another, the columns are set further apart.
    """
    names = [_base_name(structure), *(f"{k} {b}" for k, b in enumerate(structure.bodies, start=1))]
    width = max(WIDTH, *(_size(name, NAME) + 16 for name in names))
    for stretch in STRETCHES:
        place = _layout(structure, (width + GAP) * stretch)
        boxes = [_box(place[k], width) for k in range(len(names))]
        curves = list(_curves(structure, place, width))
        labels = [curve.labelled() for curve in curves]
        lines = [line for curve in curves for line in curve.lines]
        where = placed(labels, boxes, lines, _ENDLESS)
        covered = [label.box(p) for label, p in zip(labels, where, strict=True)]
        if not any(a.overlaps(b) for k, a in enumerate(covered) for b in covered[:k] + boxes):
            break
    parts = [_path(curve) for curve in curves]
    for curve, label, p in zip(curves, labels, where, strict=True):
        parts += [_blank(label.box(p)), _text(label.text, p, f"small {curve.coupling.kind}", SMALL)]
    for k, (box, name) in enumerate(zip(boxes, names, strict=True)):
        parts += [_rectangle(box, "body" if k else "base"), _text(name, place[k], "name", NAME)]
    drawn = [Box(*p, *p) for curve in curves for line in curve.lines for p in line]
    frame = reduce(Box.around, [*boxes, *covered, *drawn]).grown(MARGIN)
    return picture(frame, _STYLE, parts)


def _base_name(structure: Structure) -> str:
    return "moving base" if structure.spec.moving_base else GROUND


def _couplings(structure: Structure) -> Iterator[_Coupling]:
    """Yield what joins bodies: the joints of the tree, then all that is beside it."""
    spec = structure.spec
    number = {name: k for k, name in enumerate(structure.bodies, start=1)}
    number[GROUND] = number[BASE_BODY] = 0
    for k, (joint, carrier) in enumerate(
        zip(structure.joints, structure.connection, strict=True), start=1
    ):
        kind = "fictitious" if joint.fictitious else "joint"
        yield _Coupling(kind, f"{joint.name}, {joint.type}", carrier, k)
    for j in structure.cut_joints:
        label = f"{j.name}, {j.type}, cut"
        yield _Coupling("cut", label, number[j.parent], number[j.child])
    for c in spec.constraints:
        for one, other in pairwise(_tied(structure, c)):
            if one != other:
                yield _Coupling("constraint", f"{c.name}, {c.type}", number[one], number[other])
    for f in spec.forces:
        if not f.joints:  # those act along lines that are there
            yield _Coupling("force", f.name, number[f.parent], number[f.child])


def _tied(structure: Structure, constraint: Constraint) -> tuple[str, ...]:
    """The bodies a constraint ties, one to the next; of a gear those that its joints carry."""
    if not constraint.joints:
        return constraint.parent, constraint.child
    child = {joint.name: joint.child for joint in structure.spec.joints}
    return tuple(child[name] for name in constraint.joints)


def _layout(structure: Structure, column: float) -> dict[int, Point]:
    """Place leaves side by side, carriers above the middle of what they carry."""
    place: dict[int, Point] = {}
    next_column = 0

    def put(vertex: int, depth: int) -> float:
        nonlocal next_column
        children = [k for k, c in enumerate(structure.connection, start=1) if c == vertex]
        columns = [put(child, depth + 1) for child in children]
        if columns:
            x = (columns[0] + columns[-1]) / 2
        else:
            x = next_column * column
            next_column += 1
        place[vertex] = (x, depth * ROW)
        return x

    put(0, 0)
    return place


def _curves(structure: Structure, place: dict[int, Point], width: float) -> Iterator[_Curve]:
    """Yield straight lines for the tree; what is beside it hides none and goes below boxes."""
    met: Counter[frozenset[int]] = Counter()
    lanes = 0
    for coupling in _couplings(structure):
        one, other = place[coupling.one], place[coupling.other]
        if coupling.kind in ("joint", "fictitious"):
            yield _Curve(coupling, _bent(one, other, 0.0))
            continue
        pair = frozenset((coupling.one, coupling.other))
        if _is_on_one_path(structure, *pair):
            n = met[pair]
            met[pair] += 1
            far = abs(one[1] - other[1]) > ROW  # it passes boxes on its way
            bend = (width / 2 + 24 if far else BEND) * (n // 2 + 1)
            yield _Curve(coupling, _bent(one, other, bend if n % 2 else -bend))
        else:
            (x1, y1), (x2, y2) = one, other
            dip = max(y1, y2) + HEIGHT / 2 + DIP + LANE * lanes
            lanes += 1
            start, end = (x1, y1 + HEIGHT / 2), (x2, y2 + HEIGHT / 2)
            yield _Curve(coupling, (start, (x1, dip), (x2, dip), end))


def _is_on_one_path(structure: Structure, *pair: int) -> bool:
    one, other = sorted(pair)  # a carrier has the smaller number
    return one == 0 or precedes(structure.connection, one, other)


def _bent(one: Point, other: Point, bend: float) -> tuple[Point, Point, Point, Point]:
    """Return a curve whose middle is off the straight line by ``bend``."""
    (x1, y1), (x2, y2) = one, other
    dx, dy = x2 - x1, y2 - y1
    length = max((dx * dx + dy * dy) ** 0.5, 1.0)
    sx, sy = -4 / 3 * bend * dy / length, 4 / 3 * bend * dx / length
    near, far = (x1 + dx / 3 + sx, y1 + dy / 3 + sy), (x2 - dx / 3 + sx, y2 - dy / 3 + sy)
    return one, near, far, other


def _size(text: str, size: float) -> float:
    return 2 * text_box(text, size, (0.0, 0.0)).right


def _box(middle: Point, width: float) -> Box:
    x, y = middle
    return Box(x - width / 2, y - HEIGHT / 2, x + width / 2, y + HEIGHT / 2)


def _path(curve: _Curve) -> str:
    a, b, c, d = (f"{x:.1f} {y:.1f}" for x, y in curve.controls)
    return f'<path class="{curve.coupling.kind}" d="M{a} C{b} {c} {d}"/>'


def _text(text: str, middle: Point, kind: str, size: float) -> str:
    x, y = baseline(size, middle)
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _blank(box: Box) -> str:
    """White below a label: the line it stands on does not run through it."""
    size = f'width="{box.right - box.left:.1f}" height="{box.bottom - box.top:.1f}"'
    return f'<rect x="{box.left:.1f}" y="{box.top:.1f}" {size} fill="white" fill-opacity=".9"/>'


def _rectangle(box: Box, kind: str) -> str:
    return (
        f'<rect class="{kind}" x="{box.left:.1f}" y="{box.top:.1f}" '
        f'width="{box.right - box.left:.1f}" height="{HEIGHT}" rx="7"/>'
    )
