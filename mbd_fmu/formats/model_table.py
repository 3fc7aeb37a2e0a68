"""From a robot to the table that a model file of ours is, in local frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mbd_fmu.elements.places import GROUND
from mbd_fmu.formats import accounting
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.folders import Folders
from mbd_fmu.formats.looks import visuals_of
from mbd_fmu.formats.merging import Merged
from mbd_fmu.formats.names import RESERVED, identifier, identifiers, unused
from mbd_fmu.formats.placements import numbers
from mbd_fmu.formats.robot import Joint, Mimic, Robot
from mbd_fmu.formats.tree import LinkTree
from mbd_fmu.model.spec import OUTPUT_GROUPS

TYPES = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "rigid",
    "floating": "free",
    "planar": "planar",
}
# rad/s or m/s: Coulomb's friction is that of the file from 20 times as much on, to the last bit
FRICTION_SPEED = 0.01
# A stop gives way by so much under the joint's largest drive, and settles in so many seconds; of a
# joint whose drive has no limit, the stiffness is the second number.
STOP_GIVES = {"revolute": (0.01, 1e4), "prismatic": (0.001, 1e5)}
STOP_SETTLES = 0.01


@dataclass(frozen=True)
class Writing:
    """All that a table is made of."""

    robot: Robot
    tree: LinkTree
    merged: Merged
    mimics: Mapping[str, Mimic]
    choices: Choices
    account: Account
    folders: Folders
    links: Mapping[str, str]  # name in the file -> name of ours
    joints: Mapping[str, str]

    def body(self, link: str) -> str:
        """Return what carries a link, by our name."""
        body = self.merged.place[link].body
        return GROUND if body is None else self.links[body]


def model_table(
    robot: Robot,
    tree: LinkTree,
    merged: Merged,
    mimics: Mapping[str, Mimic],
    choices: Choices,
    account: Account,
    folder: Path,
) -> dict[str, Any]:
    """Write the table; the account learns what became of links and joints."""
    links = identifiers(robot.links)
    floating = {links[j.child] for j in merged.joints if j.type == "floating"}
    # variables of a free joint are called as those of the link it carries
    joints = identifiers((j.name for j in merged.joints), RESERVED | floating)
    writing = Writing(
        robot, tree, merged, mimics, choices, account, Folders(folder, choices), links, joints
    )
    table: dict[str, Any] = {
        "model": {
            "name": identifier(robot.name),
            "frame": "local",
            "description": f"{robot.name}, read from {Path(account.file).name}",
        },
        "body": [_body(writing, name) for name in merged.bodies],
        "joint": [*_root_joint(writing), *(_joint(writing, joint) for joint in merged.joints)],
    }
    if mimics:
        table["constraint"] = _gears(writing)
    flies = any(joint["type"] == "free" for joint in table["joint"])
    groups = [g for g in OUTPUT_GROUPS if flies or g != "velocities"]
    table["output"] = [{"groups": groups, "point": _points(writing)}]
    _account_for_names(writing)
    return table


def _is_seen(link: str, merged: Merged) -> bool:
    return merged.place[link].body is not None


def _body(writing: Writing, name: str) -> dict[str, Any]:
    robot, merged, account = writing.robot, writing.merged, writing.account
    link, own = robot.links[name], writing.links[name]
    mass = merged.mass(robot, name)
    others = [part for part in merged.parts(name) if part != name]
    words = f"of {mass.mass:g} kg" if mass.mass else "without mass"
    beside = f"; with it {', '.join(others)}" if others else ""
    account.place("body", own, link.line)
    account.take(f'link "{name}"', link.line, f'body "{own}" {words}{beside}')
    looks = visuals_of(
        [(robot.links[part], merged.place[part].at) for part in merged.parts(name)],
        writing.folders,
        account,
    )
    return {
        "name": own,
        "mass": mass.mass,
        "com": list(numbers(mass.com)),
        "inertia": [list(numbers(row)) for row in mass.inertia],
        **({"visual": looks} if looks else {}),
    }


def _root_joint(writing: Writing) -> list[dict[str, Any]]:
    """Return what joins the root link to the ground, if that is a body."""
    root = writing.tree.root
    line = writing.robot.links[root].line
    if not _is_seen(root, writing.merged):
        text = "the ground: it has neither mass nor shape"
        writing.account.take(f'link "{root}"', line, text)
        return []
    kind = "rigid" if writing.choices.base == "fixed" else "free"
    body = writing.links[root]
    name = unused(f"{body}_{kind}", set(writing.joints.values()))
    writing.account.place("joint", name, line)
    text = f'joined to the ground by the {kind} joint "{name}"'
    writing.account.take(f'root link "{root}"', line, text)
    drive = {"drive": "none"} if kind == "free" else {}
    return [{"name": name, "type": kind, "parent": GROUND, "child": body, **drive}]


def _joint(writing: Writing, joint: Joint) -> dict[str, Any]:
    kind = TYPES[joint.type]
    carrier = writing.merged.place[joint.parent].at
    at = carrier.then(joint.place)
    name = writing.joints[joint.name]
    table: dict[str, Any] = {
        "name": name,
        "type": kind,
        "parent": writing.body(joint.parent),
        "child": writing.links[joint.child],
    }
    if any(at.r):
        table["point"] = list(at.r)
    if kind == "free":
        table["drive"] = "none"
        if at.is_turned:
            table["position"] = [*at.quat, 0.0, 0.0, 0.0]
    elif any(joint.rpy) and not carrier.is_turned:
        table["rpy"] = list(joint.rpy)
    elif at.is_turned:
        table["quaternion"] = list(at.quat)
    if kind in ("revolute", "prismatic", "planar"):
        table["axis"] = list(joint.axis)
    if kind == "planar":
        # x of the joint's frame, or z where that is the normal
        table["axis2"] = [1.0, 0.0, 0.0] if abs(joint.axis[0]) < 0.9 else [0.0, 0.0, 1.0]
    words = [f'{kind} joint "{name}"', *_passive(joint, table), *_limits(writing, joint, table)]
    if any(mimic.joint == joint.name for mimic in writing.mimics.values()):
        table.setdefault("position", 0.0)  # given: those that follow it start accordingly
    if joint.name in writing.mimics:
        table.pop("position", None)
        mimic = writing.mimics[joint.name]
        driver = writing.joints[mimic.joint]
        words.append(f"follows {driver} by a gear: q = {mimic.multiplier:g} q + {mimic.offset:g}")
    writing.account.place("joint", name, joint.line)
    writing.account.take(f'joint "{joint.name}"', joint.line, ", ".join(words))
    return table


def _passive(joint: Joint, table: dict[str, Any]) -> list[str]:
    """Add damping and friction, in every freedom alike; return what is said of them."""
    if joint.is_fixed:
        return []
    freedoms = {"floating": 6, "planar": 3}.get(joint.type, 1)
    words = []
    for key, value in (("damping", joint.damping), ("friction", joint.friction)):
        if value:
            table[key] = value if freedoms == 1 else [value] * freedoms
            words.append(f"{key} {value:g}")
    if joint.friction:
        table["friction_speed"] = FRICTION_SPEED
    return words


def _limits(writing: Writing, joint: Joint, table: dict[str, Any]) -> list[str]:
    """Add what the joint's maker allows; return what is said of it."""
    limit, words, kind = joint.limit, [], TYPES[joint.type]
    if kind not in ("revolute", "prismatic"):
        return []
    where = f'joint "{joint.name}"'
    if limit.effort:
        table["effort"] = limit.effort
        words.append(f"drive within {limit.effort:g}")
    elif limit.effort == 0.0:
        writing.account.note(where, joint.line, "effort is 0: the drive has no limit")
    if limit.velocity:
        table["speed"] = limit.velocity
    if limit.lower is None and limit.upper is None:
        return words
    low = -float("inf") if limit.lower is None else limit.lower
    high = float("inf") if limit.upper is None else limit.upper
    outside = not low <= 0.0 <= high
    if not writing.choices.stops:
        if outside:
            text = f"it starts at 0, which is outside of its limits {low:g} to {high:g}"
            writing.account.note(where, joint.line, text)
        return words
    gives, usual = STOP_GIVES[kind]
    stiffness = limit.effort / gives if limit.effort else usual
    table |= {"stop_stiffness": stiffness, "stop_damping": STOP_SETTLES * stiffness}
    table |= {k: x for k, x in (("lower", limit.lower), ("upper", limit.upper)) if x is not None}
    words.append(f"stops at {low:g} and {high:g}")
    if outside:
        ends = [x for x in (limit.lower, limit.upper) if x is not None]
        table["position"] = sum(ends) / len(ends)
        words.append(f"starts at {table['position']:g}")
    return words


