"""Names and numbers in few lines, for a terminal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence

MODEL = "model"
LINE = 100  # characters; what needs more becomes several lines


def wrapped(text: str, head: str = "", indent: str = "    ") -> list[str]:
    """Return a text in lines, broken between the items of a list where it is one.

    ``head`` begins the first line, ``indent`` all others.
    """
    held = re.sub(r"(?<!,) ", "\0", text) if ", " in text else text
    lines = textwrap.wrap(
        held,
        LINE,
        initial_indent=head,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace("\0", " ") for line in lines]


def listed(head: str, names: Iterable[str], owner: Callable[[str], str]) -> list[str]:
    """Return one line where all names fit it; else one for each element that owns some.

    What no element owns (``""``) is the model's.
    """
    names = list(names)
    line = head + (", ".join(names) or "none")
    if len(line) <= LINE:
        return [line]
    groups: dict[str, list[str]] = {}
    for name in names:
        element = owner(name)
        groups.setdefault(element, []).append(name[len(element) + 1 :] if element else name)
    width = max(len(element or MODEL) for element in groups)
    lines = [head.rstrip(" :")]
    for element, members in groups.items():
        first, further = f"  {element or MODEL:<{width}}  ", " " * (width + 4)
        lines += wrapped(_said_once(members), first, further)
    return lines


def _said_once(names: Iterable[str]) -> str:
    """Join names; of components that follow one another only the first says of what: r.x .y .z."""
    text, before = "", ""
    for name in names:
        stem = re.sub(r"(\.\w|\[\d+\])$", "", name)
        follows = stem == before and stem != name
        text += f" {name.removeprefix(stem)}" if follows else f", {name}"
        before = stem
    return text.removeprefix(", ")


def number_rows(rows: Mapping[str, Sequence[int]]) -> list[str]:
    """Return rows of numbers below one another, in blocks where a line would be too long."""
    head = max(map(len, rows))
    wide = max(len(str(n)) for row in rows.values() for n in row) + 1
    at_once = (LINE - head - 2) // wide
    length = len(next(iter(rows.values())))
    blocks = [
        [
            f"  {name:<{head}}" + "".join(f"{n:>{wide}}" for n in row[k : k + at_once])
            for name, row in rows.items()
        ]
        for k in range(0, length, at_once)
    ]
    return [line for block in blocks for line in block]
