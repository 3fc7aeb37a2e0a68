"""Links of a URDF file: what they weigh and how they look."""

from __future__ import annotations

from collections.abc import Mapping

from mbd_fmu.errors import nearest, shortened
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.robots.masses import mass_of
from mbd_fmu.formats.robots.placements import NO_MASS, Mass, Placement, placement_of
from mbd_fmu.formats.robots.robot import Link, Look
from mbd_fmu.formats.robots.shapes import SHAPES, extents_of, look_of, page_color
from mbd_fmu.formats.xml.attributes import Attributes
from mbd_fmu.formats.xml.xml_tree import Element

_ZERO = (0.0, 0.0, 0.0)


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
    extents = extents_of(element)
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
    moments = Attributes(inertia_element, f"{where}, inertia", account)
    return mass_of((mass, mass_element.line), moments, place, extents, before, where)


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
    rgba = Attributes(color, where, account).vector("rgba", (0.5, 0.5, 0.5, 1.0))
    return page_color(rgba, color.line, where, account)


def _read_look(
    visual: Element, where: str, colors: Mapping[str, str], account: Account
) -> Look | None:
    place = read_origin(visual, where, account)
    geometry = visual.first("geometry")
    if geometry is None:
        return None
    shapes = [child for child in geometry.children if child.tag in SHAPES]
    if len(shapes) != 1:
        found = f"<geometry> holds {len(shapes)} shapes"
        account.problem(geometry.line, where, found, "give one: box, cylinder, sphere or mesh")
        return None
    numbers = Attributes(shapes[0], f"{where}, {shapes[0].tag}", account)
    return look_of(numbers, place, _color(visual, where, colors, account), "filename")


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
