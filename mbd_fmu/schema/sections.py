"""The tables of a model file that are no elements of some type, key by key."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.elements.motion_of_time import pose_parts
from mbd_fmu.model.bodies import LEAST
from mbd_fmu.model.bodies import SHAPES as INERTIA_SHAPES
from mbd_fmu.model.joints import MOTIONS
from mbd_fmu.model.named_outputs import OUTPUT_KINDS, NamedOutput, OutputPoint
from mbd_fmu.model.names import NEVER_DECLARED
from mbd_fmu.model.reader import (
    BAUMGARTE,
    LEAST_GAIN,
    LEAST_STEP,
    SOLVERS,
    STABILIZATIONS,
    TOLERANCES,
)
from mbd_fmu.model.spec import DEFAULT_GROUPS, OUTPUT_GROUPS, FmuDefaults
from mbd_fmu.model.visuals import COLORS, LEAST_SIZE, MESH_FORMATS
from mbd_fmu.model.visuals import SHAPES as LOOKS
from mbd_fmu.quantities.forms import (
    DIRECTION,
    FILLED,
    FLAG,
    MATRIX,
    NAME,
    NUMBER,
    NUMBERS,
    QUANTITIES,
    QUANTITY,
    TEXT,
    VECTOR,
    Form,
    at_least,
    choice,
    either,
    name_but,
    not_zero,
)
from mbd_fmu.quantities.limits import MOST_COMPONENTS, SMALLEST
from mbd_fmu.quantities.time_forms import pose_of_time
from mbd_fmu.schema.described import ELEMENT_NAME, NEEDED, Described, object_of, of_key

_ZERO = [0, 0, 0]
_POSITIVE = at_least(NUMBER, SMALLEST)
_FMU = FmuDefaults()

MODEL = (
    Described("name", NAME, "an identifier; the FMU's model name", NEEDED),
    Described("description", TEXT, "a sentence"),
    Described(
        "frame", choice(("world", "local")), "frames that places and axes are given in", "world"
    ),
    Described("gravity", VECTOR, "acceleration of free fall, world axes", [0, 0, -9.81], "m/s²"),
    Described("drive", choice(("torque", "none")), "`drive` of joints that say nothing", "torque"),
    Described(
        "characteristic_length",
        _POSITIVE,
        "makes torques comparable with forces",
        "<mean distance of joints>",
        "m",
    ),
)
_COMPONENTS = {"minItems": 1, "maxItems": MOST_COMPONENTS}
_VECTOR = Form("", {**QUANTITIES.schema["anyOf"][1], **_COMPONENTS})
_LIMITS = {"type": "array", "items": dict(NUMBER.schema), **_COMPONENTS}
_LIMIT = either("number, or one per component", NUMBER, Form("", _LIMITS))
_SCALAR = {"properties": {"value": {"type": "number"}}, "required": ["value"]}
# the limits of a single number are single numbers
_ONE_EACH = {"properties": {key: dict(NUMBER.schema) for key in ("min", "max")} | {"body": False}}
PARAMETER_RULE = {"if": _SCALAR, "then": _ONE_EACH}
PARAMETER = (
    Described(
        "value",
        either("number, list or expression", QUANTITY, _VECTOR),
        "a vector is a list; an expression of other parameters follows from them",
        NEEDED,
    ),
    Described("unit", FILLED, "`m`, `kg`, `N/m`, … or your own", "1"),
    Described("body", FILLED, "that carries the point it is; of three components only"),
    Described("min", _LIMIT, "least value"),
    Described("max", _LIMIT, "largest value"),
    Described("description", TEXT, "a sentence"),
    Described(
        "tunable", FLAG, "may change between steps; not of what follows from others", default=False
    ),
)
POINT = (
    Described("at", VECTOR, "where; an expression of parameters and points", NEEDED, "m"),
    Described("body", TEXT, "that carries it", "ground"),
)
_SIZES = {
    "size": Described("size", VECTOR, "edges", NEEDED, "m"),
    "radius": Described("radius", QUANTITY, "", NEEDED, "m"),
    "length": Described("length", QUANTITY, "", NEEDED, "m"),
}


def _size(key: str, least: float) -> Described:
    """Return a size of a solid."""
    return replace(_SIZES[key], form=at_least(_SIZES[key].form, least))


def inertia_keys(shape: str) -> list[Described]:
    """Return the keys of an inertia by shape."""
    axis = [Described("axis", DIRECTION, "along its length", [0, 0, 1])]
    return [
        Described("shape", choice((shape,)), "of a homogeneous solid around `com`", NEEDED),
        *(_size(key, LEAST["size"]) for key in INERTIA_SHAPES[shape]),
        *(axis if shape in ("cylinder", "rod") else ()),
    ]


_CENTER = Described("center", VECTOR, "where its middle, or the mesh's origin, is", _ZERO, "m")
_RPY = Described("rpy", VECTOR, "roll, pitch, yaw", _ZERO, "rad")
_SCALE = not_zero(either("number, or three", QUANTITY, VECTOR))
_ENDINGS = "|".join("".join(f"[{c}{c.upper()}]" for c in end[1:]) for end in MESH_FORMATS)
_MESH_FILE = Form(TEXT.words, {"type": "string", "pattern": rf"\.({_ENDINGS})$"})
_COLOR = Form(
    TEXT.words,
    {"anyOf": [{"enum": ["", *COLORS]}, {"type": "string", "pattern": "^#[0-9a-fA-F]{6}$"}]},
)
_OPACITY = Form(QUANTITY.words, {**QUANTITY.schema, "exclusiveMinimum": 0, "maximum": 1})
_POINTS = Form("list of points", {"type": "array", "items": dict(VECTOR.schema), "minItems": 2})
_LOOKS: dict[str, tuple[Described, ...]] = {
    "cylinder": (
        _size("radius", LEAST_SIZE),
        Described("from", VECTOR, "one end", "", "m"),
        Described("to", VECTOR, "the other", "", "m"),
        Described("through", _POINTS, "instead: cylinders from each to the next", "", "m"),
    ),
    "box": (_size("size", LEAST_SIZE), _CENTER, _RPY),
    "sphere": (_size("radius", LEAST_SIZE), _CENTER),
    "mesh": (
        Described("file", _MESH_FILE, "STL, OBJ, DAE, glTF or GLB, beside the model file", NEEDED),
        Described("scale", _SCALE, "metres per unit of it", 1),
        _CENTER,
        _RPY,
    ),
}


def visual_keys(shape: str) -> list[Described]:
    """Return the keys of a look by shape."""
    color = Described("color", _COLOR, 'CSS name or `"#rrggbb"`', "<the next of a palette>")
    opacity = Described("opacity", _OPACITY, "0 to 1", "<that of the body>")
    default = "<of what has ends>" if shape == "cylinder" else NEEDED
    return [Described("shape", choice((shape,)), "", default), *_LOOKS[shape], color, opacity]


def _look(shape: str) -> dict[str, Any]:
    """Return the schema of a look; a cylinder goes from here to there, or through points."""
    ends = {"required": ["from", "to"], "properties": {"through": False}}
    line = {"required": ["through"], "properties": {"from": False, "to": False}}
    rule = {"anyOf": [ends, line]} if shape == "cylinder" else {}
    return object_of(visual_keys(shape)) | rule


_INERTIA = Form(
    "3x3 matrix, or `{ shape, … }`",
    {"anyOf": [dict(MATRIX.schema), *(object_of(inertia_keys(shape)) for shape in INERTIA_SHAPES)]},
)
_VISUALS = Form(
    "list of shapes",
    {"type": "array", "items": {"anyOf": [_look(shape) for shape in LOOKS]}},
)
VELOCITY = (
    Described("linear", NUMBERS, "of the mass centre, world axes, numbers", _ZERO, "m/s"),
    Described("angular", NUMBERS, "likewise", _ZERO, "rad/s"),
)
BODY = (
    Described("name", ELEMENT_NAME, "before those of its variables", NEEDED),
    Described("mass", at_least(QUANTITY, LEAST["mass"]), "0 or more", NEEDED, "kg"),
    Described("com", VECTOR, "mass centre", NEEDED, "m"),
    Described("inertia", _INERTIA, "about the mass centre", NEEDED, "kg·m²"),
    Described("origin", VECTOR, "the point whose position is put out", _ZERO, "m"),
    Described(
        "velocity",
        Form("`{ linear, angular }`", object_of(VELOCITY)),
        "start value",
        "<0, or as joints have it>",
    ),
    Described("visual", _VISUALS, "what it looks like; it has no mass", "<as `inertia` says>"),
    Described("opacity", _OPACITY, "0 to 1: less than 1 lets others be seen through it", 1),
)
_POSE = pose_of_time(*pose_parts(JOINTS["free"]))
BASE = (
    Described(
        "motion",
        either("word, or functions of time", choice(("prescribed", "none", *MOTIONS)), _POSE),
        "what tells the motion of the ground; `prescribed` is `full`",
        NEEDED,
    ),
)


def output_keys(kind: type[NamedOutput]) -> list[Described]:
    """Return the keys of an output that the model names."""
    form = ELEMENT_NAME if kind is OutputPoint else name_but(NEVER_DECLARED)
    named = Described("name", form, "before what it puts out", NEEDED)
    return [named, *map(of_key, kind.keys_shown())]


_GROUPS = Form("list of groups", {"type": "array", "items": {"enum": list(OUTPUT_GROUPS)}})
OUTPUT = (
    Described("groups", _GROUPS, "what is put out", list(DEFAULT_GROUPS)),
    *(
        Described(
            kind.kind,
            Form("tables", {"type": "array", "items": object_of(output_keys(kind))}),
            kind.tells,
        )
        for kind in OUTPUT_KINDS
    ),
)
FMU = (
    Described("solver", choice(SOLVERS), "method of integration", _FMU.solver),
    Described(
        "tolerance",
        Form(
            f"number, {TOLERANCES[0]:g} to {TOLERANCES[1]:g}",
            {"type": "number", "minimum": TOLERANCES[0], "maximum": TOLERANCES[1]},
        ),
        "error per internal step",
        _FMU.tolerance,
    ),
    Described(
        "step",
        at_least(NUMBER, LEAST_STEP),
        "longest internal step of rk4",
        _FMU.step,
        "s",
    ),
    Described(
        "stop_time",
        _POSITIVE,
        "of the default experiment",
        _FMU.stop_time,
        "s",
    ),
    Described(
        "communication_step",
        _POSITIVE,
        "likewise",
        _FMU.communication_step,
        "s",
    ),
    Described(
        "naming", choice(("structured", "flat")), "`flat`: `_` for `.` and brackets", _FMU.naming
    ),
    Described("stabilization", choice(STABILIZATIONS), "how loops stay closed", _FMU.stabilization),
    Described(
        "alpha",
        at_least(NUMBER, LEAST_GAIN),
        "of Baumgarte's method alone",
        _FMU.alpha,
        "1/s",
    ),
    Described("beta", at_least(NUMBER, LEAST_GAIN), "likewise", _FMU.beta, "1/s"),
)
# gains are those of one method
_WITH_GAINS = {
    "properties": {"stabilization": {"const": BAUMGARTE}},
    "required": ["stabilization"],
}
FMU_RULE = {"dependencies": dict.fromkeys(("alpha", "beta"), _WITH_GAINS)}
