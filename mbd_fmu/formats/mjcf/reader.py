"""From an MJCF file to the robot it describes."""

from __future__ import annotations

from pathlib import Path

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.choices import DEFAULT, Choices
from mbd_fmu.formats.mjcf.actuators import Actuators
from mbd_fmu.formats.mjcf.bodies import read_bodies
from mbd_fmu.formats.mjcf.called import WORLD, Called
from mbd_fmu.formats.mjcf.census import take_census
from mbd_fmu.formats.mjcf.equalities import Equalities
from mbd_fmu.formats.mjcf.geoms import read_looks
from mbd_fmu.formats.mjcf.mujoco_door import compiled_of
from mbd_fmu.formats.mjcf.options import check_option, gravity_of, obey_flags
from mbd_fmu.formats.mjcf.sources import Source, sources_of
from mbd_fmu.formats.mjcf.tendons import read_tendons
from mbd_fmu.formats.mjcf.weights import check_weights
from mbd_fmu.formats.robots.robot import Robot
from mbd_fmu.formats.xml.xml_tree import Element


def robot_of(path: Path, root: Element, choices: Choices, account: Account) -> Robot:
    """Read a file whose outermost element is <mujoco>; what is wrong stands in the account."""
    if choices.base != DEFAULT.base:
        remedy = "give it a <freejoint/>, or leave --base out"
        raise MbdFmuError(f"{path}: MJCF says itself which body flies; {remedy}")
    sources = sources_of(path, root, choices, account)
    check_weights(sources, account)
    take_census(sources, account)
    account.refuse_problems()
    compiled = compiled_of(path)
    line = _line_of("option", sources)
    for text in compiled.warnings:
        account.note("MuJoCo", root.line, text)
    obey_flags(compiled, line, account)
    check_option(compiled, line, account)
    called = Called(compiled, sources)
    actuators = Actuators(called, account)
    of_joints, of_tendons = actuators.reflected()
    looks = read_looks(called, path.parent, account)
    links, joints = read_bodies(called, looks, of_joints, account)
    equalities = Equalities(called, account)
    equalities.read({*joints})
    springs = read_tendons(called, of_tendons, {*actuators.names}, account)
    if len(links) == 1:
        account.problem(root.line, "worldbody", "there is no body", "add one")
    title = root.attributes.get("model", "") or path.stem
    return Robot(
        title,
        root.line,
        links,
        joints | equalities.joints,
        called.bodies[WORLD],
        gravity_of(compiled),
        tuple(equalities.couplings),
        (*springs, *actuators.read()),
    )


def _line_of(tag: str, sources: list[Source]) -> int:
    """Return where the main file says something; its first line where it does not."""
    found = (e.line for e in sources[0].root.walk() if e.tag == tag)
    return next(found, sources[0].root.line)
