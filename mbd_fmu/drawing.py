"""A picture of the graph of a mechanism: bodies as boxes, couplings as lines, in SVG."""

from __future__ import annotations

from xml.sax.saxutils import escape

from mbd_fmu.model.spec import GROUND
from mbd_fmu.structure import Structure
from mbd_fmu.topology.connect import BASE_BODY

COLUMN, ROW, WIDTH, HEIGHT, MARGIN = 150, 110, 112, 34, 40

_STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1c2733; text-anchor: middle; }
  .small { font-size: 11px; fill: #55626e; }
  .body { fill: #eaf1f8; stroke: #1f5fa8; stroke-width: 1.5; }
  .base { fill: #e3e8ec; stroke: #55626e; stroke-width: 1.5; }
  .joint { stroke: #1f5fa8; stroke-width: 2; fill: none; }
  .fictitious { stroke: #8a97a3; stroke-width: 1.5; stroke-dasharray: 2 4; fill: none; }
  .cut { stroke: #b3261e; stroke-width: 2; stroke-dasharray: 7 4; fill: none; }
  .force { stroke: #2f8a4b; stroke-width: 2; stroke-dasharray: 3 3; fill: none; }
"""

Point = tuple[float, float]


def graph_svg(structure: Structure) -> str:
    """Draw bodies by their distance from the base; cut joints dashed in red, forces in green."""
    place = _layout(structure)
    number = {name: k for k, name in enumerate(structure.bodies, start=1)}
    number[GROUND] = number[BASE_BODY] = 0

    def line(parent: str, child: str, kind: str, label: str, bend: float) -> str:
        return _line(place[number[parent]], place[number[child]], kind, label, bend)

    parts = []
    for joint, body, carrier in zip(
        structure.joints, structure.bodies, structure.connection, strict=True
    ):
        kind = "fictitious" if joint.fictitious else "joint"
        ends = place[carrier], place[number[body]]
        parts.append(_line(*ends, kind, f"{joint.name}, {joint.type}", 0.0))
    parts += [
        line(j.parent, j.child, "cut", f"{j.name}, {j.type}, cut", 45.0)
        for j in structure.cut_joints
    ]
    parts += [line(f.parent, f.child, "force", f.name, -45.0) for f in structure.spec.forces]
    base = "moving base" if structure.spec.moving_base else GROUND
    parts.append(_box(place[0], base, "base"))
    parts += [_box(place[number[b]], f"{number[b]} {b}", "body") for b in structure.bodies]
    width = max(x for x, _ in place.values()) + WIDTH / 2 + MARGIN
    height = max(y for _, y in place.values()) + HEIGHT / 2 + MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}">\n<style>{_STYLE}</style>\n'
        f'<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _layout(structure: Structure) -> dict[int, Point]:
    """Place leaves side by side, carriers above the middle of what they carry."""
    place: dict[int, Point] = {}
    next_column = 0

    def put(vertex: int, depth: int) -> float:
        nonlocal next_column
        children = [k for k, c in enumerate(structure.connection, start=1) if c == vertex]
        columns = [put(child, depth + 1) for child in children]
        if columns:
            column = (columns[0] + columns[-1]) / 2
        else:
            column = float(next_column)
            next_column += 1
        place[vertex] = (
            MARGIN + WIDTH / 2 + column * COLUMN,
            MARGIN + HEIGHT / 2 + depth * ROW,
        )
        return column

    put(0, 0)
    return place


def _line(one: Point, other: Point, kind: str, label: str, bend: float) -> str:
    """Draw a coupling, bent to one side so that it hides no joint between the same bodies."""
    (x1, y1), (x2, y2) = one, other
    dx, dy = x2 - x1, y2 - y1
    length = max((dx * dx + dy * dy) ** 0.5, 1.0)
    mx, my = (x1 + x2) / 2 - bend * dy / length, (y1 + y2) / 2 + bend * dx / length
    cx, cy = 2 * mx - (x1 + x2) / 2, 2 * my - (y1 + y2) / 2
    return (
        f'<path class="{kind}" d="M{x1:g} {y1:g} Q{cx:g} {cy:g} {x2:g} {y2:g}"/>'
        f'<text class="small" x="{mx:g}" y="{my + 4:g}" stroke="white" stroke-width="4" '
        f'paint-order="stroke">{escape(label)}</text>'
    )


def _box(center: Point, label: str, kind: str) -> str:
    x, y = center
    return (
        f'<rect class="{kind}" x="{x - WIDTH / 2:g}" y="{y - HEIGHT / 2:g}" '
        f'width="{WIDTH}" height="{HEIGHT}" rx="7"/>'
        f'<text x="{x:g}" y="{y + 4.5:g}">{escape(label)}</text>'
    )
