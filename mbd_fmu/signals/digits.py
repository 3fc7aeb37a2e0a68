"""Numbers as people write them in tables and after options."""

from __future__ import annotations


def ungrouped(text: str) -> str:
    """Return a text that is to be a number; ``1_000``, which Python takes, is none: ValueError."""
    if "_" in text:
        raise ValueError(text)
    return text
