"""What a mechanism looks like, apart from how it moves: the scene a viewer fills with poses.

It is made from the model with the parameters' declared values, travels in the FMU as
``extra/org.mbd-fmu/scene.json``, and needs nothing but poses of the bodies to become a picture.
Everything a body carries is given from the origin whose position is an output, in the axes whose
turn is: a point p of a body is seen at r + R(quat) p.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from mbd_fmu.drawing.plane import plane_normal
from mbd_fmu.drawing.scene_loads import SceneLoad, drive_loads, force_loads
from mbd_fmu.drawing.scene_meshes import Meshes, SceneMesh
from mbd_fmu.drawing.scene_places import Numbers, carrier_of, direction_on, place_on
from mbd_fmu.drawing.scene_symbols import SceneMark, SymbolPart, marks_of, symbol_part
from mbd_fmu.drawing.stand_ins import stand_ins
from mbd_fmu.elements.constraint import Constraint
from mbd_fmu.elements.force import Force
from mbd_fmu.elements.places import GROUND
from mbd_fmu.errors import Problem, SpecError
from mbd_fmu.model.spec import Body, Joint, Spec, Visual
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import Vector, quaternion_of, unit_vector_of, vector_of
from mbd_fmu.spatial import Array, rotation_matrix

SCENE_FILE = "extra/org.mbd-fmu/scene.json"
FORMAT = 4
COLORS = ("#1f5fa8", "#c46a1b", "#2f8a4b", "#8a3fa0", "#b3261e", "#0f7f86", "#8a6d1b", "#5a6b7a")


@dataclass(frozen=True)
class Solid:
    """A shape that a body carries; what its kind has no use for is empty."""

    kind: str  # cylinder, box, sphere or mesh
    color: str  # of a mesh that has its own colours: none
    radius: float
    start: Numbers  # ends of a cylinder
    end: Numbers
    size: Numbers
    center: Numbers
    quat: Numbers  # w, x, y, z
    scale: Numbers  # of a mesh, along its axes; negative: mirrored
    mesh: int  # which of the scene's, from 0; -1: it is none
    opacity: float  # 1: nothing is seen through it


@dataclass(frozen=True)
class SceneBody:
    """A body with its mass centre and its shapes."""

    name: str
    color: str
    com: Numbers
    solids: list[Solid]


@dataclass(frozen=True)
class SceneJoint:
    """Where a joint sits on its child; ``carrier`` is the other end.

    Where the declared child is the ground, the ends are exchanged: a joint is seen on what moves.
    Its reaction is that on the declared child, and acts there: ``loaded``, at ``load_point``.
    """

    name: str
    type: str
    carrier: str
    child: str
    point: Numbers
    axis: Numbers
    symbol: list[SymbolPart]
    is_supported: bool  # where its carrier is the ground, something holds it
    loaded: str
    load_point: Numbers


@dataclass(frozen=True)
class SceneLine:
    """What joins a point of one body, or of the ground or a moving base, to a point of another."""

    name: str
    kind: str  # spring, rod or attraction
    parent: str
    child: str
    point: Numbers
    point2: Numbers


@dataclass(frozen=True)
class ScenePlane:
    """A plane of the ground on which something rolls."""

    point: Numbers
    normal: Numbers


@dataclass(frozen=True)
class Scene:
    """All there is to see."""

    format: int
    model: str
    description: str
    up: Numbers
    normal: Numbers  # of the plane that a plane mechanism moves in, as drawn; else nothing
    bodies: list[SceneBody]
    joints: list[SceneJoint]
    lines: list[SceneLine]
    marks: list[SceneMark]
    planes: list[ScenePlane]
    loads: list[SceneLoad]
    meshes: list[SceneMesh]


def scene_table(spec: Spec) -> dict[str, Any]:
    """Return a scene as viewers read it."""
    return asdict(scene_of(spec))


def scene_json(spec: Spec) -> str:
    """Write it; the same model gives the same text."""
    return json.dumps(scene_table(spec), separators=(",", ":"))


def scene_of(spec: Spec) -> Scene:
    """Draw a mechanism; raise ``SpecError`` with all problems of files it names."""
    problems: list[Problem] = []
    meshes = Meshes(spec.folder, problems)
    bodies = [_body(spec, k, meshes) for k in range(len(spec.bodies))]
    if problems:
        raise SpecError(spec.name, problems)
    return Scene(
        FORMAT,
        spec.name,
        spec.description,
        _up(spec),
        plane_normal(spec),
        bodies,
        [_joint(spec, joint) for joint in spec.joints if not joint.leads_anywhere],
        list(_lines(spec)),
        list(marks_of(spec)),
        [_plane(spec, *c.plane) for c in spec.constraints if c.plane and _is_still(spec, c.parent)],
        list(_loads(spec)),
        meshes.found,
    )


def _up(spec: Spec) -> Numbers:
    """Against gravity; along z where there is none."""
    gravity = vector_of(spec.gravity, spec.nominal).astype(float)
    size = float(np.linalg.norm(gravity))
    return (0.0 - gravity / size).tolist() if size > 0 else [0.0, 0.0, 1.0]


def _body(spec: Spec, k: int, meshes: Meshes) -> SceneBody:
    body, color = spec.bodies[k], COLORS[k % len(COLORS)]
    visuals = body.visual or stand_ins(spec, body)
    solids = [
        _solid(spec, body, f'body "{body.name}", visual {n + 1}, file', visual, color, meshes)
        for n, visual in enumerate(visuals)
    ]
    return SceneBody(body.name, color, place_on(spec, body.name, body.com), solids)


def _solid(spec: Spec, body: Body, where: str, visual: Visual, color: str, meshes: Meshes) -> Solid:
    nominal = spec.nominal
    turn = quaternion_of(visual.turn, nominal).tolist() if visual.turn else []
    mesh = meshes.place_of(where, visual.file) if visual.file else -1
    return Solid(
        kind=visual.shape,
        color=visual.color or ("" if mesh >= 0 else color),
        radius=float(value_of(visual.radius, nominal)),
        start=place_on(spec, body.name, visual.start),
        end=place_on(spec, body.name, visual.end),
        size=vector_of(visual.size, nominal).tolist(),
        center=place_on(spec, body.name, visual.center),
        quat=turn,
        scale=vector_of(visual.scale, nominal).tolist(),
        mesh=mesh,
        opacity=float(
            value_of(body.opacity if visual.opacity is None else visual.opacity, nominal)
        ),
    )


def _joint(spec: Spec, joint: Joint) -> SceneJoint:
    point, axis, axis2 = (
        joint.point2,
        direction_on(spec, joint.axis),
        direction_on(spec, joint.axis2),
    )
    carrier, body = joint.parent, joint.child
    if body == GROUND:  # declared from the moving end
        R_PC = rotation_matrix(quaternion_of(joint.orientation, spec.nominal)).astype(float)
        carrier, body, point = joint.child, joint.parent, joint.point
        axis, axis2 = _turned(R_PC, axis), _turned(R_PC, axis2)
    loaded, load_point = carrier_of(spec, joint.child), place_on(spec, joint.child, joint.point2)
    place, solids = place_on(spec, body, point), joint.kind.symbol.solids
    return SceneJoint(
        joint.name,
        joint.type,
        carrier_of(spec, carrier),
        body,
        place,
        axis,
        [symbol_part(part, axis2 if part.about_second else axis) for part in solids],
        joint.kind.symbol.is_supported,
        loaded,
        load_point,
    )


def _turned(R: Array, axis: Numbers) -> Numbers:
    return (R @ np.array(axis)).tolist() if axis else []


def _lines(spec: Spec) -> Iterator[SceneLine]:
    drawn: tuple[Force | Constraint, ...] = (*spec.forces, *spec.constraints)
    for line in (element for element in drawn if element.line):
        point = place_on(spec, line.parent, line.point)
        point2 = place_on(spec, line.child, line.point2)
        parent, child = carrier_of(spec, line.parent), carrier_of(spec, line.child)
        yield SceneLine(line.name, line.line, parent, child, point, point2)


def _loads(spec: Spec) -> Iterator[SceneLoad]:
    for joint in spec.joints:
        body, point = carrier_of(spec, joint.child), place_on(spec, joint.child, joint.point2)
        yield from drive_loads(joint, body, point, direction_on(spec, joint.axis))
    for force in spec.forces:
        yield from force_loads(force, force.child, place_on(spec, force.child, force.point2))


def _is_still(spec: Spec, name: str) -> bool:
    return name == GROUND and not spec.moving_base


def _plane(spec: Spec, point: Vector, normal: Vector) -> ScenePlane:
    unit = unit_vector_of(normal, spec.nominal).astype(float)
    return ScenePlane(place_on(spec, GROUND, point), unit.tolist())
