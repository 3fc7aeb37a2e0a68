"""What was measured, for people and programs: terminal, JSON, a page, tables for the docs."""

import html
import json
from dataclasses import asdict
from pathlib import Path

from plotly.offline import get_plotlyjs
from rich.console import Console
from rich.table import Table as RichTable

from mbd_fmu.viewer.page import page_html
from scripts.benchmarks.plots import plots
from scripts.benchmarks.results import Results
from scripts.benchmarks.tables import Table, tables

LEAD = (
    "10th percentiles of thread time, engines in turns on the same work; ratios with the range "
    "from the 10th to the 90th percentile of rounds. A ratio above 1: slower than mbd_fmu."
)


def show(results: Results, console: Console) -> None:
    """Print all tables."""
    for name, value in results.facts.items():
        console.print(f"{name}: {value}", highlight=False)
    console.print(LEAD, highlight=False)
    for table in tables(results):
        shown = RichTable(*table.head, title=table.title, title_justify="left", box=None)
        for row in table.rows:
            shown.add_row(*row)
        console.print()
        console.print(shown)
        console.print(table.note, highlight=False)


def write(results: Results, folder: Path) -> list[Path]:
    """Write results.json, index.html and tables.md."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "results.json": json.dumps(asdict(results), indent=1),
        "index.html": _page(results),
        "tables.md": "\n".join(_markdown(table) for table in tables(results)),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in texts]


def _page(results: Results) -> str:
    facts = "".join(
        f"<li>{html.escape(name)}: {html.escape(value)}</li>"
        for name, value in results.facts.items()
    )
    body = f"<ul>{facts}</ul>" + "".join(plots(results)) + "".join(map(_html, tables(results)))
    head = f"<script>{get_plotlyjs()}</script>\n"
    return page_html("Speed", LEAD, body, head=head)


def _html(table: Table) -> str:
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in table.head)
    rows = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
        for row in table.rows
    )
    return (
        f"<h2>{html.escape(table.title)}</h2><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table><p>{html.escape(table.note)}</p>"
    )


def _markdown(table: Table) -> str:
    lines = [table.head, ("---",) * len(table.head), *table.rows]
    cells = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return f"## {table.title}\n\n{cells}\n\n{table.note}\n"
