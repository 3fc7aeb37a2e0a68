"""All that the table of a model is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mbd_fmu.elements.places import GROUND
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.folders import Folders
from mbd_fmu.formats.merging import Merged
from mbd_fmu.formats.names import RESERVED, identifiers
from mbd_fmu.formats.placements import Placement
from mbd_fmu.formats.robot import Mimic, Robot
from mbd_fmu.formats.tree import LinkTree


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

    def at(self, link: str) -> Placement:
        """Return where a link lies in what carries it."""
        return self.merged.place[link].at


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
    floating = {links[j.child] for j in merged.joints if j.type == "floating"}
    # variables of a free joint are called as those of the link it carries
    joints = identifiers((j.name for j in merged.joints), RESERVED | floating)
    folders = Folders(folder, choices)
    return Writing(robot, tree, merged, mimics, choices, account, folders, links, joints)
