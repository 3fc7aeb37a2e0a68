"""A joint of a robot as one of ours."""

from __future__ import annotations

from typing import Any

from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.formats.robots.placements import Triple, numbers
from mbd_fmu.formats.robots.robot import TYPES, Joint
from mbd_fmu.formats.tables.writing import Writing

# rad/s or m/s: Coulomb's friction is that of the file from 20 times as much on, to the last bit
FRICTION_SPEED = 0.01
# A stop gives way by so much under the joint's largest drive, and settles in so many seconds; of a
# joint whose drive has no limit, the stiffness is the second number.
STOP_GIVES = {"revolute": (0.01, 1e4), "prismatic": (0.001, 1e5)}
STOP_SETTLES = 0.01


def joint_table(writing: Writing, joint: Joint) -> dict[str, Any]:
    """Write one joint; the account learns what became of it."""
    kind = TYPES[joint.type]
    name = writing.joints[joint.name]
    table: dict[str, Any] = {
        "name": name,
        "type": kind,
        "parent": writing.body(joint.parent),
        "child": writing.body(joint.child),
        **_geometry(writing, joint, kind),
    }
    if kind == "free" or not joint.is_driven:
        table["drive"] = "none"
    if joint.is_closing:
        table["cut"] = True  # the coordinates are those of the file's own tree
    words = [f'{kind} joint "{name}"', *_passive(joint, table), *_limits(writing, joint, table)]
    if joint.name in writing.mimics:
        if joint.start:
            text = "where it starts its leader says; what the file says of it is left out"
            writing.account.note(f'joint "{joint.name}"', joint.line, text)
        table.pop("position", None)
        mimic = writing.mimics[joint.name]
        driver = writing.joints[mimic.joint]
        words.append(f"follows {driver} by a gear: q = {mimic.multiplier:g} q + {mimic.offset:g}")
    elif writing.mimics and not joint.is_fixed:
        table = given_start(kind, joint.reference) | table
    if joint in writing.tree.closing:
        words.append("closes a loop")
    writing.account.place("joint", name, joint.line)
    writing.account.take(f'joint "{joint.name}"', joint.line, ", ".join(words))
    return table


def given_start(kind: str, reference: float = 0.0) -> dict[str, Any]:
    """Return start values that stay: where joints follow others, those move and no other."""
    drawn = [reference] if JOINTS[kind].nq == 1 else [*JOINTS[kind].neutral]
    still = [0.0] * JOINTS[kind].nv
    found = {"position": drawn, "velocity": still}
    return {key: values[0] if len(values) == 1 else values for key, values in found.items()}


def _geometry(writing: Writing, joint: Joint, kind: str) -> dict[str, Any]:
    """Where it sits in both bodies, how these are turned as drawn, its axes, where it starts."""
    carrier, child = writing.at(joint.parent), writing.at(joint.child)
    at = carrier.then(joint.place)
    point, point2 = numbers(at.point(joint.at)), numbers(child.point(joint.at))
    table: dict[str, Any] = {}
    table |= {k: list(r) for k, r in (("point", point), ("point2", point2)) if any(r)}
    turn = at.then(child.inverse()) if child.is_turned else at
    if kind == "free":
        if turn.is_turned:
            table["position"] = [*turn.quat, 0.0, 0.0, 0.0]
    elif any(joint.rpy) and not carrier.is_turned and not child.is_turned:
        table["rpy"] = list(joint.rpy)
    elif turn.is_turned:
        table["quaternion"] = list(turn.quat)
    if JOINTS[kind].has_axis:
        table["axis"] = list(numbers(child.turned(joint.axis)))
    if kind == "planar":
        table["axis2"] = list(numbers(child.turned(planar_x(joint.axis))))
    elif joint.type == "universal":
        table["axis2"] = list(numbers(child.turned(joint.axis2)))
    elif joint.type == "screw":
        table["pitch"] = joint.pitch
    if joint.reference:
        table["reference"] = joint.reference
    if joint.start:
        table["position"] = joint.start[0] if len(joint.start) == 1 else list(joint.start)
    return table


def planar_x(axis: Triple) -> Triple:
    """Return along which axis of its frame a planar joint slides: x, or z where x is the normal."""
    return (1.0, 0.0, 0.0) if abs(axis[0]) < 0.9 else (0.0, 0.0, 1.0)


def _passive(joint: Joint, table: dict[str, Any]) -> list[str]:
    """Add rotor, spring, damper and friction; return what is said."""
    if joint.is_fixed:
        return []
    freedoms = JOINTS[TYPES[joint.type]].nv
    words = []
    for key in ("armature", "stiffness", "damping", "friction"):
        values = _values(joint, key, freedoms)
        if any(values):
            table[key] = values[0] if freedoms == 1 else values
            words.append(f"{key} {' and '.join(f'{x:g}' for x in dict.fromkeys(values))}")
    rest = _values(joint, "rest", freedoms)
    if "stiffness" in table and any(rest):
        table["rest"] = rest[0] if freedoms == 1 else rest
    if "friction" in table:
        table["friction_speed"] = FRICTION_SPEED
    return words


def _values(joint: Joint, key: str, freedoms: int) -> list[float]:
    """Return a number for every freedom: alike, unless the second one has its own."""
    first = float(getattr(joint, key))
    if joint.second is None:
        return [first] * freedoms
    return [first, *[float(getattr(joint.second, key, 0.0))] * (freedoms - 1)]


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
    starts = joint.start[0] if joint.start else joint.reference
    outside = not low <= starts <= high
    if not writing.choices.stops:
        if outside:
            text = f"it starts at {starts:g}, which is outside of its limits {low:g} to {high:g}"
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
