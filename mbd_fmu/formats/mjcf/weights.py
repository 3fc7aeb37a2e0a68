"""How much a file asks for: a few words of MJCF can mean a million bodies or an endless picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import PurePosixPath

from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.mjcf.sources import Source
from mbd_fmu.formats.xml.xml_tree import Element

MOST_ELEMENTS = 200_000  # when all that repeats is written out
MOST_LEVELS = 200  # of elements inside each other, likewise
# numbers that MuJoCo takes as they are, and makes room for
_LARGEST = {
    ("texture", "width"): 4096,
    ("texture", "height"): 4096,
    ("hfield", "nrow"): 4096,
    ("hfield", "ncol"): 4096,
    ("size", "nuserdata"): 100_000,
    ("size", "nkey"): 10_000,
    ("size", "nuser_body"): 1000,
    ("size", "nuser_jnt"): 1000,
    ("size", "nuser_geom"): 1000,
    ("size", "nuser_site"): 1000,
    ("size", "nuser_cam"): 1000,
    ("size", "nuser_tendon"): 1000,
    ("size", "nuser_actuator"): 1000,
    ("size", "nuser_sensor"): 1000,
    ("mesh", "octreemaxdepth"): 10,
}


def check_weights(sources: Sequence[Source], account: Account) -> None:
    """Write down what would take more room than any robot does."""
    for source in sources:
        for element in source.root.walk():
            for (tag, key), most in _LARGEST.items():
                text = element.attributes.get(key, "")
                if element.tag == tag and _number(text) > most:
                    line, place = source.at(element)
                    where = f'{place}{tag} {key}="{text}"'
                    account.problem(line, where, "is too much", f"{most} are the most")
    main = sources[0]
    total = _Weighing(sources).of(main.root, main)
    if total > MOST_ELEMENTS:
        found = f"{total:.3g} elements when all that repeats is written out"
        account.problem(main.root.line, "mujoco", found, f"{MOST_ELEMENTS} are the most")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0  # and MuJoCo tells


@dataclass
class _Weighing:
    """Counts elements; of what is included or attached, all that comes with it."""

    sources: Sequence[Source]
    known: dict[int, float] = field(default_factory=dict)

    def of(self, element: Element, source: Source, level: int = 1) -> float:
        """Return how many elements one stands for."""
        if level > MOST_LEVELS:
            return inf
        if id(element) not in self.known:
            self.known[id(element)] = 0.0  # what attaches itself does so once
            inner = sum(self.of(child, source, level + 1) for child in element.children)
            brought = (self.of(*part, level + 1) for part in self._brought(element, source))
            inner += max(brought, default=0.0)
            if element.tag == "replicate":
                inner *= max(_number(element.attributes.get("count", "")), 1.0)
            self.known[id(element)] = 1.0 + inner
        return self.known[id(element)]

    def _brought(self, element: Element, source: Source) -> Iterator[tuple[Element, Source]]:
        """Yield all that an element may bring in; the largest counts."""
        attributes = element.attributes
        if element.tag == "include" or (element.tag == "attach" and "model" in attributes):
            file = PurePosixPath(attributes.get("file", "")).name
            yield from ((s.root, s) for s in self.sources[1:] if file in ("", s.path.name))
        elif element.tag == "attach":
            name = attributes.get("body") or attributes.get("frame")
            yield from ((e, source) for e in source.root.walk() if e.attributes.get("name") == name)
