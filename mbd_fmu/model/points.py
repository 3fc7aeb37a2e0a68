"""Named points of a model file: a place is written once and called by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mbd_fmu.elements.places import GROUND
from mbd_fmu.errors import shortened
from mbd_fmu.model.spec import Derived, NamedPoint
from mbd_fmu.quantities.expressions import Expression
from mbd_fmu.quantities.table import Table


def read_point(root: Table, name: str, data: Any) -> tuple[NamedPoint, list[Derived]]:
    """Read one entry of ``[points]``, and let expressions know it.

    Coordinates that follow from parameters are derived, under names such as ``hinge[1]``.
    """
    if not isinstance(data, Mapping):
        data = {"at": data}
    table = root.inner(f'point "{shortened(name)}"', data)
    body = table.text("body", GROUND)
    point = NamedPoint(name, body, table.place("at", body))
    table.done()
    derived = [
        Derived(component_name(name, k), value, "m", vector=name, is_parameter=False)
        for k, value in enumerate(point.at)
        if isinstance(value, Expression)
    ]
    called = tuple(
        value if isinstance(value, float) else component_name(name, k)
        for k, value in enumerate(point.at)
    )
    root.scope.add_point(name, called, body, is_claimed=table.has("body"))
    return point, derived


def component_name(vector: str, k: int) -> str:
    """Return what a component of a vector is called; they are counted from 1."""
    return f"{vector}[{k + 1}]"
