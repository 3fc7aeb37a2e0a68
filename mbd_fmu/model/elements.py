"""Bodies and joints of a model file."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mbd_fmu.model.keys import FORCE_KEYS, INERTIA_KEYS, JOINT_KEYS
from mbd_fmu.model.spec import GROUND, Body, BodyVelocity, Force, Joint, Shape
from mbd_fmu.model.visuals import read_visual
from mbd_fmu.quantities.expressions import Expression, Quantity
from mbd_fmu.quantities.table import REQUIRED, Table
from mbd_fmu.quantities.vectors import Matrix, Orientation, Vector
from mbd_fmu.spatial import quaternion_of_matrix

FORCE_TYPES = ("spring_damper", "bushing", "inverse_square", "wrench")
# joint type: number of coordinates, number of freedoms
COORDINATES = {
    "rigid": (0, 0),
    "revolute": (1, 1),
    "prismatic": (1, 1),
    "cylindrical": (2, 2),
    "universal": (2, 2),
    "spherical": (4, 3),
    "planar": (3, 3),
    "helical": (1, 1),
    "translational": (3, 3),
    "free": (7, 6),
}
JOINT_TYPES = tuple(COORDINATES)
MOTIONS = ("full", "position", "velocity")  # what tells a prescribed motion
WITH_AXIS = ("revolute", "prismatic", "cylindrical", "universal", "planar", "helical")

FRICTION_SPEED = 1e-3  # rad/s or m/s: below it friction fades
STOP_WIDTH = 1e-3  # rad or m: over it a stop sets in

_ZERO: Vector = (0.0, 0.0, 0.0)
# shape of the inertia: keys of its size
_SHAPES: dict[str, tuple[str, ...]] = {
    "box": ("size",),
    "cylinder": ("radius", "length"),
    "sphere": ("radius",),
    "rod": ("length",),
    "point": (),
}


def read_body(table: Table) -> Body:
    """Read one ``[[body]]``."""
    body = Body(
        table.text("name"),
        table.quantity("mass"),
        table.vector("com", (3,)),
        _inertia(table),
        table.vector("origin", (3,), _ZERO),
        _body_velocity(table),
        tuple(read_visual(table, i, data) for i, data in enumerate(table.tables("visual"))),
    )
    table.done()
    return body


def _inertia(table: Table) -> Matrix | Shape:
    data = table.raw("inertia", None)
    if not isinstance(data, Mapping):
        if data is None:
            table.problem(
                "inertia",
                "missing",
                'give a 3x3 matrix about the mass centre, or { shape = "box", size = [a, b, c] }, '
                'or { shape = "point" } for a point mass',
            )
            return Shape("point", (), _ZERO)
        return table.matrix("inertia")
    sub = table.inner(f"{table.where}, inertia", data)
    kind = sub.text("shape", choices=tuple(_SHAPES), decides=INERTIA_KEYS)
    size: list[Quantity] = []
    for key in _SHAPES[kind]:
        size += sub.vector(key, (3,)) if key == "size" else [sub.quantity(key)]
    axis = sub.vector("axis", (3,), (0.0, 0.0, 1.0)) if kind in ("cylinder", "rod") else _ZERO
    sub.done()
    return Shape(kind, tuple(size), axis)


def _body_velocity(table: Table) -> BodyVelocity | None:
    if not table.has("velocity"):
        return None
    sub = table.inner(f"{table.where}, velocity", table.raw("velocity"))
    velocity = BodyVelocity(sub.vector("linear", (3,), _ZERO), sub.vector("angular", (3,), _ZERO))
    sub.done()
    if any(isinstance(x, Expression) for x in (*velocity.linear, *velocity.angular)):
        sub.problem("", "holds expressions", "give numbers, or the velocities of joints instead")
    return velocity


def read_joint(table: Table, frame: str) -> Joint:
    """Read one ``[[joint]]``, drawn in world or in local frames."""
    local = frame == "local"
    name, parent = table.text("name"), table.text("parent", example='"ground"')
    child = table.text("child")
    point = table.vector("point", (3,), _ZERO if local else REQUIRED)
    kind = table.text("type", choices=JOINT_TYPES, decides=JOINT_KEYS)
    nq, nv = COORDINATES[kind]
    joint = Joint(
        name,
        kind,
        parent,
        child,
        point,
        table.vector("point2", (3,), _ZERO) if local else point,
        _orientation(table) if local and kind != "free" else Orientation((1.0, *_ZERO)),
        table.vector("axis", (3,)) if kind in WITH_AXIS else (),
        _second_axis(table, kind),
        table.quantity("pitch") if kind == "helical" else 0.0,
        table.quantity("reference", 0.0) if nq == 1 else 0.0,
        _start(table, "position", nq),
        _start(table, "velocity", nv),
        _per_freedom(table, "stiffness", nv if nq == nv else 0),
        _per_freedom(table, "rest", nv if nq == nv else 0),
        _per_freedom(table, "damping", nv),
        _per_freedom(table, "friction", nv),
        table.quantity("friction_speed", FRICTION_SPEED) if nv else FRICTION_SPEED,
        _per_freedom(table, "lower", nv if nq == nv else 0),
        _per_freedom(table, "upper", nv if nq == nv else 0),
        _stop(table, nv if nq == nv else 0),
        table.text("drive", "torque", choices=("torque", "none", "motion")) if nv else "none",
        _motion(table) if nv else "full",
        table.flag("cut", default=False),
        table.flag("fixed", default=False),
    )
    table.done()
    given = (*(joint.position or ()), *(joint.velocity or ()))
    if joint.drive == "motion" and any(isinstance(x, Expression) for x in given):
        table.problem(
            "drive", "start values of a prescribed motion are expressions", "give numbers"
        )
    return joint


def _motion(table: Table) -> str:
    """Return what tells a prescribed motion."""
    level = table.text("motion", "full", choices=MOTIONS)
    if table.has("motion") and not (table.has("drive") and table.raw("drive") == "motion"):
        table.problem(
            "motion",
            "the joint is not driven by a motion",
            'write drive = "motion", or leave it out',
        )
    return level


def _per_freedom(table: Table, key: str, n: int) -> Vector:
    """Return a number for each freedom; empty if none is given."""
    return _start(table, key, n) or ()


def _stop(table: Table, n: int) -> Vector:
    """Return stiffness, damping and width of the stops, if there are any."""
    if not n or not (table.has("lower") or table.has("upper")):
        return ()
    return (
        table.quantity("stop_stiffness"),
        table.quantity("stop_damping", 0.0),
        table.quantity("stop_width", STOP_WIDTH),
    )


def _second_axis(table: Table, kind: str) -> Vector:
    """Of a universal joint, or the first direction of sliding of a planar one."""
    if kind == "universal" or (kind == "planar" and table.has("axis2")):
        return table.vector("axis2", (3,))
    return ()


def _start(table: Table, key: str, n: int) -> Vector | None:
    """Return start values: a scalar or a list, as many as the joint has coordinates."""
    if not n or not table.has(key):
        return None
    if n == 1 and not isinstance(table.raw(key), list | tuple):
        return (table.quantity(key),)
    return table.vector(key, (n,))


def _orientation(table: Table) -> Orientation:
    given = [key for key in ("rpy", "quaternion", "matrix") if table.has(key)]
    if len(given) > 1:
        table.problem("", f"{' and '.join(given)} would each turn the child", "give one of them")
    if not given:
        return Orientation((1.0, *_ZERO))
    if given[0] == "rpy":
        return Orientation(table.vector("rpy", (3,)))
    if given[0] == "quaternion":
        return Orientation(table.vector("quaternion", (4,)))
    rows = table.matrix("matrix")
    if not all(isinstance(x, float) for row in rows for x in row):
        table.problem("matrix", "holds expressions", "use rpy for angles that are parameters")
        return Orientation((1.0, *_ZERO))
    R = np.array(rows, dtype=float)
    if np.abs(R @ R.T - np.eye(3)).max() > 1e-6 or np.linalg.det(R) < 0:
        table.problem("matrix", "is no rotation", "give orthonormal rows, right-handed")
        return Orientation((1.0, *_ZERO))
    return Orientation(tuple(float(x) for x in quaternion_of_matrix(R)))


def read_force(table: Table) -> Force:
    """Read one ``[[force]]``; its points are given in the frames of the bodies."""
    name = table.text("name")
    kind = table.text("type", choices=FORCE_TYPES, decides=FORCE_KEYS)
    if kind == "wrench":
        body = table.text("body")
        point = table.vector("point", (3,))
        axes = table.text("axes", "world", choices=("world", "body"))
        force = Force(name, kind, GROUND, body, _ZERO, point, (), axes == "body")
    else:
        force = Force(
            name,
            kind,
            table.text("parent", example='"ground"'),
            table.text("child"),
            table.vector("point", (3,)),
            table.vector("point2", (3,)),
            _force_constants(table, kind),
        )
    table.done()
    return force


def _force_constants(table: Table, kind: str) -> Vector:
    if kind == "inverse_square":
        return (table.quantity("strength"),)
    if kind == "bushing":
        zeros = (0.0,) * 6
        return (*table.vector("stiffness", (6,), zeros), *table.vector("damping", (6,), zeros))
    return (
        table.quantity("stiffness", 0.0),
        table.quantity("damping", 0.0),
        table.quantity("length"),
    )
