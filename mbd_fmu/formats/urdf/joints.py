"""Joints of a URDF file."""

from __future__ import annotations

from mbd_fmu.errors import nearest, shortened
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.robots.placements import placement_of
from mbd_fmu.formats.robots.robot import Joint, Limit, Mimic
from mbd_fmu.formats.urdf.links import origin_numbers
from mbd_fmu.formats.xml.attributes import Attributes, unit
from mbd_fmu.formats.xml.xml_tree import Element

TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
WITH_AXIS = ("revolute", "continuous", "prismatic", "planar")
_BOUNDED = ("revolute", "prismatic")
_DEFAULT_AXIS = (1.0, 0.0, 0.0)
UNLIMITED = 1e9  # a limit from here on, in SI units, is the word of files for none


def read_joint(element: Element, account: Account) -> Joint:
    """Read one ``<joint>``."""
    attributes = Attributes(element, "a joint", account)
    name = attributes.name("name")
    attributes.where = where = f'joint "{shortened(name)}"'
    kind = attributes.text("type")
    if kind not in TYPES and attributes.has("type"):
        attributes.problem(f'no type "{shortened(kind)}"', nearest(kind, TYPES))
    xyz, rpy = origin_numbers(element, where, account)
    dynamics = Attributes.of_part(element, "dynamics", where, account)
    joint = Joint(
        name,
        element.line,
        kind,
        _link(element, "parent", where, account),
        _link(element, "child", where, account),
        placement_of(xyz, rpy),
        _axis(element, kind, where, account),
        rpy=rpy,
        limit=_without_words(_limit(element, kind, where, account)),
        damping=dynamics.number("damping"),
        friction=dynamics.number("friction"),
        mimic=_mimic(element, where, account),
        is_kept=attributes.text("dont_collapse").lower() in ("true", "1"),
    )
    for key, value in (("damping", joint.damping), ("friction", joint.friction)):
        if value < 0.0:
            dynamics.problem(f"{key} is {value:g}", "give 0 or more: it takes energy out")
        elif value > 0.0 and joint.is_fixed:
            account.note(where, dynamics.element.line, f"{key} of a fixed joint has no effect")
    if joint.parent and joint.parent == joint.child:
        found = f'parent and child are both "{shortened(joint.parent)}"'
        attributes.problem(found, "join two different links")
    return joint


def _link(element: Element, tag: str, where: str, account: Account) -> str:
    return Attributes.of_part(element, tag, where, account).name("link")


def _axis(element: Element, kind: str, where: str, account: Account) -> tuple[float, ...]:
    part = Attributes.of_part(element, "axis", where, account)
    axis = part.vector("xyz", _DEFAULT_AXIS)
    if kind not in WITH_AXIS:
        return _DEFAULT_AXIS
    if not any(axis):
        part.problem(f'xyz="{part.text("xyz")}" has no direction', "give one, such as 0 0 1")
        return _DEFAULT_AXIS
    if element.first("axis") is None:
        account.note(where, element.line, "no <axis>: it is x, 1 0 0")
    return unit(axis)


def _limit(element: Element, kind: str, where: str, account: Account) -> Limit:
    part = Attributes.of_part(element, "limit", where, account)
    limit = Limit(*(part.limit(key) for key in ("lower", "upper", "effort", "velocity")))
    for key, value in (("effort", limit.effort), ("velocity", limit.velocity)):
        if value is not None and value < 0.0:
            part.problem(f"{key} is {value:g}", "give what the joint can do in both directions")
    line = part.element.line
    if kind in ("continuous", "planar", "floating"):
        if limit.lower is not None or limit.upper is not None:
            account.note(where, line, f"lower and upper of a {kind} joint have no effect")
        allowed = limit.effort is not None or limit.velocity is not None
        if allowed and kind != "continuous":
            account.note(where, line, f"effort and velocity of a {kind} joint have no effect")
        return Limit(None, None, limit.effort, limit.velocity)
    if kind not in _BOUNDED:
        return Limit()
    if element.first("limit") is None:
        account.note(where, line, f"no <limit>, which a {kind} joint should have: it has no ends")
        return limit
    lower = 0.0 if limit.lower is None and not part.has("lower") else limit.lower
    upper = 0.0 if limit.upper is None and not part.has("upper") else limit.upper
    if lower == upper == 0.0:  # as many files write it where they mean none
        account.note(where, line, "lower and upper are both 0: it has no ends")
        return Limit(None, None, limit.effort, limit.velocity)
    if lower is not None and upper is not None and lower > upper:
        part.problem(f"lower {lower:g} is above upper {upper:g}", "exchange them")
    return Limit(lower, upper, limit.effort, limit.velocity)


def _without_words(limit: Limit) -> Limit:
    """Return nothing for what is so large that it is the word of a file for none."""
    given = (limit.lower, limit.upper, limit.effort, limit.velocity)
    return Limit(*(None if x is not None and abs(x) >= UNLIMITED else x for x in given))


def _mimic(element: Element, where: str, account: Account) -> Mimic | None:
    if element.first("mimic") is None:
        return None
    part = Attributes.of_part(element, "mimic", where, account)
    multiplier = part.number("multiplier", 1.0)
    if multiplier == 0.0:
        part.problem("multiplier is 0: the joint would stand still", "make it a fixed one")
        multiplier = 1.0
    return Mimic(part.name("joint"), multiplier, part.number("offset"), part.element.line)
