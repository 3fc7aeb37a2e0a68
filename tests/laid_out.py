"""TOML laid out by one rule, so that the lengths of two models can be compared.

No line has more than 100 signs. A value stands in one line if it fits; else a list is broken entry
by entry, a text between words, and a table gets a heading, under which every key has a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

WIDTH = 100  # signs of a line
_DEEPER = "    "


def laid_out(table: Mapping[str, Any]) -> list[str]:
    """Return the lines of a model file, of which none is empty; all its tables have headings."""
    return [line for key, entry in table.items() for line in _headed(key, entry)]


def _headed(path: str, entry: Any) -> Iterator[str]:
    """Yield a table, or several of one name: headings, keys, and what does not fit among those."""
    heading = f"[{path}]" if isinstance(entry, Mapping) else f"[[{path}]]"
    for one in [entry] if isinstance(entry, Mapping) else entry:
        yield heading
        later = [name for name, value in one.items() if not _can_be_a_value(name, value)]
        for name in (name for name in one if name not in later):
            yield from _broken(f"{name} = ", one[name], "", "")
        for name in later:
            yield from _headed(f"{path}.{name}", one[name])


def _can_be_a_value(name: str, value: Any) -> bool:
    """Tell whether the tables in it fit in lines: tables in a line cannot be broken."""
    tables = value if isinstance(value, list) else [value]
    if not all(isinstance(x, Mapping) for x in tables):
        return True
    before = _DEEPER if isinstance(value, list) else f"{name} = "
    commas = [","] * (len(tables) - 1) + [""]
    lines = (f"{before}{_plain(x)}{after}" for x, after in zip(tables, commas, strict=True))
    return all(len(line) <= WIDTH for line in lines)


def _broken(head: str, value: Any, tail: str, indent: str) -> Iterator[str]:
    """Yield the lines of a value between what stands before and after it."""
    line = f"{head}{_plain(value)}{tail}"
    if len(line) <= WIDTH:
        yield line
    elif isinstance(value, list):
        yield f"{head}["
        for n, entry in enumerate(value, start=1):
            after = "," if n < len(value) else ""
            yield from _broken(indent + _DEEPER, entry, after, indent + _DEEPER)
        yield f"{indent}]{tail}"
    else:
        yield from _words(head, value, tail, indent + _DEEPER)


def _words(head: str, text: str, tail: str, indent: str) -> Iterator[str]:
    r"""Yield a text in three quotes: after a ``\`` at its end a line goes on in the next."""
    yield head + '"""\\'
    line = indent
    for word in text.split(" "):
        if len(f'{line}{word}"""{tail}') > WIDTH:
            yield line + "\\"
            line = indent
        line += word + " "
    yield f'{line.removesuffix(" ")}"""{tail}'


def _plain(value: Any) -> str:
    """Return a value in one line."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"'
        case list():
            return f"[{', '.join(map(_plain, value))}]"
        case Mapping():
            return f"{{ {', '.join(f'{name} = {_plain(x)}' for name, x in value.items())} }}"
    return repr(value)
