"""Signals by what they belong to: a joint, a body, a force, a constraint, the energy, the quality.

The names say it, and what else an element has: what has a length and a force is a spring, a length
alone is a distance that the model named. Where the scene is known its bodies and joints settle what
is left open, as ``r`` is the place of a body or of a point, and the displacement in a free joint.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mbd_fmu.topology.connect import BASE_BODY
from mbd_fmu.validate.comparison import vector_of

# By what may come first; drives are inputs, or what a prescribed motion takes. A force or torque is
# a reaction where a joint has it, else what a force element or a constraint exerts.
_QUANTITIES = {
    "joints": ("q", "qd", "qdd", "wd", "vd"),
    "reactions": ("force", "torque", "lambda"),
    "forces": ("force2", "torque2", "length", "rate", "effort", "passive"),
    "drives": ("tau", "f", "ctrl"),
    "poses": ("r", "quat", "com"),
    "velocities": ("v", "w"),
    "accelerations": ("a", "alpha"),
    "energy": ("kinetic", "potential", "input_work", "dissipated"),
    "quality": ("position_error", "velocity_error", "rank"),
}
OTHER = "other"
_FAMILY = {quantity: family for family, names in _QUANTITIES.items() for quantity in names}
_NAME = re.compile(rf"(.+?)[._]({'|'.join(_FAMILY)})(?:[._][wxyz]|\[\d+\]|_\d+)?")
_KINDS = ("joint", "body", "point", "force", "constraint", "energy", "quality", OTHER)


@dataclass(frozen=True)
class Vector:
    """Signals that are drawn together."""

    title: str
    members: tuple[str, ...]
    family: str  # one of FIRSTS, or OTHER


@dataclass(frozen=True)
class Group:
    """All signals of one element."""

    kind: str
    name: str
    vectors: tuple[Vector, ...]


def signal_groups(names: Iterable[str], scene: Mapping[str, Any] | None) -> list[Group]:
    """Return groups: joints, bodies, forces and so on, each in the order of the table."""
    known = {
        kind: {entry["name"] for entry in (scene or {}).get(key, ())}
        for kind, key in (("joint", "joints"), ("body", "bodies"))
    }
    names = list(names)
    beside: dict[str, set[str]] = {}
    for element, quantity in map(_parsed, names):
        beside.setdefault(element, set()).add(quantity)
    found: dict[tuple[str, str], dict[tuple[str, str], list[str]]] = {}
    for name in names:
        element, quantity = _parsed(name)
        key = _kind(element, quantity, known, beside[element]), element
        vector = vector_of(name), _family(element, quantity, key[0])
        found.setdefault(key, {}).setdefault(vector, []).append(name)
    groups = [
        Group(kind, name, tuple(Vector(t, tuple(m), f) for (t, f), m in vectors.items()))
        for (kind, name), vectors in found.items()
    ]
    return sorted(groups, key=lambda group: _KINDS.index(group.kind))


def lacks_first(names: Iterable[str], scene: Mapping[str, Any] | None, first: str) -> str:
    """Say so where there is nothing of what is to come first, one of ``FIRSTS``."""
    if not first or first in families_of(names, scene):
        return ""
    return f"no {first} among the signals that could come first"


def families_of(names: Iterable[str], scene: Mapping[str, Any] | None) -> set[str]:
    """Return what may come first, by the words of ``FIRSTS``, and ``OTHER``."""
    groups = signal_groups(names, scene)
    return {vector.family for group in groups for vector in group.vectors}


def _parsed(name: str) -> tuple[str, str]:
    """Return element and quantity; what has none of our names is told by its first dot."""
    match = _NAME.fullmatch(name)
    if match:
        return match[1], match[2]
    return (name.partition(".")[0] if "." in name else ""), ""


def numbered_of(name: str) -> str:
    """Return what a numbered component belongs to: ``a.q`` for ``a.q[2]``, also in flat names."""
    if name.endswith("]"):
        return name.rpartition("[")[0]
    _, quantity = _parsed(name)
    is_flat = quantity and name.rpartition("_")[2].isdigit()
    return name.rpartition("_")[0] if is_flat else name


def _kind(
    element: str, quantity: str, known: Mapping[str, Collection[str]], beside: Collection[str]
) -> str:
    """Return what has a quantity; ``beside`` are all that it has."""
    family, own = _FAMILY.get(quantity, OTHER), element.rpartition(".")[2]
    if family in ("energy", "quality", OTHER):
        return family
    if family in ("poses", "velocities", "accelerations"):
        if own in known["body"] or not {"quat", "com", "alpha"}.isdisjoint(beside):
            return "body"
        return "joint" if own in known["joint"] else "point"
    is_joint = own in known["joint"] or element == BASE_BODY
    if family == "joints" or (is_joint and quantity != "lambda"):
        return "joint"
    return _acting_kind(quantity, beside, is_sure=bool(known["joint"]))


def _acting_kind(quantity: str, beside: Collection[str], *, is_sure: bool) -> str:
    """Return what acts; ``is_sure``: no joint does that is known."""
    if not {"lambda", "force2"}.isdisjoint(beside):
        return "constraint"
    if not {"force", "effort"}.isdisjoint(beside) and not {"length", "rate"}.isdisjoint(beside):
        return "force"
    if quantity in ("length", "rate"):
        return OTHER
    # a wrench has force and torque as a reaction has
    return "force" if is_sure or quantity in ("ctrl", "effort") else "joint"


def _family(element: str, quantity: str, kind: str) -> str:
    family = _FAMILY.get(quantity, OTHER)
    if kind == OTHER:
        return OTHER
    if kind == "joint" and family in ("poses", "velocities"):  # of a free joint
        return "joints"
    if quantity in ("force", "torque"):
        if element == BASE_BODY:  # nothing holds it: that is what its motion takes
            return "drives"
        return family if kind == "joint" else "forces"
    return family
