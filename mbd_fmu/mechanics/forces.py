"""Couplings that restrict nothing, and what acts from outside: what all of them do together.

What one of them does, its type says (``elements.forces``): loads on bodies, efforts in joints.

Source   [003] sec. 5.4, [004].
Checked  tests/laws/test_springs.py, tests/laws/test_forces.py, tests/laws/test_actuator.py
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mbd_fmu.elements.places import WORLD, BodyPoint
from mbd_fmu.mechanics.kinematics import BodyMotion
from mbd_fmu.mechanics.passes import each
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, Scalar, skew, times


@dataclass(frozen=True)
class Movement:
    """Bodies and joints as forces see them; q and v are of every joint, the tree's first."""

    bodies: BodyMotion
    q: Array
    find_v: Callable[[], Array]  # of cut joints it takes more than most forces want to know
    time: Scalar = 0.0

    @cached_property
    def v(self) -> Array:
        """Velocities of every joint."""
        return self.find_v()

    def point(self, at: BodyPoint) -> tuple[Array, Array]:
        """Position and velocity of a point."""
        return self.bodies.point(at)

    def turning(self, body: int) -> tuple[Array, Array, Array]:
        """Axes of U, quaternion of U and angular velocity of a body."""
        return self.bodies.turning(body)

    def coordinate(self, joint: int) -> tuple[Scalar, Scalar]:
        """Value and rate of the only coordinate of a joint."""
        forest = self.bodies.tree.forest
        return self.q[forest.every_q[joint].start], self.v[forest.every_v[joint].start]

    def joint_value(self, joint: int, name: str) -> Scalar:
        """Return a coordinate or a velocity of a joint, by the name that its type gives it."""
        tree, forest = self.bodies.tree, self.bodies.tree.forest
        n = len(tree.joint)
        names = (tree.joint[joint] if joint < n else tree.cuts[joint - n].kind).names
        for k, component in enumerate(names.positions):
            if component.name == name:
                return self.q[forest.every_q[joint].start + k]
        at = [component.name for component in names.velocities].index(name)
        return self.v[forest.every_v[joint].start + at]


def applied_forces(tree: Tree, motion: Movement, inputs: Array) -> list[Array]:
    """F_B on every body from all couplings and wrenches, in B about its origin."""
    F: list[Array] = [np.zeros(6) for _ in tree.parent]
    for k in each(range(len(tree.forces))):
        for load in tree.forces[k].loads(motion, inputs[tree.force_inputs[k]]):
            if load.body != WORLD:
                placed = motion.bodies.placed
                R_WB, p_WB = placed.R_WB[load.body], placed.p_WB[load.body]
                moment = load.torque + times(skew(load.at - p_WB), load.force)
                F_B = np.concatenate([times(R_WB.T, moment), times(R_WB.T, load.force)])
                F[load.body] = F[load.body] + F_B
    return F


def applied_efforts(tree: Tree, movement: Movement, inputs: Array) -> Array:
    """Return what forces add to the drives, per velocity of every joint."""
    kind = np.result_type(movement.q, movement.v, inputs)
    efforts = np.zeros(len(movement.v), dtype=kind)
    for k in each(range(len(tree.forces))):
        for effort in tree.forces[k].efforts(movement, inputs[tree.force_inputs[k]]):
            at = tree.forest.every_v[effort.joint].start
            efforts[at] = efforts[at] + effort.force
    return efforts


def stored_energy(tree: Tree, motion: Movement) -> Scalar:
    """Return what springs, bushings and attractions hold."""
    forces = (tree.forces[k] for k in each(range(len(tree.forces))))
    return sum((part for force in forces for part in force.energies(motion)), 0.0)


def lost_power(tree: Tree, motion: Movement) -> Scalar:
    """Return the rate at which their dampers take energy out."""
    forces = (tree.forces[k] for k in each(range(len(tree.forces))))
    return sum((part for force in forces for part in force.losses(motion)), 0.0)


def input_power(tree: Tree, motion: Movement, inputs: Array) -> Scalar:
    """Return the rate at which what acts from outside works."""
    pairs = ((tree.forces[k], tree.force_inputs[k]) for k in each(range(len(tree.forces))))
    return sum((part for force, own in pairs for part in force.powers(motion, inputs[own])), 0.0)
