"""Foreign code that may read a few folders, and do nothing else to the machine.

Python tells its audit hooks what it is about to do, whoever asks for it and by whatever way. A hook
stays for good once it is there, so it looks first whether there is a fence at all.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mbd_fmu.errors import MbdFmuError

# What evaluating an expression takes, and looking for files by a pattern: each of those that are
# opened is judged by itself.
_HARMLESS = {"compile", "exec", "builtins.id", "glob.glob", "glob.glob/2"}
_LISTING = {"os.listdir", "os.scandir"}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class FenceError(MbdFmuError):
    """Something was about to be done that is not allowed."""


@dataclass(frozen=True)
class _Fence:
    folders: tuple[Path, ...]
    most_bytes: int

    def judge(self, event: str, args: tuple[Any, ...]) -> None:
        if event not in {"open", *_LISTING} or not isinstance(args[0], str | bytes | os.PathLike):
            raise FenceError(f"it would do what a robot has no use for ({event})")
        path = Path(os.fsdecode(args[0])).resolve()
        if not any(path.is_relative_to(folder) for folder in self.folders):
            raise FenceError(f"{path} lies outside")
        if event in _LISTING:
            return
        if set(str(args[1] or "r")) & set("wax+") or args[2] & _WRITING:
            raise FenceError(f"it would write {path}")
        if path.exists() and not path.is_file():
            raise FenceError(f"{path} is no file")
        if path.is_file() and path.stat().st_size > self.most_bytes:
            raise FenceError(f"{path} is larger than {self.most_bytes / 1e6:g} MB")


_NOW: ContextVar[_Fence | None] = ContextVar("fence", default=None)


@contextmanager
def fenced(folders: Sequence[Path], most_bytes: int) -> Iterator[None]:
    """Let only files within some folders be read, none larger than so; all else is refused."""
    _install()
    token = _NOW.set(_Fence(tuple(folder.resolve() for folder in folders), most_bytes))
    try:
        yield
    finally:
        _NOW.reset(token)


@cache
def _install() -> None:
    sys.addaudithook(_hear)


def _hear(event: str, args: tuple[Any, ...]) -> None:
    fence = _NOW.get()
    if fence is None or event in _HARMLESS:
        return
    token = _NOW.set(None)  # judging looks at files, too
    try:
        fence.judge(event, args)
    finally:
        _NOW.reset(token)
