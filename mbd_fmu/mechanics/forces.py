"""Couplings that restrict nothing: forces along a line, bushings, and wrenches from outside.

Along a line between two points at the distance l, pulling them together:

    spring_damper     f = k (l - l_0) + d dl/dt
    inverse_square    f = c / l^2

A length of zero has no direction: the force is then not finite, and the run says so. Only a spring
of natural length zero needs none: it pulls with k times the offset, and there with nothing.

A bushing holds a frame C on the child to a frame A on the parent, in axes of A: with d the offset
beyond the drawn one and theta = 2 vec(quat_AC),

    f = -K d - D d',    t = -(w - vec x)^T K_r theta - D_r w_AC

where dtheta/dt = (w - vec x) w_AC makes it the gradient of theta K_r theta / 2.

Source   [003] sec. 5.4, [004]; e.g. Haug, Computer Aided Kinematics and Dynamics (1989), sec. 6.2.
Checked  tests/laws/test_springs.py, tests/laws/test_forces.py
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mbd_fmu.mechanics.kinematics import Motion
from mbd_fmu.mechanics.tree import Bushing, LineForce, Tree, Wrench
from mbd_fmu.spatial import (
    Array,
    Scalar,
    array,
    conjugate,
    quaternion_product,
    scaled,
    skew,
)
from mbd_fmu.topology.forest import WORLD

# Far below the square of any length a mechanism has, it changes no digit; added to zero it lets
# 0 / 0 be 0.
TINY = 1e-300


@dataclass(frozen=True)
class Law:
    """A force along a line: pull, energy and loss from length, rate and constants."""

    pull: Callable[[Scalar, Scalar, Array], Scalar]
    energy: Callable[[Scalar, Array], Scalar]
    loss: Callable[[Scalar, Array], Scalar]


LAWS = {
    "spring_damper": Law(
        pull=lambda length, rate, k: k[0] * (length - k[2]) + k[1] * rate,
        energy=lambda length, k: k[0] * (length - k[2]) * (length - k[2]) / 2.0,
        loss=lambda rate, k: k[1] * rate * rate,
    ),
    "inverse_square": Law(
        pull=lambda length, _, k: k[0] / (length * length),
        energy=lambda length, k: -k[0] / length,
        loss=lambda *_: 0.0,
    ),
}


def applied_forces(tree: Tree, motion: Motion, inputs: Array) -> list[Array]:
    """F_B on every body from all couplings and wrenches, in B about its origin."""
    F: list[Array] = [np.zeros(6) for _ in tree.parent]

    def act(body: int, force_W: Array, torque_W: Array, at_W: Array) -> None:
        if body != WORLD:
            R_WB, p_WB = motion.placed.R_WB[body], motion.placed.p_WB[body]
            moment = torque_W + skew(at_W - p_WB) @ force_W
            F[body] = F[body] + np.concatenate([R_WB.T @ moment, R_WB.T @ force_W])

    for line in tree.lines:
        state = _line_state(line, motion)
        pull = LAWS[line.law].pull(state.length, state.rate, line.k)
        force = scaled(pull, state.direction_W)
        act(line.ends[0].body, force, np.zeros(3), motion.point(line.ends[0])[0])
        act(line.ends[1].body, -force, np.zeros(3), motion.point(line.ends[1])[0])
    for bushing in tree.bushings:
        force, torque = _bushing_wrench(bushing, motion)
        where, _ = motion.point(bushing.ends[1])
        act(bushing.ends[1].body, force, torque, where)
        act(bushing.ends[0].body, -force, -torque, where)
    for wrench in tree.wrenches:
        force, torque = _wrench_W(wrench, motion, inputs)
        act(wrench.end.body, force, torque, motion.point(wrench.end)[0])
    return F


def stored_energy(tree: Tree, motion: Motion) -> Scalar:
    """Return what springs, bushings and attractions hold."""
    total: Scalar = 0.0
    for line in tree.lines:
        total = total + LAWS[line.law].energy(_line_state(line, motion).length, line.k)
    for bushing in tree.bushings:
        state = _bushing_state(bushing, motion)
        total = total + (bushing.stiffness[:3] * state.offset) @ state.offset / 2.0
        total = total + (bushing.stiffness[3:] * state.theta) @ state.theta / 2.0
    return total


def lost_power(tree: Tree, motion: Motion) -> Scalar:
    """Return the rate at which their dampers take energy out."""
    total: Scalar = 0.0
    for line in tree.lines:
        total = total + LAWS[line.law].loss(_line_state(line, motion).rate, line.k)
    for bushing in tree.bushings:
        state = _bushing_state(bushing, motion)
        total = total + (bushing.damping[:3] * state.offset_rate) @ state.offset_rate
        total = total + (bushing.damping[3:] * state.spin) @ state.spin
    return total


def wrench_power(tree: Tree, motion: Motion, inputs: Array) -> Scalar:
    """Return the rate at which wrenches from outside work."""
    total: Scalar = 0.0
    for wrench in tree.wrenches:
        force, torque = _wrench_W(wrench, motion, inputs)
        _, velocity = motion.point(wrench.end)
        _, _, spin = motion.turning(wrench.end.body)
        total = total + force @ velocity + torque @ spin
    return total


@dataclass(frozen=True)
class _LineState:
    direction_W: Array  # from the point on the parent to that on the child
    length: Scalar
    rate: Scalar


def _line_state(line: LineForce, motion: Motion) -> _LineState:
    (p, v), (p2, v2) = (motion.point(end) for end in line.ends)
    between = p2 - p
    square = between @ between + (0.0 if line.needs_direction else TINY)
    length = np.sqrt(array([square]))[0]
    direction = scaled(1.0 / length, between)
    return _LineState(direction, length, direction @ (v2 - v))


@dataclass(frozen=True)
class _BushingState:
    """In axes of A, the parent's U."""

    R_WA: Array
    scalar: Scalar  # of quat_AC
    vector: Array  # of quat_AC
    offset: Array
    offset_rate: Array
    spin: Array

    @property
    def theta(self) -> Array:
        return scaled(2.0, self.vector)


