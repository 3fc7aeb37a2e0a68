"""What became of every element of a foreign file.

- imported: mapped to something of ours
- noted: read, and of no effect on the motion, or of another one than might be thought
- ignored: left out on purpose, for it is no part of a mechanism
- unknown: nobody knows it; an error, unless the reader was told to be lenient
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from operator import itemgetter
from pathlib import Path
from typing import Any

from mbd_fmu.errors import Problem, SpecError

_ELEMENT = re.compile(r'(body|point|joint|force|constraint)s? "(.*?)"')
_BEHIND = 10**9  # after all lines of the file
LISTED = 4  # lines that are named of what is ignored


@dataclass(frozen=True)
class Entry:
    """An element by its name, where it stands, and what became of it."""

    what: str
    line: int
    text: str


@dataclass(frozen=True)
class Ignored:
    """All elements of a kind that are left out on purpose."""

    what: str
    reason: str
    lines: tuple[int, ...]


@dataclass(frozen=True)
class Merged:
    """A link that is part of a body: where its frame lies in that of the body."""

    link: str
    body: str  # "ground" where it stands still
    r: tuple[float, ...]
    quat: tuple[float, ...]


@dataclass(frozen=True)
class Report:
    """The account of one file."""

    file: str
    imported: tuple[Entry, ...]
    noted: tuple[Entry, ...]
    ignored: tuple[Ignored, ...]
    unknown: tuple[Entry, ...]
    renamed: tuple[Entry, ...]
    merged: tuple[Merged, ...]
    places: dict[str, str]  # where elements of ours come from, by kind and name: file:line
    overlay: str = ""  # the file that adds to it

    def facts(self) -> dict[str, Any]:
        """Return it for programs."""
        return asdict(self)

    def warnings(self) -> list[str]:
        """List what a user should see even when nobody asked for the account."""
        return [f"{self.file}:{e.line}: {e.what}: {e.text}" for e in self.unknown]

    def summary(self) -> list[str]:
        """Say in a few lines what nobody should overlook, and that there is more to read."""
        counts = {
            "noted": len(self.noted),
            "renamed": len(self.renamed),
            "ignored on purpose": sum(len(entry.lines) for entry in self.ignored),
        }
        told = ", ".join(f"{n} {what}" for what, n in counts.items() if n)
        more = [f"{self.file}: {told}; mbd-fmu show lists them"] if told else []
        return [*self.warnings(), *more, *self._overlaid()]

    def _overlaid(self) -> list[str]:
        return [f"{self.file}: with what {self.overlay} adds"] if self.overlay else []

    def text(self) -> str:
        """Return it for people."""
        lines = [f"read from {self.file}", *self._overlaid()]
        for title, entries in (
            ("imported", self.imported),
            ("renamed", self.renamed),
            ("noted", self.noted),
            ("unknown", self.unknown),
        ):
            lines += [f"{title}:"] if entries else []
            lines += [f"  line {e.line}: {e.what}: {e.text}" for e in entries]
        lines += ["merged:"] if self.merged else []
        lines += [
            f'  link "{m.link}" is part of "{m.body}", at ({_numbers(m.r)})' for m in self.merged
        ]
        lines += ["ignored on purpose:"] if self.ignored else []
        for entry in self.ignored:
            named = ", ".join(map(str, entry.lines[:LISTED]))
            more = ", ..." if len(entry.lines) > LISTED else ""
            times = f"{len(entry.lines)} times, " if len(entry.lines) > 1 else ""
            lines.append(f"  {entry.what} ({times}line {named}{more}): {entry.reason}")
        return "\n".join(lines)


def _numbers(values: tuple[float, ...]) -> str:
    return ", ".join(f"{x:g}" for x in values)


@dataclass
class Account:
    """Collects what is found while a file is read."""

    file: str
    is_lenient: bool = False
    part_of: int = 0  # the line of the file above that includes this one; 0: it is the first
    problems: list[tuple[int, Problem]] = field(default_factory=list)  # each with its line
    imported: list[Entry] = field(default_factory=list)
    noted: list[Entry] = field(default_factory=list)
    unknown: list[Entry] = field(default_factory=list)
    renamed: list[Entry] = field(default_factory=list)
    merged: list[Merged] = field(default_factory=list)
    places: dict[str, str] = field(default_factory=dict)  # of our elements
    overlay: str = ""
    _ignored: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    def of_part(self, file: str, line: int) -> Account:
        """Return the account of a file that is included in a line; it writes into this one."""
        return replace(self, file=file, part_of=self.outer(line))

    def outer(self, line: int) -> int:
        """Return the line in the first file that a line of this one stands for."""
        return self.part_of or line

    def problem(self, line: int, what: str, found: str, remedy: str) -> None:
        """Write down what the user has to mend."""
        self.problems.append(
            (self.outer(line), Problem(f"{self.file}:{line}: {what}", found, remedy))
        )

    def fault(self, where: str, found: str, remedy: str) -> None:
        """Write down what is to be mended elsewhere, in another file."""
        self.problems.append((_BEHIND, Problem(where, found, remedy)))

    def take(self, what: str, line: int, text: str) -> None:
        """Write down what an element became."""
        self.imported.append(self._entry(what, line, text))

    def place(self, kind: str, name: str, line: int) -> None:
        """Write down from which line an element of ours comes."""
        self.places[f'{kind} "{name}"'] = f"{self.file}:{line}"

    def note(self, what: str, line: int, text: str) -> None:
        """Write down what the user may want to know."""
        self.noted.append(self._entry(what, line, text))

    def ignore(self, what: str, line: int, reason: str) -> None:
        """Write down what is left out on purpose; of each kind once, with all its lines."""
        self._ignored.setdefault((what, reason), []).append(self.outer(line))

    def doubt(self, line: int, what: str, found: str, remedy: str) -> None:
        """Write down what nobody knows: refused, or only told where the user is lenient."""
        if self.is_lenient:
            self.unknown.append(self._entry(what, line, f"{found}; {remedy}"))
        else:
            self.problem(line, what, found, f"{remedy} (or --lenient)")

    def rename(self, what: str, line: int, name: str) -> None:
        """Write down another name than that of the file."""
        self.renamed.append(Entry(what, line, f'is called "{name}"'))

    def _entry(self, what: str, line: int, text: str) -> Entry:
        """Return an entry; of an included file it says its line there, too."""
        if self.part_of:
            what = f"{Path(self.file).name}:{line}: {what}"
        return Entry(what, self.outer(line), text)

    def refuse_problems(self) -> None:
        """Raise an error that lists all that was found so far, in the order of the file."""
        if self.problems:
            raise SpecError(self.file, [p for _, p in sorted(self.problems, key=itemgetter(0))])

    def report(self) -> Report:
        """Close the account."""
        return Report(
            self.file,
            tuple(sorted(self.imported, key=_line)),
            tuple(sorted(self.noted, key=_line)),
            tuple(Ignored(*kind, tuple(lines)) for kind, lines in self._ignored.items()),
            tuple(sorted(self.unknown, key=_line)),
            tuple(sorted(self.renamed, key=_line)),
            tuple(self.merged),
            dict(self.places),
            self.overlay,
        )


def _line(entry: Entry) -> int:
    return entry.line


@contextmanager
def located(file: str, places: Mapping[str, str]) -> Iterator[None]:
    """Let problems of our elements say where these come from."""
    try:
        yield
    except SpecError as error:
        problems = [
            replace(p, where=f"{_place(p.where, places) or file}: {p.where}")
            for p in error.problems
        ]
        raise SpecError(file, problems) from None


def _place(where: str, places: Mapping[str, str]) -> str | None:
    """Return the place of a key, or of the element it belongs to, or of the first one named."""
    parts = where.split(", ")
    for n in range(len(parts), 0, -1):
        if found := places.get(", ".join(parts[:n])):
            return found
    first = _ELEMENT.match(where)
    return places.get(f'{first[1]} "{first[2]}"') if first else None
