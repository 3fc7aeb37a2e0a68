"""A robot as a URDF file, all digits of its numbers written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree as ET

from mbd_fmu.formats.robots.placements import Mass, Placement, Triple, numbers, rpy_of
from mbd_fmu.formats.robots.robot import Joint, Link, Look, Robot
from mbd_fmu.formats.urdf.colors import rgb_of
from mbd_fmu.formats.urdf.frames import Carried, carried_by, frames_of
from mbd_fmu.formats.urdf.joints import UNLIMITED, WITH_AXIS
from mbd_fmu.spatial import Array

_SIZES = {"cylinder": ("radius", "length"), "sphere": ("radius",)}
_BOUNDED = ("revolute", "prismatic")  # what URDF wants a limit of


def urdf_text(robot: Robot, remark: str) -> str:
    """Return the text of a tree; files of meshes are named as the robot does."""
    frames = frames_of(robot)
    carried = carried_by(robot, frames)
    root = ET.Element("robot", name=robot.name)
    root.append(ET.Comment(f" {_comment(remark)} "))
    for link in robot.links.values():
        _write_link(root, link, frames[link.name].inverse())
    for name in robot.joints:
        _write_joint(root, carried[name])
    ET.indent(root)
    return f'<?xml version="1.0"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _comment(text: str) -> str:
    """Return a text that XML takes for a comment: without two dashes side by side."""
    return re.sub("-(?=-)", "- ", text)


def _write_link(root: ET.Element, link: Link, frame: Placement) -> None:
    """Write a link; ``frame`` is U placed in L."""
    element = ET.SubElement(root, "link", name=link.name)
    if not link.mass.is_none:
        _write_mass(element, link.mass.seen_from(frame))
    for look in link.looks:
        _write_look(element, look, frame.then(look.place))


def _write_mass(element: ET.Element, mass: Mass) -> None:
    inertial = ET.SubElement(element, "inertial")
    _write_origin(inertial, mass.com)
    ET.SubElement(inertial, "mass", value=_number(mass.mass))
    entries = {
        f"i{'xyz'[i]}{'xyz'[j]}": _number(mass.inertia[i, j]) for i in range(3) for j in range(i, 3)
    }
    ET.SubElement(inertial, "inertia", entries)


def _write_look(element: ET.Element, look: Look, place: Placement) -> None:
    visual = ET.SubElement(element, "visual")
    _write_origin(visual, place.p, rpy_of(place.R))
    geometry = ET.SubElement(visual, "geometry")
    if look.shape == "mesh":
        scale = {"scale": _words(look.scale)} if set(look.scale) != {1.0} else {}
        ET.SubElement(geometry, "mesh", {"filename": look.file} | scale)
    elif look.shape == "box":
        ET.SubElement(geometry, "box", size=_words(look.size))
    else:
        keys = _SIZES[look.shape]
        sizes = {key: _number(x) for key, x in zip(keys, look.size, strict=True)}
        ET.SubElement(geometry, look.shape, sizes)
    if look.color or look.opacity < 1.0:
        color = look.color or "gray"
        name = color if look.opacity == 1.0 else f"{color} {_number(look.opacity)}"
        material = ET.SubElement(visual, "material", name=name)
        ET.SubElement(material, "color", rgba=_words((*rgb_of(color), look.opacity)))


def _write_joint(root: ET.Element, carried: Carried) -> None:
    joint = carried.joint
    kept = {"dont_collapse": "true"} if joint.is_kept else {}
    element = ET.SubElement(root, "joint", {"name": joint.name, "type": joint.type} | kept)
    _write_origin(element, carried.origin.p, carried.rpy)
    ET.SubElement(element, "parent", link=carried.parent)
    ET.SubElement(element, "child", link=carried.child)
    if joint.type in WITH_AXIS:
        ET.SubElement(element, "axis", xyz=_words(carried.axis))
    _write_limit(element, joint)
    resists = {key: getattr(joint, key) for key in ("damping", "friction")}
    if any(resists.values()):
        ET.SubElement(element, "dynamics", {k: _number(x) for k, x in resists.items() if x})
    if joint.mimic is not None:
        follows = {"multiplier": joint.mimic.multiplier, "offset": joint.mimic.offset}
        how = {key: _number(x) for key, x in follows.items()}
        ET.SubElement(element, "mimic", {"joint": joint.mimic.joint} | how)


def _write_limit(element: ET.Element, joint: Joint) -> None:
    """Write all four where readers want them; what nobody limits is so large that nothing does."""
    limit = joint.limit
    allowed = {"effort": limit.effort, "velocity": limit.velocity}
    numbers_of = {key: UNLIMITED if x is None else x for key, x in allowed.items()}
    if joint.type in _BOUNDED:
        lower = -UNLIMITED if limit.lower is None else limit.lower
        upper = UNLIMITED if limit.upper is None else limit.upper
        numbers_of = {"lower": lower, "upper": upper} | numbers_of
    elif joint.type != "continuous" or all(x is None for x in allowed.values()):
        return
    ET.SubElement(element, "limit", {key: _number(x) for key, x in numbers_of.items()})


def _write_origin(element: ET.Element, p: Array, rpy: Triple = ()) -> None:
    """Write where a frame lies; nothing where it is that of the element."""
    places = {"xyz": numbers(p), "rpy": rpy}
    told = {key: _words(x) for key, x in places.items() if any(x)}
    if told:
        ET.SubElement(element, "origin", told)


def _number(x: float) -> str:
    """Write all digits that there are."""
    return repr(float(x) + 0.0).removesuffix(".0")


def _words(vector: Iterable[float]) -> str:
    return " ".join(map(_number, vector))
