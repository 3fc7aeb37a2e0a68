"""Pages of the docs lead to each other, and none is forgotten."""

import pytest

from mbd_fmu.model.library import library
from tests.docs import PAGES, ROOT, anchors, links

MODELS = [ROOT / "models" / "README.md", *(folder / "README.md" for folder in library().values())]


@pytest.mark.parametrize("page", [*PAGES, *MODELS], ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    lost = [
        link
        for link, file, heading in links(page)
        if not file.exists() or (heading and heading not in anchors(file))
    ]
    assert lost == []


def test_the_list_of_pages_has_them_all():
    index = ROOT / "mbd_fmu" / "docs" / "README.md"
    listed = {file.name for _, file, _ in links(index)}
    assert listed == {p.name for p in index.parent.iterdir() if p.suffix in (".md", ".ipynb")} - {
        "README.md"
    }
