"""What may stand as a value of a key: in words for people, as JSON Schema for editors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mbd_fmu.quantities.limits import LARGEST, SMALLEST


@dataclass(frozen=True)
class Form:
    """A kind of value."""

    words: str
    schema: Mapping[str, Any]


_SIZE = {"minimum": -LARGEST, "maximum": LARGEST}
_NUMBER = {"type": "number", **_SIZE}
_FILLED = {"type": "string", "minLength": 1}  # a text that says something
_QUANTITY = {"type": ["number", "string"], **_SIZE, "minLength": 1}
_TEXTS = {"type": "array", "items": _FILLED}

NUMBER = Form("number", _NUMBER)
QUANTITY = Form("number or expression", _QUANTITY)
TEXT = Form("text", {"type": "string"})
FILLED = Form("text", _FILLED)
# elements and the model itself; parameters and points by the names of their keys
NAME_PATTERN = "^[A-Za-z_][A-Za-z0-9_]{0,99}$"
NAME = Form("name", {"type": "string", "pattern": NAME_PATTERN})


def name_but(taken: Sequence[str]) -> Form:
    """Return a name that is none of some."""
    return Form(NAME.words, {**NAME.schema, "not": {"enum": list(taken)}})


LAW = Form("expression", _FILLED)
FLAG = Form("true or false", {"type": "boolean"})
TEXTS = Form("list of texts", _TEXTS)
NAMES = Form("list of names", {**_TEXTS, "minItems": 1})
TWO_NAMES = Form("two names", {**_TEXTS, "minItems": 2, "maxItems": 2})
QUANTITIES = Form(
    "list of numbers, or a vector",
    {"anyOf": [_FILLED, {"type": "array", "items": _QUANTITY, "minItems": 1}]},
)
PER_FREEDOM = Form(
    "number, or one per freedom", {"anyOf": [_QUANTITY, {"type": "array", "items": _QUANTITY}]}
)
PAIRS = Form(
    "two or more pairs of numbers",
    {
        "type": "array",
        "minItems": 2,
        "items": {"type": "array", "items": _NUMBER, "minItems": 2, "maxItems": 2},
    },
)


def vector(n: int, entry: Form = QUANTITY) -> Form:
    """Return numbers or expressions in a list, or a vector by name."""
    entries = {"type": "array", "items": dict(entry.schema), "minItems": n, "maxItems": n}
    return Form(f"{n} numbers, or a vector", {"anyOf": [_FILLED, entries]})


def per_freedom(n: int, entry: Form = QUANTITY) -> Form:
    """Return as many numbers as a joint has freedoms, or coordinates; one may stand alone."""
    if n > 1:
        return vector(n, entry)
    one = dict(entry.schema)
    entries = {"type": "array", "items": one, "minItems": 1, "maxItems": 1}
    return Form(PER_FREEDOM.words, {"anyOf": [one, entries]})


def at_least(form: Form, least: float) -> Form:
    """Return the same kind of value, with no number below some end."""
    return Form(form.words, _each_number(form.schema, {"minimum": max(least, -LARGEST)}))


def not_zero(form: Form) -> Form:
    """Return the same kind of value, with no number that is 0."""
    zero = {"type": "number", "exclusiveMinimum": -SMALLEST, "exclusiveMaximum": SMALLEST}
    return Form(form.words, _each_number(form.schema, {"not": zero}))


def _each_number(schema: Mapping[str, Any], rule: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema with a further rule for the numbers in it."""
    if "number" in schema.get("type", ()):
        return {**schema, **rule}
    found = dict(schema)
    if "anyOf" in schema:
        found["anyOf"] = [_each_number(inner, rule) for inner in schema["anyOf"]]
    if "items" in schema:
        found["items"] = _each_number(schema["items"], rule)
    return found


VECTOR = vector(3)
NUMBERS = vector(3, NUMBER)
_ZERO = {"type": "array", "items": {"const": 0}}
DIRECTION = Form(VECTOR.words, {**VECTOR.schema, "not": _ZERO})


def _rows(row: Form) -> Form:
    rows = {"type": "array", "items": dict(row.schema), "minItems": 3, "maxItems": 3}
    return Form("three rows of three numbers", rows)


MATRIX, MATRIX_OF_NUMBERS = _rows(VECTOR), _rows(NUMBERS)


def choice(words: Sequence[str]) -> Form:
    """Return one of a few words."""
    return Form(", ".join(f'"{word}"' for word in words), {"enum": list(words)})


def either(words: str, *forms: Form) -> Form:
    """Return what may be of several kinds."""
    return Form(words, {"anyOf": [dict(form.schema) for form in forms]})
