"""FMUs that somebody damaged, or made to do harm: one small FMU in many versions."""

from __future__ import annotations

import random
import re
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from mbd_fmu.export.references import FOLDER, MANIFEST

DESCRIPTION = "modelDescription.xml"
Change = bytes | None | Callable[[bytes], bytes]


def rewritten(fmu: Path, out: Path, changes: Mapping[str, Change]) -> Path:
    """Copy an archive with some of its files changed, added, or taken out."""
    with zipfile.ZipFile(fmu) as archive:
        files: dict[str, bytes] = {name: archive.read(name) for name in archive.namelist()}
    for name, change in changes.items():
        data = change(files[name]) if callable(change) else change
        files.pop(name, None)
        if data is not None:
            files[name] = data
    return archived(out, files.items())


def archived(out: Path, files: Iterable[tuple[str, bytes]]) -> Path:
    """Write an archive of names and contents, whatever they are."""
    with zipfile.ZipFile(out, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that stand twice
        for name, data in files:
            entry = zipfile.ZipInfo("x")
            entry.filename = entry.orig_filename = name  # as it is, without any cleaning
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return out


def replaced(pattern: str, text: str) -> Callable[[bytes], bytes]:
    """Return a change of all places like one in a text; there must be some."""

    def change(data: bytes) -> bytes:
        new, n = re.subn(pattern, text, data.decode())
        assert n, pattern
        return new.encode()

    return change


def described(attribute: str, value: str) -> dict[str, Change]:
    """Give an attribute of the description another value wherever it stands."""
    change = replaced(rf'\b{attribute}="[^"]*"', f'{attribute}="{value}"')
    return {DESCRIPTION: change}


def library_of(fmu: Path) -> str:
    """Return the name of the library in an archive."""
    with zipfile.ZipFile(fmu) as archive:
        (name,) = (n for n in archive.namelist() if n.startswith("binaries/"))
    return name


def flagged(fmu: Path, out: Path, *, flags: int = 0, method: int | None = None) -> Path:
    """Say of every file, here and in the table of contents, that it is packed in another way."""
    data = bytearray(fmu.read_bytes())
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        for match in re.finditer(re.escape(signature), bytes(data)):
            old_flags, old_method = struct.unpack_from("<HH", data, match.start() + at)
            new = (old_flags | flags, old_method if method is None else method)
            struct.pack_into("<HH", data, match.start() + at, *new)
    out.write_bytes(data)
    return out


def bomb(fmu: Path, out: Path, megabytes: int) -> Path:
    """Add zeros, which hardly take any room."""
    return rewritten(fmu, out, {"resources/zeros": bytes(megabytes * 1_000_000)})


def promised(fmu: Path, out: Path, size: int) -> Path:
    """Say in the table of contents that the first file has another size."""
    data = bytearray(fmu.read_bytes())
    struct.pack_into("<I", data, data.index(b"PK\x01\x02") + 24, size)
    out.write_bytes(data)
    return out


def doubled(fmu: Path, out: Path, name: str) -> Path:
    """Let a file stand in the archive twice."""
    with zipfile.ZipFile(fmu) as archive:
        files = [(n, archive.read(n)) for n in archive.namelist()]
    return archived(out, [*files, *(f for f in files if f[0] == name)])


def with_experiment(fmu: Path, out: Path, table: bytes) -> Path:
    """Put a reference inside."""
    manifest = b"<x><Related role='experiment' source='e.xml'/></x>"
    experiment = b"<x><Experiment><References source='r.csv'/></Experiment></x>"
    files = {MANIFEST: manifest, "e.xml": experiment, "r.csv": table}
    return rewritten(fmu, out, {f"{FOLDER}/{name}": data for name, data in files.items()})


def garbled(data: bytes, rng: random.Random) -> bytes:
    """Cut a file, or flip bits, put in or take out a piece, in its table of contents, too."""
    new, at = bytearray(data), rng.randrange(len(data))
    contents = data.rindex(b"PK\x01\x02")
    kind = rng.choice(("cut", "flip", "contents", "zeros", "more", "less"))
    if kind == "cut":
        del new[at:]
    elif kind in ("flip", "contents"):
        begin = contents if kind == "contents" else 0
        for _ in range(rng.choice((1, 3, 30))):
            new[rng.randrange(begin, len(new))] ^= 1 << rng.randrange(8)
    elif kind == "zeros":
        new[at : at + 500] = bytes(500)
    elif kind == "more":
        new[at:at] = rng.randbytes(100)
    else:
        del new[at : at + rng.randrange(1, 5000)]
    return bytes(new)


SCENE_CHANGES: dict[str, Change] = {
    "no JSON": b"{",
    "nothing": b"",
    "a number": b"7",
    "a list": b"[]",
    "null": b"null",
    "no UTF-8": b'{"format": 1, "model": "\xff"}',
    "another format": replaced(r'"format":\d+', '"format":"1"'),
    "bodies are a number": replaced(r'"bodies":\[', '"bodies":3,"b":['),
    "bodies are tables": replaced(r'"bodies":\[', '"bodies":{"a":1},"b":['),
    "a body is a number": replaced(r'"bodies":\[', '"bodies":[1,'),
    "no bodies": replaced(r'"bodies":\[', '"bodies":[],"b":['),
    "no joints": replaced(r'"joints":', '"j":'),
    "the name is a list": replaced(r'"model":"[^"]*"', '"model":["a"]'),
    "a name is nothing": replaced(r'"bodies":\[\{"name":"[^"]*"', '"bodies":[{"name":null'),
    "a point holds text": replaced(r'"com":\[', '"com":["a",'),
    "a point is infinite": replaced(r'"com":\[', '"com":[1e999,'),
    "a point is no number": replaced(r'"com":\[', '"com":[NaN,'),
    "a point is true": replaced(r'"com":\[', '"com":[true,'),
    "a number has 5000 digits": replaced(r'"com":\[', f'"com":[1{"0" * 5000},'),
    "a whole number is huge": replaced(r'"com":\[', f'"com":[1{"0" * 400},'),
    "brackets in brackets": b"[" * 200_000,
}
