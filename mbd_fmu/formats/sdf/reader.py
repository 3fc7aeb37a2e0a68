"""From an SDF file to the robot it describes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from mbd_fmu.errors import MbdFmuError, nearest, shortened
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.robots.placements import Triple
from mbd_fmu.formats.robots.robot import Joint, Link, Robot
from mbd_fmu.formats.sdf.frames import Frames, frames_of
from mbd_fmu.formats.sdf.grammar import SDF
from mbd_fmu.formats.sdf.holding import held
from mbd_fmu.formats.sdf.includes import Reading
from mbd_fmu.formats.sdf.joints import JointReader
from mbd_fmu.formats.sdf.links import LinkReader
from mbd_fmu.formats.sdf.names import Names
from mbd_fmu.formats.sdf.scopes import MODEL, WORLD, Scope, Source
from mbd_fmu.formats.sdf.versions import check_version
from mbd_fmu.formats.xml.attributes import Texts
from mbd_fmu.formats.xml.grammar import check
from mbd_fmu.formats.xml.xml_tree import Element

_GRAVITY = (0.0, 0.0, -9.8)  # of a world that does not say it, by the format


def robot_of(root: Element, account: Account, path: Path, choices: Choices) -> Robot:
    """Read the outermost element; what is wrong stands in the account."""
    if root.tag != "sdf":
        advice = {"robot": "it is URDF: call it .urdf", "mujoco": "it is MJCF"}
        text = advice.get(root.tag, nearest(root.tag, ["sdf"]))
        found = f"the outermost element is <{shortened(root.tag)}>, not <sdf>"
        raise MbdFmuError(f"{account.file}:{root.line}: {found}; {text}")
    check(root, SDF, "sdf", account)
    check_version(root, account)
    tops = [child for child in root.children if child.tag in ("model", "world")]
    if len(tops) != 1:
        found = f"holds {len(tops)} models and worlds"
        account.problem(root.line, "sdf", found, "give one model, or one world with models in it")
        account.refuse_problems()
    element = tops[0]
    is_world = element.tag == "world"
    frame = WORLD if is_world else MODEL
    source = Source(element, account, (path,))
    top = Reading(choices).scope(source, source, "", frame)
    names = Names()
    names.lines[WORLD] = element.line
    names.learn(top)
    frames = frames_of(top, names)
    robot = Robot(
        element.attributes.get("name", "").strip(),
        element.line,
        _links(top, frames),
        _joints(top, frames),
        WORLD,
        _gravity(element, account) if is_world else (),
    )
    if len(robot.links) == 1:
        found = "nothing moves: there is no link, or all are of static models"
        account.problem(element.line, element.tag, found, "add a <link>, or take <static> out")
    account.refuse_problems()
    return _with_frames(held(robot, top, frames, choices), top, frames)


def _with_frames(robot: Robot, top: Scope, frames: Frames) -> Robot:
    """Return the robot with the frames that move: links without mass on fixed joints."""
    links, joints = dict(robot.links), dict(robot.joints)
    for scope in top.walk():
        for key, element in scope.elements("frame"):
            onto, line = frames.link(key), scope.account.outer(element.line)
            scope.account.take(f'frame "{key}"', element.line, f'moves with "{onto}"')
            if onto != WORLD:
                links[key] = Link(key, line)
                joints[key] = Joint(key, line, "fixed", onto, key, frames.between(onto, key))
    return replace(robot, links=links, joints=joints)


def _links(top: Scope, frames: Frames) -> dict[str, Link]:
    """Return the world and all links that may move."""
    found = {WORLD: Link(WORLD, top.line, is_world=True)}
    for scope in top.walk():
        if scope.is_static:
            text = "static: part of the ground; its shapes are not shown"
            scope.account.take(f'model "{scope.frame}"', scope.element.line, text)
            continue
        reader = LinkReader(scope, frames)
        found |= {key: reader.read(key, element) for key, element in scope.elements("link")}
    return found


def _joints(top: Scope, frames: Frames) -> dict[str, Joint]:
    found: dict[str, Joint] = {}
    for scope in top.walk():
        reader = JointReader(scope, frames)
        for key, element in scope.elements("joint"):
            joint = reader.read(key, element)
            found |= {key: joint} if joint is not None else {}
    return found


def _gravity(world: Element, account: Account) -> Triple:
    numbers = Texts(world, "world", account)
    if not numbers.has("gravity"):
        account.note("world", world.line, "no <gravity>: 0 0 -9.8, as SDF has it")
    return numbers.vector("gravity", _GRAVITY)
