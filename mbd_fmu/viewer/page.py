"""One self-contained page: styles, the 3-D library and the viewer inside it, no network.

three.js comes as modules. An import map gives each a name and its text as a data address, so
the page needs no server and no bundler; ``three/`` holds the files as they were published.
"""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mbd_fmu.host.writing import write_whole
from mbd_fmu.viewer.motion import Motion

_FOLDER = Path(__file__).parent
# name in import statements: file
_MODULES = {
    "three": "three/three.module.min.js",
    "three/core": "three/three.core.min.js",
    "three/addons/controls/OrbitControls.js": "three/OrbitControls.js",
    "three/addons/renderers/CSS2DRenderer.js": "three/CSS2DRenderer.js",
    "mbd/meshes": "meshes.js",
    "mbd/parts": "parts.js",
    "mbd/stage": "stage.js",
    "mbd/mechanism": "mechanism.js",
}
# The one import by place: in a data address nothing has a place.
_BY_PLACE, _BY_NAME = '"./three.core.min.js"', '"three/core"'


def mechanism_html(
    scene: Mapping[str, Any],
    motion: Motion,
    *,
    plays: bool = False,
    record: Mapping[str, Any] | None = None,
) -> str:
    """Return the place of one mechanism in a page made by ``page_html``."""
    data = "".join(
        f'<script type="application/json" class="{kind}">{inside_script(text)}</script>'
        for kind, text in (("scene", json.dumps(scene)), ("motion", motion.to_json()))
    )
    more = " data-play" if plays else ""
    if record is not None:
        more += f' data-record="{html.escape(json.dumps(record))}"'
    return f'<div class="mechanism"{more}>{data}</div>'


def page_html(title: str, lead: str, body: str, *, head: str = "") -> str:
    """Return the page around its body; ``head`` takes what other parts of it need."""
    moving = 'class="mechanism"' in body
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>\n{_text('page.css')}</style>\n"
        f"{head}{_import_map() if moving else ''}</head>\n<body><main>\n"
        f'<h1>{html.escape(title)}</h1>\n<p class="lead">{html.escape(lead)}</p>\n{body}\n'
        f"</main>\n{_player() if moving else ''}</body>\n</html>\n"
    )


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


def write_motion(path: Path, scene: Mapping[str, Any], motion: Motion) -> str:
    """Write the page of one mechanism that moves; return what ``write_page`` does."""
    body = mechanism_html(scene, motion, plays=True)
    return write_page(path, page_html(scene["model"], scene["description"], body))


def _import_map() -> str:
    addresses = {name: _address(_text(file)) for name, file in _MODULES.items()}
    return f'<script type="importmap">{json.dumps({"imports": addresses})}</script>\n'


def _player() -> str:
    return f'<script type="module">\n{_text("player.js")}</script>\n'


def _text(file: str) -> str:
    return (_FOLDER / file).read_text(encoding="utf-8")


def _address(script: str) -> str:
    code = base64.b64encode(script.replace(_BY_PLACE, _BY_NAME).encode()).decode("ascii")
    return f"data:text/javascript;base64,{code}"
