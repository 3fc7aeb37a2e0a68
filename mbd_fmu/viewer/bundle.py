"""The script of a page: our modules and the libraries they use, bundled when we are installed."""

from __future__ import annotations

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.viewer.sources import BUNDLE, FOLDER, NOT_MADE, fingerprint, stands_for

REMEDY = "run scripts/environment where npm can be reached"


class NoBundleError(MbdFmuError):
    """The script of pages was never made here."""


def page_script(name: str) -> str:
    """Return the bundle of one entry point, as it goes into a page: ``page``, say, of ``page.js``.

    One made of other sources than lie here is refused: a page would run old code in silence.
    """
    path = FOLDER / BUNDLE / f"{name}.js"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NoBundleError(f"the script of pages is not there{_reason()}; {REMEDY}") from None
    if stands_for(text) != fingerprint():
        raise MbdFmuError(
            f"the script of pages, {path.name}, is older than its sources in "
            f"{FOLDER.name}/; run scripts/bundle"
        )
    return text


def _reason() -> str:
    path = FOLDER / BUNDLE / NOT_MADE
    return f": {path.read_text(encoding='utf-8').strip()}" if path.is_file() else ""
