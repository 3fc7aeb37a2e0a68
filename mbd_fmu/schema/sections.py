"""The tables of a model file that are no elements of some type, key by key."""

from __future__ import annotations

from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.elements.motion_of_time import pose_parts
from mbd_fmu.model.bodies import SHAPES as INERTIA_SHAPES
from mbd_fmu.model.joints import MOTIONS
from mbd_fmu.model.named_outputs import OUTPUT_KINDS, NamedOutput, OutputPoint
from mbd_fmu.model.names import NEVER_DECLARED
from mbd_fmu.model.reader import SOLVERS, STABILIZATIONS
from mbd_fmu.model.spec import DEFAULT_GROUPS, OUTPUT_GROUPS, FmuDefaults
from mbd_fmu.model.visuals import SHAPES as LOOKS
from mbd_fmu.quantities.forms import (
    FLAG,
    MATRIX,
    NAME,
    NUMBER,
    PER_FREEDOM,
    QUANTITIES,
    QUANTITY,
    TEXT,
    UNIT,
    VECTOR,
    Form,
    choice,
    either,
    name_but,
)
from mbd_fmu.quantities.time_forms import pose_of_time
from mbd_fmu.schema.described import ELEMENT_NAME, NEEDED, Described, object_of, of_key

_ZERO = [0, 0, 0]
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
        NUMBER,
        "makes torques comparable with forces",
        "<mean distance of joints>",
        "m",
    ),
)
PARAMETER = (
    Described(
        "value",
        either("number, list or expression", QUANTITY, QUANTITIES),
        "a vector is a list; an expression of other parameters follows from them",
        NEEDED,
    ),
    Described("unit", UNIT, "`m`, `kg`, `N/m`, … or your own", "1"),
    Described(
        "min", either("number, or one per component", NUMBER, PER_FREEDOM), "least value", ""
    ),
    Described(
        "max", either("number, or one per component", NUMBER, PER_FREEDOM), "largest value", ""
    ),
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


def inertia_keys(shape: str) -> list[Described]:
    """Return the keys of an inertia by shape."""
    axis = [Described("axis", VECTOR, "along its length", [0, 0, 1])]
    return [
        Described("shape", choice((shape,)), "of a homogeneous solid around `com`", NEEDED),
        *(_SIZES[key] for key in INERTIA_SHAPES[shape]),
        *(axis if shape in ("cylinder", "rod") else ()),
    ]


_CENTER = Described("center", VECTOR, "where its middle, or the mesh's origin, is", _ZERO, "m")
_RPY = Described("rpy", VECTOR, "roll, pitch, yaw", _ZERO, "rad")
_LOOKS: dict[str, tuple[Described, ...]] = {
    "cylinder": (
        _SIZES["radius"],
        Described("from", VECTOR, "one end", NEEDED, "m"),
        Described("to", VECTOR, "the other", NEEDED, "m"),
    ),
    "box": (_SIZES["size"], _CENTER, _RPY),
    "sphere": (_SIZES["radius"], _CENTER),
    "mesh": (
        Described("file", TEXT, "STL, OBJ, DAE, glTF or GLB, beside the model file", NEEDED),
        Described(
            "scale", either("number, or three", QUANTITY, VECTOR), "metres per unit of it", 1
        ),
        _CENTER,
        _RPY,
    ),
}


def visual_keys(shape: str) -> list[Described]:
    """Return the keys of a look by shape."""
    color = Described("color", TEXT, 'CSS name or `"#rrggbb"`', "<the next of a palette>")
    opacity = Described("opacity", QUANTITY, "0 to 1", "<that of the body>")
    return [Described("shape", choice((shape,)), "", NEEDED), *_LOOKS[shape], color, opacity]


_INERTIA = Form(
    "3x3 matrix, or `{ shape, … }`",
    {"anyOf": [dict(MATRIX.schema), *(object_of(inertia_keys(shape)) for shape in INERTIA_SHAPES)]},
)
_VISUALS = Form(
    "list of shapes",
    {"type": "array", "items": {"anyOf": [object_of(visual_keys(shape)) for shape in LOOKS]}},
)
VELOCITY = (
    Described("linear", VECTOR, "of the mass centre, world axes, numbers", _ZERO, "m/s"),
    Described("angular", VECTOR, "likewise", _ZERO, "rad/s"),
)
BODY = (
    Described("name", ELEMENT_NAME, "before those of its variables", NEEDED),
    Described("mass", QUANTITY, "0 or more", NEEDED, "kg"),
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
    Described("opacity", QUANTITY, "0 to 1: less than 1 lets others be seen through it", 1),
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
        Form("number, 1e-14 to 0.1", {"type": "number", "minimum": 1e-14, "maximum": 0.1}),
        "error per internal step",
        _FMU.tolerance,
    ),
    Described(
        "step",
        Form("number", {"type": "number", "minimum": 1e-9}),
        "longest internal step of rk4",
        _FMU.step,
        "s",
    ),
    Described(
        "stop_time",
        Form("number", {"type": "number", "exclusiveMinimum": 0}),
        "of the default experiment",
        _FMU.stop_time,
        "s",
    ),
    Described(
        "communication_step",
        Form("number", {"type": "number", "exclusiveMinimum": 0}),
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
        Form("number", {"type": "number", "minimum": 0}),
        "of Baumgarte's method alone",
        _FMU.alpha,
        "1/s",
    ),
    Described(
        "beta", Form("number", {"type": "number", "minimum": 0}), "likewise", _FMU.beta, "1/s"
    ),
)
