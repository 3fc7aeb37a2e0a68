"""From a URDF file to the robot it describes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol, TypeVar

from mbd_fmu.errors import MbdFmuError, nearest, shortened
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.robots.robot import Robot
from mbd_fmu.formats.urdf.grammar import ROBOT
from mbd_fmu.formats.urdf.joints import read_joint
from mbd_fmu.formats.urdf.links import read_colors, read_link
from mbd_fmu.formats.urdf.tree import root_of
from mbd_fmu.formats.xml.grammar import UNEXPANDED, check
from mbd_fmu.formats.xml.xml_tree import Element

_EXPAND = "expand the file first: xacro robot.urdf.xacro > robot.urdf"


def robot_of(root: Element, account: Account) -> Robot:
    """Read the outermost element; what is wrong stands in the account."""
    if root.tag != "robot":
        advice = {
            "sdf": "it is SDF: call it .sdf",
            "mujoco": "it is MJCF",
            "mujocoinclude": "it is MJCF",
        }
        text = advice.get(root.tag, nearest(root.tag, ["robot"]))
        found = f"the outermost element is <{shortened(root.tag)}>, not <robot>"
        raise MbdFmuError(f"{account.file}:{root.line}: {found}; {text}")
    _refuse_unexpanded(root, account)
    check(root, ROBOT, "robot", account)
    colors = read_colors(root, account)
    links = [read_link(element, colors, account) for element in root.all("link")]
    joints = [read_joint(element, account) for element in root.all("joint")]
    if not links:
        account.problem(root.line, "robot", "there is no link", 'add <link name="base"/>')
    name = root.attributes.get("name", "").strip()
    robot = Robot(
        name, root.line, _by_name("link", links, account), _by_name("joint", joints, account)
    )
    return replace(robot, root=root_of(robot, account))


class _Named(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def line(self) -> int: ...


_Kind = TypeVar("_Kind", bound=_Named)


def _by_name(kind: str, elements: Iterable[_Kind], account: Account) -> dict[str, _Kind]:
    found: dict[str, _Kind] = {}
    for element in elements:
        if not element.name:
            continue  # and its reader has said so
        first = found.setdefault(element.name, element)
        if first is not element:
            text = f"a second {kind} of this name; the first stands in line {first.line}"
            where = f'{kind} "{shortened(element.name)}"'
            account.problem(element.line, where, text, "rename one")
    return found


def _refuse_unexpanded(root: Element, account: Account) -> None:
    """Say once that a file still has to go through xacro; all else would be noise."""
    for element in root.walk():
        if element.tag.startswith("xacro:"):
            found = f"<{shortened(element.tag)}>: the file is xacro that is not expanded"
            raise MbdFmuError(f"{account.file}:{element.line}: {found}; {_EXPAND}")
        for name, value in element.attributes.items():
            if any(sign in value for sign in UNEXPANDED):
                found = f'{name}="{shortened(value)}": the file is xacro that is not expanded'
                raise MbdFmuError(f"{account.file}:{element.line}: {found}; {_EXPAND}")
