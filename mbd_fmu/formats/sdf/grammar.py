"""All that may stand in an SDF file.

Source   the description of the format that comes with libsdformat, sdf/1.7 to sdf/1.12; an older
         one reads poses and axes otherwise (sdformat.org, "Pose Frame Semantics Proposal").
"""

from __future__ import annotations

from mbd_fmu.formats.xml.grammar import Tag

OLDEST, NEWEST = (1, 7), (1, 12)

_CONTACT = "contacts are not computed"
_CONTROL = "says how the robot is driven, not what it is; drives are inputs of every joint"
_SENSOR = "outputs of every link and joint are there without it"
_SEEN = "how another program draws it"
_SOLVER = "how another program computes it"
_WIND = "there is no wind"
_PARTS = "of no effect on the motion"
_NUMBER = Tag(text=True)
_START = "give where it starts with --set <joint>.q_start=..."

_POSE = Tag(optional=("relative_to", "rotation_format", "degrees"), text=True, blank=True)


def _ignored(reason: str, *tags: str) -> dict[str, Tag]:
    return dict.fromkeys(tags, Tag(ignored=reason))


def _values(*tags: str) -> dict[str, Tag]:
    return dict.fromkeys(tags, _NUMBER)


def _of_values(*tags: str) -> Tag:
    return Tag(children=_values(*tags), once=tags, needed=tags)


