"""What a robot's file cannot say, in a file beside it: ``robot.mbd.toml`` for ``robot.urdf``.

It holds the tables of a model file, which are added, and ``[robot]``, which changes what was read:

    [robot]
    keep = ["flange"]
    link.tool0.mass = "payload"
    joint.elbow.damping = 0.4

Links and joints are called as in the robot's file. A link that an overlay names stays a body of its
own, so that its numbers, its pose and its reaction are there to be named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mbd_fmu.errors import Problem, SpecError, nearest, shortened
from mbd_fmu.formats.choices import ALL, OVERLAY, ROBOTS
from mbd_fmu.formats.robots.robot import Robot
from mbd_fmu.formats.robots.tree import LinkTree
from mbd_fmu.model.joints import JOINT_KEYS
from mbd_fmu.model.named_outputs import OUTPUT_KINDS
from mbd_fmu.model.reader import read_table
from mbd_fmu.quantities.showing import show

CARRIED = ("parameters", "points")  # what a body may carry
ELEMENTS = ("body", "joint", "force", "constraint")
SECTIONS = ("model", "parameters", "points", "robot", *ELEMENTS, "output", "base", "fmu")
LINK_KEYS = ("mass", "com", "inertia")
OWN_KEYS = ("name", "type", "parent", "child")  # what a joint is; a file beside it cannot change it
# keys of elements and outputs that name bodies
NAMING_BODIES = ("parent", "child", "body", "bodies", "relative_to", "in_axes_of")
NAMING_JOINTS = ("joint", "joints")  # and joints
OUTPUT_NAMES = tuple(kind.kind for kind in OUTPUT_KINDS)


@dataclass(frozen=True)
class Overlay:
    """The file, and what it says; sections that are not there are empty."""

    file: str
    table: Mapping[str, Any]

    @property
    def links(self) -> Mapping[str, Mapping[str, Any]]:
        """What it changes in links."""
        return self.table.get("robot", {}).get("link", {})

    @property
    def joints(self) -> Mapping[str, Mapping[str, Any]]:
        """What it changes in joints."""
        return self.table.get("robot", {}).get("joint", {})

    def kept(self, robot: Robot, tree: LinkTree) -> tuple[str, ...]:
        """Return the links that stay bodies because the overlay speaks of them."""
        asked = self.table.get("robot", {}).get("keep", ())
        changed = [step.far for step in tree.steps if step.joint.name in self.joints]
        # what hangs on a link whose numbers change, and would be part of it
        beside = [step.far for step in tree.steps if step.near in self.links]
        named = [*self.links, *changed, *beside, *(n for n in self._named() if n in robot.links)]
        own = [name for name in named if name == tree.root or _is_fixed(name, tree)]
        # what only names the root means the ground, if that is what it is
        own = [name for name in own if name != tree.root or name in self.links]
        return tuple(dict.fromkeys((*asked, *own)))

    def outputs(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield the outputs it names, each with its kind."""
        for table in self.table.get("output", ()):
            for kind in OUTPUT_NAMES:
                yield from ((kind, output) for output in table.get(kind, ()))

    def _named(self) -> Iterator[str]:
        """Yield what elements and outputs call bodies; what is no name the model's reader tells."""
        elements = [e for kind in ELEMENTS for e in self.table.get(kind, ())]
        entries = [entry for name in CARRIED for entry in self.table.get(name, {}).values()]
        named = [entry for entry in entries if isinstance(entry, dict)]
        for element in (*elements, *(output for _, output in self.outputs()), *named):
            for key in NAMING_BODIES:
                value = element.get(key, ())
                values = value if isinstance(value, list) else [value]
                yield from (name for name in values if isinstance(name, str))


def _is_fixed(link: str, tree: LinkTree) -> bool:
    carrier = tree.carrier(link)
    return carrier is not None and carrier.is_fixed


def overlay_beside(path: Path) -> Path:
    """Return where the overlay of a robot is looked for, unless it is named."""
    stem = Path(path.name)
    while stem.suffix.lower() in ROBOTS:
        stem = stem.with_suffix("")
    return path.with_name(stem.name + OVERLAY)


