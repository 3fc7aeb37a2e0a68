"""Symbols of a scene: parts of joints, and what shows forces and constraints on bodies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mbd_fmu.drawing.scene_places import Numbers, carrier_of, direction_on, place_on
from mbd_fmu.elements.places import GROUND
from mbd_fmu.elements.symbols import Mark, SeenJoint, Solid
from mbd_fmu.mechanics.arrangement import arrange
from mbd_fmu.model.spec import Joint, Spec


@dataclass(frozen=True)
class SymbolPart:
    """A pin, ring, wheel, ... of a symbol, in units of symbols, with y along an axis."""

    kind: str
    length: float
    radius: float
    height: float
    size: Numbers
    teeth: int
    axis: Numbers


@dataclass(frozen=True)
class SceneMark:
    """What shows a force or a constraint on a body, or on the ground or a moving base."""

    name: str
    carrier: str
    point: Numbers
    radius: float  # in m, what is 1 in its parts; 0: the unit of the viewer
    turns: bool  # with its carrier; else it keeps the directions of the world
    parts: list[SymbolPart]


def symbol_part(solid: Solid, axis: Numbers) -> SymbolPart:
    """Put a solid along an axis."""
    return SymbolPart(
        solid.kind,
        solid.length,
        solid.radius,
        solid.height,
        list(solid.size),
        solid.teeth,
        axis,
    )


def marks_of(spec: Spec) -> Iterator[SceneMark]:
    """Yield what forces and constraints leave on bodies."""
    joints = {joint.name: _seen(spec, joint) for joint in spec.joints if joint.kind.nq == 1}
    for force in spec.forces:
        yield from (_mark(spec, force.name, mark) for mark in force.marks())
    for constraint in spec.constraints:
        for mark in constraint.marks(joints, spec.nominal):
            yield _mark(spec, constraint.name, mark)


def _mark(spec: Spec, name: str, mark: Mark) -> SceneMark:
    axis = direction_on(spec, mark.axis)
    return SceneMark(
        name,
        carrier_of(spec, mark.body),
        place_on(spec, mark.body, mark.point),
        mark.radius,
        mark.turns,
        [symbol_part(solid, axis) for solid in mark.solids],
    )


def _seen(spec: Spec, joint: Joint) -> SeenJoint:
    """A joint is seen on its child, or on its parent where the child is the ground."""
    against = joint.child == GROUND
    ends = (joint.parent, joint.child) if against else (joint.child, joint.parent)
    at = arrange(joint, against=against, parameters=spec.nominal)
    return SeenJoint(
        ends[0],
        at.point_C.astype(float),
        at.axis_C.astype(float),
        ends[1],
        at.point_P.astype(float),
        (at.R_PC @ at.axis_C).astype(float),
        joint.kind.turns,
    )
