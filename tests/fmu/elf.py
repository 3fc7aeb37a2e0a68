"""Just enough of the ELF format to see what a shared library offers, needs and writes to.

Source   System V ABI, chapters 4 and 5; 64-bit little-endian, as on x86-64 and ARM.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_SECTION = struct.Struct("<IIQQQQIIQQ")  # name type flags addr offset size link info align entsize
_SYMBOL = struct.Struct("<IBBHQQ")  # name info other section value size
_DYNAMIC = struct.Struct("<qQ")  # tag value

_DYNSYM, _DYNAMIC_TYPE, _NOBITS, _VERSIONS = 11, 6, 8, 0x6FFFFFFE
X86_64, AARCH64 = 62, 183
_WRITE, _ALLOC = 1, 2
_NEEDED, _RPATH, _RUNPATH = 1, 15, 29


@dataclass(frozen=True)
class Elf:
    """What is of interest in a shared library."""

    exported: frozenset[str]
    imported: frozenset[str]
    needed: tuple[str, ...]
    search_paths: tuple[str, ...]
    writable: dict[str, int]  # bytes of sections that a running program may write to
    versions: frozenset[str]  # of other libraries' symbols, like GLIBC_2.14
    machine: int


def read_elf(data: bytes) -> Elf:
    """Read a shared library."""
    assert data[:6] == b"\x7fELF\x02\x01", "no 64-bit little-endian ELF file"
    (table,) = struct.unpack_from("<Q", data, 0x28)
    count, names_index = struct.unpack_from("<HH", data, 0x3C)
    sections = [_SECTION.unpack_from(data, table + k * _SECTION.size) for k in range(count)]

    def content(section: tuple[int, ...]) -> bytes:
        return b"" if section[1] == _NOBITS else data[section[4] : section[4] + section[5]]

    def text(strings: bytes, at: int) -> str:
        return strings[at : strings.index(b"\0", at)].decode()

    section_names = content(sections[names_index])
    exported, imported, versions = set(), set(), set()
    needed, paths = [], []
    writable = {}
    for section in sections:
        name = text(section_names, section[0])
        if section[2] & _WRITE and section[2] & _ALLOC:
            writable[name] = section[5]
        if section[1] == _DYNSYM:
            strings = content(sections[section[6]])
            for symbol in list(_SYMBOL.iter_unpack(content(section)))[1:]:
                (imported if symbol[3] == 0 else exported).add(text(strings, symbol[0]))
        if section[1] == _DYNAMIC_TYPE:
            strings = content(sections[section[6]])
            entries = list(_DYNAMIC.iter_unpack(content(section)))
            needed += [text(strings, value) for tag, value in entries if tag == _NEEDED]
            paths += [text(strings, v) for tag, v in entries if tag in (_RPATH, _RUNPATH)]
        if section[1] == _VERSIONS:
            strings = content(sections[section[6]])
            versions |= {text(strings, at) for at in _version_names(content(section))}
    return Elf(
        frozenset(exported),
        frozenset(imported),
        tuple(needed),
        tuple(paths),
        writable,
        frozenset(versions),
        *struct.unpack_from("<H", data, 0x12),
    )


def _version_names(needs: bytes) -> Iterator[int]:
    """Where the names of the versions stand: a list of libraries, each with a list of versions."""
    library, is_more = 0, True
    while needs and is_more:
        _, count, _, first, step = struct.unpack_from("<HHIII", needs, library)
        at = library + first
        for _ in range(count):
            _, _, _, name, following = struct.unpack_from("<IHHII", needs, at)
            yield name
            at += following
        library, is_more = library + step, step > 0
