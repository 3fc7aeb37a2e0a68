"""Keys of joints: those of all types, and which of them a type has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from mbd_fmu.elements import joint as axes
from mbd_fmu.elements.joint import JointType
from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.elements.motion_of_time import pose_parts
from mbd_fmu.model.joints import FRICTION_SPEED, LEAST, MOTIONS, STOP_WIDTH
from mbd_fmu.quantities.forms import (
    DIRECTION,
    FILLED,
    FLAG,
    MATRIX_OF_NUMBERS,
    NUMBER,
    PER_FREEDOM,
    QUANTITY,
    VECTOR,
    at_least,
    choice,
    either,
    per_freedom,
    vector,
)
from mbd_fmu.quantities.time_forms import functions_of_time, motion_of_time, pose_of_time
from mbd_fmu.schema.described import ELEMENT_NAME, NEEDED, Described, of_key

COMMON = (
    Described("name", ELEMENT_NAME, "of the joint, before those of its variables", NEEDED),
    Described("type", choice(tuple(JOINTS)), "which freedoms it leaves", NEEDED),
    Described("parent", FILLED, 'body that carries it, or `"ground"`', NEEDED),
    Described("child", FILLED, 'body that moves in the parent, or `"ground"`', NEEDED),
    Described(
        "point", VECTOR, "where it is; in local frames on the parent", "<needed; local: 0>", "m"
    ),
    Described("point2", VECTOR, "local frames only: where it is on the child", [0, 0, 0], "m"),
    Described("cut", FLAG, "this joint is to close its loop", default=False),
    Described("fixed", FLAG, "its start values stay when loops are closed", default=False),
)
_TURNED = (
    Described(
        "rpy", VECTOR, "local frames only: roll, pitch, yaw of the child in the parent", "", "rad"
    ),
    Described("quaternion", vector(4), "likewise: w, x, y, z of length 1"),
    Described("matrix", MATRIX_OF_NUMBERS, "likewise: a rotation, in numbers"),
)
# where all is drawn in the world, every joint has a place in it, and no other
IN_WORLD = {
    "required": ["point"],
    "properties": dict.fromkeys(("point2", *(key.name for key in _TURNED)), False),
}
_AXIS = Described("axis", DIRECTION, "in world axes, or local in those of the child", NEEDED)
_AXIS2 = "of a second axis, likewise"
_REFERENCE = Described("reference", QUANTITY, "value of the coordinate as drawn", 0, "rad or m")
_SPRINGS = (
    Described("stiffness", PER_FREEDOM, "of a spring in the freedom", 0, "N·m/rad or N/m"),
    Described("rest", PER_FREEDOM, "where that spring is slack", 0, "rad or m"),
    Described("lower", PER_FREEDOM, "where a stop sets in, below", "", "rad or m"),
    Described("upper", PER_FREEDOM, "likewise, above", "", "rad or m"),
    Described("stop_stiffness", QUANTITY, "of the stops", "<needed with stops>", "N·m/rad or N/m"),
    Described("stop_damping", QUANTITY, "likewise", 0, "N·m·s/rad or N·s/m"),
    Described("stop_width", QUANTITY, "over which they set in", STOP_WIDTH, "rad or m"),
)
_LED = "word, or functions of time"
_MOVING = (
    Described("position", PER_FREEDOM, "start value, a quaternion first", "<as drawn>", "rad or m"),
    Described("velocity", PER_FREEDOM, "start value", "<0, or as bodies have it>", "rad/s or m/s"),
    Described("armature", PER_FREEDOM, "inertia of a rotor behind it", 0, "kg·m² or kg"),
    Described("damping", PER_FREEDOM, "of a damper in the freedom", 0, "N·m·s/rad or N·s/m"),
    Described("friction", PER_FREEDOM, "Coulomb's: -f tanh(v / friction_speed)", 0, "N·m or N"),
    Described(
        "friction_speed", QUANTITY, "below it friction fades", FRICTION_SPEED, "rad/s or m/s"
    ),
    Described("drive", choice(("torque", "none", "motion")), "what moves it", "<`[model] drive`>"),
    Described("torque", functions_of_time(1), "a drive without inputs", "", "N·m or N"),
    Described(
        "motion",
        either(_LED, choice(MOTIONS), motion_of_time(1)),
        "what tells a prescribed motion: inputs, or the time",
        "full",
    ),
    Described("effort", PER_FREEDOM, "what its maker allows: limits of the input", "", "N·m or N"),
    Described("speed", PER_FREEDOM, "likewise, said with the rate", "", "rad/s or m/s"),
)


def keys_of(kind: JointType) -> Iterator[Described]:
    """Yield the keys of a type, with what their numbers must at least be."""
    for key in _keys_of(kind):
        yield replace(key, form=at_least(key.form, LEAST[key.name])) if key.name in LEAST else key


def rules_of(kind: JointType) -> dict[str, Any]:
    """Return, as JSON Schema, which keys of a type go with which others."""
    rules: dict[str, Any] = {}
    keys = {key.name for key in _keys_of(kind)}
    if keys >= {"lower", "upper"}:
        stops = {"anyOf": [{"required": ["lower"]}, {"required": ["upper"]}]}
        rules |= dict.fromkeys(("stop_stiffness", "stop_damping", "stop_width"), stops)
        rules |= {key: ["stop_stiffness"] for key in ("lower", "upper")}
    if "motion" in keys:
        led = {"properties": {"drive": {"const": "motion"}}, "required": ["drive"]}
        rules |= {"motion": led, "torque": {"properties": {"drive": {"const": "torque"}}}}
    turned = [key.name for key in _TURNED if key.name in keys]
    for name in turned:
        rules[name] = {"properties": {other: False for other in turned if other != name}}
    return {"dependencies": rules} if rules else {}


def _keys_of(kind: JointType) -> Iterator[Described]:
    yield from COMMON
    if kind.restricts:
        yield from _TURNED
    if kind.has_axis:
        yield _AXIS
    if kind.second_axis != axes.NONE:
        default = NEEDED if kind.second_axis == axes.REQUIRED else ""
        yield Described("axis2", DIRECTION, _AXIS2, default)
    yield from map(of_key, kind.keys)
    if kind.nq == 1:
        yield _REFERENCE
    if kind.nv:
        keys = (*_MOVING, *(_SPRINGS if kind.nq == kind.nv else ()))
        yield from (_sized(key, kind) for key in keys)


def _sized(key: Described, kind: JointType) -> Described:
    """Let a key take as many numbers as the type has freedoms, or coordinates."""
    if key.name == "torque":
        return replace(key, form=functions_of_time(kind.nv))
    if key.name == "motion":
        led = pose_of_time(*pose_parts(kind)) if kind.quaternion else motion_of_time(kind.nv)
        return replace(key, form=either(_LED, choice(MOTIONS), led))
    if key.form is not PER_FREEDOM:
        return key
    entry = NUMBER if key.name in ("effort", "speed") else QUANTITY
    return replace(key, form=per_freedom(kind.nq if key.name == "position" else kind.nv, entry))


def all_keys() -> list[Described]:
    """Return the keys that joints of several types have, for people."""
    return [*COMMON, *_TURNED, _AXIS, _REFERENCE, *_MOVING, *_SPRINGS]
