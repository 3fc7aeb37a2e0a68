"""The JSON Schema of a model file: what an editor can know while one writes.

Every key comes from the same descriptions as the reference page, those of elements from the types
themselves. What follows from several tables together, such as names of bodies, only reading tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mbd_fmu.elements.constraint import Constraint
from mbd_fmu.elements.constraints import CONSTRAINTS
from mbd_fmu.elements.force import Force
from mbd_fmu.elements.forces import FORCES
from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.model.names import NEVER_DECLARED
from mbd_fmu.quantities.forms import NAME_PATTERN, choice
from mbd_fmu.schema import joint_keys, sections
from mbd_fmu.schema.described import ELEMENT_NAME, NEEDED, Described, object_of, of_key

DRAFT = "http://json-schema.org/draft-07/schema#"
Keys = list[Described]
_FRAME = {"properties": {"frame": {"const": "local"}}, "required": ["frame"]}
_IS_LOCAL = {"properties": {"model": _FRAME}}


def model_schema() -> dict[str, Any]:
    """Return the schema."""
    properties = {
        "model": object_of(sections.MODEL, "what the whole mechanism has"),
        "parameters": _named(
            sections.PARAMETER, "value", "numbers that stay open", sections.PARAMETER_RULE
        ),
        "points": _named(sections.POINT, "at", "places that elements call by name"),
        "body": _tables(object_of(sections.BODY, "a rigid body")) | {"minItems": 1},
        "joint": _tables(
            _by_type(
                {name: list(joint_keys.keys_of(kind)) for name, kind in JOINTS.items()},
                {name: joint_keys.rules_of(kind) for name, kind in JOINTS.items()},
            )
        ),
        "force": _tables(
            _by_type({name: _element_keys(kind, FORCES) for name, kind in FORCES.items()})
        ),
        "constraint": _tables(
            _by_type({name: _element_keys(kind, CONSTRAINTS) for name, kind in CONSTRAINTS.items()})
        ),
        "base": object_of(sections.BASE, "motion of the ground"),
        "output": _tables(object_of(sections.OUTPUT, "what is put out")),
        "fmu": object_of(sections.FMU, "defaults of the FMU") | sections.FMU_RULE,
    }
    return {
        "$schema": DRAFT,
        "title": "Model file of mbd-fmu",
        "type": "object",
        "properties": properties,
        "required": ["model", "body"],
        "additionalProperties": False,
        "if": _IS_LOCAL,
        "else": {"properties": {"joint": _tables(joint_keys.IN_WORLD)}},
    }


def _tables(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": entry}


def _named(
    keys: Iterable[Described], short: str, description: str, rule: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return the schema of names with tables, or with the one key that matters alone."""
    keys = list(keys)
    alone = next(dict(key.form.schema) for key in keys if key.name == short)
    return {
        "type": "object",
        "description": description,
        "propertyNames": {"pattern": NAME_PATTERN, "not": {"enum": list(NEVER_DECLARED)}},
        "additionalProperties": {"anyOf": [alone, object_of(keys) | (rule or {})]},
    }


def _element_keys(kind: type[Force | Constraint], kinds: Mapping[str, Any]) -> Keys:
    """Describe all that an element of a type has."""
    head = [
        Described("name", ELEMENT_NAME, "before those of its variables", NEEDED),
        Described("type", choice(tuple(kinds)), "what it is", NEEDED),
    ]
    return [*head, *map(of_key, kind.keys_shown())]


def _by_type(
    kinds: Mapping[str, Keys], rules: Mapping[str, dict[str, Any]] | None = None
) -> dict[str, Any]:
    """Return the schema of an element whose type decides which keys it has.

    All keys stand in one list for editors to offer; then each type has its own, with further rules.
    """
    every: dict[str, Any] = {}
    for keys in kinds.values():
        for key in keys:
            every.setdefault(key.name, {"description": key.meaning} if key.meaning else {})
    every["type"] = {"enum": list(kinds)}
    choices = [
        {
            "if": {"properties": {"type": {"const": name}}, "required": ["type"]},
            "then": object_of(keys) | (rules or {}).get(name, {}),
        }
        for name, keys in kinds.items()
    ]
    return {
        "type": "object",
        "properties": every,
        "required": ["name", "type"],
        "allOf": choices,
    }
