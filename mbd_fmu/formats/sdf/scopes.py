"""Models inside models and worlds: each is a scope of names; those of inner ones are a::b."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.xml.xml_tree import Element

WORLD = "world"
MODEL = "__model__"
BETWEEN = "::"
NAMED = ("link", "joint", "frame")  # children that are frames; models are, too


@dataclass(frozen=True)
class Source:
    """An element, the account of its file, and the files that lead there by including it."""

    element: Element
    account: Account
    files: tuple[Path, ...]

    def path(self, name: str) -> str:
        """Return what its file calls so, as the first of the files would call it."""
        if "://" in name or len(self.files) == 1:
            return name
        return os.path.relpath(self.files[-1].parent / name, self.files[0].parent)


@dataclass(frozen=True)
class Scope:
    """A model, or the world, and what names mean in it."""

    source: Source
    placing: Source  # whose pose puts it where it is: itself, or <include>
    prefix: str  # of the names in it: "" or "arm::"
    frame: str  # its own frame
    is_static: bool = False
    nested: tuple[Scope, ...] = ()

    @property
    def element(self) -> Element:
        """The element itself."""
        return self.source.element

    @property
    def account(self) -> Account:
        """The account of the file it stands in."""
        return self.source.account

    @property
    def line(self) -> int:
        """Where the first file speaks of it."""
        return self.account.outer(self.element.line)

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
