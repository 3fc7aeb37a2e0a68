"""What is told from outside: drives, wrenches, controls, and motions that go on by themselves.

A joint with ``drive = "motion"`` takes position, velocity and acceleration of its freedoms; a ball
or free one those of the child in axes of the parent, as drawn: r, quat, v, w, a, alpha. Between
two settings the acceleration is held, and velocity and position follow it:

    q + t v + t^2 a / 2,  v + t a;   quat -> exp(theta) quat with theta = t w + t^2 alpha / 2   (1)

The turn is that of w where alpha is along w; what it misses else is for the projection to mend.

In axes of the child, R its turn: w_J = R^T w, v_J = R^T v, and

    w_J' = R^T alpha,   v_J' = R^T a - w_J x v_J                                               (2)

Source   Time derivatives in moving axes, e.g. Haug (1989), sec. 9.2; inputs as the FMU has them.
Checked  tests/laws/test_absolute_run.py
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from mbd_fmu.elements.forces.wrench import Wrench
from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.model.spec import Joint, Spec
from mbd_fmu.oracle.joints import PrescribedMotion
from mbd_fmu.oracle.time_functions import levels, motion_levels
from mbd_fmu.quantities.time_functions import TimeFunction
from mbd_fmu.quantities.vectors import Values, vector_of
from mbd_fmu.spatial import Array, quaternion_product, rotation_matrix

# parts of the motion of a free joint, in order; a ball has those that turn
_PARTS = {"r": 3, "quat": 4, "v": 3, "w": 3, "a": 3, "alpha": 3}
_TURNING = ("quat", "w", "alpha")
WRENCH = ("force.x", "force.y", "force.z", "torque.x", "torque.y", "torque.z")


@dataclass(frozen=True)
class PrescribedInputs:
    """Inputs of one prescribed joint: position, velocity, acceleration; of turning ones apart."""

    slide: Array  # (3, n)
    quat: Array | None = None
    spin: Array = field(default_factory=lambda: np.zeros((2, 3)))  # w, alpha

    def later(self, t: float) -> PrescribedInputs:
        """(1)"""
        q, v, a = self.slide
        moved = replace(self, slide=np.array([q + t * (v + t * a / 2.0), v + t * a, a]))
        if self.quat is None:
            return moved
        w, alpha = self.spin
        quat = quaternion_product(_turn_by(t * (w + t * alpha / 2.0)), self.quat)
        return replace(moved, quat=quat, spin=np.array([w + t * alpha, alpha]))

    def prescribed(self) -> PrescribedMotion:
        """The same in the joint's own coordinates, by (2)."""
        q, v, a = self.slide
        if self.quat is None:
            return PrescribedMotion(q, v, a)
        quat = self.quat / np.linalg.norm(self.quat)
        R = rotation_matrix(quat)
        w_J, alpha_J = R.T @ self.spin[0], R.T @ self.spin[1]
        if not len(q):
            return PrescribedMotion(quat, w_J, alpha_J)
        v_J = R.T @ v
        return PrescribedMotion(
            np.concatenate([quat, q]),
            np.concatenate([w_J, v_J]),
            np.concatenate([alpha_J, R.T @ a - np.cross(w_J, v_J)]),
        )

    def places(self, joint: Joint) -> dict[str, tuple[Array, tuple[int, ...]]]:
        """Where each input of the joint is kept."""
        if self.quat is None:
            names = JOINTS[joint.type].names
            levels = (names.positions, names.velocities, names.accelerations)
            return {
                f"{joint.name}.{c.name}": (self.slide, (level, k))
                for level, components in enumerate(levels)
                for k, c in enumerate(components)
            }
        kept = {"quat": (self.quat, ()), "w": (self.spin, (0,)), "alpha": (self.spin, (1,))}
        kept |= {key: (self.slide, (level,)) for level, key in enumerate(("r", "v", "a"))}
        return {
            f"{joint.name}.{key}.{c}": (kept[key][0], (*kept[key][1], k))
            for key, n in _PARTS.items()
            if joint.type == "free" or key in _TURNING
            for k, c in enumerate("wxyz" if n == 4 else "xyz")
        }


def start_motion(joint: Joint, p: Values) -> PrescribedInputs:
    """A prescribed motion at its start values, which are the joint's own."""
    q = vector_of(joint.position or joint.drawn_position, p).astype(float)
    n = len(JOINTS[joint.type].names.velocities)
    v = vector_of(joint.velocity or (0.0,) * n, p).astype(float)
    if not JOINTS[joint.type].quaternion:
        return PrescribedInputs(np.array([q, v, np.zeros(n)]))
    quat = q[:4] / np.linalg.norm(q[:4])
    R = rotation_matrix(quat)
    slide = [q[4:], R @ v[3:], np.zeros(3)] if joint.type == "free" else np.zeros((3, 0))
    return PrescribedInputs(np.array(slide), quat, np.array([R @ v[:3], np.zeros(3)]))


