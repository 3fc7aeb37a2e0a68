"""One key of a table of the model file, for people and for editors."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mbd_fmu.elements.keys import Key
from mbd_fmu.elements.place_keys import Point
from mbd_fmu.model.names import ALWAYS_TAKEN
from mbd_fmu.quantities.forms import FILLED, Form, name_but

NEEDED: Any = object()
ELEMENT_NAME = name_but(ALWAYS_TAKEN)


@dataclass(frozen=True)
class Described:
    """What it may be, what it means, and what holds where it is left out."""

    name: str
    form: Form
    meaning: str = ""
    default: Any = ""  # a value, or what a text in angle brackets says; "": none
    unit: str = ""
    told_by: str = ""  # a key that says it where it is left out, by a named point

    @property
    def is_needed(self) -> bool:
        """It must be given."""
        return self.default is NEEDED

    @property
    def schema(self) -> dict[str, Any]:
        """It as JSON Schema."""
        found: dict[str, Any] = dict(self.form.schema)
        text = f"{self.meaning} [{self.unit}]" if self.unit else self.meaning
        if text:
            found["description"] = text
        if not self.is_needed and self.default != "" and not self._is_said:
            found["default"] = self.default
        return found

    @property
    def _is_said(self) -> bool:
        """The default is no value but words for it."""
        return isinstance(self.default, str) and self.default.startswith("<")

    @property
    def row(self) -> tuple[str, ...]:
        """It as a row of a table."""
        return (f"`{self.name}`", self.form.words, self._default_text, self.unit, self.meaning)

    @property
    def _default_text(self) -> str:
        if self.is_needed:
            return "needed"
        if self._is_said:
            return str(self.default)[1:-1]
        return f"`{json.dumps(self.default)}`" if self.default != "" else ""


def of_key(key: Key) -> Described:
    """Describe a key of an element."""
    default: Any = "" if key.may_lack or key.default in (None, ()) else key.default
    if key.is_needed:
        default = NEEDED
    elif isinstance(default, tuple):
        default = list(default)
    elif key.told_by:
        default = f"<{key.left_out}>"
    by_point = key.told_by if not isinstance(key, Point) else ""
    return Described(key.name, key.form, key.meaning, default, told_by=by_point)


def object_of(keys: Iterable[Described], description: str = "") -> dict[str, Any]:
    """Return the schema of a table with these keys and no others."""
    keys = list(keys)
    found: dict[str, Any] = {
        "type": "object",
        "properties": {key.name: key.schema for key in keys},
        "additionalProperties": False,
    }
    if needed := [key.name for key in keys if key.is_needed]:
        found["required"] = needed
    if told := [_needed_unless_told(key) for key in keys if key.told_by]:
        found["allOf"] = told
    return found | ({"description": description} if description else {})


def _needed_unless_told(key: Described) -> dict[str, Any]:
    """Only what stands there as a text may be a named point, and say whose it is."""
    by_point = {"properties": {key.told_by: FILLED.schema}, "required": [key.told_by]}
    return {"anyOf": [{"required": [key.name]}, by_point]}


def table_of(keys: Iterable[Described]) -> str:
    """Return the Markdown table of keys."""
    head = ("key", "value", "default", "unit", "meaning")
    rows = [head, *(key.row for key in keys)]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|---|---|---|---|---|", *lines[1:]])
