"""What acts on a mechanism from outside over time, in world axes: the values of its inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mbd_fmu.elements.places import GROUND
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array, rotation_matrix
from mbd_fmu.system.result_columns import vector_columns


@dataclass(frozen=True)
class Load:
    """What one element does to a body at a point of it: force and torque (n, 6)."""

    name: str
    body: str
    point: list[float]
    values: Array


def loads_of(
    scene: Mapping[str, Any],
    result: Trajectory,
    prefix: str,
    poses: Mapping[str, Array],
    inputs: Trajectory | None,
) -> list[Load]:
    """Return all that is known of them; inputs that nobody gave are left out.

    The table of results comes first: it has what a prescribed motion takes.
    """
    found: dict[tuple[str, ...], Load] = {}
    for entry in scene["loads"]:
        name, part, body = entry["name"], entry["part"], entry["body"]
        values = vector_columns(result, prefix, name, (part,))
        if values is None and inputs is not None:
            values = vector_columns(inputs, "", name, (part,))
        if values is None or body not in (GROUND, *poses):
            continue
        units = np.array([entry["force"], entry["torque"]], dtype=float)
        if entry["in_body_axes"] and body != GROUND:
            turns = np.array([rotation_matrix(q) for q in poses[body][:, 3:]])
            units = np.einsum("nij,kj->nki", turns, units)
        acts = (values[:, :, None] * units).reshape(len(values), 6)
        key = name, body, str(entry["point"])
        before = found[key].values if key in found else np.zeros_like(acts)
        found[key] = Load(name, body, entry["point"], before + acts)
    return list(found.values())
