"""All that the table of a model is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mbd_fmu.elements.places import GROUND
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.folders import Folders
from mbd_fmu.formats.robots.merging import Merged
from mbd_fmu.formats.robots.names import RESERVED, identifier, identifiers, unused
from mbd_fmu.formats.robots.placements import Placement
from mbd_fmu.formats.robots.robot import Mimic, Robot
from mbd_fmu.formats.robots.tree import LinkTree


@dataclass(frozen=True)
class Writing:
    """A robot, what was made of it so far, and how its parts are called here."""

    robot: Robot
    tree: LinkTree
    merged: Merged
    mimics: Mapping[str, Mimic]
    choices: Choices
    account: Account
    folders: Folders
    links: Mapping[str, str]  # name in the file -> name of ours
    joints: Mapping[str, str]

    def body(self, link: str) -> str:
        """Return what carries a link, by our name."""
        body = self.merged.place[link].body
        return GROUND if body is None else self.links[body]

    @property
    def root_joint(self) -> dict[str, str]:
        """What joins the root to the ground, if that is a body: its name in overlays, and ours."""
        root = self.tree.root
        if self.merged.place[root].body is None:
            return {}
        name = root_joint_of(root, self.choices)
        ours = identifier(root_joint_of(self.links[root], self.choices))
        own = unused(ours, {*self.joints.values()})
        return {name: own}

    def at(self, link: str) -> Placement:
        """Return where a link lies in what carries it."""
        return self.merged.place[link].at


def root_joint_of(root: str, choices: Choices) -> str:
    """Return what the joint is called that joins a root link to the ground."""
    return f"{root}_{'rigid' if choices.base == 'fixed' else 'free'}"


def writing_of(
    robot: Robot,
    tree: LinkTree,
    merged: Merged,
    mimics: Mapping[str, Mimic],
    choices: Choices,
    account: Account,
    folder: Path,
) -> Writing:
    """Give every link and joint its name."""
    links = identifiers(robot.links)
    # variables of joints that turn as they like are called as those of bodies
    turning = [j.name for j in merged.joints if j.type in ("floating", "ball")]
    joints = dict(identifiers(j.name for j in merged.joints if j.name not in turning))
    joints |= identifiers(turning, {*RESERVED, *links.values(), *joints.values()})
    folders = Folders(folder, choices)
    return Writing(robot, tree, merged, mimics, choices, account, folders, links, joints)
