"""Outputs of forces: what joints and constraints transmit, and what prescribed motions take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mbd_fmu.elements.names import Component, xyz
from mbd_fmu.elements.places import GROUND
from mbd_fmu.mechanics.arrangement import joint_axes
from mbd_fmu.mechanics.row_table import row_table
from mbd_fmu.model.named_outputs import JOINT, PARENT, WORLD_AXES, OutputReaction
from mbd_fmu.model.spec import Joint, Spec
from mbd_fmu.spatial import Array, times
from mbd_fmu.system.outputs.block import Block, Solved, Stage
from mbd_fmu.topology.forest import Forest


@dataclass(frozen=True)
class _Reaction:
    """What the constraints of joint i exert on its declared child, in world axes."""

    i: int

    def force(self, now: Solved) -> Array:
        return now.at.reactions[self.i][3:]

    def torque(self, now: Solved) -> Array:
        return now.at.reactions[self.i][:3]


@dataclass(frozen=True)
class _Drive:
    """What the prescribed motion of joint i takes: along its freedoms, or all of it."""

    i: int

    def along_freedoms(self, now: Solved) -> Array:
        return now.at.drive_of(self.i)

    def force(self, now: Solved) -> Array:
        found: Array = times(now.at.placed.R_WB[self.i], now.at.transmitted[self.i][3:])
        return found

    def torque(self, now: Solved) -> Array:
        found: Array = times(now.at.placed.R_WB[self.i], now.at.transmitted[self.i][:3])
        return found


@dataclass(frozen=True)
class _Torque:
    """What drives joint i, of the tree or cut."""

    i: int

    def value(self, now: Solved) -> Array:
        return now.at.drive[now.at.tree.forest.every_v[self.i]]


@dataclass(frozen=True)
class _Multiplier:
    """The Lagrange multiplier of row k."""

    k: int

    def value(self, now: Solved) -> Array:
        multipliers = np.zeros(0) if now.at.lam is None else now.at.lam
        return multipliers[self.k : self.k + 1]


def reaction_blocks(spec: Spec, forest: Forest) -> Iterator[Block]:
    """Yield constraint forces and torques of joints."""
    for i, k in enumerate(forest.every_joint):
        joint, of = spec.joints[k], _Reaction(i)
        if joint.fictitious or not joint.kind.restricts:
            continue  # carries nothing
        text = (
            f'exerted by joint "{joint.name}" on "{joint.child}", at the joint point carried by '
            f'"{joint.child}", world axes, without drive and spring'
        )
        named = xyz(f"{joint.name}.force", "N", f"constraint force {text}")
        yield Block(Stage.REACTIONS, named, of.force)
        named = xyz(f"{joint.name}.torque", "N.m", f"constraint torque {text}")
        yield Block(Stage.REACTIONS, named, of.torque)


@dataclass(frozen=True)
class _TurnedReaction:
    """The reaction of joint i in axes of a body, or in those of the joint that it carries."""

    of: _Reaction
    body: str
    joint: Joint | None

    def force(self, now: Solved) -> Array:
        return self._turned(now, self.of.force(now))

    def torque(self, now: Solved) -> Array:
        return self._turned(now, self.of.torque(now))

    def _turned(self, now: Solved, vector_W: Array) -> Array:
        places = now.at.tree.places
        R_WU, _, _ = now.at.motion.turning(places.number(self.body))
        vector_U: Array = times(R_WU.T, vector_W)
        if self.joint is None:
            return vector_U
        return times(joint_axes(self.joint, places.parameters).T, vector_U)


def turned_reaction_blocks(output: OutputReaction, spec: Spec, forest: Forest) -> Iterator[Block]:
    """Yield the constraint force and torque of a joint in chosen axes."""
    names = [spec.joints[k].name for k in forest.every_joint]
    i = names.index(output.joint)
    joint = spec.joints[forest.every_joint[i]]
    body = {PARENT: joint.parent, WORLD_AXES: GROUND}.get(output.axes, joint.child)
    of = _TurnedReaction(_Reaction(i), body, joint if output.axes == JOINT else None)
    axes = f'axes of the joint, carried by "{body}", z along its axis'
    if output.axes != JOINT:
        axes = "world axes" if body == GROUND else f'axes of "{body}"'
    text = (
        f'exerted by joint "{joint.name}" on "{joint.child}", at the joint point carried by '
        f'"{joint.child}", {axes}, without drive and spring'
    )
    named = xyz(f"{output.name}.force", "N", f"constraint force {text}")
    yield Block(Stage.REACTIONS, named, of.force)
    named = xyz(f"{output.name}.torque", "N.m", f"constraint torque {text}")
    yield Block(Stage.REACTIONS, named, of.torque)


def multiplier_blocks(spec: Spec, forest: Forest) -> Iterator[Block]:
    """Yield the multipliers of constraints that are no joints."""
    constraints = {c.name: c for c in spec.constraints}
    for k, row in enumerate(row_table(spec, forest)):
        if not row.is_joint:
            constraint = constraints[row.element]
            name, unit = f"{row.element}.lambda[{row.number}]", "N.m" if row.turns else "N"
            text = f'multiplier of row {row.number} of constraint "{row.element}" '
            meaning = text + f"({constraint.type}: {constraint.multipliers})"
            yield Block(Stage.REACTIONS, (Component(name, unit, meaning),), _Multiplier(k).value)


def drive_blocks(spec: Spec, forest: Forest) -> Iterator[Block]:
    """Yield what prescribed motions take, and drives that are functions of time.

    Put out whatever groups are chosen.
    """
    for i, k in enumerate(forest.every_joint):
        joint = spec.joints[k]
        if joint.torque:
            text = f'a function of time; "{joint.parent}" takes the opposite'
            named = tuple(
                Component(f"{joint.name}.{d.name}", d.unit, f"{d.meaning}, {text}")
                for d in joint.kind.names.drives
            )
            yield Block(Stage.REACTIONS, named, _Torque(i).value)
    for i, k in enumerate(forest.joint):
        joint, of = spec.joints[k], _Drive(i)
        if joint.drive != "motion":
            continue
        if joint.kind.restricts:
            named = tuple(
                Component(f"{joint.name}.{d.name}", d.unit, f"{d.meaning} that the motion takes")
                for d in joint.kind.names.drives
            )
            yield Block(Stage.REACTIONS, named, of.along_freedoms)
            continue
        text = f'that must act on "{joint.child}" at its joint point for the motion, world axes'
        named = xyz(f"{joint.name}.force", "N", f"force {text}")
        yield Block(Stage.REACTIONS, named, of.force)
        named = xyz(f"{joint.name}.torque", "N.m", f"torque {text}")
        yield Block(Stage.REACTIONS, named, of.torque)
