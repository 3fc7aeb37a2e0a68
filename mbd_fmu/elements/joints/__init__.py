"""The joint types by name; each is the ``JOINT`` of a file of its own."""

from __future__ import annotations

from importlib import import_module

from mbd_fmu.elements.joint import JointType

TYPES = (
    "rigid",
    "revolute",
    "prismatic",
    "cylindrical",
    "universal",
    "constant_velocity",
    "spherical",
    "planar",
    "helical",
    "translational",
    "free",
)
JOINTS: dict[str, JointType] = {name: import_module(f"{__name__}.{name}").JOINT for name in TYPES}
