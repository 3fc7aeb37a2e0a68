"""How large a model may be, and the numbers and names in it. The list is in docs/elements.md.

Beyond these nothing is computed that anybody could use; saying so beats running out of memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mbd_fmu.errors import Problem, shortened

LARGEST = 1e50  # of any number, by magnitude: its square and its cube are numbers, too
SMALLEST = 1e-50  # of what must be above 0
LONGEST_NAME = 100  # letters
MOST_BYTES = 1_000_000  # of a model file
MOST_LEVELS = 20  # tables and lists inside each other
MOST_PARTS = 20  # of a key: a.b.c has three
MOST = {"body": 2000, "joint": 3000, "force": 3000, "constraint": 3000}
MOST |= {"parameters": 3000, "points": 3000}
MOST_COMPONENTS = 20  # of a vector of parameters
_FOLDED = "nothing in a model is folded so"


def size_problems(table: Mapping[Any, Any]) -> list[Problem]:
    """Say what is too large to look at any closer."""
    problems = [
        Problem(f"file, {key}", f"{len(table[key])} of them", f"{most} are the most")
        for key, most in MOST.items()
        if isinstance(table.get(key), list | Mapping) and len(table[key]) > most
    ]
    waiting: list[tuple[int, str, Any]] = [(1, "", table)]
    while waiting:  # not by recursion, for that is what is looked for
        level, place, value = waiting.pop()
        if level > MOST_LEVELS:
            found = f"more than {MOST_LEVELS} tables and lists inside each other"
            return [*problems, Problem(f"file, {place}", found, f"unfold them: {_FOLDED}")]
        if isinstance(value, Mapping):
            for key, inner in value.items():
                if not isinstance(key, str):
                    found = f"the key {shortened(repr(key))} is no text"
                    problems.append(
                        Problem(f"file, {place}" if place else "file", found, "use texts")
                    )
                elif isinstance(inner, Mapping | list | tuple):
                    waiting.append((level + 1, place or shortened(key), inner))
        else:
            waiting += [
                (level + 1, place, inner)
                for inner in value
                if isinstance(inner, Mapping | list | tuple)
            ]
    return problems
