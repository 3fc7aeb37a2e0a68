"""Outputs of joints: coordinates, velocities and accelerations, of cut joints too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat

from mbd_fmu.elements.names import Component
from mbd_fmu.elements.prescribed import JointMotion, PrescribedLayout
from mbd_fmu.model.spec import Spec
from mbd_fmu.spatial import Array
from mbd_fmu.system.outputs.block import Block, Solved, Stage
from mbd_fmu.system.prescribed import made_parts
from mbd_fmu.topology.forest import Forest

_STAGE_OF = {
    "position": Stage.POSITIONS,
    "velocity": Stage.VELOCITIES,
    "acceleration": Stage.ACCELERATIONS,
}


@dataclass(frozen=True)
class _Joint:
    """What is put out of joint i, in its own coordinates."""

    i: int

    def position(self, now: Solved) -> Array:
        return now.at.q[now.at.tree.forest.every_q[self.i]]

    def velocity(self, now: Solved) -> Array:
        return now.at.every_v[now.at.tree.forest.every_v[self.i]]

    def acceleration(self, now: Solved) -> Array:
        return now.at.every_vd[now.at.tree.forest.every_v[self.i]]


@dataclass(frozen=True)
class _PrescribedPart:
    """One part of what would prescribe the motion that joint i, of the tree, makes."""

    i: int
    layout: PrescribedLayout
    part: str

    def value(self, now: Solved) -> Array:
        at, forest = now.at, now.at.tree.forest
        q, dof = forest.q[self.i], forest.v[self.i]
        return self.layout.part(self.part, JointMotion(at.q[q], at.v[dof], at.vd[dof]))


def joint_blocks(spec: Spec, forest: Forest) -> Iterator[Block]:
    """Yield how joints move; of a prescribed motion what is no input."""
    for i, k in enumerate(forest.every_joint):
        joint = spec.joints[k]
        names, of = joint.kind.names, _Joint(i)
        if joint.drive == "motion":
            layout = joint.kind.layout
            for part in made_parts(joint):
                formula = _PrescribedPart(i, layout, part.name).value
                yield Block(_STAGE_OF[part.level], part.components, formula)
            continue
        for stage, components, formula in (
            (Stage.POSITIONS, names.positions, of.position),
            (Stage.VELOCITIES, names.velocities, of.velocity),
            (Stage.ACCELERATIONS, names.accelerations, of.acceleration),
        ):
            if components:
                where = f'joint "{joint.name}" from "{joint.parent}" to "{joint.child}"'
                speeds = joint.speed if stage == Stage.VELOCITIES else ()
                allowed = [f"; its maker allows {speed:g}" for speed in speeds]
                named = tuple(
                    Component(f"{joint.name}.{c.name}", c.unit, f"{c.meaning}; {where}{most}")
                    for c, most in zip(components, allowed or repeat(""), strict=False)
                )
                yield Block(stage, named, formula)
