"""One door for everything that is a model."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

from mbd_fmu.api.model import Model
from mbd_fmu.api.sources import OfFmu, OfMechanism, Source
from mbd_fmu.errors import MbdFmuError, nearest
from mbd_fmu.formats.choices import BASES, DEFAULT, Choices
from mbd_fmu.formats.model_files import Opened, open_model
from mbd_fmu.model.library import find_model
from mbd_fmu.model.spec import Spec, Specified, spec_of


def load(
    source: str | Path | Spec | Specified,
    *,
    base: str = DEFAULT.base,
    lenient: bool = False,
    stops: bool = False,
    keep: Sequence[str] = (),
    package_path: Sequence[str | Path] = (),
    overlay: str | Path | None = None,
    arguments: Mapping[str, str] | None = None,
) -> Model:
    """Load a model: a file, a robot, an FMU, one of the library by name, or a ``Mechanism``.

    The keywords are of robots and mean what the options of the commands do: docs/robots.md.
    """
    if base not in BASES:
        raise MbdFmuError(f'no base "{base}"; {nearest(base, BASES)}')
    choices = Choices(
        base=base,
        is_lenient=lenient,
        stops=stops,
        keep=tuple(keep),
        package_paths=tuple(map(Path, package_path)),
        arguments=tuple((arguments or {}).items()),
        overlay=Path(overlay) if overlay is not None else None,
    )
    if not isinstance(source, str | Path):
        _refuse_choices(choices, "a mechanism in Python")
        return source if isinstance(source, Model) else _model(OfMechanism(Opened(spec_of(source))))
    if str(source).endswith(".fmu"):
        _refuse_choices(choices, str(source))
        if not Path(source).is_file():
            raise MbdFmuError(f"{source}: no such file")
        return _model(OfFmu(Path(source)))
    opened = open_model(find_model(str(source)), choices)
    if opened.report and (unknown := opened.report.warnings()):
        warnings.warn("\n".join(unknown), stacklevel=2)
    return _model(OfMechanism(opened))


def _model(source: Source) -> Model:
    """Return the model, once it is sure that it has variables: what is wrong is said here."""
    source.variables("input")
    return Model(source)


def _refuse_choices(choices: Choices, what: str) -> None:
    if choices != DEFAULT:
        raise MbdFmuError(f"{what}: base, lenient, stops, keep and the like are of robots")
