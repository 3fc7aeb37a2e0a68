"""Tables of the reference page of the model file, from the descriptions of its keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from mbd_fmu.elements.tables import element_key_table
from mbd_fmu.model.bodies import SHAPES as INERTIA_SHAPES
from mbd_fmu.model.named_outputs import OUTPUT_KINDS
from mbd_fmu.model.visuals import SHAPES as LOOKS
from mbd_fmu.quantities.expressions import CONSTANTS, REDUCTIONS
from mbd_fmu.quantities.functions import FUNCTIONS
from mbd_fmu.quantities.limits import LARGEST, MOST, MOST_BYTES, MOST_COMPONENTS, SMALLEST
from mbd_fmu.quantities.time_forms import FORMS_OF_TIME
from mbd_fmu.schema import joint_keys, sections
from mbd_fmu.schema.described import NEEDED, Described, table_of


def _inertia_table() -> str:
    return _by_shape(INERTIA_SHAPES, sections.inertia_keys)


def _look_table() -> str:
    return _by_shape(LOOKS, sections.visual_keys)


def _by_shape(shapes: Iterable[str], keys_of: Callable[[str], list[Described]]) -> str:
    lines = ["| shape | keys |", "|---|---|"]
    for shape in shapes:
        keys = [_said(key) for key in keys_of(shape) if key.name != "shape"]
        lines.append(f"| `{shape}` | {', '.join(keys) or 'none'} |")
    return "\n".join(lines)


def _said(key: Described) -> str:
    _, words, default, unit, meaning = key.row
    inside = [words, meaning, unit, "" if default == "needed" else f"default {default}"]
    return f"`{key.name}` ({'; '.join(filter(None, inside))})"


def _time_table() -> str:
    """Return the keys of functions of time, those of a sine inside of it."""
    rows = [
        Described(
            f"sine.{key.name}" if form == "sine" else key.name,
            key.form,
            key.meaning,
            NEEDED if key.default is None else key.default,
            key.unit,
        )
        for form, keys in FORMS_OF_TIME.items()
        for key in keys
    ]
    return table_of(rows)


def _output_key_table() -> str:
    """Return the keys of what a model names, by kind."""
    rows = [
        replace(key, name=f"{kind.kind}.{key.name}")
        for kind in OUTPUT_KINDS
        for key in sections.output_keys(kind)
        if key.name != "name"
    ]
    return table_of([sections.output_keys(OUTPUT_KINDS[0])[0], *rows])


def _function_table() -> str:
    lines = [
        "| name | meaning |",
        "|---|---|",
        f"| {_ticked(CONSTANTS)} | constants |",
        f"| {_ticked(FUNCTIONS)} | functions of numbers: [laws](laws.md#expressions) |",
        f"| {_ticked(REDUCTIONS)} | scalar product of two vectors; length of one |",
    ]
    return "\n".join(lines)


def _limit_table() -> str:
    counts = "; ".join(f"{key} {most}" for key, most in MOST.items())
    rows = {
        "numbers, by magnitude": f"{LARGEST:g} at most",
        "what must be above 0": f"{SMALLEST:g} at least",
        "entries": counts,
        "components of a vector": f"{MOST_COMPONENTS} at most",
        "the file": f"{MOST_BYTES // 1_000_000} MB",
    }
    lines = [f"| {of} | {limit} |" for of, limit in rows.items()]
    return "\n".join(["| of | limit |", "|---|---|", *lines])


def _ticked(names: Iterable[str]) -> str:
    return " ".join(f"`{name}`" for name in sorted(names))


TABLES: dict[str, Callable[[], str]] = {
    "model": lambda: table_of(sections.MODEL),
    "parameters": lambda: table_of(sections.PARAMETER),
    "functions": _function_table,
    "points": lambda: table_of(sections.POINT),
    "body": lambda: table_of(sections.BODY),
    "inertia": _inertia_table,
    "looks": _look_table,
    "joint": lambda: table_of(joint_keys.all_keys()),
    "elements": element_key_table,
    "functions of time": _time_table,
    "base": lambda: table_of(sections.BASE),
    "output": lambda: table_of(sections.OUTPUT),
    "output kinds": _output_key_table,
    "fmu": lambda: table_of(sections.FMU),
    "limits": _limit_table,
}
