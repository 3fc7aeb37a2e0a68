"""All that may stand in a URDF file.

Source   wiki.ros.org/urdf/XML and the schema of urdfdom, both as of version 1.0 of the format.
"""

from __future__ import annotations

from mbd_fmu.formats.xml.grammar import Tag

_ORIGIN = Tag(optional=("xyz", "rpy"))
_CONTROL = "says how the robot is driven, not what it is; drives are inputs of every joint"
_CONTACT = "contacts are not computed"

_GEOMETRY = Tag(
    children={
        "box": Tag(required=("size",)),
        "cylinder": Tag(required=("radius", "length")),
        "capsule": Tag(required=("radius", "length")),
        "sphere": Tag(required=("radius",)),
        "mesh": Tag(required=("filename",), optional=("scale",)),
    },
    idle={"name": "a shape has no name of its own"},
)
_MATERIAL = Tag(
    optional=("name",),
    children={
        "color": Tag(required=("rgba",)),
        "texture": Tag(ignored="shapes are shown in one colour"),
    },
    once=("color",),
)
_VISUAL = Tag(
    optional=("name",),
    children={"origin": _ORIGIN, "geometry": _GEOMETRY, "material": _MATERIAL},
    once=("origin", "geometry", "material"),
    needed=("geometry",),
)
_INERTIAL = Tag(
    children={
        "origin": _ORIGIN,
        "mass": Tag(required=("value",)),
        "inertia": Tag(required=("ixx", "ixy", "ixz", "iyy", "iyz", "izz")),
    },
    once=("origin", "mass", "inertia"),
    needed=("mass", "inertia"),
)
_LINK = Tag(
    required=("name",),
    children={
        "inertial": _INERTIAL,
        "visual": _VISUAL,
        "collision": Tag(ignored=_CONTACT),
        "contact": Tag(ignored=f"of Bullet; {_CONTACT}"),
        "self_filter": Tag(ignored="of sensors"),
    },
    once=("inertial",),
    idle={"type": "of old ROS tools"},
)
_JOINT = Tag(
    required=("name", "type"),
    optional=("dont_collapse",),
    children={
        "origin": _ORIGIN,
        "parent": Tag(required=("link",)),
        "child": Tag(required=("link",)),
        "axis": Tag(required=("xyz",)),
        "limit": Tag(
            optional=("lower", "upper", "effort", "velocity"),
            idle=dict.fromkeys(("acceleration", "deceleration", "jerk"), "for planners of motions"),
        ),
        "dynamics": Tag(optional=("damping", "friction")),
        "mimic": Tag(required=("joint",), optional=("multiplier", "offset")),
        "calibration": Tag(
            ignored="reference positions of sensors; they have no effect on the motion"
        ),
        "safety_controller": Tag(ignored="limits of a controller, which is not part of the model"),
    },
    once=(
        *("origin", "parent", "child", "axis", "limit", "dynamics", "mimic"),
        *("calibration", "safety_controller"),
    ),
    needed=("parent", "child"),
)
ROBOT = Tag(
    is_scope=True,
    required=("name",),
    optional=("version",),
    children={
        "link": _LINK,
        "joint": _JOINT,
        "material": _MATERIAL,
        "gazebo": Tag(ignored="settings of another simulator"),
        "mujoco": Tag(ignored="settings of another simulator"),
        "transmission": Tag(ignored=_CONTROL),
        "ros2_control": Tag(ignored=_CONTROL),
        "sensor": Tag(ignored="outputs of every link and joint are there without it"),
    },
)
