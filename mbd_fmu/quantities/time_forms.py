"""Functions of time as values of keys: in words for people, as JSON Schema for editors.

Read by ``time_functions`` and ``elements.motion_of_time``.
"""

from __future__ import annotations

from typing import Any

from mbd_fmu.quantities.forms import LAW, PAIRS, QUANTITIES, QUANTITY, Form
from mbd_fmu.quantities.time_functions import ENDS, MOST_POINTS


def _one(properties: dict[str, Any], *needed: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(needed),
        "additionalProperties": False,
    }


_QUANTITY = dict(QUANTITY.schema)
_SINE = _one(
    dict.fromkeys(("amplitude", "frequency", "phase", "offset"), _QUANTITY),
    *("amplitude", "frequency"),
)
_TABLE = {**PAIRS.schema, "maxItems": MOST_POINTS}
_FUNCTION = {
    "anyOf": [
        _one({"expression": {**_QUANTITY, "description": LAW.words}}, "expression"),
        _one({"sine": _SINE}, "sine"),
        _one({"polynomial": dict(QUANTITIES.schema)}, "polynomial"),
        _one({"table": _TABLE, "ends": {"enum": list(ENDS)}}, "table"),
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
