"""A real browser, where there is one, and results to look at in it."""

import shutil

import numpy as np
import pytest

from mbd_fmu.drawing.scene import scene_table
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.viewer.bundle import NoBundleError, page_script
from mbd_fmu.viewer.film import BROWSERS, for_root

FLAGS = [*for_root(), "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
PATIENCE = 180_000  # ms: a software renderer on a busy machine


@pytest.fixture(scope="session")
def chromium():
    """The program; tests without it skip, and without a bundle of these sources."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not found:
        pytest.skip("needs the package chromium")
    try:
        page_script("page")  # an old one fails here, and says so
    except NoBundleError as error:
        pytest.skip(str(error))
    return found


@pytest.fixture(scope="module")
def browser(chromium):
    api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    with api.sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=chromium, args=FLAGS)


@pytest.fixture(scope="module")
def tabs():
    """Pages that are open."""
    return []


@pytest.fixture
def closed(tabs):
    """After each test no page is open: what goes on moving takes its time from others."""
    yield
    while tabs:
        tabs.pop().close()


@pytest.fixture(scope="module")
def opened(browser, tabs):
    """Open pages; none may complain, and none may ask for anything from outside.

    That is judged when the last test of a file is over.
    """
    complaints, requests = [], []

    def open_page(path, hash_="", **viewport):
        size = {"width": 800, "height": 700} | viewport
        page = browser.new_page(viewport=size)
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda m: complaints.append(m.text) if _is_bad(m) else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(path.as_uri() + hash_)
        tabs.append(page)
        return page

    yield open_page
    for page in tabs:
        page.close()
    assert complaints == []
    assert all(url.startswith(("file:", "data:", "blob:")) for url in requests)


def _is_bad(message):
    # the software renderer reports its own speed, not a fault of the page
    return message.type in ("error", "warning") and "GPU stall" not in message.text


@pytest.fixture(scope="session")
def still():
    """A scene of a specification with all bodies as drawn, over one second."""

    def made(spec, poses=None):
        names = [f"{b.name}.{part}" for b in spec.bodies for part in ("r", "quat")]
        columns = [f"{n}.{c}" for n in names for c in ("xyz" if n.endswith(".r") else "wxyz")]
        rows = np.zeros((2, len(columns)))
        rows[:, [k for k, c in enumerate(columns) if c.endswith("quat.w")]] = 1.0
        for name, values in (poses or {}).items():
            rows[:, columns.index(name)] = values
        return scene_table(spec), Trajectory(np.array([0.0, 1.0]), tuple(columns), rows)

    return made
