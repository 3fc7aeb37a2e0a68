"""Just enough of Windows' format of libraries to see what one offers and needs.

Source   Microsoft, PE Format: optional header, .edata, .idata; 64 bits.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

_SECTION = struct.Struct(
    "<8sIIIIIIHHI"
)  # name, size and address in memory, size and offset in file
_AMD64, _PE32_PLUS = 0x8664, 0x20B


@dataclass(frozen=True)
class Pe:
    """What is of interest in a library."""

    exported: frozenset[str]
    imported: frozenset[str]
    needed: tuple[str, ...]


def read_pe(data: bytes) -> Pe:
    """Read a library."""
    (start,) = struct.unpack_from("<I", data, 0x3C)
    assert data[start : start + 4] == b"PE\0\0", "no PE file"
    machine, count, *_, optional_size, _ = struct.unpack_from("<HHIIIHH", data, start + 4)
    optional = start + 24
    assert (machine, *struct.unpack_from("<H", data, optional)) == (_AMD64, _PE32_PLUS)
    sections = [
        _SECTION.unpack_from(data, optional + optional_size + k * _SECTION.size)
        for k in range(count)
    ]

    def place(address: int) -> int:
        for _, size, first, stored, offset, *_ in sections:
            if first <= address < first + max(size, stored):
                return address - first + offset
        raise AssertionError(f"no section holds {address:#x}")

    def text(address: int) -> str:
        at = place(address)
        return data[at : data.index(b"\0", at)].decode()

    exports, _, imports, _ = struct.unpack_from("<4I", data, optional + 112)
    n_names, _, names = struct.unpack_from("<3I", data, place(exports) + 24)
    exported = {text(a) for a in struct.unpack_from(f"<{n_names}I", data, place(names))}

    needed, imported = [], set()
    for k in range(1000):
        lookup, _, _, name, _ = struct.unpack_from("<5I", data, place(imports) + 20 * k)
        if not name:
            break
        needed.append(text(name))
        at = place(lookup)
        while entry := struct.unpack_from("<Q", data, at)[0]:
            imported.add(text(entry + 2) if not entry >> 63 else f"#{entry & 0xFFFF}")
            at += 8
    return Pe(frozenset(exported), frozenset(imported), tuple(needed))
