"""Outputs of forces: what joints and constraints transmit, and what prescribed motions take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mbd_fmu.elements.names import Component
from mbd_fmu.mechanics.row_table import row_table
from mbd_fmu.model.spec import Spec
from mbd_fmu.spatial import Array
from mbd_fmu.system.outputs.block import Block, Solved, Stage, xyz
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
        found: Array = now.at.placed.R_WB[self.i] @ now.at.transmitted[self.i][3:]
        return found

    def torque(self, now: Solved) -> Array:
        found: Array = now.at.placed.R_WB[self.i] @ now.at.transmitted[self.i][:3]
        return found


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
    """Yield what prescribed motions take; put out whatever groups are chosen."""
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
