"""What a model file says about the looks of a body."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mbd_fmu.errors import Problem, nearest, shortened
from mbd_fmu.model.spec import Body, Visual
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.limits import SMALLEST
from mbd_fmu.quantities.table import Table, show
from mbd_fmu.quantities.vectors import Orientation, Vector

SHAPES = ("cylinder", "box", "sphere", "mesh")
VISUAL_KEYS = frozenset(  # of some shape
    ("shape", "radius", "from", "to", "size", "center", "rpy", "scale", "file", "color")
)
MESH_FORMATS = (".stl", ".obj", ".dae", ".gltf", ".glb")
# Those of the first CSS, known to every browser.
COLORS = (
    *("black", "silver", "gray", "white", "maroon", "red", "purple", "fuchsia", "green"),
    *("lime", "olive", "yellow", "navy", "blue", "teal", "aqua", "orange"),
)
_ZERO: Vector = (0.0, 0.0, 0.0)


def read_visual(body: Table, index: int, data: Any) -> Visual:
    """Read one entry of ``visual``."""
    table = body.inner(f"{body.where}, visual {index + 1}", data)
    shape = table.text("shape", choices=SHAPES, decides=VISUAL_KEYS)
    is_round, is_turned = shape in ("cylinder", "sphere"), shape in ("box", "mesh")
    visual = Visual(
        shape,
        radius=table.quantity("radius") if is_round else 0.0,
        start=table.vector("from", (3,)) if shape == "cylinder" else (),
        end=table.vector("to", (3,)) if shape == "cylinder" else (),
        size=table.vector("size", (3,)) if shape == "box" else (),
        center=table.vector("center", (3,), _ZERO) if shape != "cylinder" else (),
        turn=Orientation(table.vector("rpy", (3,), _ZERO)) if is_turned else None,
        scale=_scale(table) if shape == "mesh" else (),
        file=_mesh_file(table) if shape == "mesh" else "",
        color=_color(table),
    )
    table.done()
    return visual


def visual_problems(body: Body, nominal: Mapping[str, float]) -> list[Problem]:
    """List shapes without extent, with the parameters' declared values put in."""
    problems = []
    for n, visual in enumerate(body.visual):
        sizes = {"radius": (visual.radius,), "size": visual.size}
        if visual.shape not in ("cylinder", "sphere"):
            del sizes["radius"]
        for key, quantities in sizes.items():
            if any(not value_of(q, nominal) >= SMALLEST for q in quantities):
                found = show([float(value_of(q, nominal)) for q in quantities])
                where = f'body "{shortened(body.name)}", visual {n + 1}, {key}'
                problems.append(Problem(where, f"{found} is not positive", "give lengths above 0"))
        if any(not abs(value_of(q, nominal)) >= SMALLEST for q in visual.scale):
            found = show([float(value_of(q, nominal)) for q in visual.scale])
            where = f'body "{shortened(body.name)}", visual {n + 1}, scale'
            remedy = "give other numbers than 0; negative ones mirror"
            problems.append(Problem(where, f"{found} leaves no extent", remedy))
    return problems


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