def _gears(writing: Writing) -> list[dict[str, Any]]:
    """Return the constraints of joints that follow; their names are those of the joints."""
    found: list[dict[str, Any]] = []
    for name, mimic in writing.mimics.items():
        own = unused(f"{writing.joints[name]}_mimic", {gear["name"] for gear in found})
        pair = [writing.joints[mimic.joint], writing.joints[name]]
        writing.account.place("constraint", own, mimic.line)
        gear = {"name": own, "type": "gear", "joints": pair, "ratio": mimic.multiplier}
        found.append(gear | ({"offset": mimic.offset} if mimic.offset else {}))
    return found


def _points(writing: Writing) -> list[dict[str, Any]]:
    """Follow links that are but frames at the end of a chain, such as a tool's."""
    robot, merged, tree = writing.robot, writing.merged, writing.tree
    carriers = {joint.parent for joint in tree.joints}
    found = []
    for link, place in merged.place.items():
        is_part = place.body is not None and place.body != link
        if is_part and link not in carriers and robot.links[link].mass.is_none:
            own = writing.links[link]
            found.append({"name": own, "body": writing.body(link), "point": list(place.at.r)})
            writing.account.place("point", own, robot.links[link].line)
            text = f'output point "{own}" of body "{writing.body(link)}"'
            writing.account.take(f'link "{link}"', robot.links[link].line, text)
    return found


def _account_for_names(writing: Writing) -> None:
    account, robot = writing.account, writing.robot
    for link, place in writing.merged.place.items():
        if place.body != link:
            at = accounting.Merged(link, writing.body(link), place.at.r, place.at.quat)
            account.merged.append(at)
    for kind, names in (("link", writing.links), ("joint", writing.joints)):
        for name, own in names.items():
            is_ground = kind == "link" and not _is_seen(name, writing.merged)
            if name != own and not is_ground:
                line = (robot.links if kind == "link" else robot.joints)[name].line
                account.rename(f'{kind} "{name}"', line, own)
