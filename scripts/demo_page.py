"""The page of the demo: its mechanisms move side by side, then the table, then every signal."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mbd_fmu.live.page import live_page
from mbd_fmu.model.spec import Spec
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.report import folded_sections, verdict_html
from mbd_fmu.validate.signal_section import signals_head
from mbd_fmu.validate.validation import Validation
from mbd_fmu.viewer.page import inside_script, page_html, table_html, write_page

SCRIPT = "demo"
LEAD = (
    "Three mechanisms from model file to validated FMU. What moves here is computed here, by the "
    "FMU's own code: drag a body to pull it, drag beside it to turn the view."
)


@dataclass(frozen=True)
class Shown:
    """A mechanism, what drives it, and what was found about its FMU."""

    spec: Spec
    inputs: Trajectory
    validation: Validation


def write_demo_page(
    path: Path, shown: Sequence[Shown], titles: Sequence[str], rows: Sequence[Sequence[str]]
) -> None:
    """Write it; titles and rows are those of the table."""
    tiles = "".join(map(_tile, shown))
    cells = [[html.escape(cell) for cell in row] for row in rows]
    sections = folded_sections([entry.validation for entry in shown], opened=1)
    body = f'<div class="tiles">{tiles}</div>{table_html(titles, cells, "all three")}{sections}'
    write_page(path, page_html("Demo", LEAD, body, head=signals_head(), script=SCRIPT))


def _tile(entry: Shown) -> str:
    data = live_page(entry.spec, entry.inputs).data
    return (
        f'<section class="tile"><h2>{html.escape(entry.spec.name)}</h2><div class="live">'
        f'<script type="application/json" class="data">{inside_script(data)}</script></div>'
        f'<p class="note">Sliders, plots, controllers: '
        f"<code>mbd-fmu view {html.escape(entry.spec.name)} --live</code></p>"
        f"{verdict_html(entry.validation)}</section>"
    )
