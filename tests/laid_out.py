"""TOML laid out by one rule, so that the lengths of two models can be compared.

No line has more signs than there are to be. A value stands in one line if it fits; else a list is
broken entry by entry, a text between words, and a table gets a heading, under which every key has a
line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

WIDTH = 100  # signs of a line
_DEEPER = "    "


def laid_out(table: Mapping[str, Any], width: int = WIDTH) -> list[str]:
    """Return the lines of a model file, of which none is empty; all its tables have headings."""
    rule = _Rule(width)
    return [line for key, entry in table.items() for line in rule.headed(key, entry)]


@dataclass(frozen=True)
class _Rule:
    """See above."""

    width: int

    def headed(self, path: str, entry: Any) -> Iterator[str]:
        """Yield a table, or several of one name: heading, keys, and what has a heading itself."""
        heading = f"[{path}]" if isinstance(entry, Mapping) else f"[[{path}]]"
        for one in [entry] if isinstance(entry, Mapping) else entry:
            yield heading
            later = [name for name, value in one.items() if not self._can_be_a_value(name, value)]
            for name in (name for name in one if name not in later):
                yield from self._broken(f"{name} = ", one[name], "", "")
            for name in later:
                yield from self.headed(f"{path}.{name}", one[name])

    def _can_be_a_value(self, name: str, value: Any) -> bool:
        """Tell whether the tables in it fit in lines: tables in a line cannot be broken."""
        tables = value if isinstance(value, list) else [value]
        if not all(isinstance(x, Mapping) for x in tables):
            return True
        before = _DEEPER if isinstance(value, list) else f"{name} = "
        commas = [","] * (len(tables) - 1) + [""]
        lines = (f"{before}{_plain(x)}{after}" for x, after in zip(tables, commas, strict=True))
        return all(len(line) <= self.width for line in lines)

    def _broken(self, head: str, value: Any, tail: str, indent: str) -> Iterator[str]:
        """Yield the lines of a value between what stands before and after it."""
        line = f"{head}{_plain(value)}{tail}"
        if len(line) <= self.width:
            yield line
        elif isinstance(value, list):
            yield f"{head}["
            for n, entry in enumerate(value, start=1):
                after = "," if n < len(value) else ""
                yield from self._broken(indent + _DEEPER, entry, after, indent + _DEEPER)
            yield f"{indent}]{tail}"
        else:
            yield from self._words(head, value, tail, indent + _DEEPER)

    def _words(self, head: str, text: str, tail: str, indent: str) -> Iterator[str]:
        r"""Yield a text in three quotes: after a ``\`` at its end a line goes on in the next."""
        yield head + '"""\\'
        line = indent
        for word in text.split(" "):
            if len(f'{line}{word}"""{tail}') > self.width:
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