def _turn_by(theta: Array) -> Array:
    """Quaternion of a turn by |theta| about theta."""
    angle = float(np.linalg.norm(theta))
    return np.concatenate([[np.cos(angle / 2.0)], np.sinc(angle / (2.0 * np.pi)) / 2.0 * theta])


@dataclass(frozen=True)
class OfTime:
    """Drives, wrenches and motions of a mechanism that are functions of time."""

    spec: Spec
    p: Values

    @property
    def names(self) -> frozenset[str]:
        """The joints and forces that no input tells anything."""
        joints = {j.name for j in self.spec.joints if j.torque or j.of_time}
        return frozenset(joints | {w.name for w in self._wrenches})

    @property
    def _wrenches(self) -> list[Wrench]:
        return [f for f in self.spec.forces if isinstance(f, Wrench) and f.functions]

    def at(self, time: float) -> Inputs:
        """What they are at a time."""
        motions = {}
        for joint in self.spec.joints:
            if joint.of_time is not None:
                slide, quat, spin = motion_levels(joint.of_time, time, self.p)
                motions[joint.name] = PrescribedInputs(slide, quat if len(quat) else None, spin)
        return Inputs(
            {j.name: self._values(j.torque, time) for j in self.spec.joints if j.torque},
            {w.name: self._values(w.functions, time) for w in self._wrenches},
            motions,
        )

    def _values(self, functions: Sequence[TimeFunction], time: float) -> Array:
        return np.array([levels(function, time, self.p)[0] for function in functions])


@dataclass(frozen=True)
class Inputs:
    """What is told, by the names of joints and forces."""

    drives: dict[str, Array] = field(default_factory=dict)  # per freedom
    wrenches: dict[str, Array] = field(default_factory=dict)  # force, torque
    motions: dict[str, PrescribedInputs] = field(default_factory=dict)
    controls: dict[str, Array] = field(default_factory=dict)  # of actuators
    time: float = 0.0
    of_time: OfTime | None = None

    def later(self, t: float) -> Inputs:
        """A time t on: motions have moved, all else is held, but for functions of time."""
        moved = {name: m.later(t) for name, m in self.motions.items()}
        return replace(self, time=self.time + t, motions=moved).now()

    def now(self) -> Inputs:
        """The same with what is a function of time at its value."""
        if self.of_time is None:
            return self
        told = self.of_time.at(self.time)
        return replace(
            self,
            drives={**self.drives, **told.drives},
            wrenches={**self.wrenches, **told.wrenches},
            motions={**self.motions, **told.motions},
        )

    def places(self, spec: Spec) -> dict[str, tuple[Array, tuple[int, ...]]]:
        """Where each input is kept, by the FMU's name for it."""
        found: dict[str, tuple[Array, tuple[int, ...]]] = {}
        told = self.of_time.names if self.of_time else frozenset()
        for joint in spec.joints:
            if joint.name in told:
                continue
            if joint.name in self.drives:
                drives = JOINTS[joint.type].names.drives
                kept = self.drives[joint.name]
                found |= {f"{joint.name}.{d.name}": (kept, (k,)) for k, d in enumerate(drives)}
            if joint.name in self.motions:
                found |= self.motions[joint.name].places(joint)
        for name, wrench in self.wrenches.items():
            if name in told:
                continue
            found |= {f"{name}.{key}": (wrench, (k,)) for k, key in enumerate(WRENCH)}
        found |= {f"{name}.ctrl": (control, (0,)) for name, control in self.controls.items()}
        return found


def start_inputs(spec: Spec, p: Values) -> Inputs:
    """No drives, no wrenches, controls and motions at their start."""

    def joints(drive: str) -> Iterable[Joint]:
        return (joint for joint in spec.joints if joint.drive == drive)

    return Inputs(
        {j.name: np.zeros(len(JOINTS[j.type].names.drives)) for j in joints("torque")},
        {force.name: np.zeros(6) for force in spec.forces if force.type == "wrench"},
        {j.name: start_motion(j, p) for j in joints("motion")},
        {f.name: np.array([f.inputs[0].start]) for f in spec.forces if f.joints and f.inputs},
        of_time=OfTime(spec, p),
    ).now()
