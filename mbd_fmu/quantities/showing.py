"""Values as a model file would have them, short: for messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mbd_fmu.errors import QUOTED, shortened


def show(value: Any) -> str:
    """Write a value as the model file would, short."""
    return _shown(value, QUOTED)


def _shown(value: Any, room: int) -> str:
    """Write no more than is read: of a long list, or of one inside many others, the beginning."""
    if isinstance(value, str):
        return f'"{shortened(value)}"'
    if isinstance(value, list | tuple):
        return f"[{_listed((('', x) for x in value), room)}]"
    if isinstance(value, Mapping):
        entries = ((f"{shortened(str(key))} = ", x) for key, x in value.items())
        return f"{{ {_listed(entries, room)} }}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, int) and value.bit_length() > 200:
        return f"a number of some {int(0.30103 * value.bit_length()) + 1} digits"
    return shortened(str(value))


def _listed(entries: Iterable[tuple[str, Any]], room: int) -> str:
    """Write values with what stands before each, as far as there is room."""
    texts: list[str] = []
    for head, value in entries:
        if room < 2:
            texts.append("...")
            break
        texts.append(head + _shown(value, room - len(head) - 2))
        room -= len(texts[-1]) + 2
    return ", ".join(texts)
