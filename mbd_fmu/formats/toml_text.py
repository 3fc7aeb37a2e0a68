"""A table as TOML that people like to read.

Tables at the top get a heading each; what is inside them stands on one line, and a list that is
too long for that has its entries one below the other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

WIDTH = 100  # columns
_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_DELETE = "\x7f"  # the one sign that JSON writes as it is and TOML does not


def toml_text(table: Mapping[str, Any], remark: str) -> str:
    """Return the text of a table of numbers, texts, flags, lists and tables, below a remark."""
    plain = {key: value for key, value in table.items() if not _has_headings(value)}
    parts = [f"# {remark}\n"]
    parts += [_lines(plain)] if plain else []
    for key, value in table.items():
        if isinstance(value, Mapping):
            parts.append(f"[{_key(key)}]\n{_lines(value)}")
        elif _has_headings(value):
            parts += [f"[[{_key(key)}]]\n{_lines(entry)}" for entry in value]
    return "\n".join(parts)


def _has_headings(value: Any) -> bool:
    """Tell whether it is a table, or a list of nothing else."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(entry, Mapping) for entry in value)
    return isinstance(value, Mapping)


def _lines(table: Mapping[str, Any]) -> str:
    return "".join(_line(_key(key), value) for key, value in table.items())


def _line(key: str, value: Any) -> str:
    line = f"{key} = {_value(value)}\n"
    if len(line) <= WIDTH + 1 or not isinstance(value, list):
        return line
    entries = "".join(f"    {_value(entry)},\n" for entry in value)
    return f"{key} = [\n{entries}]\n"


def _key(key: str) -> str:
    return key if _BARE.match(key) else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {_value(entry)}" for key, entry in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    # numbers, flags and texts are written as in JSON, their signs escaped likewise
    return json.dumps(value, ensure_ascii=False).replace(_DELETE, r"\u007f")
