"""What may stand as a value of a key: in words for people, as JSON Schema for editors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Form:
    """A kind of value."""

    words: str
    schema: Mapping[str, Any]


_QUANTITY = {"type": ["number", "string"]}
_TEXTS = {"type": "array", "items": {"type": "string"}}

NUMBER = Form("number", {"type": "number"})
QUANTITY = Form("number or expression", _QUANTITY)
TEXT = Form("text", {"type": "string"})
UNIT = Form("text", {"type": "string", "minLength": 1})
# elements and the model itself; parameters and points by the names of their keys
NAME_PATTERN = "^[A-Za-z_][A-Za-z0-9_]{0,99}$"
NAME = Form("name", {"type": "string", "pattern": NAME_PATTERN})


def name_but(taken: Sequence[str]) -> Form:
    """Return a name that is none of some."""
    return Form(NAME.words, {**NAME.schema, "not": {"enum": list(taken)}})


LAW = Form("expression", {"type": "string"})
FLAG = Form("true or false", {"type": "boolean"})
TEXTS = Form("list of texts", _TEXTS)
NAMES = Form("list of names", {**_TEXTS, "minItems": 1})
TWO_NAMES = Form("two names", {**_TEXTS, "minItems": 2, "maxItems": 2})
QUANTITIES = Form(
    "list of numbers, or a vector",
    {"anyOf": [{"type": "string"}, {"type": "array", "items": _QUANTITY, "minItems": 1}]},
)
PER_FREEDOM = Form(
    "number, or one per freedom", {"anyOf": [_QUANTITY, {"type": "array", "items": _QUANTITY}]}
)
PAIRS = Form(
    "two or more pairs of numbers",
    {
        "type": "array",
        "minItems": 2,
        "items": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
    },
)


def vector(n: int) -> Form:
    """Return numbers or expressions in a list, or a vector by name."""
    entries = {"type": "array", "items": _QUANTITY, "minItems": n, "maxItems": n}
    return Form(f"{n} numbers, or a vector", {"anyOf": [{"type": "string"}, entries]})


def per_freedom(n: int) -> Form:
    """Return as many numbers as a joint has freedoms, or coordinates; one may stand alone."""
    if n > 1:
        return vector(n)
    entries = {"type": "array", "items": _QUANTITY, "minItems": 1, "maxItems": 1}
    return Form(PER_FREEDOM.words, {"anyOf": [_QUANTITY, entries]})


VECTOR = vector(3)
_ZERO = {"type": "array", "items": {"const": 0}}
DIRECTION = Form(VECTOR.words, {**VECTOR.schema, "not": _ZERO})
_ROWS = {"type": "array", "items": VECTOR.schema, "minItems": 3, "maxItems": 3}
MATRIX = Form("three rows of three numbers", _ROWS)


def choice(words: Sequence[str]) -> Form:
    """Return one of a few words."""
    return Form(", ".join(f'"{word}"' for word in words), {"enum": list(words)})


def either(words: str, *forms: Form) -> Form:
    """Return what may be of several kinds."""
    return Form(words, {"anyOf": [dict(form.schema) for form in forms]})
