"""Links that fixed joints join are one body: exact, and far less to compute.

A body is called as the first of its links, the one nearest the root, and has its frame. With a
fixed base, a root link without mass and shapes is the ground, and so is all of that kind that
fixed joints join to it; what has mass there is a body on a rigid joint, which carries its reaction.
"""

from __future__ import annotations

from dataclasses import dataclass

from mbd_fmu.errors import nearest, shortened
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.choices import ALL, Choices
from mbd_fmu.formats.robots.placements import Mass, Placement, together
from mbd_fmu.formats.robots.robot import Joint, Link, Robot
from mbd_fmu.formats.robots.tree import LinkTree


@dataclass(frozen=True)
class Place:
    """Where a link lies: in the body that is called as another link, or in the ground."""

    body: str | None  # None: the ground
    at: Placement


@dataclass(frozen=True)
class Merged:
    """A robot whose links were put together."""

    place: dict[str, Place]
    joints: tuple[Joint, ...]  # those that stay, in the order of the file

    def parts(self, body: str) -> list[str]:
        """Return the links of a body, its own first."""
        return [link for link, place in self.place.items() if place.body == body]

    @property
    def bodies(self) -> list[str]:
        """Return all bodies by the links they are called as, from the root outward."""
        return [link for link, place in self.place.items() if place.body == link]

    def mass(self, robot: Robot, body: str) -> Mass:
        """Return the mass of a body in its frame."""
        return together(
            [robot.links[link].mass.seen_from(self.place[link].at) for link in self.parts(body)]
        )


def merged(robot: Robot, tree: LinkTree, choices: Choices, account: Account) -> Merged:
    """Put links together that do not move against each other."""
    _check_kept(robot, tree, choices, account)
    root = robot.links[tree.root]
    is_kept = tree.root in choices.keep
    is_ground = root.is_world or (choices.base == "fixed" and _is_nothing(root) and not is_kept)
    place = {tree.root: Place(None if is_ground else tree.root, Placement())}
    staying = {joint.name for joint in tree.closing}
    for step in tree.steps:
        joint, carrier, far = step.joint, place[step.near], robot.links[step.far]
        is_kept = joint.is_kept or step.far in choices.keep or ALL in choices.keep
        if joint.is_fixed and not is_kept and (carrier.body is not None or _is_nothing(far)):
            way = joint.place if step.is_forward else joint.place.inverse()
            place[step.far] = Place(carrier.body, carrier.at.then(way))
        else:
            place[step.far] = Place(step.far, Placement())
            staying.add(joint.name)
    for joint in tree.closing:
        if place[joint.parent].body == place[joint.child].body:
            staying.discard(joint.name)
            text = "closes a loop within one body: it holds nothing"
            account.note(f'joint "{joint.name}"', joint.line, text)
    return Merged(place, tuple(j for j in robot.joints.values() if j.name in staying))


def _is_nothing(link: Link) -> bool:
    """Tell whether a link is but a frame."""
    return link.mass.is_none and not link.looks


def _check_kept(robot: Robot, tree: LinkTree, choices: Choices, account: Account) -> None:
    for name in choices.keep:
        if name == ALL and ALL not in robot.links:
            continue
        carrier = tree.carrier(name)
        if name not in robot.links:
            found = f'no link "{shortened(name)}"'
            account.problem(robot.line, "--keep", found, nearest(name, robot.links))
        elif carrier is not None and not carrier.is_fixed:
            found = f'link "{shortened(name)}" moves: it is a body of its own anyway'
            account.problem(robot.links[name].line, "--keep", found, "leave it out")
