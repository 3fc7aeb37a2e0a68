"""An SDF file drawn in the world, for the solver in maximal coordinates: a reader of its own.

It knows what our own models hold: poses of links in the model, of joints in their child, of
inertias in their link; axes in the frame of the joint; links that a fixed joint ties to the world.
"""

from xml.etree import ElementTree as ET

import numpy as np
from scipy.spatial.transform import Rotation

from mbd_fmu import Mechanism

TYPES = {"ball": "spherical"}


def numbers(element, tag):
    return np.array([float(x) for x in element.findtext(tag, "0 0 0 0 0 0").split()])


def pose(element):
    """Rotation and origin of a frame in the one it is given in."""
    xyz_rpy = numbers(element, "pose")
    return Rotation.from_euler("xyz", xyz_rpy[3:]).as_matrix(), xyz_rpy[:3]


def world_drawing(path, drives=(), points=()):
    """The mechanism with every number in world axes; only ``drives`` have inputs.

    ``points`` are names, links and places in them.
    """
    model = ET.parse(path).getroot().find("model")
    place = {link.get("name"): pose(link) for link in model.findall("link")}
    fixed = {"world"} | {
        joint.findtext("child") for joint in model.findall("joint") if joint.get("type") == "fixed"
    }
    it = Mechanism(model.get("name"))
    for link in model.findall("link"):
        name = link.get("name")
        if name in fixed:
            continue
        (R, p), inertial = place[name], link.find("inertial")
        turn, com = pose(inertial)
        xx, xy, xz, yy, yz, zz = (
            float(inertial.find("inertia").findtext(key))
            for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        )
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        inertia = R @ turn @ inertia @ turn.T @ R.T
        mass = float(inertial.findtext("mass"))
        it.body(name, mass=mass, com=p + R @ com, inertia=(inertia + inertia.T) / 2)
    for joint in model.findall("joint"):
        if joint.get("type") == "fixed":
            continue
        child, parent = joint.findtext("child"), joint.findtext("parent")
        (R, p), (turn, at) = place[child], pose(joint)
        axes = {
            tag: R @ turn @ np.array([float(x) for x in joint.find(tag).findtext("xyz").split()])
            for tag in ("axis", "axis2")
            if joint.find(tag) is not None
        }
        name, kind = joint.get("name"), joint.get("type")
        it.joint(
            name,
            TYPES.get(kind, kind),
            "ground" if parent in fixed else parent,
            child,
            point=p + R @ at,
            drive="torque" if name in drives else "none",
            **axes,
        )
    there = [(name, link, place[link], at) for name, link, at in points]
    found = [{"name": name, "body": link, "point": p + R @ at} for name, link, (R, p), at in there]
    return it.output(points=found).spec()
