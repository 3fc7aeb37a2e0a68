"""Which reader takes the file of a robot: its ending says, or its outermost element."""

from __future__ import annotations

from pathlib import Path

from mbd_fmu.errors import MbdFmuError, shortened
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.folders import Folders
from mbd_fmu.formats.mjcf import reader as mjcf
from mbd_fmu.formats.robots.robot import Robot
from mbd_fmu.formats.sdf import reader as sdf
from mbd_fmu.formats.urdf import reader as urdf
from mbd_fmu.formats.xacro_door import expanded
from mbd_fmu.formats.xml.xml_tree import Element, read_xml, xml_of

_SDF = (".sdf", ".world")
_XACRO = ".xacro"


def robot_in(path: Path, choices: Choices) -> tuple[Robot, Account]:
    """Read the file of a robot; what is wrong stands in the account, or is raised at once."""
    ending = path.suffix.lower()
    if choices.arguments and ending != _XACRO:
        raise MbdFmuError(f"{path}: --arg is of xacro; is it robot.urdf.xacro that you mean?")
    try:
        if ending == _XACRO:
            return _expanded_robot(path, choices)
        account = Account(str(path), choices.is_lenient)
        return _robot_of(path, read_xml(path), choices, account), account
    except FileNotFoundError:
        raise MbdFmuError(f"{path}: no such file") from None
    except OSError as error:
        raise MbdFmuError(f"{path}: cannot be read: {error.strerror}") from None


def _robot_of(path: Path, root: Element, choices: Choices, account: Account) -> Robot:
    ending = path.suffix.lower()
    if ending in _SDF:
        return sdf.robot_of(root, account, path, choices)
    if ending == ".urdf" or root.tag == "robot":
        return urdf.robot_of(root, account)
    if root.tag != "mujoco":
        found = f"the outermost element is <{shortened(root.tag)}>"
        raise MbdFmuError(f"{path}:{root.line}: {found}; <mujoco> and <robot> are read")
    return mjcf.robot_of(path, root, choices, account)


def _expanded_robot(path: Path, choices: Choices) -> tuple[Robot, Account]:
    """Read what xacro makes of a file; lines are those of the expanded text."""
    account = Account(f"{path} (expanded)", choices.is_lenient)
    made = expanded(path, dict(choices.arguments), Folders(path.parent, choices))
    root = xml_of(made.text, account.file)
    for text in made.said:
        account.note("xacro", root.line, text)
    return urdf.robot_of(root, account), account
