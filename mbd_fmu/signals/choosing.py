"""Signals chosen by patterns: ``boom_*.force.*``, ``*.lambda[*]``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from mbd_fmu.errors import SpecError, unknown_name


def chosen(names: Sequence[str], patterns: Iterable[str], what: str) -> tuple[str, ...]:
    """Return the names that any pattern meets, each once, pattern by pattern.

    A name is a pattern for itself. In others ``*`` is anything, ``?`` one character, and brackets
    are those of names. What meets nothing is told, all at once.
    """
    found: dict[str, None] = {}
    problems = []
    for pattern in patterns:
        plain = pattern.replace("[", "[[]")  # no class of characters
        met = [pattern] if pattern in names else [n for n in names if fnmatchcase(n, plain)]
        if not met:
            problems.append(unknown_name(f'"{pattern}"', what, pattern, names))
        found |= dict.fromkeys(met)
    if problems:
        raise SpecError(f"{what}s", problems)
    return tuple(found)
