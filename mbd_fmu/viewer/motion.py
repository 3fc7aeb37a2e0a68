"""Poses, reactions and loads out of a table of results, as a viewer wants them.

Columns have the names of the FMU's variables, structured or flat, perhaps with the name of an
instance before them, as OMSimulator and Modelica tools write them.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mbd_fmu.errors import DataError
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array
from mbd_fmu.system.result_columns import POSE, REACTION, instance_prefix, vector_columns
from mbd_fmu.topology.connect import BASE_BODY
from mbd_fmu.viewer.loads import Load, loads_of

MOST_ROWS = 3000  # more than a film of a minute has pictures; the rest would only fill the page


@dataclass(frozen=True)
class Motion:
    """Poses by body (n, 7): origin, quaternion; reactions by joint (n, 6): force, torque.

    Loads act from outside, likewise.
    """

    time: Array
    poses: dict[str, Array]
    reactions: dict[str, Array]
    loads: list[Load] = field(default_factory=list)

    def to_json(self) -> str:
        """Write it for the page: numbers as base64 of little-endian floats."""
        every = -(-len(self.time) // MOST_ROWS)
        rows = sorted({*range(0, len(self.time), every), len(self.time) - 1})

        def text(values: Array) -> str:
            return base64.b64encode(np.asarray(values[rows], dtype="<f8").tobytes()).decode("ascii")

        return json.dumps(
            {
                "time": text(self.time),
                "poses": {name: text(values) for name, values in self.poses.items()},
                "reactions": {name: text(values) for name, values in self.reactions.items()},
                "loads": [
                    {"body": load.body, "point": load.point, "values": text(load.values)}
                    for load in self.loads
                ],
            },
            separators=(",", ":"),
        )


def motion_of(
    scene: Mapping[str, Any],
    result: Trajectory,
    inputs: Trajectory | None = None,
    *,
    interpolate: bool = False,
) -> Motion:
    """Pick the columns a scene needs; the pose of a moving base may come from the inputs.

    Loads are inputs, held or on straight lines, or what a prescribed motion takes.
    """
    names = [body["name"] for body in scene["bodies"]]
    prefix = instance_prefix(result.names, names, POSE[0])
    poses = {name: vector_columns(result, prefix, name, POSE) for name in names}
    missing = [name for name, values in poses.items() if values is None]
    if missing:
        raise DataError(
            f"the result has no pose of {', '.join(missing)}; the columns {names[0]}.r.x to "
            f"{names[0]}.quat.w and so on come with the output group poses"
        )
    base = vector_columns(result, prefix, BASE_BODY, POSE)
    if base is None and inputs is not None:
        base = vector_columns(_sampled(inputs, result.time), "", BASE_BODY, POSE)
    acting = inputs and (_sampled if interpolate else _held)(inputs, result.time)
    joints = [joint["name"] for joint in scene["joints"]]
    poses_there = {n: v for n, v in {**poses, BASE_BODY: base}.items() if v is not None}
    reactions = {name: vector_columns(result, prefix, name, REACTION) for name in joints}
    return Motion(
        result.time,
        poses_there,
        {n: v for n, v in reactions.items() if v is not None},
        loads_of(scene, result, prefix, poses_there, acting),
    )


def _held(inputs: Trajectory, times: Array) -> Trajectory:
    return Trajectory(times, inputs.names, inputs.values[[inputs.row_at(t) for t in times]])


def _sampled(inputs: Trajectory, times: Array) -> Trajectory:
    return Trajectory(times, inputs.names, np.array([inputs.interpolated(t) for t in times]))
