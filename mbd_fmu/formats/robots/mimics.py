"""Joints that follow others: chains of them are resolved to the joint that leads."""

from __future__ import annotations

from collections.abc import Mapping

from mbd_fmu.errors import nearest, shortened
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.robots.merging import Merged
from mbd_fmu.formats.robots.robot import Joint, Mimic, Robot

ONE_FREEDOM = ("revolute", "continuous", "prismatic")


def resolved_mimics(robot: Robot, account: Account) -> dict[str, Mimic]:
    """Return for each joint that follows whom it follows in the end, and how."""
    found = {}
    for joint in robot.joints.values():
        if joint.mimic is not None and joint.is_fixed:
            where = f'joint "{joint.name}", mimic'
            account.note(where, joint.mimic.line, "a fixed joint stays where it is")
        elif joint.mimic is not None:
            mimic = _resolved(robot, joint, joint.mimic, account)
            if mimic is not None:
                found[joint.name] = mimic
    return found


def refuse_still_mimics(mimics: Mapping[str, Mimic], merged: Merged, account: Account) -> None:
    """Refuse those of joints whose links are one body: they cannot move."""
    moving = {joint.name for joint in merged.joints}
    for name, mimic in mimics.items():
        for still in {name, mimic.joint} - moving:
            found = f'"{shortened(still)}" closes a loop within one body and cannot move'
            account.problem(mimic.line, f'joint "{shortened(name)}", mimic', found, "leave it out")


def _resolved(robot: Robot, joint: Joint, mimic: Mimic, account: Account) -> Mimic | None:
    where = f'joint "{shortened(joint.name)}", mimic'
    if joint.type not in ONE_FREEDOM:
        found = f"a {joint.type} joint cannot follow another"
        account.problem(mimic.line, where, found, "only one that turns or slides can")
        return None
    seen = [joint.name]
    ratio, offset, leader = mimic.multiplier, mimic.offset, mimic.joint
    while True:
        if leader in seen:
            chain = " -> ".join(map(shortened, [*seen, leader]))
            found = (
                "the joint follows itself" if len(seen) == 1 else f"joints follow round: {chain}"
            )
            account.problem(mimic.line, where, found, "name a joint that leads")
            return None
        if leader not in robot.joints:
            others = [name for name in robot.joints if name != joint.name]
            if leader:
                text = f'no joint "{shortened(leader)}"'
                account.problem(mimic.line, where, text, nearest(leader, others))
            return None
        ahead = robot.joints[leader]
        if ahead.type not in ONE_FREEDOM:
            found = f'"{shortened(leader)}" is {ahead.type}: it has not one coordinate'
            account.problem(mimic.line, where, found, "name one that turns or slides")
            return None
        if ahead.mimic is None:
            return Mimic(leader, ratio, offset, mimic.line)
        # q = ratio * (r q' + o) + offset
        offset = ratio * ahead.mimic.offset + offset
        ratio = ratio * ahead.mimic.multiplier
        seen.append(leader)
        leader = ahead.mimic.joint