_MESH = Tag(
    children=_values("uri", "scale")
    | {"submesh": Tag(ignored="all of a mesh is shown")}
    | _ignored(_CONTACT, "convex_decomposition"),
    once=("uri", "scale"),
    needed=("uri",),
    idle={"optimization": _CONTACT},
)
_GEOMETRY = Tag(
    children={
        "box": _of_values("size"),
        "cylinder": _of_values("radius", "length"),
        "capsule": _of_values("radius", "length"),
        "sphere": _of_values("radius"),
        "mesh": _MESH,
        "empty": Tag(ignored="there is nothing to show"),
    }
    | _ignored("is not shown", "cone", "ellipsoid", "heightmap", "image", "plane", "polyline"),
)
_MATERIAL = Tag(
    children=_values("ambient", "diffuse")
    | _ignored("shapes are shown in one colour", "specular", "emissive", "shininess")
    | _ignored(_SEEN, "script", "shader", "lighting", "pbr", "render_order", "double_sided"),
    once=("ambient", "diffuse"),
)
_VISUAL = Tag(
    required=("name",),
    children={"pose": _POSE, "geometry": _GEOMETRY, "material": _MATERIAL}
    | _ignored(_SEEN, "cast_shadows", "laser_retro", "transparency", "visibility_flags", "meta")
    | _ignored(_CONTROL, "plugin"),
    once=("pose", "geometry", "material"),
    needed=("geometry",),
)
_MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
_INERTIAL = Tag(
    optional=("auto",),
    children={
        "pose": _POSE,
        "mass": _NUMBER,
        "inertia": Tag(children=_values(*_MOMENTS), once=_MOMENTS, needed=("ixx", "iyy", "izz")),
        "fluid_added_mass": Tag(refused="take it out: there is no fluid"),
    }
    | _ignored('only read where auto="true"', "density", "auto_inertia_params"),
    once=("pose", "mass", "inertia"),
)
_LINK = Tag(
    required=("name",),
    children={
        "pose": _POSE,
        "inertial": _INERTIAL,
        "visual": _VISUAL,
        "gravity": _NUMBER,
        "kinematic": _NUMBER,
        "velocity_decay": Tag(refused="give damping in the joints: <axis><dynamics><damping>"),
    }
    | _ignored(_CONTACT, "collision", "self_collide")
    | _ignored(_WIND, "enable_wind")
    | _ignored(_SOLVER, "must_be_base_link")
    | _ignored(_SENSOR, "sensor")
    | _ignored(_PARTS, "audio_sink", "audio_source", "battery", "particle_emitter")
    | _ignored(_SEEN, "light", "projector"),
    once=("pose", "inertial", "gravity", "kinematic"),
)
_BOUNDS = ("lower", "upper", "effort", "velocity")
_SPRING = ("damping", "friction", "spring_reference", "spring_stiffness")
_FOLLOWING = ("multiplier", "offset", "reference")
_AXIS = Tag(
    children={
        "xyz": Tag(optional=("expressed_in",), text=True),
        "dynamics": Tag(children=_values(*_SPRING), once=_SPRING),
        "limit": Tag(
            children=_values(*_BOUNDS)
            | _ignored("--stops makes stops of our own", "stiffness", "dissipation"),
            once=_BOUNDS,
        ),
        "mimic": Tag(
            required=("joint",),
            optional=("axis",),
            children=_values(*_FOLLOWING),
            once=_FOLLOWING,
        ),
        "use_parent_model_frame": Tag(refused='write <xyz expressed_in="__model__">'),
        "initial_position": _NUMBER,
    },
    once=("xyz", "dynamics", "limit", "mimic", "initial_position"),
    needed=("xyz",),
)
_JOINT = Tag(
    required=("name", "type"),
    children={"pose": _POSE, "axis": _AXIS, "axis2": _AXIS}
    | _values("parent", "child", "thread_pitch", "screw_thread_pitch")
    | _ignored("of gearbox joints, which are not read", "gearbox_ratio", "gearbox_reference_body")
    | _ignored(_SOLVER, "physics")
    | _ignored(_SENSOR, "sensor"),
    once=("pose", "parent", "child", "axis", "axis2", "thread_pitch", "screw_thread_pitch"),
    needed=("parent", "child"),
)
_FRAME = Tag(
    required=("name",), optional=("attached_to",), children={"pose": _POSE}, once=("pose",)
)
_OVERRIDES = ("uri", "name", "static", "placement_frame")
_INCLUDE = Tag(
    optional=("merge",),
    children={
        "pose": _POSE,
        "experimental:params": Tag(refused="write the model out as they change it"),
        "model_state": Tag(refused=_START),
    }
    | _values(*_OVERRIDES)
    | _ignored(_CONTROL, "plugin")
    | _ignored("of no effect on the motion", "namespace"),
    once=("pose", *_OVERRIDES),
    needed=("uri",),
)
_IN_MODEL: dict[str, Tag] = {
    "pose": _POSE,
    "link": _LINK,
    "joint": _JOINT,
    "frame": _FRAME,
    "include": _INCLUDE,
    "static": _NUMBER,
    "model_state": Tag(refused=_START),
    **_ignored(_CONTACT, "self_collide"),
    **_ignored(_SOLVER, "allow_auto_disable"),
    **_ignored(_WIND, "enable_wind"),
    **_ignored(_CONTROL, "plugin", "gripper"),
}
_MODEL = Tag(
    is_scope=True,
    required=("name",),
    optional=("canonical_link", "placement_frame"),
    children=_IN_MODEL,
    once=("pose", "static"),
    idle={"namespace": _PARTS},
)
_IN_MODEL["model"] = _MODEL
_WORLD = Tag(
    is_scope=True,
    required=("name",),
    children={
        "gravity": _NUMBER,
        "model": _MODEL,
        "include": _INCLUDE,
        "joint": _JOINT,
        "frame": _FRAME,
        "state": Tag(refused=_START),
        "population": Tag(refused="write its models out"),
    }
    | _ignored(_SEEN, "gui", "scene", "light", "actor", "road", "spherical_coordinates")
    | _ignored(_SOLVER, "physics")
    | _ignored(_WIND, "wind", "atmosphere")
    | _ignored(_PARTS, "audio", "magnetic_field")
    | _ignored(_CONTROL, "plugin"),
    once=("gravity",),
)
SDF = Tag(
    is_scope=True,
    required=("version",),
    children={"model": _MODEL, "world": _WORLD} | _ignored(_SEEN, "light", "actor"),
)
