"""What holds a model in the world: its joints, or what the user chooses, or nothing."""

from __future__ import annotations

from dataclasses import replace

from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.names import unused
from mbd_fmu.formats.robot import Joint, Robot
from mbd_fmu.formats.sdf.frames import Frames
from mbd_fmu.formats.sdf.scopes import WORLD, Scope
from mbd_fmu.formats.tree import tree_of


def held(robot: Robot, top: Scope, frames: Frames, choices: Choices) -> Robot:
    """Join to the world what no joint of the file leads to from there.

    The canonical link of a model that the file does not hold stands or flies, as is chosen; what
    is still loose then flies.
    """
    by_file = tree_of(robot).reached
    for model in top.nested if top.frame == WORLD else (top,):
        link = frames.link(model.frame)
        own = [name for name in robot.links if name.startswith(model.prefix) and name != WORLD]
        is_loose = link in robot.links and not by_file & {*own}
        if is_loose and link not in tree_of(robot).reached:  # nor does another model carry it
            robot = _joined(robot, link, "fixed" if choices.base == "fixed" else "floating", frames)
    for link in robot.links:
        if link not in tree_of(robot).reached:
            robot = _joined(robot, link, "floating", frames)
    return robot


def _joined(robot: Robot, link: str, kind: str, frames: Frames) -> Robot:
    """Return the robot with a joint more, from the world to a link."""
    name = unused(f"{link}_{'rigid' if kind == 'fixed' else 'free'}", robot.joints)
    place = frames.between(WORLD, link)
    line = robot.links[link].line
    joint = Joint(name, line, kind, WORLD, link, place, is_driven=kind == "fixed")
    return replace(robot, joints=robot.joints | {name: joint})
