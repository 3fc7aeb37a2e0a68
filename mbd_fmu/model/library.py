"""The models that come with the project, and how a user names a model."""

from __future__ import annotations

from pathlib import Path

from mbd_fmu.errors import MbdFmuError, nearest
from mbd_fmu.signals.csv_files import read_csv
from mbd_fmu.signals.trajectory import Trajectory

# what a folder with a model holds, one of them: a model file, or a robot of another format
MODEL_FILES = ("model.toml", "model.urdf", "model.sdf", "model.xml")
_PACKAGE = Path(__file__).parents[1]


def library_folder() -> Path:
    """Return where the models lie: inside the installed package, or beside it in a checkout."""
    installed = _PACKAGE / "_models"
    return installed if installed.is_dir() else _PACKAGE.parent / "models"


def library() -> dict[str, Path]:
    """Return the folders of all models by name."""
    return {path.parent.name: path.parent for path in models_in(library_folder())}


def models_in(folder: Path) -> list[Path]:
    """Return the model files in the folders of a folder."""
    found = (model_file(inner) for inner in sorted(folder.glob("*/")))
    return [path for path in found if path is not None]


def model_file(folder: Path) -> Path | None:
    """Return the model file in a folder, if there is one."""
    return next((folder / name for name in MODEL_FILES if (folder / name).is_file()), None)


def find_model(text: str) -> Path:
    """Return the model file a user means: a file, a folder, or the name of one of ours."""
    path = Path(text)
    if path.is_file():
        return path
    models = library()
    found = model_file(path) or (model_file(models[text]) if text in models else None)
    if found is None:
        raise MbdFmuError(
            f"{text}: no such file, no folder with {', '.join(MODEL_FILES)}, no model of ours; "
            f"{nearest(text, models)}"
        )
    return found


def table_beside(model: Path, name: str) -> Trajectory | None:
    """Read a table that lies beside a model file, if there is one."""
    path = model.parent / name
    return read_csv(path) if path.is_file() else None
