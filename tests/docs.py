"""Whole model files that stand in the docs and the README."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "mbd_fmu" / "docs").glob("*.md")))


def examples() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield those that have a model and a body, by page and number."""
    for page in PAGES:
        blocks = re.findall(
            r"^```toml\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
        )
        for k, text in enumerate(blocks):
            table = tomllib.loads(text)
            if "model" in table and "body" in table:
                yield f"{page.name}, {k + 1}", table


def anchors(page: Path) -> set[str]:
    """Return what links may name of a page, as the makers of pages spell headings."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


def links(page: Path) -> Iterator[tuple[str, Path, str]]:
    """Yield the links of a page into the project: as written, the file, and the heading."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"\w+:", link):
            file, _, heading = link.partition("#")
            yield link, (page.parent / file if file else page), heading
