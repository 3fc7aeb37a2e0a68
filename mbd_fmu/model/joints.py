"""Joints of a model file: what all types have in common; the rest their types say."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mbd_fmu.elements import joint as axes
from mbd_fmu.elements.joint import JointType
from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.elements.keys import names_of
from mbd_fmu.elements.motion_of_time import BY_TIME, MotionOfTime, is_formula, read_motion_of_time
from mbd_fmu.elements.place_keys import Direction
from mbd_fmu.model.spec import Joint
from mbd_fmu.quantities.expressions import Expression, Quantity
from mbd_fmu.quantities.limits import SMALLEST
from mbd_fmu.quantities.showing import show
from mbd_fmu.quantities.table import REQUIRED, Table
from mbd_fmu.quantities.time_functions import TimeFunction, read_time_functions
from mbd_fmu.quantities.vectors import Orientation, Vector
from mbd_fmu.spatial import quaternion_of_matrix

MOTIONS = ("full", "position", "velocity")  # what prescribes a motion
FRICTION_SPEED = 1e-3  # rad/s or m/s: below it friction fades
STOP_WIDTH = 1e-3  # rad or m: over it a stop sets in
# what numbers of joints must at least be
LEAST = {
    **dict.fromkeys(("armature", "stiffness", "damping", "friction"), 0.0),
    **dict.fromkeys(("stop_stiffness", "stop_damping"), 0.0),
    **dict.fromkeys(("friction_speed", "stop_width", "effort", "speed"), SMALLEST),
}
# Every key that some joint has. Which of them one has, its type says; where that is misspelt, these
# may be right, and all others are misspelt, too.
JOINT_KEYS = names_of([key for kind in JOINTS.values() for key in kind.keys]) | {
    *("name", "type", "parent", "child", "point", "point2", "rpy", "quaternion", "matrix"),
    *("axis", "axis2", "reference", "position", "velocity", "armature", "stiffness", "rest"),
    *("damping", "friction", "friction_speed", "lower", "upper", "stop_stiffness"),
    *("stop_damping", "stop_width", "drive", "motion", "cut", "fixed", "effort", "speed"),
    "torque",
}
_ZERO: Vector = (0.0, 0.0, 0.0)


def bounded_values(joint: Joint) -> Iterator[tuple[str, Quantity, float]]:
    """Yield keys of a joint with quantities, and what they must at least be."""
    stop = dict(zip(("stop_stiffness", "stop_damping", "stop_width"), joint.stop, strict=False))
    for key, least in LEAST.items():
        if key in stop:
            yield key, stop[key], least
        elif not key.startswith("stop_"):
            given = getattr(joint, key)
            yield from ((key, x, least) for x in (given if isinstance(given, tuple) else (given,)))


def read_joint(table: Table, frame: str, drive: str = "torque") -> Joint:
    """Read one ``[[joint]]``, drawn in world or in local frames; driven so if it says nothing."""
    local = frame == "local"
    name, parent = table.text("name"), table.text("parent", example='"ground"')
    child = table.text("child")
    point = table.place("point", parent, _ZERO if local else REQUIRED)
    type_name = table.text("type", choices=tuple(JOINTS), decides=JOINT_KEYS)
    kind = JOINTS[type_name]
    nq, nv = kind.nq, kind.nv
    joint = Joint(
        name,
        type_name,
        parent,
        child,
        point,
        table.place("point2", child, _ZERO) if local else point,
        _orientation(table) if local and kind.restricts else Orientation((1.0, *_ZERO)),
        table.place("axis", child, example=Direction.example) if kind.has_axis else (),
        _second_axis(table, kind, child),
        tuple(key.read(table) for key in kind.keys),
        table.quantity("reference", 0.0) if nq == 1 else 0.0,
        _start(table, "position", nq),
        _start(table, "velocity", nv),
        _per_freedom(table, "armature", nv),
        _per_freedom(table, "stiffness", nv if nq == nv else 0),
        _per_freedom(table, "rest", nv if nq == nv else 0),
        _per_freedom(table, "damping", nv),
        _per_freedom(table, "friction", nv),
        table.quantity("friction_speed", FRICTION_SPEED) if nv else FRICTION_SPEED,
        _per_freedom(table, "lower", nv if nq == nv else 0),
        _per_freedom(table, "upper", nv if nq == nv else 0),
        _stop(table, nv if nq == nv else 0),
        table.text("drive", drive, choices=("torque", "none", "motion")) if nv else "none",
        _motion(table, kind) if nv else "full",
        table.flag("cut", default=False),
        table.flag("fixed", default=False),
        effort=_allowed(table, "effort", nv),
        speed=_allowed(table, "speed", nv),
        torque=_torque(table, nv),
        of_time=_of_time(table, kind) if nv else None,
    )
    table.done()
    given = (*(joint.position or ()), *(joint.velocity or ()))
    if joint.drive == "motion" and any(isinstance(x, Expression) for x in given):
        table.problem(
            "drive", "start values of a prescribed motion are expressions", "give numbers"
        )
    return joint


def _motion(table: Table, kind: JointType) -> str:
    """Return what tells a prescribed motion."""
    if table.has("motion") and not (table.has("drive") and table.raw("drive") == "motion"):
        table.problem(
            "motion",
            "the joint is not driven by a motion",
            'write drive = "motion", or leave it out',
        )
    if _is_of_time(table):
        return BY_TIME
    is_wrong = is_formula(table, "motion", kind)
    return "full" if is_wrong else table.text("motion", "full", choices=MOTIONS)


def _is_of_time(table: Table) -> bool:
    """Words name inputs that tell a motion; anything else is a function of time."""
    return table.has("motion") and not isinstance(table.raw("motion"), str)


def _of_time(table: Table, kind: JointType) -> MotionOfTime | None:
    """Return the motion that the time tells; its start values are then known."""
    if not _is_of_time(table):
        return None
    for key in ("position", "velocity", "fixed"):
        if table.has(key):
            found = "its motion is a function of time, which says where it starts"
            table.problem(key, found, "leave it out")
    return read_motion_of_time(table, "motion", kind)


def _torque(table: Table, nv: int) -> tuple[TimeFunction, ...]:
    """Return what drives each freedom, if no inputs do."""
    if not nv or not table.has("torque"):
        return ()
    if table.has("drive") and table.raw("drive") != "torque":
        found = "the joint is not driven by a torque"
        table.problem("torque", found, 'write drive = "torque", or leave it out')
    return read_time_functions(table, "torque", table.raw("torque"), nv)


def _per_freedom(table: Table, key: str, n: int) -> Vector:
    """Return a number for each freedom; empty if none is given."""
    return _start(table, key, n) or ()


def _allowed(table: Table, key: str, n: int) -> tuple[float, ...]:
    """Return what the joint's maker allows in each freedom, above 0; empty if nothing is said."""
    allowed = _per_freedom(table, key, n)
    if not all(isinstance(x, float) and x >= LEAST[key] for x in allowed):
        table.problem(key, f"{show(table.raw(key))} is not above 0", "give numbers above 0")
        return ()
    return tuple(float(x) for x in allowed if isinstance(x, float))


def _stop(table: Table, n: int) -> Vector:
    """Return stiffness, damping and width of the stops, if there are any."""
    if not n or not (table.has("lower") or table.has("upper")):
        return ()
    return (
        table.quantity("stop_stiffness"),
        table.quantity("stop_damping", 0.0),
        table.quantity("stop_width", STOP_WIDTH),
    )


def _second_axis(table: Table, kind: JointType, child: str) -> Vector:
    """Read it where the type needs it, or may have it."""
    may_have = kind.second_axis in (axes.OPTIONAL, axes.OF_CHILD) and table.has("axis2")
    if kind.second_axis == axes.REQUIRED or may_have:
        return table.place("axis2", child, example=Direction.example)
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
