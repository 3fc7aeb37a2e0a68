"""Links of an SDF file: what they weigh and how they look."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mbd_fmu.errors import shortened
from mbd_fmu.formats.robots.masses import mass_of
from mbd_fmu.formats.robots.placements import NO_MASS, Mass
from mbd_fmu.formats.robots.robot import Link, Look
from mbd_fmu.formats.robots.shapes import SHAPES, extents_of, look_of, page_color
from mbd_fmu.formats.sdf.frames import Frames
from mbd_fmu.formats.sdf.names import Place
from mbd_fmu.formats.sdf.poses import read_pose, relative_to
from mbd_fmu.formats.sdf.scopes import Scope
from mbd_fmu.formats.xml.attributes import Attributes, Texts
from mbd_fmu.formats.xml.xml_tree import Element

# of a link that does not say it: the format's own defaults, which libsdformat and Drake take, too
USUAL = Mass(1.0, np.zeros(3), np.eye(3))
_GREY = (0.5, 0.5, 0.5, 1.0)


@dataclass(frozen=True)
class LinkReader:
    """Reads the links of one scope."""

    scope: Scope
    frames: Frames

    def read(self, key: str, element: Element) -> Link:
        """Read one ``<link>``."""
        where, account = f'link "{shortened(key)}"', self.scope.account
        self._check_flags(element, where)
        extents = extents_of(element)
        looks = tuple(
            look
            for visual in element.all("visual")
            if (look := self._look(key, visual, f"{where}, visual")) is not None
        )
        mass = self._mass(element, where, extents)
        return Link(key, account.outer(element.line), mass, looks, extents)

    def _check_flags(self, element: Element, where: str) -> None:
        flags, account = Texts(element, where, self.scope.account), self.scope.account
        if flags.has("gravity") and not flags.flag("gravity"):
            remedy = "all links are heavy, or none: <gravity> of the world"
            account.doubt(element.line, where, "it is without gravity", remedy)
        if flags.flag("kinematic"):
            remedy = "let it be joined to the world by a joint that is driven"
            account.doubt(element.line, where, "it is kinematic: forces do not move it", remedy)

    def _mass(self, element: Element, where: str, extents: tuple[float, ...]) -> Mass:
        account = self.scope.account
        inertial = element.first("inertial")
        if inertial is None:
            account.note(where, element.line, "no <inertial>: 1 kg and 1 kg.m2, as SDF has it")
            return USUAL
        where = f"{where}, inertial"
        if Attributes(inertial, where, account).flag("auto"):
            remedy = "write mass and inertia out: gz sdf -p --expand-auto-inertials file.sdf does"
            account.problem(inertial.line, where, "inertias are not computed from shapes", remedy)
            return NO_MASS
        if relative_to(inertial):
            remedy = "give the mass centre in the link, and take relative_to out"
            found = f'its pose is relative to "{shortened(relative_to(inertial))}"'
            account.problem(inertial.line, where, found, remedy)
        before = len(account.problems)
        place = read_pose(inertial, where, account)
        mass = Texts(inertial, where, account).number("mass", USUAL.mass)
        mass_element, inertia = inertial.first("mass"), inertial.first("inertia")
        if mass_element is None:
            account.note(where, inertial.line, "no <mass>: 1 kg, as SDF has it")
        line = (mass_element or inertial).line
        if inertia is None:
            account.note(where, inertial.line, "no <inertia>: 1 kg.m2, as SDF has it")
            inertia = _unit_moments(inertial.line)
        moments = Texts(inertia, f"{where}, inertia", account)
        return mass_of((mass, line), moments, place, extents, before, where)

    def _look(self, key: str, visual: Element, where: str) -> Look | None:
        account = self.scope.account
        pose = visual.first("pose") or visual
        base = self.frames.names.resolve(
            self.scope, relative_to(visual), Place(account, pose.line, f"{where}, pose"), key
        )
        place = self.frames.between(key, base).then(read_pose(visual, where, account))
        geometry = visual.first("geometry")
        if geometry is None:
            return None  # and the grammar has said so
        shapes = [child for child in geometry.children if child.tag in SHAPES]
        if len(shapes) > 1 or not geometry.children:
            found = f"<geometry> holds {len(shapes)} shapes"
            account.problem(geometry.line, where, found, "give one: box, cylinder, sphere or mesh")
        if len(shapes) != 1:
            return None
        numbers = Texts(shapes[0], f"{where}, {shapes[0].tag}", account)
        look = look_of(numbers, place, self._color(visual, where), "uri")
        return replace(look, file=self.scope.source.path(look.file)) if look and look.file else look

    def _color(self, visual: Element, where: str) -> str:
        material = Texts.of_part(visual, "material", where, self.scope.account)
        key = next((key for key in ("diffuse", "ambient") if material.has(key)), "")
        if not key:
            return ""
        opaque = len(material.text(key).split()) == 3
        rgba = material.vector(key, _GREY[:3] if opaque else _GREY)
        return page_color(rgba, material.element.line, material.where, self.scope.account)


def _unit_moments(line: int) -> Element:
    moments = [Element(key, line, {}, text="1") for key in ("ixx", "iyy", "izz")]
    return Element("inertia", line, {}, moments)
