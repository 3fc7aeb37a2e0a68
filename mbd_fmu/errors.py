"""What can go wrong, in the user's words.

    MbdFmuError
    ├── SpecError      the model is wrong; lists every problem with its remedy
    ├── CompileError   the C compiler is missing or refused
    ├── FmuError       an FMU, or a run of one, is wrong
    └── DataError      a table of inputs or references is wrong

Only these are caught by the command line. Wrong use by a programmer is a plain
``ValueError`` or ``TypeError``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

QUOTED = 70  # letters of the user's text in a message; the middle of a longer one is left out
LISTED = 30  # names in a message
MOST_LISTED = 200  # problems in a message


class MbdFmuError(Exception):
    """Something the user can mend; the message says how."""


@dataclass(frozen=True)
class Problem:
    """One finding: where it is, what was found, what would be right."""

    where: str
    found: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.where}: {self.found}; {self.remedy}"


class SpecError(MbdFmuError):
    """The model is wrong. ``problems`` lists all of it, not the first."""

    def __init__(self, source: str, problems: Iterable[Problem]) -> None:
        self.source = source
        self.problems = tuple(dict.fromkeys(problems))  # of two entries of a list: once
        n = len(self.problems)
        head = f"{source}: {n} problem{'s' if n != 1 else ''}"
        lines = [str(problem) for problem in self.problems[:MOST_LISTED]]
        if n > MOST_LISTED:
            lines.append(f"... and {n - MOST_LISTED} more")
        super().__init__("\n  ".join([head, *lines]))

    def __reduce__(self) -> tuple[Any, ...]:
        """Go from one process to another, notes included."""
        return type(self), (self.source, self.problems), self.__dict__


class CompileError(MbdFmuError):
    """The C compiler is missing or refused."""


class FmuError(MbdFmuError):
    """An FMU cannot be read, or its run failed."""


class DataError(MbdFmuError):
    """A table of inputs or references does not fit."""


def os_error_text(error: OSError) -> str:
    """Say what the system refused, and where, if it tells."""
    reason = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {reason}" if error.filename else reason


def shortened(text: str) -> str:
    """Quote at most so much of what the user wrote that a message stays one."""
    if len(text) <= QUOTED:
        return text
    half = (QUOTED - 5) // 2
    return f"{text[:half]} ... {text[-half:]}"


def nearest(name: str, known: Iterable[str]) -> str:
    """Advice for a name that does not exist."""
    names = sorted(known)
    near = get_close_matches(name, names, n=1) if len(name) <= QUOTED else []
    if near:
        return f'did you mean "{shortened(near[0])}"?'
    more = f", ... ({len(names)} in all)" if len(names) > LISTED else ""
    listed = ", ".join(map(shortened, names[:LISTED]))
    return f"known: {listed}{more}" if names else "there is none"


def unknown_name(where: str, kind: str, name: str, known: Iterable[str]) -> Problem:
    """A name that points nowhere, with the nearest one that exists."""
    return Problem(where, f'no {kind} "{shortened(name)}"', nearest(name, known))
