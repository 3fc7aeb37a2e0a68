"""Axes of joints of an SDF file: direction, springs and losses, limits, what leads them."""

from __future__ import annotations

from dataclasses import dataclass

from mbd_fmu.errors import shortened
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.robots.placements import Triple
from mbd_fmu.formats.robots.robot import Limit, Mimic, Passive
from mbd_fmu.formats.sdf.scopes import Scope
from mbd_fmu.formats.xml.attributes import Attributes, Texts, unit
from mbd_fmu.formats.xml.xml_tree import Element

NO_END = 1e16  # what files write where they mean infinity, as older versions of the format did
_USUAL = (0.0, 0.0, 1.0)
_NOTHING, _NO_LIMIT = Passive(), Limit()


@dataclass(frozen=True)
class Axis:
    """What a file says of one freedom."""

    xyz: Triple = _USUAL  # of length 1
    expressed_in: str = ""  # the name of a frame; empty: that of the joint
    line: int = 0
    passive: Passive = _NOTHING
    limit: Limit = _NO_LIMIT
    mimic: Mimic | None = None
    start: float | None = None  # its coordinate; none: as drawn


def read_axis(element: Element, scope: Scope, where: str) -> Axis:
    """Read an ``<axis>`` or ``<axis2>``."""
    account = scope.account
    numbers = Texts(element, where, account)
    xyz = numbers.vector("xyz", _USUAL)
    if not any(xyz):
        shown = numbers.shown("xyz")
        numbers.problem_of("xyz", f"{shown} has no direction", "give one, such as 0 0 1")
        xyz = _USUAL
    named = Attributes.of_part(element, "xyz", where, account).text("expressed_in")
    return Axis(
        unit(xyz),
        named,
        (element.first("xyz") or element).line,
        _passive(element, where, account),
        _limit(element, where, account),
        _mimic(element, scope, where),
        numbers.number("initial_position") if numbers.has("initial_position") else None,
    )


def _passive(element: Element, where: str, account: Account) -> Passive:
    part = Texts.of_part(element, "dynamics", where, account)
    found = Passive(
        damping=part.number("damping"),
        friction=part.number("friction"),
        stiffness=part.number("spring_stiffness"),
        rest=part.number("spring_reference"),
    )
    for key, value in (
        ("damping", found.damping),
        ("friction", found.friction),
        ("spring_stiffness", found.stiffness),
    ):
        if value < 0.0:
            part.problem_of(key, f"it is {value:g}", "give 0 or more")
    return found


def _limit(element: Element, where: str, account: Account) -> Limit:
    """Return the limits; an effort or a speed below 0 means none."""
    part = Texts.of_part(element, "limit", where, account)
    lower, upper, effort, velocity = (
        part.limit(key, NO_END) for key in ("lower", "upper", "effort", "velocity")
    )
    if lower is not None and upper is not None and lower > upper:
        part.problem(f"lower {lower:g} is above upper {upper:g}", "exchange them")
    return Limit(
        lower,
        upper,
        None if effort is not None and effort < 0.0 else effort,
        None if velocity is not None and velocity < 0.0 else velocity,
    )


def _mimic(element: Element, scope: Scope, where: str) -> Mimic | None:
    """Return q = multiplier (q_leader - reference) + offset, as a ratio and one offset."""
    mimic = element.first("mimic")
    if mimic is None:
        return None
    names = Attributes(mimic, f"{where}, mimic", scope.account)
    numbers = Texts(mimic, f"{where}, mimic", scope.account)
    axis = names.text("axis") or "axis"
    if axis != "axis":
        remedy = 'joints of one freedom lead and follow: take axis="..." out'
        names.problem(f'it follows "{shortened(axis)}" of a joint', remedy)
    multiplier = numbers.number("multiplier", 1.0)
    if multiplier == 0.0:
        names.problem("multiplier is 0: the joint would stand still", "make it a fixed one")
        multiplier = 1.0
    offset = numbers.number("offset") - multiplier * numbers.number("reference")
    leader = names.name("joint")
    line = scope.account.outer(mimic.line)
    return Mimic(scope.key(leader) if leader else "", multiplier, offset, line)
