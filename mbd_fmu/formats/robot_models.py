"""Robots in files of other formats, made mechanisms, with what lies beside them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.formats.accounting import Report, located
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.overlays.overlay import Overlay, overlay_beside, read_overlay
from mbd_fmu.formats.overlays.overlaying import overlaid
from mbd_fmu.formats.robot_files import robot_in
from mbd_fmu.formats.robots.merging import merged
from mbd_fmu.formats.robots.mimics import refuse_still_mimics, resolved_mimics
from mbd_fmu.formats.robots.robot import Robot
from mbd_fmu.formats.robots.tree import tree_of
from mbd_fmu.formats.tables.model_table import model_table
from mbd_fmu.formats.tables.writing import root_joint_of, writing_of
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.model.spec import Spec


def spec_of_robot(path: Path, choices: Choices) -> tuple[Spec, Report]:
    """Make a mechanism of a robot and of what an overlay adds; return an account of it, too."""
    robot, account = robot_in(path, choices)
    mimics = resolved_mimics(robot, account)
    account.refuse_problems()
    tree = tree_of(robot)
    overlay = _overlay_of(path, robot, choices)
    if overlay is not None:
        account.overlay = overlay.file
        choices = replace(choices, keep=(*choices.keep, *overlay.kept(robot, tree)))
    parts = merged(robot, tree, choices, account)
    refuse_still_mimics(mimics, parts, account)
    account.refuse_problems()
    writing = writing_of(robot, tree, parts, mimics, choices, account, path.parent)
    table = model_table(writing)
    if overlay is not None:
        table = overlaid(table, overlay, writing)
    account.refuse_problems()
    with located(account.file, account.places):
        spec = spec_of_table(table, account.file)
    return replace(spec, folder=path.parent), account.report()


def _overlay_of(path: Path, robot: Robot, choices: Choices) -> Overlay | None:
    """Read the overlay that is named, or that stands beside the robot."""
    file = choices.overlay or overlay_beside(path)
    if file.exists():
        return read_overlay(file, robot, root_joint_of(robot.root, choices))
    if choices.overlay is not None:
        raise MbdFmuError(f"{file}: no such overlay")
    return None
