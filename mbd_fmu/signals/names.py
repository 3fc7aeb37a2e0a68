"""Names as people give them: one, or several."""

from __future__ import annotations

from collections.abc import Sequence

Names = str | Sequence[str]


def listed(names: Names) -> tuple[str, ...]:
    """Return them one by one; a text is one name, not its letters."""
    return (names,) if isinstance(names, str) else tuple(names)
