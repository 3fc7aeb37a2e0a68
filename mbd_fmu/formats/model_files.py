"""Mechanisms in files: model files of ours, and robots of other formats with what lies beside."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.formats.accounting import Report, located
from mbd_fmu.formats.choices import DEFAULT, OPTIONS, OVERLAY, ROBOTS, Choices
from mbd_fmu.model import reader
from mbd_fmu.model.library import model_file
from mbd_fmu.model.spec import Spec


@dataclass(frozen=True)
class Opened:
    """A mechanism, and the account of the file it was read from if that is not one of ours."""

    spec: Spec
    report: Report | None = None

    @property
    def notices(self) -> list[str]:
        """Return what a user should hear about the file."""
        return self.report.summary() if self.report else []

    def located(self) -> AbstractContextManager[None]:
        """Let problems that are found later say where in the file their elements stand."""
        return located(self.report.file, self.report.places) if self.report else nullcontext()


def read_model(path: str | Path, choices: Choices = DEFAULT) -> Spec:
    """Read a model file, or a robot of another format."""
    return open_model(path, choices).spec


def open_model(path: str | Path, choices: Choices = DEFAULT) -> Opened:
    """Read a model file, or a robot of another format with an account of it."""
    path = Path(path)
    if path.is_dir():
        path = model_file(path) or path
    if path.suffix.lower() in ROBOTS:
        # what reads robots takes longer to load than many a study to run
        from mbd_fmu.formats.robot_models import spec_of_robot  # noqa: PLC0415

        return Opened(*spec_of_robot(path, choices))
    if path.name.endswith(OVERLAY):
        raise MbdFmuError(f"{path}: is an overlay; give the robot it belongs to, or --overlay it")
    if choices != DEFAULT:
        raise MbdFmuError(f"{path}: is a model file of ours; {OPTIONS} are of robots")
    return Opened(reader.read_model(path))
