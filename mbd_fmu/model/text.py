"""The text of a model file: read with care for its size and its encoding."""

from __future__ import annotations

import re
from pathlib import Path

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.host.reading import bounded_bytes
from mbd_fmu.quantities.limits import MOST_BYTES, MOST_PARTS

_SAVE = "save it as UTF-8"
# Parts of a key with dots between; the reader of TOML takes time that grows with their square.
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+"""
_LONG_KEY = re.compile(rf"(?<![\w-])(?:{_PART}\.[ \t]*+){{{MOST_PARTS}}}")


def text_of(path: Path) -> str:
    """Return the text of a model file."""
    data = bounded_bytes(path, MOST_BYTES, advice="give a model file or its folder")
    text = _decoded(data, path)
    if found := _LONG_KEY.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise MbdFmuError(
            f"{path}: line {line}: a key of more than {MOST_PARTS} parts; "
            "keys of a model have three at most, as in output.point.name"
        )
    return text


def _decoded(data: bytes, path: Path) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:4]:
        raise MbdFmuError(f"{path}: is written in UTF-16; {_SAVE}")
    try:
        return data.decode("utf-8-sig")  # with or without a byte order mark
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise MbdFmuError(
            f"{path}: line {line}: the byte 0x{data[error.start]:02x} is no UTF-8, it may be "
            f"Latin-1 or Windows-1252; {_SAVE}"
        ) from None
