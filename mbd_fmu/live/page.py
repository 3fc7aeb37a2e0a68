"""The page of a mechanism that steps itself: one file, no server, no network."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass

from mbd_fmu.analysis.checks import refuse_unusable
from mbd_fmu.export.browser_module import browser_module
from mbd_fmu.live.data import LiveData
from mbd_fmu.live.drivable import drivable
from mbd_fmu.model.spec import Spec, Specified, spec_of
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.system.system import system_of
from mbd_fmu.viewer.bundle import page_script
from mbd_fmu.viewer.page import inside_script, page_html, text_of

SCRIPT = "live"  # the bundle
STYLE = "live/live.css"


@dataclass(frozen=True)
class LivePage:
    """A mechanism with its module, ready to be written."""

    title: str
    lead: str
    data: str
    camera: str = ""  # one of ``options.CAMERAS``; without, a plane mechanism is seen face on

    def html(self) -> str:
        """Return the whole page, its script inside."""
        page_script(SCRIPT)  # or say why not: this page is nothing without
        return page_html(self.title, self.lead, self._body(), head=_style(), script=SCRIPT)

    def html_with(self, script: str, index: str) -> str:
        """Return the page without its script: it is in a file beside it, as the index of all is."""
        # no module: browsers let no file load another as one
        code = f'<script defer src="{html.escape(script)}"></script>'
        return page_html(self.title, self.lead, self._body(index), head=_style() + code)

    def _body(self, index: str = "") -> str:
        data = f'<script type="application/json" class="data">{inside_script(self.data)}</script>'
        known = {"camera": self.camera, "index": index}
        more = "".join(f' data-{key}="{html.escape(x)}"' for key, x in known.items() if x)
        return f'<div class="live"{more}>{data}</div>'


def live_page(
    model: Spec | Specified,
    inputs: Trajectory | None = None,
    progress: Callable[[str], None] = lambda _: None,
    *,
    camera: str = "",
) -> LivePage:
    """Compile a mechanism for the browser; ``inputs`` drive it until somebody else does.

    ``camera`` is where the page looks from as it opens.
    """
    spec = spec_of(model)
    progress("structure")
    own = system_of(spec)
    refuse_unusable(own)
    system = system_of(drivable(spec))
    module = browser_module(system, like=own, progress=progress)
    data = LiveData(spec, system).text(module, inputs)
    return LivePage(spec.name, spec.description, data, camera)


def _style() -> str:
    return f"<style>\n{text_of(STYLE)}</style>\n"
