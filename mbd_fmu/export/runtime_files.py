"""The hand-written half of the C: its files, and what each of them includes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

RUNTIME = Path(__file__).parents[1] / "runtime"
PART = "model_part_"  # so begin names of generated files, of what no step waits for
IN_LANES = "#define IN_LANES"  # files that begin so are compiled for those vectors


def whole_runtime() -> dict[str, str]:
    """Return all hand-written files."""
    return {
        path.name: path.read_text(encoding="ascii")
        for path in sorted(RUNTIME.iterdir())
        if path.suffix in (".c", ".h")
    }


def with_headers(names: Iterable[str], files: Mapping[str, str]) -> dict[str, str]:
    """Return some files and all that they include of ours, directly or through others."""
    found: dict[str, str] = {}
    waiting = sorted(names, reverse=True)
    while waiting:
        name = waiting.pop()
        if name not in found and name in files:
            found[name] = files[name]
            waiting += re.findall(r'^#include "([^"]+)"', files[name], re.MULTILINE)
    return dict(sorted(found.items()))
