"""Absolute coordinates: every body free, every joint as constraint rows. [004]

A third road to the same motion, with no dynamics in common with the recursive one. Each body has
the position of its mass centre, a quaternion, a velocity and an angular velocity w, gathered in u;
joints, constraints and prescribed motions are rows J u' = -b on accelerations. With forces as Q,

    M u' = Q + J^T lam                                                                          (1)

    w in the world    M = (m, R I R^T)    Q = (f, t - w x (R I R^T) w)                          (2)
    w in the body     M = (m, I)          Q = (f, R^T t - w x I w)                              (3)

Redundant rows are met by splitting the space of accelerations. With J = U S V^T of rank r, V_1 its
first r right vectors and V_0 the others,

    u' = V_1 S^-1 U_1^T (-b) + V_0 y,    (V_0^T M V_0) y = V_0^T (Q - M V_1 S^-1 U_1^T (-b))    (4)

gives the one motion there is; M need not be regular. What holds it, J^T lam = M u' - Q, is then
shared out by the rule in ``absolute_reactions``. Numbers only.

A rotor of armature a behind a joint whose velocities are s = J_s u, s' = J_s u' + b_s, takes a s'
of its drive:

    M + J_s^T a J_s,    Q - J_s^T a b_s                                                         (5)

Source   [002], [004]; Haug, Computer Aided Kinematics and Dynamics (1989), ch. 9 and 11.
Checked  tests/laws/test_absolute.py, tests/laws/test_absolute_run.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mbd_fmu.elements.places import GROUND
from mbd_fmu.model.inertias import inertia_of
from mbd_fmu.model.spec import Spec
from mbd_fmu.oracle.constraints import tie_of, tie_rows
from mbd_fmu.oracle.forces import (
    Push,
    coupling_of,
    coupling_pushes,
    joint_push,
    passive_of,
)
from mbd_fmu.oracle.jets import FIXED, FRAMES, Rate, Scene, State, stack
from mbd_fmu.oracle.joints import Freedoms, Pair, link_of
from mbd_fmu.oracle.laws import joint_path, law_of, line_path, outside_values
from mbd_fmu.oracle.motion import Inputs, start_inputs
from mbd_fmu.oracle.reactions import Element, Reactions, shared_out
from mbd_fmu.oracle.transmission import motors_of
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import Values, vector_of
from mbd_fmu.spatial import Array, quaternion_product
from mbd_fmu.topology.connect import connected

RANK = 1e-9  # singular values below this share of the largest are rounding, where rows hold
ROUGH = 1e-7  # the same where they do not hold yet


@dataclass(frozen=True)
class Body:
    """Mass, inertia about the mass centre in U, and where that is in U."""

    mass: float
    inertia: Array
    com: Array


@dataclass(frozen=True)
class Solution:
    """Accelerations u' (n, 6), and what every element exerts."""

    acceleration: Array
    reactions: Reactions


class AbsoluteRoad:
    """A mechanism in absolute coordinates; trees and closed loops alike.

    ``frame`` says in which axes angular velocities are: "fixed" (the world's) or "body". Bodies and
    joints are those of the connected specification: parts that fly have a free joint, and a moving
    base is a body without mass in front, which the joint "base" makes follow its motion.
    """

    def __init__(
        self, spec: Spec, parameters: Values | None = None, *, frame: str = "fixed"
    ) -> None:
        if frame not in FRAMES:
            raise ValueError(f'frame is "{frame}"; it must be one of {FRAMES}')
        self.frame = frame
        self.spec = connected(spec)
        self.parameters = p = spec.nominal if parameters is None else parameters
        self.bodies = [
            Body(
                float(value_of(body.mass, p)),
                inertia_of(body, p).astype(float),
                vector_of(body.com, p).astype(float),
            )
            for body in self.spec.bodies
        ]
        index = {body.name: k for k, body in enumerate(self.spec.bodies)} | {GROUND: FIXED}
        data = (index, [body.com for body in self.bodies], p)
        self.links = [link_of(joint, *data) for joint in self.spec.joints]
        self.passive = [passive_of(joint, p) for joint in self.spec.joints]
        self.armature = {
            joint.name: vector_of(joint.armature, p).astype(float)
            for joint in self.spec.joints
            if joint.armature
        }
        self.ties = [tie_of(constraint, *data) for constraint in self.spec.constraints]
        between = [force for force in self.spec.forces if not force.joints]
        self.couplings = [coupling_of(force, *data) for force in between]
        self.motors = motors_of(self.spec.forces, p)
        laws = {force.name: law_of(force, p) for force in self.spec.forces}
        self.laws = {name: law for name, law in laws.items() if law is not None}
        self.gravity = vector_of(spec.gravity, p).astype(float)

    def start_inputs(self) -> Inputs:
        """No drives, no wrenches, motions at their start."""
        return start_inputs(self.spec, self.parameters)

    def moment(self, state: State, inputs: Inputs | None = None) -> Moment:
        """The mechanism at a state."""
        return Moment(self, state, self.start_inputs() if inputs is None else inputs)

    def solve(self, state: State, inputs: Inputs | None = None, *, length: float = 1.0) -> Solution:
        """Accelerations and reactions; ``length`` makes torques comparable with forces."""
        return self.moment(state, inputs).solve(length=length)

    def quaternion_rates(self, state: State, w: Array) -> Array:
        """Time derivatives of all quaternions for angular velocities w in this road's axes."""
        return quaternion_rates(state.quat, w, self.frame)


