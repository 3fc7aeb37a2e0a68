"""Parameters of a model file: numbers, vectors of them, and what follows from others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from mbd_fmu.errors import shortened
from mbd_fmu.model.points import component_name
from mbd_fmu.model.spec import Derived, Parameter
from mbd_fmu.quantities.expressions import Expression, Quantity, parse
from mbd_fmu.quantities.limits import MOST_COMPONENTS
from mbd_fmu.quantities.showing import show
from mbd_fmu.quantities.table import Table

Limits = tuple[float | None, ...]


def read_parameter(root: Table, name: str, data: Any) -> list[Parameter | Derived]:
    """Read one entry of ``[parameters]``, by components, and let expressions know it."""
    if not isinstance(data, Mapping):
        data = {"value": data}
    table = root.inner(f'parameter "{shortened(name)}"', data)
    value, is_vector = _value(table)
    body = _carrier(table, name, len(value), is_vector=is_vector)
    found = [replace(x, body=body) for x in _parts(table, name, value, is_vector=is_vector)]
    if is_vector and body:
        root.scope.add_point(name, tuple(part.name for part in found), body)
    elif is_vector:
        root.scope.add_vector(name, tuple(part.name for part in found))
    else:
        root.scope.add_scalar(name)
    return found


def _carrier(table: Table, name: str, n: int, *, is_vector: bool) -> str:
    """Return the body that carries it, if it is a point."""
    body = table.text("body") if table.has("body") else ""
    if body and (n != 3 or not is_vector) and name not in table.scope.failed:
        table.problem("body", "only places are carried", "give three numbers, or leave it out")
        return ""
    return body


def _parts(
    table: Table, name: str, value: tuple[Quantity, ...], *, is_vector: bool
) -> Iterator[Parameter | Derived]:
    """Yield the components; all of them are derived if one is."""
    unit, description = table.text("unit", "1"), table.text("description", "")
    low, high = (_limits(table, key, len(value), is_vector=is_vector) for key in ("min", "max"))
    tunable, says_tunable = table.flag("tunable", default=False), table.has("tunable")
    table.done()
    if table.is_clean and not unit:
        table.problem("unit", "is empty", 'write "1" for a plain number')
    is_derived = any(isinstance(x, Expression) for x in value)
    if is_derived and says_tunable:
        remedy = "leave it out: it changes between steps if one of those does"
        table.problem("tunable", "the parameter follows from others", remedy)
    vector = name if is_vector else ""
    for k, x in enumerate(value):
        called = component_name(name, k) if is_vector else name
        text = f"{description}, component {k + 1}" if description and is_vector else description
        _check_limits(table, low[k], high[k], x)
        if is_derived:
            expression = x if isinstance(x, Expression) else parse(repr(x), ())
            yield Derived(called, expression, unit, low[k], high[k], text, vector=vector)
        elif isinstance(x, float):
            yield Parameter(called, x, unit, low[k], high[k], text, tunable, vector)


def _value(table: Table) -> tuple[tuple[Quantity, ...], bool]:
    """Return the value by components, and whether it is a vector."""
    value = table.raw("value", None)
    if isinstance(value, str):
        found = table.expression("value")
        return (found, True) if isinstance(found, tuple) else ((found,), False)
    if not isinstance(value, list | tuple):
        return (table.number("value"),), False
    if 1 <= len(value) <= MOST_COMPONENTS:
        return tuple(table.expressions("value")), True
    table.problem("value", f"{len(value)} components", f"give 1 to {MOST_COMPONENTS}")
    return (1.0,), True


def _limits(table: Table, key: str, n: int, *, is_vector: bool) -> Limits:
    """Return a limit for each component; one number counts for all."""
    given = table.raw(key, None)
    if not is_vector or not isinstance(given, list | tuple):
        return (table.number(key, None),) * n
    if len(given) != n:
        table.problem(key, f"{show(given)} has not {n} components", "give one number, or as many")
        return (None,) * n
    return tuple(table.numbers(key))


def _check_limits(table: Table, low: float | None, high: float | None, value: Quantity) -> None:
    """Refuse limits that exclude each other, and numbers beyond them."""
    if not table.is_clean:
        return
    if low is not None and high is not None and low > high:
        table.problem("min", f"{low:g} is above max = {high:g}", "exchange them")
    elif isinstance(value, float) and (refused := beyond_limits(value, low, high)):
        table.problem("value", *refused)


def beyond_limits(value: float, low: float | None, high: float | None) -> tuple[str, str] | None:
    """Return what is wrong with a value, and the remedy."""
    if (low is None or value >= low) and (high is None or value <= high):
        return None
    ends = ("-inf" if low is None else low, "inf" if high is None else high)
    return f"{value:g} is outside min and max", f"keep it between {ends[0]} and {ends[1]}"
