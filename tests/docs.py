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
