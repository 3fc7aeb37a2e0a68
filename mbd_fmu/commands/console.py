"""What a command says, and where; the door to rich."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.table import Table


def say(text: str) -> None:
    """Print a result."""
    print(text)  # noqa: T201


def note(text: str) -> None:
    """Say what is no result beside the results."""
    print(f"mbd-fmu: {text}", file=sys.stderr)  # noqa: T201


def print_table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table; wide enough to be read by programs where there is no terminal."""
    table = Table(box=None, pad_edge=False)
    for title in titles:
        table.add_column(title, no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console = Console()
    console.print(table, width=max(console.width, 110) if not console.is_terminal else None)


@contextmanager
def progress_of(what: str) -> Iterator[Callable[[str], None]]:
    """Show what is being done on a terminal; stay quiet in a pipe."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    with console.status(what) as status:
        yield lambda text: status.update(f"{what}: {text}")
