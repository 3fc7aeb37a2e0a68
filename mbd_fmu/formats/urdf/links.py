"""Links of a URDF file: what they weigh and how they look."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from mbd_fmu.errors import nearest, shortened
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.attributes import Attributes
from mbd_fmu.formats.physics import check_mass, without_noise
from mbd_fmu.formats.placements import NO_MASS, Mass, Placement, placement_of
from mbd_fmu.formats.robot import Link, Look
from mbd_fmu.formats.xml_tree import Element

_ZERO = (0.0, 0.0, 0.0)
# keys of a shape's size, in the order of Look.size
_SIZES = {
    "cylinder": ("radius", "length"),
    "capsule": ("radius", "length"),
    "sphere": ("radius",),
}


def read_origin(element: Element, where: str, account: Account) -> Placement:
    """Return where the ``<origin>`` of an element puts a frame."""
    return placement_of(*origin_numbers(element, where, account))


def origin_numbers(
    element: Element, where: str, account: Account
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return xyz and rpy of the ``<origin>`` of an element."""
    origin = element.first("origin")
    if origin is None:
        return _ZERO, _ZERO
    numbers = Attributes(origin, f"{where}, origin", account)
    return numbers.vector("xyz", _ZERO), numbers.vector("rpy", _ZERO)


def read_link(element: Element, colors: Mapping[str, str], account: Account) -> Link:
    """Read one ``<link>``."""
    name = Attributes(element, "a link", account).name("name")
    where = f'link "{shortened(name)}"'
    extents = tuple(
        size
        for kind in ("visual", "collision")
        for shape in element.all(kind)
        for size in _extents(shape)
    )
    inertial = element.first("inertial")
    mass = NO_MASS
    if inertial is not None:
        mass = _read_mass(inertial, f"{where}, inertial", account, extents)
    looks = tuple(
        look
        for visual in element.all("visual")
        if (look := _read_look(visual, f"{where}, visual", colors, account)) is not None
    )
    return Link(name, element.line, mass, looks, extents)


def _read_mass(inertial: Element, where: str, account: Account, extents: tuple[float, ...]) -> Mass:
    """Return the mass in the link's frame; its inertia is given in the frame of its origin."""
    place = read_origin(inertial, where, account)
    before = len(account.problems)
    mass_element, inertia_element = inertial.first("mass"), inertial.first("inertia")
    if mass_element is None or inertia_element is None:
        return NO_MASS  # and the grammar has said so
    mass = Attributes(mass_element, f"{where}, mass", account).number("value")
    numbers = Attributes(inertia_element, f"{where}, inertia", account)
    xx, xy, xz, yy, yz, zz = (
        numbers.number(key) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    )
    inertia = without_noise(mass, np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    if len(account.problems) > before or any(not numbers.has(k) for k in ("ixx", "iyy", "izz")):
        return NO_MASS
    check_mass(mass_element.line, inertia_element.line, where, mass, inertia, extents, account)
    return Mass(mass, np.zeros(3), inertia).seen_from(place)


def _extents(shape: Element) -> list[float]:
    """Sizes of a solid, for judging its inertia; what is wrong with them is told elsewhere."""
    found: list[float] = []
    for element in shape.walk():
        keys = (*_SIZES.get(element.tag, ()), *(("size",) if element.tag == "box" else ()))
        for key in keys:
            for word in element.attributes.get(key, "").split():
                try:
                    found.append(float(word))
                except ValueError:
                    return []
    return [x for x in found if math.isfinite(x)]


def read_colors(robot: Element, account: Account) -> dict[str, str]:
    """Return the materials that a robot declares, and those of visuals that have a name."""
    colors: dict[str, str] = {}
    visuals = [v for link in robot.all("link") for v in link.all("visual")]
    for element in [*robot.all("material"), *(m for v in visuals for m in v.all("material"))]:
        name = element.attributes.get("name", "")
        color = element.first("color")
        if name and color is not None and name not in colors:
            colors[name] = _rgba(color, f'material "{shortened(name)}"', account)
    return colors


def _rgba(color: Element, where: str, account: Account) -> str:
    """Return a colour as pages write it; opacity is not shown."""
    rgba = Attributes(color, where, account).vector("rgba", (0.5, 0.5, 0.5, 1.0))
    if any(not 0.0 <= x <= 1.0 for x in rgba):
        account.note(where, color.line, "rgba is outside 0 to 1 and is cut off there")
    red, green, blue = (round(255 * min(max(x, 0.0), 1.0)) for x in rgba[:3])
    return f"#{red:02x}{green:02x}{blue:02x}"


def _read_look(
    visual: Element, where: str, colors: Mapping[str, str], account: Account
) -> Look | None:
    place = read_origin(visual, where, account)
    geometry = visual.first("geometry")
    if geometry is None:
        return None
    known = [*_SIZES, "box", "mesh"]
    shapes = [child for child in geometry.children if child.tag in known]
    if len(shapes) != 1:
        found = f"<geometry> holds {len(shapes)} shapes"
        account.problem(geometry.line, where, found, "give one: box, cylinder, sphere or mesh")
        return None
    shape = shapes[0]
    numbers = Attributes(shape, f"{where}, {shape.tag}", account)
    color = _color(visual, where, colors, account)
    if shape.tag == "mesh":
        scale = numbers.vector("scale", (1.0, 1.0, 1.0))
        file = numbers.name("filename")
        return Look(shape.line, "mesh", place, file=file, scale=scale, color=color)
    if shape.tag == "box":
        size = numbers.vector("size", (1.0, 1.0, 1.0))
    else:
        size = tuple(numbers.number(key, 1.0) for key in _SIZES[shape.tag])
    if any(not x > 0.0 for x in size):
        if any(x < 0.0 for x in size):
            numbers.problem("a size is negative", "give lengths above 0")
        else:
            account.note(numbers.where, shape.line, "has no extent and is not shown")
        return None
    return Look(shape.line, shape.tag, place, size=size, color=color)


def _color(visual: Element, where: str, colors: Mapping[str, str], account: Account) -> str:
    material = visual.first("material")
    if material is None:
        return ""
    color = material.first("color")
    if color is not None:
        return _rgba(color, f"{where}, material", account)
    name = material.attributes.get("name", "")
    if name and name not in colors and not material.children:
        text = f'no material "{shortened(name)}"; {nearest(name, colors)}'
        account.note(f"{where}, material", material.line, text)
    return colors.get(name, "")
