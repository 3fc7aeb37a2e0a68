"""Connected parts, as they grow together: a union-find structure."""

from __future__ import annotations


class Parts:
    """Bodies by name, each at first a part of its own."""

    def __init__(self) -> None:
        self._up: dict[str, str] = {}

    def part_of(self, body: str) -> str:
        """Return the body that stands for the part."""
        while self._up.setdefault(body, body) != body:
            body = self._up[body]
        return body

    def join(self, one: str, other: str) -> bool:
        """Make two parts one; False if they were one already."""
        a, b = self.part_of(one), self.part_of(other)
        if a == b:
            return False
        self._up[b] = a
        return True
