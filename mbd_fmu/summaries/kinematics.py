"""A path of one freedom, and a pose: as tables and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mbd_fmu.analysis.kinematics import KinematicPath, Pose
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.system.system import System

TITLES = ("derived", "unit", "least", "there", "most", "there")
NOTHING = 1e-12  # m or rad: rounding
POSE_TITLES = ("coordinate", "value", "unit")


def table(path: KinematicPath) -> Trajectory:
    """Return positions, what is derived, and ratios side by side; along the drive, not time."""
    derived = [values[:, None] for values in path.derived.values()]
    own = [k for k, name in enumerate(path.names) if name != path.drive]  # which is the first
    others = [path.names[k] for k in own]
    ratios = (f"d({name})/d({path.drive})" for name in others)
    names = (*others, *path.derived, *ratios)
    values = np.concatenate([path.positions[:, own], *derived, path.ratios[:, own]], axis=1)
    return Trajectory(path.values, names, values)


def rows(path: KinematicPath) -> Iterator[tuple[str, ...]]:
    """Yield the extremes of what is derived."""
    for name, e in _extremes(path).items():
        numbers = (e["min"], e["at_min"], e["max"], e["at_max"])
        yield (name, path.units[name], *(f"{x:.6g}" for x in numbers))


def facts(path: KinematicPath) -> dict[str, Any]:
    """Return what ``mbd-fmu kinematics --json`` says of a path."""
    return {
        "drive": path.drive,
        "values": path.values.tolist(),
        "held": list(path.held),
        "positions": dict(zip(path.names, path.positions.T.tolist(), strict=True)),
        "ratios": dict(zip(path.names, path.ratios.T.tolist(), strict=True)),
        "derived": {name: values.tolist() for name, values in path.derived.items()},
        "extremes": _extremes(path),
    }


def pose_facts(pose: Pose) -> dict[str, Any]:
    """Return what it says of a pose."""
    return {
        "positions": pose.positions,
        "start_values": pose.starts,
        "freedoms_not_asked_for": list(pose.freedoms),
    }


def pose_rows(system: System, pose: Pose) -> Iterator[tuple[str, ...]]:
    """Yield the coordinates of all joints."""
    for i in system.states.joints:
        joint = system.joint(i)
        for c in joint.kind.names.positions:
            name = system.shown(f"{joint.name}.{c.name}")
            value = pose.positions[name]
            yield name, f"{0.0 if abs(value) < NOTHING else value:.9g}", c.unit


def _extremes(path: KinematicPath) -> dict[str, dict[str, float]]:
    found = {}
    for name, values in path.derived.items():
        low, high = int(np.argmin(values)), int(np.argmax(values))
        found[name] = {
            "min": float(values[low]),
            "at_min": float(path.values[low]),
            "max": float(values[high]),
            "at_max": float(path.values[high]),
        }
    return found
