"""The files an MJCF model is made of: read by nobody before they are known to lie where they may.

A model names further files: other XML by <include> and <model>, meshes, height fields, skins and
textures. MuJoCo looks for them beside the main file, in the folders that <compiler> names, and
beside a model that is attached. Of each name all these places are looked at.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from mbd_fmu.errors import MbdFmuError, shortened
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.xml import xml_tree
from mbd_fmu.formats.xml.xml_tree import Element, read_xml
from mbd_fmu.host.reading import bounded_bytes

MOST_FILES = 200  # XML of one model
MOST_BYTES = 200_000_000  # of a mesh, a height field, a skin
_XML = ("include", "model")  # elements that name further ones
_BROKEN_NAME = re.compile(rb"""\bfile\w*\s*=\s*("[^"]*[\n\r\t][^"]*"|'[^']*[\n\r\t][^']*')""")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_OUTSIDE = "it lies outside: only the model's folder and --package-path are read"


@dataclass(frozen=True)
class Source:
    """An XML file, and which line of the main one it comes in by."""

    path: Path
    root: Element
    line: int = 0  # 0: the main file
    chain: tuple[Path, ...] = ()  # the files that lead to it

    def at(self, element: Element) -> tuple[int, str]:
        """Return the line of the main file, and words for one that stands in another."""
        if not self.line:
            return element.line, ""
        return self.line, f"{self.path.name}:{element.line}: "


@dataclass(frozen=True)
class _Search:
    """Where a model's files may be, and where they are looked for."""

    allowed: tuple[Path, ...]
    folders: tuple[Path, ...]  # of the XML that may name them; the main file's first
    subfolders: tuple[str, ...] = ("",)

    def places(self, name: str) -> list[Path]:
        """Return all files that a name may mean."""
        names = dict.fromkeys((name, name.replace("\\", "/"), re.split(r"[\\/]", name)[-1]))
        folders = dict.fromkeys(self.folders)
        return [f / sub / n for f in folders for sub in self.subfolders for n in names]

    def allows(self, path: Path) -> bool:
        """Tell whether a file lies in a folder that may be read, however it is spelt."""
        # links are followed before or after ".." is taken away: MuJoCo does the latter
        spelt = (path.resolve(), Path(os.path.normpath(path)).resolve())
        return all(any(p.is_relative_to(f.resolve()) for f in self.allowed) for p in spelt)


def sources_of(main: Path, root: Element, choices: Choices, account: Account) -> list[Source]:
    """Return all XML of a model; what may not be read, and what is not there, is a problem."""
    allowed = (main.parent, *choices.package_paths)
    found: list[Source] = []
    _follow(Source(main, root), _Search(allowed, ()), account, found)
    keys = ("meshdir", "texturedir", "assetdir")
    named = (e.attributes.get(k, "") for s in found for e in s.root.walk() for k in keys)
    folders = tuple(source.path.parent for source in found)
    search = _Search(allowed, folders, tuple(dict.fromkeys(["", *named])))
    for source in found:
        for element, key in _naming(source.root):
            if element.tag not in _XML:
                _check(source, element, key, search, account)
    return found


def _follow(source: Source, search: _Search, account: Account, found: list[Source]) -> None:
    """Add a source and all XML it names, but for what leads back to itself."""
    if len(found) == MOST_FILES:
        raise MbdFmuError(f"{account.file}: more than {MOST_FILES} files include each other")
    _refuse_broken_names(source.path, account)
    found.append(source)
    search = replace(search, folders=(*search.folders, source.path.parent))
    chain = (*source.chain, source.path.resolve())
    for element, key in _naming(source.root):
        if element.tag not in _XML:
            continue
        line, place = source.at(element)
        where = f'{place}{element.tag} {key}="{shortened(element.attributes[key])}"'
        for path in _check(source, element, key, search, account):
            if path.resolve() in chain:
                account.problem(line, where, "leads back to itself", "leave it out")
                continue
            try:
                inner = Source(path, read_xml(path), line, chain)
            except OSError as error:
                account.problem(line, where, f"cannot be read: {error.strerror}", "allow it")
                continue
            _follow(inner, search, account, found)


def _refuse_broken_names(path: Path, account: Account) -> None:
    """Refuse names of files across lines: XML reads a blank there, MuJoCo what stands there."""
    data = bounded_bytes(path, xml_tree.MOST_BYTES)
    broken = _BROKEN_NAME.search(data)
    if broken:
        line = data.count(b"\n", 0, broken.start()) + 1
        found = "the name of a file goes over lines or holds tabs"
        raise MbdFmuError(f"{account.file}: {path.name}:{line}: {found}; write it in one line")


def _naming(root: Element) -> Iterator[tuple[Element, str]]:
    """Yield all attributes that name files: file of most, fileright, fileup ... of textures."""
    for element in root.walk():
        for key, value in element.attributes.items():
            if key.startswith("file") and value:
                yield element, key


def _check(
    source: Source, element: Element, key: str, search: _Search, account: Account
) -> list[Path]:
    """Return all files that may be meant, unless there is a problem with one of them."""
    name = element.attributes[key]
    line, place = source.at(element)
    where = f'{place}{element.tag} {key}="{shortened(name)}"'
    if _SCHEME.match(name) or not name.isprintable():
        account.problem(line, where, "is no path", "write it from the folder of the file")
        return []
    found = [path for path in search.places(name) if os.path.exists(path)]  # noqa: PTH110
    there = list({path.resolve(): path for path in found}.values())
    if not all(map(search.allows, found)):
        account.problem(line, where, _OUTSIDE, "put it there, or give its folder")
    elif not there and element.tag != "texture":  # nobody looks at those
        remedy = "put it there, or name it from the folder of the main file"
        account.problem(line, where, "there is no such file", remedy)
    elif not all(path.is_file() for path in there):
        account.problem(line, where, "is no file", "name one")
    elif any(path.stat().st_size > MOST_BYTES for path in there):
        remedy = f"{MOST_BYTES / 1e6:g} MB are the most"
        account.problem(line, where, "is too large", remedy)
    else:
        return there
    return []