def _bushing_state(bushing: Bushing, motion: Motion) -> _BushingState:
    (p, v), (p2, v2) = (motion.point(end) for end in bushing.ends)
    R_WA, quat_WA, w = motion.turning(bushing.ends[0].body)
    _, quat_WC, w2 = motion.turning(bushing.ends[1].body)
    quat_AC = quaternion_product(conjugate(quat_WA), quat_WC)
    return _BushingState(
        R_WA,
        quat_AC[0],
        quat_AC[1:],
        R_WA.T @ (p2 - p) - bushing.drawn,
        R_WA.T @ (v2 - v - skew(w) @ (p2 - p)),
        R_WA.T @ (w2 - w),
    )


def _bushing_wrench(bushing: Bushing, motion: Motion) -> tuple[Array, Array]:
    """Force and torque on the child, in the world."""
    state = _bushing_state(bushing, motion)
    force = -(bushing.stiffness[:3] * state.offset) - bushing.damping[:3] * state.offset_rate
    pull = bushing.stiffness[3:] * state.theta
    turned_back = scaled(state.scalar, pull) + skew(state.vector) @ pull
    torque = -turned_back - bushing.damping[3:] * state.spin
    return state.R_WA @ force, state.R_WA @ torque


def _wrench_W(wrench: Wrench, motion: Motion, inputs: Array) -> tuple[Array, Array]:
    """Force and torque from outside, in the world; inputs may be given in the body's axes."""
    force, torque = inputs[wrench.inputs][:3], inputs[wrench.inputs][3:]
    if wrench.in_body_axes:
        R_WU, _, _ = motion.turning(wrench.end.body)
        return R_WU @ force, R_WU @ torque
    return force, torque
