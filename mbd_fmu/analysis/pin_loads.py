"""What joints carry over a run: in four axes, with envelopes, and extremes with their times.

A load is what the joint's constraint exerts on its declared child, at the joint point the child
carries, drive and spring excluded, as the FMU puts it out in world axes. In axes of the parent and
of the child it follows their turns; joint axes are carried by the child, z is the joint's axis, and
what acts across z is radial: what a bearing carries as it turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mbd_fmu.elements.axes import any_across, axes_about
from mbd_fmu.elements.places import GROUND
from mbd_fmu.errors import DataError
from mbd_fmu.mechanics.arrangement import joint_axes
from mbd_fmu.model.named_outputs import CHILD, JOINT, PARENT, WORLD_AXES
from mbd_fmu.model.spec import Spec
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array, rotation_matrix
from mbd_fmu.system.result_columns import POSE, REACTION, instance_prefix, vector_columns

MAGNITUDE, RADIAL = "magnitude", "radial"
_TURN = POSE[3:]
_KINDS = (("force", "N", slice(0, 3)), ("torque", "N.m", slice(3, 6)))


@dataclass(frozen=True)
class Pin:
    """A joint as far as its loads concern it."""

    name: str
    parent: str
    child: str
    carrier: str  # of the joint's axes: the child, or what moves where the child is the ground
    axes: Array  # in those of the carrier; columns
    has_axis: bool


@dataclass(frozen=True)
class PinLoad:
    """What one joint carries over a run, by axes: (n, 6), force and torque."""

    pin: Pin
    time: Array
    wrench: dict[str, Array]

    def magnitude(self, kind: str) -> Array:
        """Size of the force or torque, the same in all axes."""
        part = {name: at for name, _, at in _KINDS}[kind]
        found: Array = np.linalg.norm(self.wrench[WORLD_AXES][:, part], axis=1)
        return found

    def signals(self) -> Iterator[tuple[str, str, str, str, Array]]:
        """Yield kind, unit, axes, component and values of all that is known."""
        for kind, unit, part in _KINDS:
            yield kind, unit, "", MAGNITUDE, self.magnitude(kind)
            for axes, wrench in self.wrench.items():
                for x, values in zip("xyz", wrench[:, part].T, strict=True):
                    yield kind, unit, axes, x, values
                if axes == JOINT and self.pin.has_axis:
                    across = wrench[:, part][:, :2]
                    yield kind, unit, axes, RADIAL, np.linalg.norm(across, axis=1)


@dataclass(frozen=True)
class Extreme:
    """The least and the greatest of one signal, with their times."""

    joint: str
    kind: str  # force or torque
    unit: str
    axes: str  # empty: of the magnitude, which has none
    component: str
    min: float
    t_min: float
    max: float
    t_max: float


@dataclass(frozen=True)
class RunLoads:
    """Loads of all joints over a run, and what could not be told."""

    pins: tuple[PinLoad, ...]
    notes: tuple[str, ...]

    def of(self, joint: str) -> PinLoad:
        """Return the loads of one joint."""
        return next(load for load in self.pins if load.pin.name == joint)

    @property
    def extremes(self) -> tuple[Extreme, ...]:
        """Of all signals of all joints."""
        return tuple(extreme for load in self.pins for extreme in _extremes(load))

    @property
    def series(self) -> Trajectory:
        """All signals over time; names are joint.kind.axes.component."""
        names, columns = [], []
        for load in self.pins:
            for kind, _, axes, component, values in load.signals():
                names.append(".".join(filter(None, (load.pin.name, kind, axes, component))))
                columns.append(values)
        return Trajectory(self.pins[0].time, tuple(names), np.column_stack(columns))


def _extremes(load: PinLoad) -> Iterator[Extreme]:
    for kind, unit, axes, component, values in load.signals():
        low, high = int(np.argmin(values)), int(np.argmax(values))
        yield Extreme(
            load.pin.name,
            kind,
            unit,
            axes,
            component,
            float(values[low]),
            float(load.time[low]),
            float(values[high]),
            float(load.time[high]),
        )


def pins_of(spec: Spec) -> list[Pin]:
    """Return the joints of a model that carry something."""
    found = []
    for joint in spec.joints:
        if joint.fictitious or not joint.kind.restricts:
            continue
        axes, has_axis = joint_axes(joint, spec.nominal).astype(float), joint.kind.has_axis
        found.append(Pin(joint.name, joint.parent, joint.child, joint.child, axes, has_axis))
    return found


def pins_in_scene(scene: Mapping[str, Any]) -> list[Pin]:
    """Return them from the scene that an FMU carries."""
    found = []
    for joint in scene["joints"]:
        ends = {joint["carrier"], joint["child"]} - {joint["loaded"]}
        axis = np.array(joint["axis"], dtype=float)
        has_axis = len(axis) == 3 and bool(np.any(axis))
        axes = axes_about(axis, any_across(axis)) if has_axis else np.eye(3)
        other = next(iter(ends), joint["carrier"])
        found.append(Pin(joint["name"], other, joint["loaded"], joint["child"], axes, has_axis))
    return found


def run_loads(pins: Sequence[Pin], result: Trajectory) -> RunLoads:
    """Take the loads of joints out of a table of results; axes follow from poses in it."""
    prefix = instance_prefix(result.names, [pin.name for pin in pins], REACTION[0]) if pins else ""
    wrenches = {pin.name: vector_columns(result, prefix, pin.name, REACTION) for pin in pins}
    if not any(w is not None for w in wrenches.values()):
        raise DataError(
            "the result has no forces of joints; the columns JOINT.force.x and so on come with the "
            "output group reactions"
        )
    turns = _turns(result, prefix, {name for p in pins for name in (p.parent, p.child, p.carrier)})
    found = []
    for pin in pins:
        wrench = wrenches[pin.name]
        if wrench is not None:
            found.append(PinLoad(pin, result.time, dict(_in_axes(pin, wrench, turns))))
    return RunLoads(tuple(found), tuple(_notes(pins, wrenches, turns)))


def _turns(result: Trajectory, prefix: str, bodies: Iterable[str]) -> dict[str, Array | None]:
    """R_WU of bodies over time, (n, 3, 3); None where the table does not tell it."""
    found: dict[str, Array | None] = {GROUND: np.tile(np.eye(3), (len(result.time), 1, 1))}
    for body in sorted(set(bodies) - {GROUND}):
        quat = vector_columns(result, prefix, body, _TURN)
        found[body] = None if quat is None else np.array([rotation_matrix(q) for q in quat])
    return found


def _in_axes(
    pin: Pin, wrench: Array, turns: Mapping[str, Array | None]
) -> Iterator[tuple[str, Array]]:
    yield WORLD_AXES, wrench
    for axes, body, own in (
        (PARENT, pin.parent, np.eye(3)),
        (CHILD, pin.child, np.eye(3)),
        (JOINT, pin.carrier, pin.axes),
    ):
        R_WU = turns[body]
        if R_WU is not None:
            R = R_WU @ own
            turned = [np.einsum("nji,nj->ni", R, wrench[:, part]) for _, _, part in _KINDS]
            yield axes, np.concatenate(turned, axis=1)


def _notes(
    pins: Sequence[Pin], wrenches: Mapping[str, Array | None], turns: Mapping[str, Array | None]
) -> Iterator[str]:
    missing = [pin.name for pin in pins if wrenches[pin.name] is None]
    if missing:
        yield f"the result has no forces of {', '.join(missing)}: left out"
    poses = [body for body, R in turns.items() if R is None]
    if poses:
        yield (
            f"the result has no turns of {', '.join(poses)}: loads in their axes are left out; the "
            f"columns {poses[0]}.quat.w and so on come with the output group poses"
        )
