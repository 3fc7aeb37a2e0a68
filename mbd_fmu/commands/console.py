"""What a command says, and where; the door to rich."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager

WIDE = 1000  # columns, where nobody folds lines


def say(text: str) -> None:
    """Print a result."""
    print(_printable(text))  # noqa: T201


def note(text: str) -> None:
    """Say what is no result beside the results."""
    print(f"mbd-fmu: {_printable(text)}", file=sys.stderr)  # noqa: T201


def _printable(text: str) -> str:
    """Spell out what commands a terminal, or cannot be written: names come from foreign files."""
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)


def print_table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table; where there is no terminal, as wide as it is."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in titles:
        table.add_column(title, no_wrap=True)
    for row in rows:
        table.add_row(*(escape(_printable(cell)) for cell in row))
    console = Console()
    (console if console.is_terminal else Console(width=WIDE)).print(table)


@contextmanager
def progress_of(what: str) -> Iterator[Callable[[str], None]]:
    """Show what is being done on a terminal; stay quiet in a pipe."""
    from rich.console import Console
    from rich.markup import escape

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    what = escape(_printable(what))  # brackets are rich's own language
    with console.status(what) as status:
        yield lambda text: status.update(f"{what}: {text}")


@contextmanager
def counted_progress(what: str, total: int) -> Iterator[Callable[[int, Collection[str]], None]]:
    """Show how many of ``total`` are done, and which are at work; stay quiet in a pipe."""
    if not (sys.stderr.isatty() or os.environ.get("FORCE_COLOR")):  # before rich is loaded
        yield lambda _, __: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _, __: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[at_work]}", markup=False),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(what, total=total, at_work="")
        yield lambda done, names: progress.update(task, completed=done, at_work=", ".join(names))
