"""Live pages of models, one script for all of them, and a page that leads there."""

import html
import sys
from pathlib import Path

from mbd_fmu import read_model
from mbd_fmu.live.page import SCRIPT, live_page
from mbd_fmu.model.library import library, table_beside
from mbd_fmu.viewer.bundle import page_script
from mbd_fmu.viewer.page import page_html, write_page

FOLDER = Path("out/gallery")
INDEX = "index.html"
MOST = 1_500_000  # bytes of a page besides the script
STYLE = """<style>
.models { display: grid; grid-template-columns: repeat(auto-fill, minmax(240px, 1fr)); gap: 1rem;
  list-style: none; padding: 0; }
.models li { background: var(--paper); border: 1px solid var(--rule); border-radius: 8px;
  padding: 0.8rem; }
.models img { width: 100%; height: auto; border-radius: 4px; }
</style>
"""


def main(names):
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / f"{SCRIPT}.js").write_text(page_script(SCRIPT), encoding="utf-8")
    chosen = {name: library()[name] for name in names or library()}
    large = []
    for name, folder in chosen.items():
        text = live_page(read_model(folder), table_beside(folder / "model.toml", "input.csv"))
        page = FOLDER / f"{name}.html"
        write_page(page, text.html_with(f"{SCRIPT}.js", INDEX))
        size = page.stat().st_size
        large += [name] if size > MOST else []
        print(f"{page}  {size / 1e6:.2f} MB", flush=True)
    write_index(chosen)
    if large:
        sys.exit(f"over {MOST / 1e6:g} MB: {', '.join(large)}")


def write_index(chosen):
    cells = []
    for name, folder in chosen.items():
        figure = folder / "figure.png"
        (FOLDER / f"{name}.png").write_bytes(figure.read_bytes())
        cells.append(
            f'<li><a href="{name}.html"><img src="{name}.png" width="480" height="320" '
            f'alt=""><br><b>{name}</b></a><br>{html.escape(read_model(folder).description)}</li>'
        )
    lead = "Each is driven by hand, in the browser, by the code of its FMU."
    body = f'<ul class="models">{"".join(cells)}</ul>'
    write_page(FOLDER / INDEX, page_html("Mechanisms", lead, body, head=STYLE))


if __name__ == "__main__":
    main(sys.argv[1:])
