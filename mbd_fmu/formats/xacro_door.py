"""Xacro, expanded by its own library: one of the extras, so it may be missing.

Its expressions are Python, and it opens files. So expressions are looked at before they are
evaluated, and it works behind a fence: only the folder of the model and those of --package-path are
read, there is no environment, and what it prints is kept.
"""

from __future__ import annotations

import importlib
import importlib.util
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.parsers import expat

from mbd_fmu.errors import MbdFmuError, nearest, shortened
from mbd_fmu.formats.folders import Folders
from mbd_fmu.formats.xacro_expressions import ExpressionRefusedError, check_expression
from mbd_fmu.formats.xml.xml_tree import MOST_BYTES
from mbd_fmu.host.fence import FenceError, fenced

INSTALL = 'pip install "mbd-fmu[xacro]"'
_BY_HAND = "expand it first: xacro robot.urdf.xacro > robot.urdf"

_LATER = (
    *("xacro.substitution_args", "xml.dom.expatbuilder"),
    *(f"encodings.{name}" for name in ("ascii", "latin_1", "cp1252", "utf_16", "utf_8_sig")),
)


@dataclass(frozen=True)
class Expanded:
    """The text that the program xacro would write, and what it would say."""

    text: bytes
    said: tuple[str, ...]


class _RefusedError(MbdFmuError):
    """What a file asks for in vain; the message says why."""


class _Arguments(dict[str, str]):
    """Arguments of a file, which remember those that it asked for."""

    def __init__(self, given: Mapping[str, str]) -> None:
        super().__init__(given)
        self.asked: set[str] = set()

    def __contains__(self, name: object) -> bool:
        self.asked.add(str(name))
        return super().__contains__(name)

    def __getitem__(self, name: str) -> str:
        self.asked.add(name)
        return super().__getitem__(name)


def expanded(path: Path, given: Mapping[str, str], folders: Folders) -> Expanded:
    """Expand a file; ``given`` are values of its arguments."""
    if importlib.util.find_spec("xacro") is None:
        raise MbdFmuError(f"{path}: xacro is no robot yet; {INSTALL}, or {_BY_HAND}")
    import xacro  # noqa: PLC0415  an extra

    for module in _LATER:  # what it would look for behind the fence
        importlib.import_module(module)
    arguments, said = _Arguments(given), io.StringIO()
    quiet = (redirect_stderr(said), redirect_stdout(said))
    try:
        with quiet[0], quiet[1], _confined(folders), fenced(folders.all, MOST_BYTES):
            document = xacro.process_file(str(path.absolute()), mappings=arguments)
            text = document.toprettyxml(indent="  ").encode()
    except Exception as error:  # noqa: BLE001  expressions are Python: any of its errors
        raise MbdFmuError(_refusal(path, error, xacro.filestack)) from None
    for name in given:
        if name not in arguments.asked:
            remedy = nearest(name, arguments.asked)
            raise MbdFmuError(f'{path}: --arg: no argument "{shortened(name)}"; {remedy}')
    if len(text) > MOST_BYTES:
        raise MbdFmuError(f"{path}: expanded it is larger than {MOST_BYTES / 1e6:g} MB")
    return Expanded(text, tuple(filter(None, said.getvalue().splitlines())))


@contextmanager
def _confined(folders: Folders) -> Iterator[None]:
    """Let packages be found where we look for them, and the environment be empty."""
    import xacro  # noqa: PLC0415  an extra
    from xacro import substitution_args as arguments  # noqa: PLC0415

    def find(package: str) -> str:
        found = folders.package(package)
        if found is None:
            raise _RefusedError(f'no package "{shortened(package)}"; is it in a --package-path?')
        return str(found.absolute())

    def env(name: str) -> str:
        raise _RefusedError(f'the environment is not read ("{shortened(name)}"); use --arg')

    def optenv(name: str, default: str = "") -> str:
        del name
        return default

    safe_eval, eval_argument = xacro.safe_eval, arguments._eval  # noqa: SLF001

    def checked_eval(text: str, *known: Any) -> Any:
        check_expression(text)
        return safe_eval(text, *known)

    def checked_argument(text: str, context: Any) -> Any:
        check_expression(text)
        return eval_argument(text, context)

    ours: dict[str, Any] = {"find": find, "env": env, "optenv": optenv}
    before = dict(arguments._eval_dict)  # noqa: SLF001  there is no other way in
    kept = {f"_eval_{name}": getattr(arguments, f"_eval_{name}") for name in ours}
    arguments._eval_dict.update(ours)  # noqa: SLF001
    for name, function in ours.items():
        setattr(arguments, f"_eval_{name}", function)
    xacro.safe_eval, arguments._eval = checked_eval, checked_argument  # noqa: SLF001
    try:
        yield
    finally:
        xacro.safe_eval, arguments._eval = safe_eval, eval_argument  # noqa: SLF001
        arguments._eval_dict.update(before)  # noqa: SLF001
        for name, function in kept.items():
            setattr(arguments, name, function)


def _refusal(path: Path, error: Exception, files: list[str] | None) -> str:
    """Say where it happened, what was found, and what to do."""
    inner, expression = error, ""
    while isinstance(cause := getattr(inner, "exc", None), Exception):  # xacro wraps them
        expression = getattr(inner, "suffix", None) or expression
        inner = cause
    where = str(path)
    if files and files[-1] and Path(files[-1]).name != path.name:
        where += f": in {Path(files[-1]).name}"
    if isinstance(inner, _RefusedError | ExpressionRefusedError):
        return f"{where}: {inner}"
    if isinstance(inner, FenceError):
        return f"{where}: {inner}; only the model's folder and --package-path are read"
    if isinstance(inner, expat.ExpatError):
        return f"{where}:{inner.lineno}: not XML: {shortened(str(inner))}; mend it"
    if type(inner).__name__ == "ArgException":
        name = shortened(str(inner))
        return f'{where}: the argument "{name}" has no value; give one: --arg {name}=...'
    said = " ".join(f"{str(inner) or type(inner).__name__} {expression}".split())
    return f"{where}: xacro cannot expand it: {said}; mend it there"
