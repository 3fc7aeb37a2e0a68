"""Models inside models and worlds: each is a scope of names; those of inner ones are a::b."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.xml_tree import Element

WORLD = "world"
MODEL = "__model__"
BETWEEN = "::"
NAMED = ("link", "joint", "frame")  # children that are frames; models are, too


@dataclass(frozen=True)
class Scope:
    """A model, or the world, and what names mean in it."""

    element: Element
    account: Account  # of the file it stands in
    file: Path
    prefix: str  # of the names in it: "" or "arm::"
    frame: str  # its own frame
    line: int  # where it is called for
    placing: Element  # whose pose puts it where it is: its own, or <include>
    placing_account: Account
    is_static: bool = False
    nested: tuple[Scope, ...] = ()

    def key(self, name: str) -> str:
        """Return by which name all of the file can speak of a frame."""
        if name == WORLD:
            return WORLD
        if name == MODEL:
            return self.frame
        return self.prefix + name.removesuffix(BETWEEN + MODEL)

    def walk(self) -> Iterator[Scope]:
        """Yield it and all within it."""
        yield self
        for inner in self.nested:
            yield from inner.walk()

    def elements(self, tag: str) -> Iterator[tuple[str, Element]]:
        """Yield its children of a kind that have names, with the names all of the file knows."""
        for child in self.element.all(tag):
            name = child.attributes.get("name", "").strip()
            if name:
                yield self.prefix + name, child
