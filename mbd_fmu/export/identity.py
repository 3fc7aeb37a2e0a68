"""What is made is kept by what it is made of: a mechanism, this package, what it builds with."""

from __future__ import annotations

import hashlib
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from mbd_fmu.model.spec import Spec

_PACKAGE = Path(__file__).parents[1]
_CODE = (".py", ".c", ".h")
_MADE_BY = ("numpy", "scipy", "casadi", "ziglang")


def identity(spec: Spec, *more: bytes) -> bytes:
    """Return one hash of a mechanism, of this package, and of more."""
    parts = (_written(spec).encode(), package_digest(), *more)
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).digest()


def _written(value: Any) -> str:
    """Write down all by which two specifications are told apart."""
    if is_dataclass(value):
        parts = (f"{f.name}={_written(getattr(value, f.name))}" for f in fields(value) if f.compare)
        return f"{type(value).__name__}({', '.join(parts)})"
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_written, value)))}}}"
    if value is None or isinstance(value, str | bool | int | float):
        return repr(value)
    raise TypeError(f"{type(value).__name__} in a specification: how is it told from another?")


@cache
def package_digest() -> bytes:
    """Tell this package and what it builds with from any other version of them."""
    digest = hashlib.sha256()
    for path in sorted(p for p in _PACKAGE.rglob("*") if p.suffix in _CODE):
        text = path.read_bytes()
        digest.update(f"{path.relative_to(_PACKAGE).as_posix()} {len(text)} ".encode() + text)
    for name in _MADE_BY:
        digest.update(f"{name} {metadata.version(name)}\n".encode())
    return digest.digest()
