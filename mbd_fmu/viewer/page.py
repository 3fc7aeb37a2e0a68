"""One self-contained page: styles and the script of the viewer inside it, no network."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.host.writing import write_whole
from mbd_fmu.viewer.bundle import page_script
from mbd_fmu.viewer.motion import Motion

_FOLDER = Path(__file__).parent
PLAYER = "page"  # the script that plays motions
# What pages are without, where their script is missing, by what stands in their body.
_WITHOUT = {
    'class="mechanism"': "nothing moves",
    'class="live"': "nothing moves",
    'class="signals"': "no signals are drawn",
    'class="study"': "no cases are drawn",
}


def mechanism_html(
    scene: Mapping[str, Any],
    motion: Motion,
    *,
    plays: bool = False,
    camera: str = "",
    record: Mapping[str, Any] | None = None,
) -> str:
    """Return the place of one mechanism in a page made by ``page_html``.

    ``camera`` is one of ``options.CAMERAS``; without, a plane mechanism is seen face on.
    """
    data = "".join(
        f'<script type="application/json" class="{kind}">{inside_script(text)}</script>'
        for kind, text in (("scene", json.dumps(scene)), ("motion", motion.to_json()))
    )
    more = " data-play" if plays else ""
    if camera:
        more += f' data-camera="{camera}"'
    if record is not None:
        more += f' data-record="{html.escape(json.dumps(record))}"'
    return f'<div class="mechanism"{more}>{data}</div>'


def page_html(
    title: str,
    lead: str,
    body: str,
    *,
    head: str = "",
    script: str = "",
    whole: bool = False,
) -> str:
    """Return the page around its body; ``head`` takes what other parts of it need.

    A body with a mechanism in it brings the player, unless another script is named; of a ``whole``
    page it is all there is, and fills the window.
    """
    if not script and 'class="mechanism"' in body:
        script = PLAYER
    kind = ' class="whole"' if whole else ""
    notice, code = _script(script, body) if script else ("", "")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>\n{text_of('page.css')}</style>\n"
        f"{head}</head>\n<body{kind}><main>\n"
        f'<h1>{html.escape(title)}</h1>\n<p class="lead">{html.escape(lead)}</p>\n'
        f"{notice}{body}\n</main>\n{code}</body>\n</html>\n"
    )


def table_html(
    head: Sequence[str], rows: Iterable[Sequence[str]], label: str, *, kind: str = "numbers"
) -> str:
    """Return a table of words or of numbers; cells are HTML already, its label is read aloud."""
    top = "".join(f"<th>{title}</th>" for title in head)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    table = f'<table class="{kind}">{f"<tr>{top}</tr>" if top else ""}{body}</table>'
    said = html.escape(label)
    return f'<div class="wide" tabindex="0" role="region" aria-label="{said}">{table}</div>'


def inside_script(text: str) -> str:
    """Keep a JSON text from ending, or going beyond, the script it stands in."""
    return text.replace("<", "\\u003c")


def write_page(path: Path, text: str) -> str:
    """Write a page whole or not at all, and the folder it lies in.

    Return what is to be said where another page was there: nothing is lost in silence.
    """
    data = text.encode()
    replaced = path.is_file() and path.read_bytes() != data
    write_whole({path: data})
    return "; another page was there and is replaced" if replaced else ""


def write_motion(path: Path, scene: Mapping[str, Any], motion: Motion, *, camera: str = "") -> str:
    """Write the page of one mechanism that moves; return what ``write_page`` does."""
    page_script(PLAYER)  # or say why not: this page is nothing without
    body = mechanism_html(scene, motion, plays=True, camera=camera)
    page = page_html(scene["model"], scene["description"], body, whole=True)
    return write_page(path, page)


def _script(name: str, body: str) -> tuple[str, str]:
    """Return a line instead of a script that was never made or is an old one, and the script."""
    try:
        return "", f'<script type="module">\n{page_script(name)}</script>\n'
    except MbdFmuError as error:
        found = dict.fromkeys(text for mark, text in _WITHOUT.items() if mark in body)
        without = " and ".join(found) or "no script runs"
        text = f"On this page {without}: {error}."
        return f'<p class="fail">{html.escape(text)}</p>\n', ""


def text_of(file: str) -> str:
    """Return a text that lies beside the scripts."""
    return (_FOLDER / file).read_text(encoding="utf-8")
