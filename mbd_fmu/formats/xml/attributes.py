"""Numbers and texts in attributes or elements, read strictly; problems know their lines."""

from __future__ import annotations

import math
import re
from typing import Self

from mbd_fmu.errors import shortened
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.xml.xml_tree import Element
from mbd_fmu.quantities.limits import LARGEST

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)
_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?\Z", re.ASCII)
_INFINITE = ("inf", "+inf", "-inf", "infinity", "-infinity")
_FLAGS = {"true": True, "1": True, "false": False, "0": False}


class Attributes:
    """A reader of one element's attributes. Every getter returns a usable value, come what may."""

    def __init__(self, element: Element, where: str, account: Account) -> None:
        self.element = element
        self.where = where
        self.account = account

    @classmethod
    def of_part(cls, element: Element, tag: str, where: str, account: Account) -> Self:
        """Return the reader of a child; of an empty one where there is none."""
        found = element.first(tag) or Element(tag, element.line, {})
        return cls(found, f"{where}, {tag}", account)

    def problem(self, found: str, remedy: str) -> None:
        """Write down a finding about the element."""
        self.account.problem(self.element.line, self.where, found, remedy)

    def problem_of(self, name: str, found: str, remedy: str) -> None:
        """Write down a finding about one of its values."""
        del name  # an attribute stands in the line of its element
        self.problem(found, remedy)

    def has(self, name: str) -> bool:
        """Tell whether the value is given."""
        return name in self.element.attributes

    def text(self, name: str) -> str:
        """Return a text, without the blanks around it; empty where it is missing."""
        return self.element.attributes.get(name, "").strip()

    def shown(self, name: str) -> str:
        """Return a value as it stands in the file."""
        return f'{name}="{shortened(self.element.attributes[name])}"'

    def name(self, key: str) -> str:
        """Return a name that must not be empty; that it is missing the grammar tells."""
        text = self.text(key)
        if not text and self.has(key):
            self.problem_of(key, f"{self.shown(key)} is empty", "give a name")
        return text

    def number(self, name: str, default: float = 0.0) -> float:
        """Return a number."""
        if not self.has(name):
            return default
        found = self._numbers(name, 1)
        return found[0] if found else default

    def limit(self, name: str, endless: float = math.inf) -> float | None:
        """Return a number; none where it is not given, or infinite, or as good as that."""
        text = self.text(name)
        if not self.has(name) or text.lower() in _INFINITE:
            return None
        if _NUMBER.match(text) and abs(float(text)) >= endless:
            return None
        return self.number(name)

    def flag(self, name: str) -> bool:
        """Return whether something is so; it is not where nothing is said."""
        text = self.text(name).lower()
        if self.has(name) and text not in _FLAGS:
            self.problem_of(name, f"{self.shown(name)} is neither", "write true or false")
        return _FLAGS.get(text, False)

    def vector(self, name: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """Return as many numbers as there are by default."""
        if not self.has(name):
            return default
        return self._numbers(name, len(default)) or default

    def _numbers(self, name: str, n: int) -> tuple[float, ...]:
        """Return n numbers, or none after a problem."""
        words = self.text(name).split()
        shown = self.shown(name)

        def refused(found: str, remedy: str) -> tuple[float, ...]:
            self.problem_of(name, found, remedy)
            return ()

        for word in words:
            if _COMMA.match(word) and n == 1:
                return refused(f"{shown} has a decimal comma", f"write {word.replace(',', '.')}")
            if "," in word:
                remedy = "put blanks between numbers, and points before decimals"
                return refused(f"{shown} has commas", remedy)
            if any(sign in word for sign in ("$", "{")):
                found = f"{shown} is an expression of xacro"
                return refused(found, "expand the file first: xacro robot.xacro > robot.urdf")
            if not _NUMBER.match(word):
                return refused(
                    f'{shown}: "{shortened(word)}" is no number', "write a finite number"
                )
            if not abs(float(word)) <= LARGEST:
                remedy = f"numbers of a model are {LARGEST:g} at most"
                return refused(f"{shown} is out of range", remedy)
        if len(words) != n:
            wanted = "one number" if n == 1 else f"{n} numbers with blanks between them"
            return refused(f"{shown} has {len(words)} of {n} numbers", f"give {wanted}")
        return tuple(float(word) for word in words)


class Texts(Attributes):
    """A reader of values that are children of an element: <mass>1.5</mass>."""

    def problem_of(self, name: str, found: str, remedy: str) -> None:
        """Write down a finding about one of its values, in the line of that."""
        line = child.line if (child := self.element.first(name)) else self.element.line
        self.account.problem(line, f"{self.where}, {name}", found, remedy)

    def has(self, name: str) -> bool:
        """Tell whether the value is given."""
        child = self.element.first(name)
        return child is not None and bool(child.text.strip())

    def text(self, name: str) -> str:
        """Return a text, without the blanks around it; empty where it is missing."""
        child = self.element.first(name)
        return "" if child is None else child.text.strip()

    def shown(self, name: str) -> str:
        """Return a value as it stands in the file."""
        return f'"{shortened(self.text(name))}"'


def unit(vector: tuple[float, ...]) -> tuple[float, ...]:
    """Return the direction of a vector that has one; unit vectors stay as they are."""
    length = math.sqrt(math.fsum(x * x for x in vector))
    if abs(length - 1.0) < 1e-15:
        return vector
    largest = max(map(abs, vector))  # first, for squares of tiny numbers are zero
    scaled = [x / largest for x in vector]
    length = math.sqrt(math.fsum(x * x for x in scaled))
    return tuple(x / length for x in scaled)
