"""What axe-core finds wrong with a page; its script comes with the bundle."""

import pytest

from mbd_fmu.viewer.sources import FOLDER

AXE = FOLDER / "node_modules" / "axe-core" / "axe.min.js"
GRAVE = ("serious", "critical")
FOUND = """async () => (await axe.run()).violations.map(({ id, impact, nodes }) =>
    [impact, `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`])"""


def serious_findings(page):
    return [text for impact, text in _found(page) if impact in GRAVE]


def findings(page):
    return [text for _, text in _found(page)]


def _found(page):
    if not AXE.is_file():
        pytest.skip("needs axe-core: scripts/bundle")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    return page.evaluate(FOUND)
