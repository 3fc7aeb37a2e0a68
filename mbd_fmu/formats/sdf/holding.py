"""What holds a model in the world: its joints, or what the user chooses, or nothing."""

from __future__ import annotations

from dataclasses import replace

from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.robots.names import unused
from mbd_fmu.formats.robots.robot import Joint, Robot
from mbd_fmu.formats.robots.tree import groups_of
from mbd_fmu.formats.sdf.frames import Frames
from mbd_fmu.formats.sdf.scopes import WORLD, Scope


def held(robot: Robot, top: Scope, frames: Frames, choices: Choices) -> Robot:
    """Join to the world what no joint of the file leads to from there.

    The canonical link of a model that the file does not hold stands or flies, as is chosen; what
    is still loose then flies.
    """
    group = groups_of(robot)
    joined = {group[WORLD]}
    joints: dict[str, Joint] = {}
    kind = "fixed" if choices.base == "fixed" else "floating"
    for model in top.nested if top.frame == WORLD else (top,):
        link = frames.link(model.frame)
        own = [name for name in robot.links if name.startswith(model.prefix) and name != WORLD]
        is_loose = link in own and all(group[name] != group[WORLD] for name in own)
        if is_loose and group[link] not in joined:  # nor does another model carry it
            joined.add(group[link])
            joint = _to_world(robot, link, kind, frames)
            joints[joint.name] = joint
            text = f'joined to the ground by "{joint.name}", for no joint of the file does'
            top.account.take(f'link "{link}"', joint.line, text)
    for link in robot.links:
        if group[link] not in joined:
            joined.add(group[link])
            joint = _to_world(robot, link, "floating", frames)
            joints[joint.name] = joint
            text = "no joint leads to it from the world: it flies"
            top.account.note(f'link "{link}"', joint.line, text)
    return replace(robot, joints=joints | robot.joints)


def _to_world(robot: Robot, link: str, kind: str, frames: Frames) -> Joint:
    end, taken = "rigid" if kind == "fixed" else "free", {*robot.joints, *frames.frames}
    name = unused(f"{link}_{end}", taken)
    place, line = frames.between(WORLD, link), robot.links[link].line
    return Joint(name, line, kind, WORLD, link, place)
