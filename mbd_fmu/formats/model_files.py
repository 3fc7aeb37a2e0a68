"""Mechanisms in files: model files of ours, and robots of other formats with what lies beside."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.formats.accounting import Report, located
from mbd_fmu.formats.choices import DEFAULT, OPTIONS, ROBOTS, Choices
from mbd_fmu.formats.overlays.overlay import SUFFIX, Overlay, overlay_beside, read_overlay
from mbd_fmu.formats.overlays.overlaying import overlaid
from mbd_fmu.formats.robot_files import robot_in
from mbd_fmu.formats.robots.merging import merged
from mbd_fmu.formats.robots.mimics import refuse_still_mimics, resolved_mimics
from mbd_fmu.formats.robots.robot import Robot
from mbd_fmu.formats.robots.tree import tree_of
from mbd_fmu.formats.tables.model_table import model_table
from mbd_fmu.formats.tables.writing import root_joint_of, writing_of
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
        return _open_robot(path, choices)
    if path.name.endswith(SUFFIX):
        raise MbdFmuError(f"{path}: is an overlay; give the robot it belongs to, or --overlay it")
    if choices != DEFAULT:
        raise MbdFmuError(f"{path}: is a model file of ours; {OPTIONS} are of robots")
    return Opened(reader.read_model(path))


def _open_robot(path: Path, choices: Choices) -> Opened:
    """Make a mechanism of a robot, and of what an overlay adds to it."""
    robot, account = robot_in(path, choices)
    mimics = resolved_mimics(robot, account)
    account.refuse_problems()
    tree = tree_of(robot)
    overlay = _overlay_of(path, robot, choices)
    if overlay is not None:
        account.overlay = overlay.file
        choices = replace(choices, keep=(*choices.keep, *overlay.kept(robot, tree)))
    parts = merged(robot, tree, choices, account)
    refuse_still_mimics(mimics, parts, account)
    account.refuse_problems()
    writing = writing_of(robot, tree, parts, mimics, choices, account, path.parent)
    table = model_table(writing)
    if overlay is not None:
        table = overlaid(table, overlay, writing)
    account.refuse_problems()
    with located(account.file, account.places):
        spec = reader.spec_of_table(table, account.file)
    return Opened(replace(spec, folder=path.parent), account.report())


def _overlay_of(path: Path, robot: Robot, choices: Choices) -> Overlay | None:
    """Read the overlay that is named, or that stands beside the robot."""
    file = choices.overlay or overlay_beside(path)
    if file.exists():
        return read_overlay(file, robot, root_joint_of(robot.root, choices))
    if choices.overlay is not None:
        raise MbdFmuError(f"{file}: no such overlay")
    return None
