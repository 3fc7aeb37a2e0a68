"""Symbols of a scene: parts of joints, and what shows forces and constraints on bodies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mbd_fmu.drawing.scene_places import Drawn, Numbers
from mbd_fmu.elements.places import GROUND
from mbd_fmu.elements.symbols import Mark, Seen, SeenJoint, Solid
from mbd_fmu.mechanics.arrangement import arrange
from mbd_fmu.model.spec import Joint
from mbd_fmu.spatial import times


@dataclass(frozen=True)
class SymbolPart:
    """A pin, ring, wheel, ... of a symbol, in units of symbols, with y along an axis."""

    kind: str
    length: float
    radius: float
    height: float
    size: Numbers
    teeth: float  # of whole wheels: who draws them rounds
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


def marks_of(drawn: Drawn) -> Iterator[SceneMark]:
    """Yield what forces and constraints leave on bodies."""
    for force in drawn.spec.forces:
        yield from (_mark(drawn, force.name, mark) for mark in force.marks())
    seen, declared = _seen(drawn), _seen(drawn.declared)
    for constraint in drawn.spec.constraints:
        for mark in constraint.marks(seen, declared):
            yield _mark(drawn, constraint.name, mark)


def _mark(drawn: Drawn, name: str, mark: Mark) -> SceneMark:
    axis = drawn.direction(mark.axis)
    return SceneMark(
        name,
        drawn.carrier_of(mark.body),
        drawn.place_on(mark.body, mark.point),
        mark.radius,
        mark.turns,
        [symbol_part(solid, axis) for solid in mark.solids],
    )


def _seen(drawn: Drawn) -> Seen:
    joints = (joint for joint in drawn.spec.joints if joint.kind.nq == 1)
    return Seen({joint.name: _seen_joint(drawn, joint) for joint in joints}, drawn.values)


def _seen_joint(drawn: Drawn, joint: Joint) -> SeenJoint:
    """A joint is seen on its child, or on its parent where the child is the ground."""
    against = joint.child == GROUND
    ends = (joint.parent, joint.child) if against else (joint.child, joint.parent)
    at = arrange(joint, against=against, parameters=drawn.values)
    return SeenJoint(
        ends[0],
        at.point_C,
        at.axis_C,
        ends[1],
        at.point_P,
        times(at.R_PC, at.axis_C),
        joint.kind.turns,
    )
