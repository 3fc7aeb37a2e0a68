"""Shapes of links, whether a file says their sizes in attributes or in elements."""

from __future__ import annotations

import math

from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.robots.placements import Placement, Triple
from mbd_fmu.formats.robots.robot import Look
from mbd_fmu.formats.xml.attributes import Attributes
from mbd_fmu.formats.xml.xml_tree import Element

# keys of a shape's size, in the order of Look.size
_SIZES = {
    "cylinder": ("radius", "length"),
    "capsule": ("radius", "length"),
    "sphere": ("radius",),
}
SHAPES = (*_SIZES, "box", "mesh")


def look_of(numbers: Attributes, place: Placement, color: str, file: str) -> Look | None:
    """Return one of the shapes; ``file`` is the key by which a mesh names its file."""
    shape = numbers.element
    line = numbers.account.outer(shape.line)
    if shape.tag == "mesh":
        scale = numbers.vector("scale", (1.0, 1.0, 1.0))
        return Look(line, "mesh", place, file=numbers.name(file), scale=scale, color=color)
    if shape.tag == "box":
        size = numbers.vector("size", (1.0, 1.0, 1.0))
    else:
        size = tuple(numbers.number(key, 1.0) for key in _SIZES[shape.tag])
    if any(not x > 0.0 for x in size):
        if any(x < 0.0 for x in size):
            numbers.problem("a size is negative", "give lengths above 0")
        else:
            numbers.account.note(numbers.where, shape.line, "has no extent and is not shown")
        return None
    return Look(line, shape.tag, place, size=size, color=color)


def extents_of(link: Element) -> tuple[float, ...]:
    """Sizes of a link's solids, for judging its inertia; those for collisions count, too."""
    shapes = (*link.all("visual"), *link.all("collision"))
    return tuple(size for shape in shapes for size in _extents(shape))


def _extents(shape: Element) -> list[float]:
    """Sizes of one solid; what is wrong with them is told elsewhere."""
    found: list[float] = []
    for element in shape.walk():
        given = element.attributes | {child.tag: child.text for child in element.children}
        keys = (*_SIZES.get(element.tag, ()), *(("size",) if element.tag == "box" else ()))
        for key in keys:
            for word in given.get(key, "").split():
                try:
                    found.append(float(word))
                except ValueError:
                    return []
    return [x for x in found if math.isfinite(x)]


def page_color(rgba: Triple, line: int, where: str, account: Account) -> str:
    """Return a colour as pages write it; opacity is not shown."""
    if any(not 0.0 <= x <= 1.0 for x in rgba):
        account.note(where, line, "its colour is outside 0 to 1 and is cut off there")
    red, green, blue = (round(255 * min(max(x, 0.0), 1.0)) for x in rgba[:3])
    return f"#{red:02x}{green:02x}{blue:02x}"
