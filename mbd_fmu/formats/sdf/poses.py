"""Poses of an SDF file: numbers in an element, of angles or of a quaternion.

Source   sdformat.org, "Specifying pose", and sdf/1.11/pose.sdf of libsdformat.
Checked  tests/formats/test_sdf.py
"""

from __future__ import annotations

import math

import numpy as np

from mbd_fmu.errors import nearest
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.robots.placements import Placement, placement_of
from mbd_fmu.formats.xml.attributes import Attributes, Texts
from mbd_fmu.formats.xml.xml_tree import Element
from mbd_fmu.spatial import rotation_matrix

ANGLES, QUATERNION = "euler_rpy", "quat_xyzw"
# Printed quaternions have some digits; this is beyond any rounding.
LENGTH = 1e-3


def read_pose(element: Element, where: str, account: Account) -> Placement:
    """Return where the ``<pose>`` of an element puts a frame, in whatever it is relative to."""
    numbers = Texts(element, where, account)
    how = Attributes.of_part(element, "pose", where, account)
    rotation = how.text("rotation_format") or ANGLES
    in_degrees = how.flag("degrees")
    if rotation == QUATERNION:
        if in_degrees:
            how.problem("degrees of a quaternion", "take degrees out")
        x, y, z, *quaternion = numbers.vector("pose", (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0))
        length = math.sqrt(math.fsum(k * k for k in quaternion))
        if abs(length - 1.0) > LENGTH:
            how.problem(f"a quaternion of length {length:g}", "give x y z w of length 1")
            return Placement()
        qx, qy, qz, qw = quaternion
        return Placement(rotation_matrix(np.array([qw, qx, qy, qz]) / length), np.array([x, y, z]))
    if rotation != ANGLES:
        remedy = nearest(rotation, (ANGLES, QUATERNION))
        how.problem(f'no rotation_format "{rotation}"', remedy)
        return Placement()
    x, y, z, *angles = numbers.vector("pose", (0.0,) * 6)
    rpy = tuple(map(math.radians, angles)) if in_degrees else tuple(angles)
    return placement_of((x, y, z), rpy)


def relative_to(element: Element) -> str:
    """Return the name of the frame that the pose of an element is given in; empty: as usual."""
    pose = element.first("pose")
    return "" if pose is None else pose.attributes.get("relative_to", "").strip()
