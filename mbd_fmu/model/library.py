"""The models that come with the project, and how a user names a model."""

from __future__ import annotations

from pathlib import Path

from mbd_fmu.errors import MbdFmuError, nearest
from mbd_fmu.signals.csv_files import read_csv
from mbd_fmu.signals.trajectory import Trajectory

_PACKAGE = Path(__file__).parents[1]


def library_folder() -> Path:
    """Return where the models lie: inside the installed package, or beside it in a checkout."""
    installed = _PACKAGE / "_models"
    return installed if installed.is_dir() else _PACKAGE.parent / "models"


def library() -> dict[str, Path]:
    """Return all models by name."""
    folder = library_folder()
    return {path.parent.name: path.parent for path in sorted(folder.glob("*/model.toml"))}


def find_model(text: str) -> Path:
    """Return the model file a user means: a file, a folder, or the name of one of ours."""
    path = Path(text)
    if path.is_file():
        return path
    if (path / "model.toml").is_file():
        return path / "model.toml"
    models = library()
    if text in models:
        return models[text] / "model.toml"
    raise MbdFmuError(
        f"{text}: no such file, no folder with a model.toml, no model of ours; "
        f"{nearest(text, models)}"
    )


def table_beside(model: Path, name: str) -> Trajectory | None:
    """Read a table that lies beside a model file, if there is one."""
    path = model.parent / name
    return read_csv(path) if path.is_file() else None
