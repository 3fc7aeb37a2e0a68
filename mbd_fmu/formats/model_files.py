"""Which reader takes a file: ours for TOML, others for robots of other formats."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from mbd_fmu.errors import MbdFmuError, shortened
from mbd_fmu.formats.accounting import Account, Report, located
from mbd_fmu.formats.choices import DEFAULT, Choices
from mbd_fmu.formats.merging import merged
from mbd_fmu.formats.mimics import resolved_mimics
from mbd_fmu.formats.mjcf import reader as mjcf
from mbd_fmu.formats.model_table import model_table
from mbd_fmu.formats.overlay import SUFFIX, Overlay, overlay_beside, read_overlay
from mbd_fmu.formats.overlaying import overlaid
from mbd_fmu.formats.robot import Robot
from mbd_fmu.formats.sdf import reader as sdf
from mbd_fmu.formats.tree import tree_of
from mbd_fmu.formats.urdf import reader as urdf
from mbd_fmu.formats.writing import writing_of
from mbd_fmu.formats.xml_tree import Element, read_xml
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
    if path.suffix.lower() == ".urdf":
        return _open_urdf(path, choices)
    if path.suffix.lower() in (".sdf", ".world"):
        return _open_sdf(path, choices)
    if path.suffix.lower() in (".xml", ".mjcf"):
        return _open_xml(path, choices)
    if path.suffix.lower() == ".xacro":
        remedy = "expand it first: xacro robot.urdf.xacro > robot.urdf"
        raise MbdFmuError(f"{path}: xacro is no robot yet; {remedy}")
    if path.name.endswith(SUFFIX):
        raise MbdFmuError(f"{path}: is an overlay; give the robot it belongs to, or --overlay it")
    if choices != DEFAULT:
        raise MbdFmuError(
            f"{path}: is a model file of ours; --base, --lenient, --stops, --keep and "
            "--package-path, --overlay are of robots in URDF, SDF and MJCF"
        )
    return Opened(reader.read_model(path))


def _open_urdf(path: Path, choices: Choices) -> Opened:
    account = Account(str(path), choices.is_lenient)
    return _opened(path, urdf.robot_of(_root_of(path), account), choices, account)


def _open_sdf(path: Path, choices: Choices) -> Opened:
    account = Account(str(path), choices.is_lenient)
    robot = sdf.robot_of(_root_of(path), account, path, choices)
    return _opened(path, robot, choices, account)


def _open_xml(path: Path, choices: Choices) -> Opened:
    """Read a file whose outermost element says what it is."""
    root = _root_of(path)
    if root.tag == "robot":
        return _open_urdf(path, choices)
    if root.tag != "mujoco":
        found = f"the outermost element is <{shortened(root.tag)}>"
        raise MbdFmuError(f"{path}:{root.line}: {found}; <mujoco> and <robot> are read")
    account = Account(str(path), choices.is_lenient)
    return _opened(path, mjcf.robot_of(path, root, choices, account), choices, account)


def _root_of(path: Path) -> Element:
    try:
        return read_xml(path)
    except FileNotFoundError:
        raise MbdFmuError(f"{path}: no such file") from None
    except OSError as error:
        raise MbdFmuError(f"{path}: cannot be read: {error.strerror}") from None


def _opened(path: Path, robot: Robot, choices: Choices, account: Account) -> Opened:
    """Make a mechanism of a robot that was read from a file."""
    mimics = resolved_mimics(robot, account)
    account.refuse_problems()
    tree = tree_of(robot)
    overlay = _overlay_of(path, robot, choices)
    if overlay is not None:
        account.overlay = overlay.file
        choices = replace(choices, keep=(*choices.keep, *overlay.kept(robot, tree)))
    parts = merged(robot, tree, choices, account)
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
        return read_overlay(file, robot)
    if choices.overlay is not None:
        raise MbdFmuError(f"{file}: no such overlay")
    return None
