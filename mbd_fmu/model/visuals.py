"""What a model file says about the looks of a body."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from mbd_fmu.errors import Problem, nearest, shortened
from mbd_fmu.model.spec import Body, Visual
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.limits import SMALLEST
from mbd_fmu.quantities.showing import show
from mbd_fmu.quantities.table import REQUIRED, Table
from mbd_fmu.quantities.vectors import Orientation, Vector

SHAPES = ("cylinder", "box", "sphere", "mesh")
VISUAL_KEYS = frozenset(  # of some shape
    (
        "shape",
        "radius",
        "from",
        "to",
        "through",
        "size",
        "center",
        "rpy",
        "scale",
        "file",
        "color",
        "opacity",
    )
)
MESH_FORMATS = (".stl", ".obj", ".dae", ".gltf", ".glb")
# Those of the first CSS, known to every browser.
COLORS = (
    *("black", "silver", "gray", "white", "maroon", "red", "purple", "fuchsia", "green"),
    *("lime", "olive", "yellow", "navy", "blue", "teal", "aqua", "orange"),
)
LEAST_SIZE = SMALLEST  # of what is seen
EDGES = "[0.1, 0.1, 0.1]"  # an example
_ZERO: Vector = (0.0, 0.0, 0.0)


def read_visual(body: Table, name: str, index: int, data: Any) -> list[Visual]:
    """Read one entry of ``visual`` of a body; a line through several points has several solids."""
    table = body.inner(f"{body.where}, visual {index + 1}", data)
    has_ends = isinstance(data, Mapping) and bool({"from", "through"} & data.keys())
    default = "cylinder" if has_ends else REQUIRED
    shape = table.text("shape", default, choices=SHAPES, decides=VISUAL_KEYS)
    is_round, is_turned = shape in ("cylinder", "sphere"), shape in ("box", "mesh")
    visual = Visual(
        shape,
        entry=index + 1,
        radius=table.quantity("radius") if is_round else 0.0,
        size=table.vector("size", (3,), example=EDGES) if shape == "box" else (),
        center=table.place("center", name, _ZERO) if shape != "cylinder" else (),
        turn=Orientation(table.vector("rpy", (3,), _ZERO)) if is_turned else None,
        scale=_scale(table) if shape == "mesh" else (),
        file=_mesh_file(table) if shape == "mesh" else "",
        color=_color(table),
        opacity=table.quantity("opacity") if table.has("opacity") else None,
    )
    ways = _ways(table, name) if shape == "cylinder" else [((), ())]
    table.done()
    return [replace(visual, start=start, end=end) for start, end in ways]


def _ways(table: Table, name: str) -> list[tuple[Vector, Vector]]:
    """Return where cylinders begin and end: one from here to there, or through points."""
    if not table.has("through"):
        return [(table.place("from", name), table.place("to", name))]
    for key in ("from", "to"):
        if table.has(key):
            table.problem(key, "through says already where it begins and ends", "leave it out")
    points = table.raw("through")
    if not isinstance(points, list | tuple) or len(points) < 2:
        found = f"{show(points)} is no list of 2 or more points"
        table.problem("through", found, 'give 2 or more, for example through = ["a", "b"]')
        return []
    each = (table.inner(table.where, {"through": point}) for point in points)
    return list(pairwise([one.place("through", name) for one in each]))


def visual_problems(body: Body, nominal: Mapping[str, float]) -> list[Problem]:
    """List shapes without extent or opacity, with the parameters' declared values put in."""
    problems = [*_opacity_problems(body, nominal)]
    for visual in body.visual:
        sizes = {"radius": (visual.radius,), "size": visual.size}
        if visual.shape not in ("cylinder", "sphere"):
            del sizes["radius"]
        for key, quantities in sizes.items():
            if any(not value_of(q, nominal) >= LEAST_SIZE for q in quantities):
                found = show([float(value_of(q, nominal)) for q in quantities])
                where = f'body "{shortened(body.name)}", visual {visual.entry}, {key}'
                problems.append(Problem(where, f"{found} is not positive", "give lengths above 0"))
        if any(not abs(value_of(q, nominal)) >= SMALLEST for q in visual.scale):
            found = show([float(value_of(q, nominal)) for q in visual.scale])
            where = f'body "{shortened(body.name)}", visual {visual.entry}, scale'
            remedy = "give other numbers than 0; negative ones mirror"
            problems.append(Problem(where, f"{found} leaves no extent", remedy))
    return problems


def _opacity_problems(body: Body, nominal: Mapping[str, float]) -> Iterator[Problem]:
    where = f'body "{shortened(body.name)}"'
    given = {f"{where}, opacity": body.opacity}
    for visual in body.visual:
        if visual.opacity is not None:
            given[f"{where}, visual {visual.entry}, opacity"] = visual.opacity
    for place, quantity in given.items():
        value = float(value_of(quantity, nominal))
        if not 0 < value <= 1:
            found = f"{show(value)} is no share of what can be seen"
            yield Problem(place, found, "give a number above 0, up to 1 for what hides all behind")


def _scale(table: Table) -> Vector:
    """Return m per unit along the axes of a mesh; one number counts for all three."""
    if isinstance(table.raw("scale", 1.0), list | tuple):
        return table.vector("scale", (3,))
    return (table.quantity("scale", 1.0),) * 3


def _mesh_file(table: Table) -> str:
    name = table.text("file", example='"rod.stl"')
    if name and not name.lower().endswith(MESH_FORMATS):
        table.problem(
            "file",
            f'"{shortened(name)}" is no mesh that can be shown',
            "give an STL, OBJ, DAE, glTF or GLB file",
        )
    return name


def _color(table: Table) -> str:
    color = table.text("color", "")
    if color and color not in COLORS and not re.fullmatch("#[0-9a-fA-F]{6}", color):
        remedy = f'{nearest(color, COLORS)}; or write "#rrggbb"'
        table.problem("color", f'no color "{shortened(color)}"', remedy)
        return ""
    return color
