"""Bodies of a model file."""

from __future__ import annotations

from collections.abc import Mapping

from mbd_fmu.model.spec import Body, BodyVelocity, Shape
from mbd_fmu.model.visuals import EDGES, read_visual
from mbd_fmu.quantities.expressions import Expression, Quantity
from mbd_fmu.quantities.table import Table
from mbd_fmu.quantities.vectors import Matrix, Vector

INERTIA_KEYS = frozenset(("shape", "size", "radius", "length", "axis"))  # of some shape
_ZERO: Vector = (0.0, 0.0, 0.0)
# shape of the inertia: keys of its size
SHAPES: dict[str, tuple[str, ...]] = {
    "box": ("size",),
    "cylinder": ("radius", "length"),
    "sphere": ("radius",),
    "rod": ("length",),
    "point": (),
}

LEAST = {"mass": 0.0, "size": 0.0}  # and of a solid that has the inertia


def read_body(table: Table) -> Body:
    """Read one ``[[body]]``."""
    name = table.text("name")
    body = Body(
        name,
        table.quantity("mass"),
        table.place("com", name),
        _inertia(table, name),
        table.place("origin", name, _ZERO),
        _body_velocity(table),
        tuple(
            visual
            for i, data in enumerate(table.tables("visual", "body"))
            for visual in read_visual(table, name, i, data)
        ),
        table.quantity("opacity", 1.0),
    )
    table.done()
    return body


def _inertia(table: Table, body: str) -> Matrix | Shape:
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
    kind = sub.text("shape", choices=tuple(SHAPES), decides=INERTIA_KEYS)
    size: list[Quantity] = []
    for key in SHAPES[kind]:
        size += sub.vector(key, (3,), example=EDGES) if key == "size" else [sub.quantity(key)]
    axis = sub.place("axis", body, (0.0, 0.0, 1.0)) if kind in ("cylinder", "rod") else _ZERO
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