class Moment:
    """The mechanism at one state under given inputs. What is asked for is computed once."""

    def __init__(self, road: AbsoluteRoad, state: State, inputs: Inputs) -> None:
        self.road, self.state, self.inputs = road, state, inputs
        self.scene = Scene(state, road.frame)
        self.pairs = [Pair(link, self.scene) for link in road.links]

    @cached_property
    def elements(self) -> list[Element]:
        """Joints, prescribed motions and constraints, each with its rows."""
        found = [Element("joint", p.link.joint.name, p.rows(), p) for p in self.pairs]
        for pair in self.pairs:
            name = pair.link.joint.name
            if name in self.inputs.motions:
                prescribed = self.inputs.motions[name].prescribed()
                found.append(Element("motion", name, pair.prescribed_rows(prescribed), pair))
        for tie in self.road.ties:
            geared = self._named(tie.constraint.joints)
            free = {pair.link.joint.name: pair.freedoms for pair in geared}
            rows = tie_rows(tie, self.scene, free)
            drive = geared[-1] if geared else None  # its coordinate measures the multiplier
            found.append(Element("constraint", tie.constraint.name, rows, drive))
        return found

    def _named(self, names: Sequence[str]) -> list[Pair]:
        """Joints by name."""
        joints = {pair.link.joint.name: pair for pair in self.pairs}
        return [joints[name] for name in names]

    @cached_property
    def motor_joints(self) -> dict[str, Freedoms]:
        """Freedoms of the joints that actuators act in, by name."""
        names = {name for motor in self.road.motors for name in motor.joints}
        return {pair.link.joint.name: pair.freedoms for pair in self._named(sorted(names))}

    @cached_property
    def rows(self) -> Rate:
        """All rows: what velocities miss, J, and drift."""
        return stack([element.rows.rate for element in self.elements], self.scene.n_speeds)

    @cached_property
    def residuals(self) -> Array:
        """How far the rows on positions are from closing."""
        return np.concatenate([np.zeros(0), *(e.rows.g for e in self.elements)])

    @property
    def position_rows(self) -> Rate:
        """The rows that have residuals."""
        n = self.scene.n_speeds
        return stack([e.rows.rate.first(len(e.rows.g)) for e in self.elements], n)

    def inertia(self) -> tuple[Array, Array]:
        """M and what of Q comes from velocities, by (2) or (3), and (5)."""
        n = self.scene.n_speeds
        M, gyroscopic = np.zeros((n, n)), np.zeros(n)
        for k, body in enumerate(self.road.bodies):
            R, w = self.scene.R[k], self.state.w[k]
            inertia = body.inertia if self.scene.in_body else R @ body.inertia @ R.T
            at, turning = slice(6 * k, 6 * k + 3), slice(6 * k + 3, 6 * k + 6)
            M[at, at] = body.mass * np.eye(3)
            M[turning, turning] = inertia
            gyroscopic[turning] = -np.cross(w, inertia @ w)
        for pair in self.pairs:
            if (armature := self.road.armature.get(pair.link.joint.name)) is not None:
                rate = pair.freedoms.rate
                M += (rate.J.T * armature) @ rate.J
                gyroscopic -= (rate.J.T * armature) @ rate.bias
        return M, gyroscopic

    @cached_property
    def joint_pushes(self) -> dict[str, Push]:
        """What joints do by themselves, by name."""
        return {
            pair.link.joint.name: joint_push(passive, pair.freedoms)
            for passive, pair in zip(self.road.passive, self.pairs, strict=True)
            if passive is not None
        }

    @cached_property
    def passive(self) -> list[Push]:
        """Springs, dampers, friction and stops, in joints and between bodies."""
        found = list(self.joint_pushes.values())
        for coupling in self.road.couplings:
            if coupling.force.type != "wrench" and coupling.force.name not in self.road.laws:
                found += coupling_pushes(coupling, self.scene, np.zeros(6))
        found += [held for held, _ in self.law_pushes]
        return found + [motor.held(self.motor_joints) for motor in self.road.motors]

    @cached_property
    def law_pushes(self) -> list[tuple[Push, Push]]:
        """What laws do that are written out: as springs and dampers, and as drives."""
        between = {coupling.force.name: coupling for coupling in self.road.couplings}
        found = []
        for force in self.road.spec.forces:
            if (law := self.road.laws.get(force.name)) is None:
                continue
            named = sorted({n for _, own in force.laws for n in own.names if "." in n})
            outside = outside_values(named, self.pairs, self.inputs.time)
            (pair,) = self._named(force.joints) if force.joints else (None,)
            path = line_path(between[force.name], self.scene) if pair is None else joint_path(pair)
            found.append(law.pushes(path, outside))
        return found

    @cached_property
    def driven(self) -> list[Push]:
        """Drives, wrenches and actuators."""
        drives = self.inputs.drives
        found = [
            Push(pair.freedoms.rate, drives[pair.link.joint.name])
            for pair in self.pairs
            if pair.link.joint.name in drives
        ]
        for coupling in self.road.couplings:
            wrench = self.inputs.wrenches.get(coupling.force.name)
            if coupling.force.type == "wrench" and wrench is not None:
                found += coupling_pushes(coupling, self.scene, wrench)
        found += [drive for _, drive in self.law_pushes]
        controls = self.inputs.controls
        none = np.zeros(0)
        return found + [
            motor.driven(self.motor_joints, controls.get(motor.name, none))
            for motor in self.road.motors
        ]

    def solve(self, *, length: float = 1.0, rank: int | None = None) -> Solution:
        """Accelerations by (4), reactions by the rule; ``rank`` where it is known already."""
        M, Q = self.inertia()
        for k, body in enumerate(self.road.bodies):
            Q[6 * k : 6 * k + 3] += body.mass * self.road.gravity
        for push in (*self.passive, *self.driven):
            Q += push.rate.J.T @ push.force
        U, S, Vt = np.linalg.svd(self.rows.J)
        r = _rank(S, RANK) if rank is None else rank
        particular = Vt[:r].T @ ((U[:, :r].T @ -self.rows.bias) / S[:r])
        V_0 = Vt[r:].T
        y = np.linalg.solve(V_0.T @ M @ V_0, V_0.T @ (Q - M @ particular))
        acceleration = particular + V_0 @ y
        lam = U[:, :r] @ ((Vt[:r] @ (M @ acceleration - Q)) / S[:r])
        return Solution(
            acceleration.reshape(-1, 6), shared_out(self.elements, lam, U[:, r:], length)
        )

    def null_space(self) -> Array:
        """Multipliers that hold nothing: an orthonormal basis of the null space of J^T."""
        U, S, _ = np.linalg.svd(self.rows.J)
        return U[:, _rank(S, RANK) :]

    def least(self, wanted: Array, rows: Rate, rank: int | None = None) -> Array:
        """The motion u of least mass-weighted size with rows.J u = wanted.

        With M = L L^T it is L^-T (J L^-T)^+ wanted. A base has no mass, but is told where to be.
        """
        M, _ = self.inertia()
        for k, body in enumerate(self.road.bodies):
            if body.mass == 0.0:
                M[6 * k : 6 * k + 6, 6 * k : 6 * k + 6] += np.eye(6)
        L_inverse = np.linalg.inv(np.linalg.cholesky(M))
        U, S, Vt = np.linalg.svd(rows.J @ L_inverse.T, full_matrices=False)
        r = _rank(S, ROUGH) if rank is None else rank
        return L_inverse.T @ (Vt[:r].T @ ((U[:, :r].T @ wanted) / S[:r]))

    def kinetic_energy(self) -> float:
        """u^T M u / 2"""
        M, _ = self.inertia()
        return float(self.state.u @ M @ self.state.u) / 2.0

    def potential_energy(self) -> float:
        """In gravity, from the world's origin, and in springs."""
        weights = np.array([body.mass for body in self.road.bodies])
        height = -float(weights @ self.state.p @ self.road.gravity)
        return height + sum(push.energy for push in self.passive)

    def powers(self, solution: Solution) -> tuple[float, float]:
        """Of drives, wrenches and prescribed motions; and what dampers and friction take out."""
        work = sum(float(push.force @ push.rate.value) for push in self.driven)
        for pair in self.pairs:
            if pair.link.joint.name in solution.reactions.drive:
                drive = solution.reactions.drive[pair.link.joint.name]
                work += float(drive @ pair.freedoms.rate.value)
        return work, sum(push.loss for push in self.passive)


def rank_of(rows: Rate) -> int:
    """Number of independent rows, where they hold."""
    return _rank(np.linalg.svd(rows.J, compute_uv=False), RANK)


def _rank(S: Array, share: float) -> int:
    return int(np.sum(share * S[0] < S)) if len(S) else 0


def quaternion_rates(quat: Array, w: Array, frame: str = "fixed") -> Array:
    """Time derivatives of quaternions (rows): w quat / 2 in the world, quat w / 2 in the body."""
    pure = np.column_stack([np.zeros(len(w)), w / 2.0])
    pairs = zip(quat, pure, strict=True)
    products = [
        quaternion_product(q, x) if frame == "body" else quaternion_product(x, q) for q, x in pairs
    ]
    return np.array(products).reshape(quat.shape)
