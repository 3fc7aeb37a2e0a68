"""A mechanism as the text of another file: a model file of ours, or URDF."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mbd_fmu.errors import MbdFmuError, SpecError
from mbd_fmu.formats.choices import OVERLAY
from mbd_fmu.formats.robots.robot import Robot
from mbd_fmu.formats.robots.spec_robot import robot_of_spec
from mbd_fmu.formats.toml_text import toml_text
from mbd_fmu.formats.urdf.leftovers import leftovers_of
from mbd_fmu.formats.urdf.unsayable import problems_of
from mbd_fmu.formats.urdf.writer import urdf_text
from mbd_fmu.model.spec import Spec

TOML, URDF = ".toml", ".urdf"
_KNOWN = {".sdf": "SDF", ".world": "SDF", ".xml": "MJCF", ".mjcf": "MJCF", ".xacro": "xacro"}


@dataclass(frozen=True)
class Converted:
    """The text of a file, and what a user should know of it."""

    text: str
    notes: list[str]


def refuse_other_formats(target: Path) -> None:
    """Say what can be written."""
    suffix = target.suffix.lower()
    if target.name.lower().endswith(OVERLAY):
        raise MbdFmuError(f"{target}: is the name of an overlay; give another one")
    if suffix not in (TOML, URDF):
        what = _KNOWN.get(suffix, f'"{suffix}"' if suffix else "a file without an ending")
        raise MbdFmuError(f"{target}: {what} is not written; .toml and .urdf are")


def converted(spec: Spec, source: Path, target: Path) -> Converted:
    """Return what a file is to hold; raise ``SpecError`` with all that it cannot."""
    refuse_other_formats(target)
    move = _Move(spec.folder, target.parent)
    if target.suffix.lower() == TOML:
        table = _with_moved_files(json.loads(spec.text), move)
        remark = f"Read from {source.name} by mbd-fmu convert"
        return Converted(toml_text(table, _one_line(remark)), [])
    robot = robot_of_spec(spec)
    problems = problems_of(spec, robot)
    if problems:
        raise SpecError(f"{source}: cannot be written as URDF", problems)
    remark = _one_line(spec.description or spec.name)
    text = urdf_text(_robot_with_moved_files(robot, move), remark)
    return Converted(text, [*leftovers_of(spec, robot), *_outside(robot, move)])


def _one_line(text: str) -> str:
    """Return a text as a comment may hold it: names of files may be anything."""
    return "".join(c if c.isprintable() else " " for c in text)


@dataclass(frozen=True)
class _Move:
    """From the folder of one file to that of another."""

    old: Path
    new: Path

    def __call__(self, file: str) -> str:
        """Return how the new file names what the old one does."""
        if self.old.resolve() == self.new.resolve():
            return file
        return Path(os.path.relpath((self.old / file).resolve(), self.new.resolve())).as_posix()


def _with_moved_files(table: dict[str, Any], move: _Move) -> dict[str, Any]:
    for body in table["body"]:
        for visual in body.get("visual", []):
            if "file" in visual:
                visual["file"] = move(visual["file"])
    return table


def _robot_with_moved_files(robot: Robot, move: _Move) -> Robot:
    links = {
        name: replace(
            link,
            looks=tuple(replace(x, file=move(x.file) if x.file else "") for x in link.looks),
        )
        for name, link in robot.links.items()
    }
    return replace(robot, links=links)


def _outside(robot: Robot, move: _Move) -> list[str]:
    """Say where meshes lie that a reader takes only if it is told so."""
    files = {move(look.file) for link in robot.links.values() for look in link.looks if look.file}
    away = [file for file in files if Path(file).is_absolute() or file.startswith("../")]
    folders = sorted({os.path.normpath((move.new / file).parent) for file in away})
    words = " ".join(f"--package-path {folder}" for folder in folders)
    return [f"meshes outside of its folder are read with {words}"] if words else []
