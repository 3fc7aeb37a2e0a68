"""Which joints lead from the root of a robot to its links, and which ones close loops."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from mbd_fmu.formats.robots.robot import Joint, Robot


@dataclass(frozen=True)
class Step:
    """A joint, the way it is walked from the root outward."""

    joint: Joint
    near: str  # the link that is known already
    far: str  # the link it leads to

    @property
    def is_forward(self) -> bool:
        """It leads from its parent to its child."""
        return self.near == self.joint.parent


@dataclass(frozen=True)
class LinkTree:
    """The root, the ways to all links it reaches, near ones first, and the joints left over."""

    root: str
    steps: tuple[Step, ...]
    closing: tuple[Joint, ...]

    @property
    def reached(self) -> set[str]:
        """All links that joints lead to from the root."""
        return {self.root, *(step.far for step in self.steps)}

    def carrier(self, link: str) -> Joint | None:
        """Return the joint that leads to a link; none to the root."""
        return next((step.joint for step in self.steps if step.far == link), None)


def tree_of(robot: Robot) -> LinkTree:
    """Walk from the root, whichever way joints point; the ends of all joints are links."""
    around = _around(robot)
    reached, used = {robot.root}, set()
    steps: list[Step] = []
    waiting = [robot.root]
    while waiting:
        near = waiting.pop(0)
        for joint in around[near]:
            far = joint.child if joint.parent == near else joint.parent
            if far not in reached:
                reached.add(far)
                used.add(joint.name)
                steps.append(Step(joint, near, far))
                waiting.append(far)
    closing = tuple(joint for joint in robot.joints.values() if joint.name not in used)
    return LinkTree(robot.root, tuple(steps), closing)


def groups_of(robot: Robot) -> dict[str, str]:
    """Return for each link the first one of all that joints lead to from it."""
    around = _around(robot)
    found: dict[str, str] = {}
    for first in robot.links:
        waiting = [first]
        while waiting:
            link = waiting.pop()
            if link not in found:
                found[link] = first
                waiting += [end for joint in around[link] for end in (joint.parent, joint.child)]
    return found


def _around(robot: Robot) -> dict[str, list[Joint]]:
    """Return the joints of each link, but those that close loops by the word of the file."""
    around: dict[str, list[Joint]] = defaultdict(list)
    for joint in robot.joints.values():
        if not joint.is_closing:
            around[joint.parent].append(joint)
            around[joint.child].append(joint)
    return around
