"""Constraints of a model file: restrictions of motion that are no joints."""

from __future__ import annotations

from mbd_fmu.model.keys import CONSTRAINT_KEYS
from mbd_fmu.model.spec import GROUND, Constraint
from mbd_fmu.quantities.table import Table
from mbd_fmu.quantities.vectors import Vector

CONSTRAINT_TYPES = (
    "distance",
    "point_on_line",
    "point_in_plane",
    "gear",
    "rack_pinion",
    "knife_edge",
    "rolling_disc",
    "wheel_set",
)
BETWEEN_JOINTS = ("gear", "rack_pinion")
ON_PLANE = ("rolling_disc", "wheel_set")
# constraint type: rows on positions, further rows on velocities
ROWS = {
    "distance": (1, 0),
    "point_on_line": (2, 0),
    "point_in_plane": (1, 0),
    "gear": (1, 0),
    "rack_pinion": (1, 0),
    "knife_edge": (0, 1),
    "rolling_disc": (1, 2),
    "wheel_set": (2, 3),
}

_ORIGIN: Vector = (0.0, 0.0, 0.0)
_UP: Vector = (0.0, 0.0, 1.0)


def read_constraint(table: Table, frame: str) -> Constraint:
    """Read one ``[[constraint]]``."""
    name = table.text("name")
    kind = table.text("type", choices=CONSTRAINT_TYPES, decides=CONSTRAINT_KEYS)
    if kind in BETWEEN_JOINTS:
        constraint = _between_joints(table, name, kind)
    elif kind == "knife_edge":
        constraint = Constraint(
            name,
            kind,
            child=table.text("body"),
            point2=table.vector("point", (3,)),
            axis=table.vector("axis", (3,)),
        )
    elif kind in ON_PLANE:
        constraint = _on_plane(table, name, kind)
    else:
        constraint = _between_points(table, name, kind, frame)
    table.done()
    return constraint


def _between_joints(table: Table, name: str, kind: str) -> Constraint:
    """q_b = ratio q_a + offset; of a rack, the ratio is the radius of its pinion."""
    joints = _two(table, "joints")
    ratio = table.quantity("radius" if kind == "rack_pinion" else "ratio")
    return Constraint(name, kind, joints=joints, ratio=ratio, offset=table.quantity("offset", 0.0))


def _between_points(table: Table, name: str, kind: str, frame: str) -> Constraint:
    # in local frames the two points are not drawn beside each other
    needs_length = frame == "local" or table.has("length")
    return Constraint(
        name,
        kind,
        table.text("parent", example='"ground"'),
        table.text("child"),
        table.vector("point", (3,)),
        table.vector("point2", (3,)),
        axis=() if kind == "distance" else table.vector("axis", (3,)),
        length=table.quantity("length") if kind == "distance" and needs_length else None,
    )


def _on_plane(table: Table, name: str, kind: str) -> Constraint:
    second = None
    if kind == "wheel_set":
        body, other = _two(table, "bodies")
        center = table.vector("center", (3,))
        second = other, table.vector("center2", (3,))
    else:
        body = table.text("body")
        center = table.vector("center", (3,))
    return Constraint(
        name,
        kind,
        GROUND,
        body,
        table.vector("point", (3,), _ORIGIN),
        center,
        table.vector("axis", (3,)),
        normal=table.vector("normal", (3,), _UP),
        length=table.quantity("radius"),
        second=second,
    )


def _two(table: Table, key: str) -> tuple[str, str]:
    names = table.texts(key, ())
    if len(names) == 2:
        return names[0], names[1]
    table.problem(key, f"{len(names)} names", f'give two, for example {key} = ["a", "b"]')
    return "", ""
