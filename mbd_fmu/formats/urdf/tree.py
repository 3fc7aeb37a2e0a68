"""URDF holds trees: do the joints of a robot make one of all its links?"""

from __future__ import annotations

from dataclasses import replace

from mbd_fmu.errors import nearest, shortened
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.robots.robot import Joint, Robot
from mbd_fmu.formats.robots.tree import tree_of


def root_of(robot: Robot, account: Account) -> str:
    """Return the link that carries all others; what is no tree stands in the account."""
    carrier: dict[str, Joint] = {}
    for joint in robot.joints.values():
        where = f'joint "{shortened(joint.name)}"'
        ends = (("parent", joint.parent), ("child", joint.child))
        unknown = [(key, end) for key, end in ends if end and end not in robot.links]
        for key, end in unknown:
            found = f'no link "{shortened(end)}"'
            account.problem(joint.line, f"{where}, {key}", found, nearest(end, robot.links))
        if unknown or not (joint.parent and joint.child) or joint.parent == joint.child:
            continue
        if joint.child in carrier:
            first = carrier[joint.child]
            found = (
                f'link "{shortened(joint.child)}" has two parents; the other joint is '
                f'"{shortened(first.name)}" in line {first.line}'
            )
            account.problem(joint.line, where, found, "URDF holds trees: leave one of them")
            continue
        carrier[joint.child] = joint
    roots = [name for name in robot.links if name not in carrier]
    if not account.problems:
        _check_connections(robot, roots, carrier, account)
    return roots[0] if roots else ""


def _check_connections(
    robot: Robot,
    roots: list[str],
    carrier: dict[str, Joint],
    account: Account,
) -> None:
    """Name what no joint leads to from the first root, and chains that lead back to themselves."""
    for name in roots[1:]:
        where, line = f'link "{shortened(name)}"', robot.links[name].line
        found = f'no joint leads to it from the root "{shortened(roots[0])}"'
        account.problem(line, where, found, "join it, or take it out")
    if not roots or not account.problems:
        reached = tree_of(replace(robot, root=roots[0])).reached if roots else ()
        lost = [name for name in robot.links if name not in reached]
        if lost:
            loop = _loop_from(lost[0], carrier)
            shown = " -> ".join(shortened(joint.name) for joint in loop)
            found = f"joints lead round in a circle: {shown}"
            where = f'joint "{shortened(loop[0].name)}"'
            account.problem(loop[0].line, where, found, "URDF holds trees: turn one of them round")


def _loop_from(link: str, carrier: dict[str, Joint]) -> list[Joint]:
    """Walk towards the root, which never comes; return the joints of the circle."""
    seen: list[str] = []
    while link not in seen:
        seen.append(link)
        link = carrier[link].parent
    circle = seen[seen.index(link) :]
    return [carrier[name] for name in reversed(circle)]
