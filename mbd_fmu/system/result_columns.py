"""Vectors in tables of results, ours or of other tools.

Columns have the names of the FMU's variables, structured or flat, perhaps with the name of an
instance before them, as OMSimulator and Modelica tools write them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array
from mbd_fmu.system.variables import flat_name

POSE = ("r.x", "r.y", "r.z", "quat.w", "quat.x", "quat.y", "quat.z")
REACTION = ("force.x", "force.y", "force.z", "torque.x", "torque.y", "torque.z")


def instance_prefix(columns: Iterable[str], elements: Sequence[str], part: str) -> str:
    """Return what stands before the names of variables: the name of an instance, or nothing.

    It is looked for before a part of the first element that must be there.
    """
    for column in columns:
        for end in (f"{elements[0]}.{part}", flat_name(f"{elements[0]}.{part}")):
            if column == end:
                return ""
            if column.endswith(f".{end}"):
                return column.removesuffix(end)
    return ""


def vector_columns(table: Trajectory, prefix: str, name: str, parts: Iterable[str]) -> Array | None:
    """Return some parts of an element side by side; None where they are not all there."""
    parts = list(parts)
    for spell in (str, flat_name):
        wanted = [prefix + spell(f"{name}.{part}") for part in parts]
        if all(column in table for column in wanted):
            return np.column_stack([table.column(column) for column in wanted])
    return None
