"""Which reader takes a file: ours for TOML, others for robots of other formats."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.formats.accounting import Account, Report, located
from mbd_fmu.formats.choices import DEFAULT, Choices
from mbd_fmu.formats.folders import Folders
from mbd_fmu.formats.merging import merged
from mbd_fmu.formats.mimics import resolved_mimics
from mbd_fmu.formats.model_table import model_table
from mbd_fmu.formats.tree import tree_of
from mbd_fmu.formats.urdf.reader import robot_of
from mbd_fmu.formats.xacro_door import expanded
from mbd_fmu.formats.xml_tree import Element, read_xml, xml_of
from mbd_fmu.model import reader
from mbd_fmu.model.spec import Spec

XACRO = ".xacro"


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
        return located(self.report.file, self.report.lines) if self.report else nullcontext()


def read_model(path: str | Path, choices: Choices = DEFAULT) -> Spec:
    """Read a model file, or a robot of another format."""
    return open_model(path, choices).spec


def open_model(path: str | Path, choices: Choices = DEFAULT) -> Opened:
    """Read a model file, or a robot of another format with an account of it."""
    path = Path(path)
    if path.suffix.lower() in (".urdf", XACRO):
        return _open_urdf(path, choices)
    if choices != DEFAULT:
        raise MbdFmuError(
            f"{path}: is a model file of ours; --base, --lenient, --stops, --keep, --arg and "
            "--package-path are of robots in URDF"
        )
    return Opened(reader.read_model(path))


def _expanded(path: Path, choices: Choices, account: Account) -> Element:
    """Return the root of what xacro makes of a file; lines are those of the expanded text."""
    made = expanded(path, dict(choices.arguments), Folders(path.parent, choices))
    root = xml_of(made.text, account.file)
    for text in made.said:
        account.note("xacro", root.line, text)
    return root


def _open_urdf(path: Path, choices: Choices) -> Opened:
    is_xacro = path.suffix.lower() == XACRO
    if choices.arguments and not is_xacro:
        raise MbdFmuError(f"{path}: --arg is of xacro; is it robot.urdf.xacro that you mean?")
    account = Account(f"{path} (expanded)" if is_xacro else str(path), choices.is_lenient)
    try:
        root = _expanded(path, choices, account) if is_xacro else read_xml(path)
    except FileNotFoundError:
        raise MbdFmuError(f"{path}: no such file") from None
    except OSError as error:
        raise MbdFmuError(f"{path}: cannot be read: {error.strerror}") from None
    robot = robot_of(root, account)
    tree = tree_of(robot, account)
    mimics = resolved_mimics(robot, account)
    account.refuse_problems()
    parts = merged(robot, tree, choices, account)
    account.refuse_problems()
    table = model_table(robot, tree, parts, mimics, choices, account, path.parent)
    with located(account.file, account.lines):
        spec = reader.spec_of_table(table, account.file)
    return Opened(replace(spec, folder=path.parent), account.report())
