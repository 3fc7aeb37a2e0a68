"""Just enough of macOS' format of libraries to see what one offers and needs.

Source   Apple, mach-o/loader.h and mach-o/nlist.h; 64 bits. Exports are a tree of prefixes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_SYMTAB, _NEEDED, _OWN_NAME, _SIGNATURE, _TREE = 0x2, 0xC, 0xD, 0x1D, 0x80000033
_DYLD_INFO, _RPATH, _BUILD_VERSION = 0x80000022, 0x8000001C, 0x32
CPU = {0x01000007: "x86_64", 0x0100000C: "arm64"}


@dataclass(frozen=True)
class MachO:
    """What is of interest in a library. Names of C functions begin with an underscore."""

    cpu: str
    exported: frozenset[str]
    imported: frozenset[str]
    needed: tuple[str, ...]
    search_paths: tuple[str, ...]
    own_name: str
    oldest_system: tuple[int, int]
    is_signed: bool


def read_macho(data: bytes) -> MachO:
    """Read a library."""
    magic, cpu, _, kind, count = struct.unpack_from("<5I", data)
    assert (magic, kind) == (0xFEEDFACF, 6), "no 64-bit library of macOS"
    commands: dict[int, list[tuple[int, int]]] = {}
    at = 32
    for _ in range(count):
        command, size = struct.unpack_from("<II", data, at)
        commands.setdefault(command, []).append((at, size))
        at += size

    def names(command: int) -> tuple[str, ...]:
        found = []
        for start, size in commands.get(command, []):
            (offset,) = struct.unpack_from("<I", data, start + 8)
            found.append(data[start + offset : start + size].split(b"\0")[0].decode())
        return tuple(found)

    if _TREE in commands:
        first, size = struct.unpack_from("<II", data, commands[_TREE][0][0] + 8)
    else:
        first, size = struct.unpack_from("<II", data, commands[_DYLD_INFO][0][0] + 40)
    (version,) = struct.unpack_from("<I", data, commands[_BUILD_VERSION][0][0] + 12)
    return MachO(
        CPU[cpu],
        frozenset(_exports(data[first : first + size], 0, "")),
        frozenset(_undefined(data, commands[_SYMTAB][0][0])),
        names(_NEEDED),
        names(_RPATH),
        names(_OWN_NAME)[0],
        (version >> 16, version >> 8 & 255),
        _SIGNATURE in commands,
    )


def _undefined(data: bytes, symtab: int) -> Iterator[str]:
    symbols, count, strings, _ = struct.unpack_from("<4I", data, symtab + 8)
    for k in range(count):
        name, kind, _, _, _ = struct.unpack_from("<IBBHQ", data, symbols + 16 * k)
        if kind & 0xE0 == 0 and kind & 0x0E == 0:  # no debugging entry, of no section
            at = strings + name
            yield data[at : data.index(b"\0", at)].decode()


def _exports(tree: bytes, node: int, prefix: str) -> Iterator[str]:
    size, at = _number(tree, node)
    if size:
        yield prefix
    at += size
    children, at = tree[at], at + 1
    for _ in range(children):
        end = tree.index(b"\0", at)
        child, after = _number(tree, end + 1)
        yield from _exports(tree, child, prefix + tree[at:end].decode())
        at = after


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return a number stored in groups of seven bits, and where it ends."""
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return value, at
