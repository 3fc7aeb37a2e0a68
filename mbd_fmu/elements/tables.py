"""Tables of the element types for the docs, from what the types say of themselves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from mbd_fmu.elements.constraint import Constraint
from mbd_fmu.elements.constraints import CONSTRAINTS
from mbd_fmu.elements.force import Force
from mbd_fmu.elements.forces import FORCES
from mbd_fmu.elements.joint import OF_CHILD, OPTIONAL, REQUIRED, JointType
from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.elements.keys import Key
from mbd_fmu.quantities.functions import FUNCTIONS

_SECOND_AXIS = {
    REQUIRED: "`axis2`",
    OPTIONAL: "`axis2`, default x or y",
    OF_CHILD: "`axis2`, the child's shaft, default along `axis`",
}


def joint_table() -> str:
    """Return freedoms and further keys of every joint type."""
    head = ("type", "freedoms, in order", "further keys")
    return table_of(head, ((kind.name, kind.allows, _joint_keys(kind)) for kind in JOINTS.values()))


def force_table() -> str:
    """Return keys and law of every force type."""
    head = ("type", "keys", "law")
    return table_of(head, ((f.type, listed(f.keys_shown()), f.law) for f in FORCES.values()))


def constraint_table() -> str:
    """Return keys, meaning and rows of every constraint type."""
    head = ("type", "keys", "what it keeps", "rows")
    return table_of(
        head,
        ((c.type, listed(c.keys_shown()), c.keeps, _rows(c)) for c in CONSTRAINTS.values()),
    )


def function_table() -> str:
    """Return the functions of expressions."""
    return table_of(("function", "value"), ((f.shown, f.meaning) for f in FUNCTIONS.values()))


def element_key_table() -> str:
    """Return what the keys of forces and constraints are, by type."""
    kinds: list[type[Force | Constraint]] = [*FORCES.values(), *CONSTRAINTS.values()]
    rows = [
        (f"{kind.type}.{key.name}", key.form.words, _default(key), key.meaning)
        for kind in kinds
        for key in kind.keys_shown()
    ]
    return table_of(("key", "value", "default", "meaning"), rows)


def _default(key: Key) -> str:
    if key.is_needed:
        return "needed"
    if key.left_out:
        return key.left_out
    if key.may_lack or key.default in (None, ()):
        return ""
    plain = list(key.default) if isinstance(key.default, tuple) else key.default
    return f"`{json.dumps(plain)}`"


def table_of(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table whose first column holds names."""
    lines = [" | ".join(head), "|".join("---" for _ in head)]
    lines += [" | ".join((f"`{name}`", *rest)) for name, *rest in rows]
    return "\n".join(f"| {line} |" if "---" not in line else f"|{line}|" for line in lines)


def _joint_keys(kind: JointType) -> str:
    reference = ["`reference`"] if kind.nq == 1 else []
    second = [text for axis, text in _SECOND_AXIS.items() if kind.second_axis == axis]
    return ", ".join([*reference, *second, *map(_key, kind.keys)])


def _rows(kind: type[Constraint]) -> str:
    """How many on positions, and how many on velocities alone."""
    parts = [str(len(kind.holonomic))] if kind.holonomic else []
    if kind.nonholonomic:
        parts.append(f"{len(kind.nonholonomic)} on velocities")
    return ", and ".join(parts)


def listed(keys: Iterable[Key]) -> str:
    """Name keys with what they mean."""
    return ", ".join(map(_key, keys))


def _key(key: Key) -> str:
    return f"`{key.name}` ({key.meaning})" if key.meaning else f"`{key.name}`"
