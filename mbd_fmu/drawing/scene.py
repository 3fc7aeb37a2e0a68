"""What a mechanism looks like, apart from how it moves: the scene a viewer fills with poses.

It is made from the model, with the parameters' declared values travels in the FMU as
``extra/org.mbd-fmu/scene.json``, and needs nothing but poses of the bodies to become a picture.
Everything a body carries is given from the origin whose position is an output, in the axes whose
turn is: a point p of a body is seen at r + R(quat) p.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import Any

from mbd_fmu.drawing.plane import plane_normal
from mbd_fmu.drawing.scene_loads import SceneLoad, drive_loads, force_loads
from mbd_fmu.drawing.scene_meshes import Meshes, SceneMesh
from mbd_fmu.drawing.scene_places import Drawn, Numbers
from mbd_fmu.drawing.scene_symbols import SceneMark, SymbolPart, marks_of, symbol_part
from mbd_fmu.drawing.stand_ins import stand_ins
from mbd_fmu.elements.constraint import Constraint
from mbd_fmu.elements.force import Force
from mbd_fmu.elements.places import GROUND
from mbd_fmu.errors import Problem, SpecError
from mbd_fmu.model.spec import Body, Joint, Spec, Visual
from mbd_fmu.quantities.vectors import Values, Vector, quaternion_of, vector_of
from mbd_fmu.spatial import Array, Scalar, array, length_of, rotation_matrix, times

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


Path = tuple[str | int, ...]  # keys and indices that lead to a number of a scene


def scene_table(spec: Spec, values: Values | None = None) -> dict[str, Any]:
    """Return a scene as viewers read it, with the values that a run has, else those declared."""
    return asdict(scene_of(spec, values))


def scene_json(spec: Spec) -> str:
    """Write it; the same model gives the same text."""
    return json.dumps(scene_table(spec), separators=(",", ":"))


def scene_of(spec: Spec, values: Values | None = None) -> Scene:
    """Draw a mechanism; raise ``SpecError`` with all problems of files it names.

    ``values`` are numbers or symbols, of all that expressions may name; of symbols the numbers of
    the scene are formulas. What is drawn, and how it is looked at, is decided by declared values.
    """
    drawn = Drawn(spec, spec.nominal if values is None else values)
    problems: list[Problem] = []
    meshes = Meshes(spec.folder, problems)
    bodies = [_body(drawn, k, meshes) for k in range(len(spec.bodies))]
    if problems:
        raise SpecError(spec.name, problems)
    planes = [c.plane for c in spec.constraints if c.plane and _is_still(spec, c.parent)]
    return Scene(
        FORMAT,
        spec.name,
        spec.description,
        _up(spec),
        plane_normal(spec),
        bodies,
        [_joint(drawn, joint) for joint in spec.joints if not joint.leads_anywhere],
        list(_lines(drawn)),
        list(marks_of(drawn)),
        [_plane(drawn, *plane) for plane in planes],
        list(_loads(drawn)),
        meshes.found,
    )


def numbers_of(part: Any, path: Path = ()) -> Iterator[tuple[Path, Scalar]]:
    """Yield the numbers of a scene with the ways to them in its table; symbols count as such."""
    if is_dataclass(part):
        for field in fields(part):
            yield from numbers_of(getattr(part, field.name), (*path, field.name))
    elif isinstance(part, list):
        for k, entry in enumerate(part):
            yield from numbers_of(entry, (*path, k))
    elif not isinstance(part, str | bool):
        yield path, part


def _up(spec: Spec) -> Numbers:
    """Against gravity; along z where there is none."""
    gravity = vector_of(spec.gravity, spec.nominal).astype(float)
    size = length_of(gravity)
    return (0.0 - gravity / size).tolist() if size > 0 else [0.0, 0.0, 1.0]


def _body(drawn: Drawn, k: int, meshes: Meshes) -> SceneBody:
    body, color = drawn.spec.bodies[k], COLORS[k % len(COLORS)]
    visuals = body.visual or stand_ins(drawn.spec, body, drawn.values)
    solids = [
        _solid(
            drawn, body, f'body "{body.name}", visual {visual.entry}, file', visual, color, meshes
        )
        for visual in visuals
    ]
    return SceneBody(body.name, color, drawn.place_on(body.name, body.com), solids)


def _solid(
    drawn: Drawn, body: Body, where: str, visual: Visual, color: str, meshes: Meshes
) -> Solid:
    turn = list(quaternion_of(visual.turn, drawn.values).tolist()) if visual.turn else []
    mesh = meshes.place_of(where, visual.file) if visual.file else -1
    return Solid(
        kind=visual.shape,
        color=visual.color or ("" if mesh >= 0 else color),
        radius=drawn.number(visual.radius),
        start=drawn.place_on(body.name, visual.start),
        end=drawn.place_on(body.name, visual.end),
        size=list(drawn.vector(visual.size).tolist()),
        center=drawn.place_on(body.name, visual.center),
        quat=turn,
        scale=list(drawn.vector(visual.scale).tolist()),
        mesh=mesh,
        opacity=drawn.number(body.opacity if visual.opacity is None else visual.opacity),
    )


def _joint(drawn: Drawn, joint: Joint) -> SceneJoint:
    point, axis, axis2 = joint.point2, drawn.direction(joint.axis), drawn.direction(joint.axis2)
    carrier, body = joint.parent, joint.child
    if body == GROUND:  # declared from the moving end
        R_PC = rotation_matrix(quaternion_of(joint.orientation, drawn.values))
        carrier, body, point = joint.child, joint.parent, joint.point
        axis, axis2 = _turned(R_PC, axis), _turned(R_PC, axis2)
    solids = joint.kind.symbol.solids
    return SceneJoint(
        joint.name,
        joint.type,
        drawn.carrier_of(carrier),
        body,
        drawn.place_on(body, point),
        axis,
        [symbol_part(part, axis2 if part.about_second else axis) for part in solids],
        joint.kind.symbol.is_supported,
        drawn.carrier_of(joint.child),
        drawn.place_on(joint.child, joint.point2),
    )


def _turned(R: Array, axis: Numbers) -> Numbers:
    return list(times(R, array(axis)).tolist()) if axis else []


def _lines(drawn: Drawn) -> Iterator[SceneLine]:
    spec = drawn.spec
    shown: tuple[Force | Constraint, ...] = (*spec.forces, *spec.constraints)
    for line in (element for element in shown if element.line):
        point = drawn.place_on(line.parent, line.point)
        point2 = drawn.place_on(line.child, line.point2)
        parent, child = drawn.carrier_of(line.parent), drawn.carrier_of(line.child)
        yield SceneLine(line.name, line.line, parent, child, point, point2)


def _loads(drawn: Drawn) -> Iterator[SceneLoad]:
    for joint in drawn.spec.joints:
        body, point = drawn.carrier_of(joint.child), drawn.place_on(joint.child, joint.point2)
        yield from drive_loads(joint, body, point, drawn.direction(joint.axis))
    for force in drawn.spec.forces:
        yield from force_loads(force, force.child, drawn.place_on(force.child, force.point2))


def _is_still(spec: Spec, name: str) -> bool:
    return name == GROUND and not spec.moving_base


def _plane(drawn: Drawn, point: Vector, normal: Vector) -> ScenePlane:
    return ScenePlane(drawn.place_on(GROUND, point), drawn.direction(normal))
