"""XML read with care: every element knows its line; no DTD, no entities, nothing fetched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from mbd_fmu.errors import MbdFmuError, shortened
from mbd_fmu.host.reading import bounded_bytes

MOST_BYTES = 10_000_000
MOST_LEVELS = 50  # elements inside each other
MOST_ELEMENTS = 200_000


@dataclass
class Element:
    """An element as it stands in the file."""

    tag: str
    line: int
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, tag: str) -> list[Element]:
        """Return the children of a kind."""
        return [child for child in self.children if child.tag == tag]

    def first(self, tag: str) -> Element | None:
        """Return the first child of a kind."""
        return next((child for child in self.children if child.tag == tag), None)

    def walk(self) -> Iterator[Element]:
        """Yield the element and all within it, in the order of the file."""
        yield self
        for child in self.children:
            yield from child.walk()


def read_xml(path: Path) -> Element:
    """Return the outermost element of a file."""
    return xml_of(bounded_bytes(path, MOST_BYTES), str(path))


def xml_of(data: bytes, source: str) -> Element:
    """Return the outermost element of a text; ``source`` is what messages call it."""
    if not data.strip():
        raise MbdFmuError(f"{source}: is empty")
    return _Reading(source).of(data)


class _Reading:
    """The state of one reading."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.open: list[Element] = []
        self.root: Element | None = None
        self.count = 0
        self.parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._write
        parser.StartDoctypeDeclHandler = self._refuse_doctype

    def of(self, data: bytes) -> Element:
        try:
            self.parser.Parse(data, True)  # noqa: FBT003  expat takes no keywords
        except expat.ExpatError as error:
            raise self._refused(_advice(data, error), error.lineno) from None
        except ValueError as error:  # an encoding that Python does not know
            raise self._refused(f"{error}; save it as UTF-8", 1) from None
        if self.root is None:
            raise self._refused("there is no element", 1)
        return self.root

    def _refused(self, text: str, line: int) -> MbdFmuError:
        return MbdFmuError(f"{self.source}:{line}: {text}")

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        self.count += 1
        if len(self.open) >= MOST_LEVELS:
            found = f"more than {MOST_LEVELS} elements inside each other"
            raise self._refused(f"{found}; no robot is folded so", line)
        if self.count > MOST_ELEMENTS:
            raise self._refused(f"more than {MOST_ELEMENTS} elements; is it another file?", line)
        element = Element(tag, line, attributes)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def _end(self, tag: str) -> None:
        del tag
        self.open.pop()

    def _write(self, text: str) -> None:
        self.open[-1].text += text

    def _refuse_doctype(self, *_: object) -> None:
        found = "a document type, which may define entities, is not read"
        raise self._refused(f"{found}; take <!DOCTYPE ...> out", self.parser.CurrentLineNumber)


def _advice(data: bytes, error: expat.ExpatError) -> str:
    """Say what is no XML, and what to do."""
    text = shortened(str(error)).rpartition(": line")[0] or shortened(str(error))
    words = {
        "mismatched tag": "an element is closed that is not the one open; look for a missing "
        "</...> or />",
        "duplicate attribute": "an attribute stands twice; leave one",
        "no element found": "the file ends before its elements are closed; is it whole?",
        "undefined entity": "an entity that XML does not have; write the text itself",
        "junk after document element": "more than one outermost element; wrap them in one",
    }
    if text in words:
        return f"not XML: {words[text]}"
    if "not well-formed" in text:
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as wrong:
            line = data.count(b"\n", 0, wrong.start) + 1
            if line == error.lineno:
                byte = data[wrong.start]
                return f"the byte 0x{byte:02x} is not of the file's encoding; save it as UTF-8"
        return 'not XML: write <tag name="value"/>, with &lt; for < and &amp; for & in texts'
    return f"not XML: {text}"
