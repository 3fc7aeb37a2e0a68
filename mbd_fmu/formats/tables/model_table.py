"""From a robot to the table that a model file of ours is, in local frames."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mbd_fmu.elements.places import GROUND
from mbd_fmu.formats import accounting
from mbd_fmu.formats.robots.merging import Merged
from mbd_fmu.formats.robots.names import identifier
from mbd_fmu.formats.robots.placements import numbers
from mbd_fmu.formats.tables.coupling_tables import actuators, couplings, gears
from mbd_fmu.formats.tables.joint_table import given_start, joint_table
from mbd_fmu.formats.tables.looks import visuals_of
from mbd_fmu.formats.tables.writing import Writing
from mbd_fmu.model.spec import DEFAULT_GROUPS, OUTPUT_GROUPS

STIFF = "stiff"
FALL = 1.0  # s: what flies falls 5 m in it


def model_table(writing: Writing) -> dict[str, Any]:
    """Write the table; the account learns what became of links and joints."""
    robot, merged, account = writing.robot, writing.merged, writing.account
    table: dict[str, Any] = {
        "model": {
            "name": identifier(robot.name),
            "frame": "local",
            "description": f"{robot.name}, read from {Path(account.file).name}",
        },
        "body": [_body(writing, name) for name in merged.bodies],
        "joint": [*_root_joint(writing), *(joint_table(writing, joint) for joint in merged.joints)],
    }
    if robot.gravity:
        table["model"]["gravity"] = list(robot.gravity)
    followers = gears(writing)
    constraints = [*followers, *couplings(writing, {gear["name"] for gear in followers})]
    forces = actuators(writing)
    table |= {"constraint": constraints} if constraints else {}
    table |= {"force": forces} if forces else {}
    flies = any(joint["type"] == "free" for joint in table["joint"])
    defaults = _solver(writing, table["joint"]) | ({"stop_time": FALL} if flies else {})
    table |= {"fmu": defaults} if defaults else {}
    groups = [g for g in OUTPUT_GROUPS if g in DEFAULT_GROUPS or (flies and g == "velocities")]
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
        if not writing.robot.links[root].is_world:
            text = "the ground: it has neither mass nor shape"
            writing.account.take(f'link "{root}"', line, text)
        return []
    kind = "rigid" if writing.choices.base == "fixed" else "free"
    body = writing.links[root]
    (name,) = writing.root_joint.values()
    writing.account.place("joint", name, line)
    text = f'joined to the ground by the {kind} joint "{name}"'
    writing.account.take(f'root link "{root}"', line, text)
    drive = {"drive": "none"} if kind == "free" else {}
    if kind == "free" and writing.mimics:
        drive |= given_start(kind)
    return [{"name": name, "type": kind, "parent": GROUND, "child": body, **drive}]


def _solver(writing: Writing, joints: list[dict[str, Any]]) -> dict[str, Any]:
    """Choose the implicit solver where friction or stops would keep steps of the other short."""
    if not any(key in joint for joint in joints for key in ("friction", "stop_stiffness")):
        return {}
    text = f'"{STIFF}", for friction and stops; [fmu] of an overlay chooses another'
    writing.account.take("solver", writing.robot.line, text)
    return {"solver": STIFF}


def _points(writing: Writing) -> list[dict[str, Any]]:
    """Follow links that are but frames at the end of a chain, such as a tool's."""
    robot, merged, tree = writing.robot, writing.merged, writing.tree
    carriers = {step.near for step in tree.steps}
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
