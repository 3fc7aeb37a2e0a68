"""Functions of time as values of keys: in words for people, as JSON Schema for editors.

Read by ``time_functions`` and ``elements.motion_of_time``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mbd_fmu.quantities.forms import LAW, PAIRS, QUANTITIES, QUANTITY, Form, choice
from mbd_fmu.quantities.time_functions import ENDS, MOST_POINTS


@dataclass(frozen=True)
class TimeKey:
    """A key inside of a function of time; ``default`` is None where it must be given."""

    name: str
    form: Form
    meaning: str
    default: Any = None
    unit: str = ""

    @property
    def schema(self) -> dict[str, Any]:
        """It as JSON Schema."""
        text = f"{self.meaning} [{self.unit}]" if self.unit else self.meaning
        return {**self.form.schema, "description": text}


SINE_KEYS = (
    TimeKey("amplitude", QUANTITY, "of offset + amplitude sin(2π frequency t + phase)"),
    TimeKey("frequency", QUANTITY, "likewise", unit="Hz"),
    TimeKey("phase", QUANTITY, "likewise", 0, "rad"),
    TimeKey("offset", QUANTITY, "likewise", 0),
)
_ENDS = "what the spline does before and after: stand still, or go straight on"
TABLE_KEYS = (
    TimeKey("table", Form(PAIRS.words, {**PAIRS.schema, "maxItems": MOST_POINTS}), "time, value"),
    TimeKey("ends", choice(ENDS), _ENDS, ENDS[0]),
)
EXPRESSION_KEYS = (
    TimeKey("expression", Form(LAW.words, QUANTITY.schema), "of `time` and parameters"),
)
POLYNOMIAL_KEYS = (TimeKey("polynomial", QUANTITIES, "c0, c1, …: c0 + c1 t + c2 t² …"),)
FORMS_OF_TIME = {
    "expression": EXPRESSION_KEYS,
    "sine": SINE_KEYS,
    "polynomial": POLYNOMIAL_KEYS,
    "table": TABLE_KEYS,
}


def _of(keys: tuple[TimeKey, ...]) -> dict[str, Any]:
    """Return the schema of a table with these keys and no others."""
    needed = (key.name for key in keys if key.default is None)
    return _one({key.name: key.schema for key in keys}, *needed)


def _one(properties: dict[str, Any], *needed: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(needed),
        "additionalProperties": False,
    }


_QUANTITY = dict(QUANTITY.schema)
_FUNCTION = {
    "anyOf": [
        _one({"sine": _of(keys)}, "sine") if form == "sine" else _of(keys)
        for form, keys in FORMS_OF_TIME.items()
    ]
}
_OF_TIME = {"anyOf": [_QUANTITY, _FUNCTION]}


def _list_of(n: int) -> dict[str, Any]:
    return {"type": "array", "items": _OF_TIME, "minItems": n, "maxItems": n}


THREE_OF_TIME = Form("three functions of time", _list_of(3))


def functions_of_time(n: int) -> Form:
    """Return one for each of n freedoms; one may stand alone."""
    alone = [_QUANTITY, _FUNCTION] if n == 1 else []
    return Form("function of time, or one per freedom", {"anyOf": [*alone, _list_of(n)]})


def motion_of_time(n: int) -> Form:
    """Return one for each of n coordinates; one alone is no text, for that is a word there."""
    alone = [{"type": "number"}, _FUNCTION] if n == 1 else []
    words = "function of time in braces, or one per coordinate"
    return Form(words, {"anyOf": [*alone, _list_of(n)]})


def pose_of_time(*parts: str) -> Form:
    """Return what leads a body that turns as it likes, and perhaps moves."""
    functions = dict.fromkeys(parts, _list_of(3))
    return Form(f"`{{ {', '.join(parts)} }}`", {**_one(functions), "minProperties": 1})
