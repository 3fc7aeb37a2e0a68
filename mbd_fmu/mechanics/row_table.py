"""The rows of a mechanism by name: which element each belongs to, and how it is measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mbd_fmu.model.elements import JOINT_TYPES
from mbd_fmu.model.spec import Joint, Spec
from mbd_fmu.topology.forest import Forest

# How each row is measured: in metres, or as the sine of an angle. Holonomic rows of an element
# come first; those on velocities after ";".
ROW_UNITS = {
    "rigid": "mmmrrr",
    "revolute": "mmmrr",
    "prismatic": "mmrrr",
    "cylindrical": "mmrr",
    "helical": "mmrrm",
    "universal": "mmmr",
    "spherical": "mmm",
    "planar": "mrr",
    "translational": "rrr",
    "free": "",
    "distance": "m",
    "point_on_line": "mm",
    "point_in_plane": "m",
    "gear": "q",  # as the coordinate of its second joint
    "rack_pinion": "q",
    "knife_edge": ";m",
    "rolling_disc": "m;mm",
    "wheel_set": "mm;mmm",
}
# What the multipliers of a constraint are.
ROW_MEANINGS = {
    "distance": "force that pushes its points apart",
    "point_on_line": "force of the line on the child's point, in two directions across it",
    "point_in_plane": "force of the plane on the child's point, along its normal",
    "gear": "force on the coordinate of the second joint",
    "rack_pinion": "force on the rack",
    "knife_edge": "force on the body along the axis",
    "rolling_disc": "force on the disc along the normal, forward, sideward",
    "wheel_set": "forces on the discs: normal on first and second, forward on both, sideward",
}


@dataclass(frozen=True)
class Row:
    """One row of J; ``number`` counts the rows of its element from 1."""

    element: str
    is_joint: bool
    number: int
    turns: bool  # measured in radians, its multiplier is a torque; else in metres, a force
    holonomic: bool


def row_table(spec: Spec, forest: Forest) -> tuple[Row, ...]:
    """List the rows in the order of ``mechanics.constraints``."""
    joints = {joint.name: joint for joint in spec.joints}
    rows: list[Row] = []
    for k in forest.cut:
        rows += _rows_of(spec.joints[k].name, spec.joints[k].type, None)
    for c in spec.constraints:
        rows += _rows_of(c.name, c.type, joints[c.joints[1]] if c.joints else None)
    return tuple(sorted(rows, key=lambda row: not row.holonomic))  # the order is kept else


def _rows_of(name: str, kind: str, driven: Joint | None) -> Iterator[Row]:
    holonomic, _, on_velocity = ROW_UNITS[kind].partition(";")
    for n, unit in enumerate(holonomic + on_velocity, start=1):
        turns = unit == "r" or (unit == "q" and driven is not None and driven.type != "prismatic")
        yield Row(name, kind in JOINT_TYPES, n, turns, n <= len(holonomic))