def read_overlay(path: Path, robot: Robot, root_joint: str) -> Overlay:
    """Read an overlay, and refuse all that it cannot mean."""
    table = read_table(path)
    problems = [*_section_problems(table), *_shape_problems(table)]
    if not problems:
        problems = [*_robot_problems(table.get("robot", {}), robot, root_joint)]
    if problems:
        raise SpecError(str(path), problems)
    return Overlay(str(path), table)


def _section_problems(table: Mapping[str, Any]) -> Iterator[Problem]:
    for name in table:
        if name not in SECTIONS:
            remedy = nearest(name, SECTIONS)
            if name in ("link", "keep"):
                remedy = f"write it under [robot]: robot.{name}"
            yield Problem(shortened(name), "unknown section", remedy)


def _shape_problems(table: Mapping[str, Any]) -> Iterator[Problem]:
    """Tables where tables are wanted, lists of them where lists are."""
    for name in (*ELEMENTS, "output"):
        value = table.get(name, [])
        if not _is_tables(value):
            remedy = f"write [[{name}]]"
            if name in ("joint", "body"):
                remedy += "; what changes the robot's own stands under [robot]"
            yield Problem(name, f"found {show(value)}", remedy)
    for output in table["output"] if _is_tables(table.get("output")) else ():
        for kind in OUTPUT_NAMES:
            if not _is_tables(output.get(kind, [])):
                found = f"found {show(output[kind])}"
                yield Problem(f"[[output]], {kind}", found, "write tables")
        if not isinstance(output.get("groups", []), list):
            yield Problem("[[output]], groups", f"found {show(output['groups'])}", "write a list")
    for name in ("model", "parameters", "points", "robot", "base", "fmu"):
        value = table.get(name, {})
        if not isinstance(value, dict):
            yield Problem(name, f"found {show(value)}", f"write [{name}]")
    robot = table.get("robot", {})
    for name in ("link", "joint") if isinstance(robot, dict) else ():
        value = robot.get(name, {})
        if not isinstance(value, dict) or not all(isinstance(x, dict) for x in value.values()):
            remedy = f"write {name}.NAME.key = value"
            yield Problem(f"[robot], {name}", f"found {show(value)}", remedy)


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, dict) for entry in value)


def _robot_problems(table: Mapping[str, Any], robot: Robot, root_joint: str) -> Iterator[Problem]:
    """Names that name nothing, keys that are none."""
    known: dict[str, tuple[Mapping[str, Any], tuple[str, ...]]] = {
        "link": (robot.links, LINK_KEYS),
        "joint": (robot.joints | {root_joint: None}, tuple(sorted(JOINT_KEYS - {*OWN_KEYS}))),
    }
    for name in table:
        if name not in (*known, "keep"):
            yield Problem(f"[robot], {shortened(name)}", "unknown key", nearest(name, known))
    keep = table.get("keep", [])
    if not isinstance(keep, list) or not all(isinstance(name, str) for name in keep):
        yield Problem("[robot], keep", f"found {show(keep)}", 'write keep = ["flange"]')
        keep = []
    for name in keep:
        if name not in (*robot.links, ALL):
            found = f'no link "{shortened(name)}"'
            yield Problem("[robot], keep", found, nearest(name, robot.links))
    for name in table.get("link", {}):
        if name in robot.links and robot.links[name].is_world:
            where = f'[robot], link "{shortened(name)}"'
            yield Problem(where, "is the ground: it has no numbers", "name another one")
    for kind, (elements, keys) in known.items():
        for name, changes in table.get(kind, {}).items():
            where = f'[robot], {kind} "{shortened(name)}"'
            if name not in elements:
                yield Problem(where, f"the robot has no such {kind}", nearest(name, elements))
            for key in changes:
                if key in OWN_KEYS:
                    yield Problem(f"{where}, {key}", "is the robot's", "change the robot's file")
                elif key not in keys:
                    yield Problem(f"{where}, {key}", "unknown key", nearest(key, keys))
