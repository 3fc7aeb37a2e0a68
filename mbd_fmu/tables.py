"""Tables that show themselves: as text at a prompt, as HTML in a notebook."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from mbd_fmu.errors import DataError, nearest

MOST_ROWS = 500  # of a table in a notebook; what is beyond is counted
_STYLE = "max-height: 24em; overflow: auto; display: inline-block"

T = TypeVar("T")


def html_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of texts; a long one scrolls."""
    head = "".join(f"<th>{html.escape(title)}</th>" for title in titles)
    body = "".join(f"<tr>{_cells(row)}</tr>" for row in rows[:MOST_ROWS])
    more = len(rows) - MOST_ROWS
    if more > 0:
        body += f'<tr><td colspan="{len(titles)}">and {more} more</td></tr>'
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div style="{_STYLE}">{table}</div>'


def _cells(row: Sequence[str]) -> str:
    return "".join(f'<td style="text-align: left">{html.escape(cell)}</td>' for cell in row)


def text_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return the same for a prompt: columns below each other."""
    lines = [titles, *rows]
    widths = [max(len(line[k]) for line in lines) for k in range(len(titles))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def number(value: float | None) -> str:
    """Write a number in a table; nothing where there is none."""
    return "" if value is None else f"{value:.6g}"


class Listing(Mapping[str, T], Generic[T]):
    """Things by name, in their order; shown as a table."""

    def __init__(
        self,
        what: str,
        entries: Mapping[str, T],
        titles: Sequence[str],
        row: Callable[[T], Sequence[str]],
    ) -> None:
        self._what, self._entries = what, dict(entries)
        self._titles, self._row = ("name", *titles), row

    def __getitem__(self, name: str) -> T:
        if name not in self._entries:
            raise UnknownNameError(f'no {self._what} "{name}"; {nearest(name, self._entries)}')
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def _rows(self) -> list[Sequence[str]]:
        return [(name, *self._row(entry)) for name, entry in self._entries.items()]

    def __repr__(self) -> str:
        if not self._entries:
            return f"there is no {self._what}"
        return text_table(self._titles, self._rows())

    def _repr_html_(self) -> str:
        if not self._entries:
            return f"<i>{html.escape(repr(self))}</i>"
        return html_table(self._titles, self._rows())


class UnknownNameError(DataError, KeyError):
    """A name that nothing has: one of ours, and what mappings raise."""

    def __str__(self) -> str:
        return str(self.args[0])
