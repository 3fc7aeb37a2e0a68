"""Every key that some joint, some force, some constraint or some shape has.

Which of them one has, its type says. Where the type is misspelt these are the keys that may be
right; all others are misspelt, too.
"""

from __future__ import annotations

JOINT_KEYS = frozenset(
    (
        *("name", "type", "parent", "child", "point", "point2", "rpy", "quaternion", "matrix"),
        *("axis", "axis2", "pitch", "reference", "position", "velocity", "stiffness", "rest"),
        *("damping", "friction", "friction_speed", "lower", "upper", "stop_stiffness"),
        *("stop_damping", "stop_width", "drive", "motion", "cut", "fixed"),
    )
)
FORCE_KEYS = frozenset(
    (
        *("name", "type", "parent", "child", "point", "point2", "stiffness", "damping", "length"),
        *("strength", "body", "axes"),
    )
)
CONSTRAINT_KEYS = frozenset(
    (
        *("name", "type", "parent", "child", "point", "point2", "axis", "length", "joints"),
        *("ratio", "radius", "offset", "body", "bodies", "center", "center2", "normal"),
    )
)
INERTIA_KEYS = frozenset(("shape", "size", "radius", "length", "axis"))
VISUAL_KEYS = frozenset(
    ("shape", "radius", "from", "to", "size", "center", "rpy", "scale", "file", "color")
)
