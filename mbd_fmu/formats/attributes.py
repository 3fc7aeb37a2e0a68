"""Numbers and texts in attributes, read strictly; problems are collected with their lines."""

from __future__ import annotations

import math
import re

from mbd_fmu.errors import shortened
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.xml_tree import Element
from mbd_fmu.quantities.limits import LARGEST

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)
_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?\Z", re.ASCII)
_INFINITE = ("inf", "+inf", "-inf", "infinity", "-infinity")


class Attributes:
    """A reader of one element. Every getter returns a usable value, also after a problem."""

    def __init__(self, element: Element, where: str, account: Account) -> None:
        self.element = element
        self.where = where
        self.account = account

    def problem(self, found: str, remedy: str) -> None:
        """Write down a finding about the element."""
        self.account.problem(self.element.line, self.where, found, remedy)

    def has(self, name: str) -> bool:
        """Tell whether the attribute is given."""
        return name in self.element.attributes

    def text(self, name: str) -> str:
        """Return a text, without the blanks around it; empty where it is missing."""
        return self.element.attributes.get(name, "").strip()

    def name(self, key: str) -> str:
        """Return a name that must not be empty; that it is missing the grammar tells."""
        text = self.text(key)
        if not text and self.has(key):
            self.problem(f'{key}="" is empty', "give a name")
        return text

    def number(self, name: str, default: float = 0.0) -> float:
        """Return a number."""
        if not self.has(name):
            return default
        found = self._numbers(name, 1)
        return found[0] if found else default

    def limit(self, name: str) -> float | None:
        """Return a number; none where it is not given, or infinite."""
        text = self.text(name)
        if not self.has(name) or text.lower() in _INFINITE:
            return None
        return self.number(name)

    def vector(self, name: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """Return as many numbers as there are by default."""
        if not self.has(name):
            return default
        return self._numbers(name, len(default)) or default

    def _numbers(self, name: str, n: int) -> tuple[float, ...]:
        """Return n numbers, or none after a problem."""
        text = self.element.attributes[name]
        words = text.split()
        shown = f'{name}="{shortened(text)}"'
        for word in words:
            if _COMMA.match(word) and n == 1:
                self.problem(f"{shown} has a decimal comma", f"write {word.replace(',', '.')}")
                return ()
            if "," in word:
                remedy = "put blanks between numbers, and points before decimals"
                self.problem(f"{shown} has commas", remedy)
                return ()
            if any(sign in word for sign in ("$", "{")):
                found = f"{shown} is an expression of xacro"
                self.problem(found, "expand the file first: xacro robot.xacro > robot.urdf")
                return ()
            if not _NUMBER.match(word):
                self.problem(f'{shown}: "{shortened(word)}" is no number', "write a finite number")
                return ()
            if not abs(float(word)) <= LARGEST:
                remedy = f"numbers of a model are {LARGEST:g} at most"
                self.problem(f"{shown} is out of range", remedy)
                return ()
        if len(words) != n:
            wanted = "one number" if n == 1 else f"{n} numbers with blanks between them"
            self.problem(f"{shown} has {len(words)} of {n} numbers", f"give {wanted}")
            return ()
        return tuple(float(word) for word in words)


def unit(vector: tuple[float, ...]) -> tuple[float, ...]:
    """Return the direction of a vector that has one; unit vectors stay as they are."""
    length = math.sqrt(math.fsum(x * x for x in vector))
    return vector if abs(length - 1.0) < 1e-15 else tuple(x / length for x in vector)
