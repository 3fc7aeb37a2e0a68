"""Outputs of force elements, of constraints and of springs in joints: what each exerts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mbd_fmu.elements.constraint import Constraint, Held
from mbd_fmu.elements.force import Force
from mbd_fmu.elements.names import Component, xyz
from mbd_fmu.elements.places import WORLD
from mbd_fmu.mechanics.joint_forces import passive_force
from mbd_fmu.mechanics.row_table import row_table
from mbd_fmu.model.spec import Spec
from mbd_fmu.quantities.vectors import Vector
from mbd_fmu.spatial import Array, array, skew, times
from mbd_fmu.system.outputs.block import Block, Solved, Stage
from mbd_fmu.topology.forest import Forest


@dataclass(frozen=True)
class _Measured:
    """What is put out of force k, by its key; bodies are seen from the one that carries both."""

    k: int
    force: Force
    key: str
    is_turned: bool

    def value(self, now: Solved) -> Array:
        at, places = now.at, now.at.tree.places
        ends = [places.number(name) for _, name in self.force.bodies] or [WORLD]
        bodies, inputs = at.seen_from(*ends), at.force_inputs[at.tree.force_inputs[self.k]]
        found = at.tree.forces[self.k].measured(bodies, at.movement, inputs)[self.key]
        return times(bodies.to_world, found) if self.is_turned else found


@dataclass(frozen=True)
class _Exerted:
    """What the rows of a constraint exert on a body that it holds at a point, in world axes."""

    rows: tuple[int, ...]
    body: str
    parent: str
    point: Vector

    def force(self, now: Solved) -> Array:
        body, F_B, sign = self._wrench(now)
        found: Array = times(now.at.placed.R_WB[body], F_B[3:])
        return found if sign > 0 else -found

    def torque(self, now: Solved) -> Array:
        """About the point; of a body, for the ground has no torque that matters."""
        body, F_B, _ = self._wrench(now)
        p_B = now.at.tree.places.point(self.body, self.point).place
        found: Array = times(now.at.placed.R_WB[body], F_B[:3] - times(skew(p_B), F_B[3:]))
        return found

    def _wrench(self, now: Solved) -> tuple[int, Array, int]:
        """On the body; where that is the ground, the parent with the opposite sign."""
        places, sign = now.at.tree.places, 1
        body = places.number(self.body)
        if body == WORLD:
            body, sign = places.number(self.parent), -1
        mine = list(self.rows)
        lam = np.zeros(max(mine) + 1) if now.at.lam is None else now.at.lam
        return body, times(now.at.rows.acting[body].of(mine), lam[mine]), sign


@dataclass(frozen=True)
class _Passive:
    """What springs, dampers, friction and stops of joint i exert, along each of its freedoms."""

    i: int

    def value(self, now: Solved) -> Array:
        at, dof = now.at, now.at.tree.forest.every_v[self.i]
        mine = [p for p in at.tree.passive if dof.start <= p.v < dof.stop]
        return array([passive_force(p, at.q, at.every_v[p.v]) for p in mine])


def force_blocks(spec: Spec, forest: Forest) -> Iterator[Block]:
    """Yield what force elements measure and exert, then constraints, then joints by themselves."""
    turns = {joint.name: joint.kind.turns for joint in spec.joints}
    for k, force in enumerate(spec.forces):
        for measure in force.measures(tuple(turns[name] for name in force.joints)):
            stage = Stage.POSITIONS if measure.is_position else Stage.VELOCITIES
            of = _Measured(k, force, measure.key, is_turned=measure.is_turned)
            yield Block(stage, measure.components, of.value)
    rows = row_table(spec, forest)
    for constraint in spec.constraints:
        mine = [k for k, r in enumerate(rows) if not r.is_joint and r.element == constraint.name]
        for held in constraint.held:
            yield from _constraint_blocks(constraint, held, tuple(mine))
    yield from _passive_blocks(spec, forest)


def _passive_blocks(spec: Spec, forest: Forest) -> Iterator[Block]:
    """Yield what acts in joints by itself."""
    for i, k in enumerate(forest.every_joint):
        joint = spec.joints[k]
        if not joint.passive:
            continue
        names = joint.kind.names
        several = len(names.drives) > 1
        named = []
        for n, (drive, rate) in enumerate(zip(names.drives, names.velocities, strict=True), 1):
            name = f"{joint.name}.passive" + (f"[{n}]" if several else "")
            along = f" along {rate.name}" if several else ""
            text = f"{drive.meaning.removeprefix('drive ')},{along} of {', '.join(joint.passive)}"
            text += f' in joint "{joint.name}"; "{joint.parent}" takes the opposite'
            named.append(Component(name, drive.unit, text))
        yield Block(Stage.VELOCITIES, tuple(named), _Passive(i).value)


def _constraint_blocks(
    constraint: Constraint, held: Held, rows: tuple[int, ...]
) -> Iterator[Block]:
    of = _Exerted(rows, held.body, constraint.parent, held.point)
    text = (
        f'that constraint "{constraint.name}" exerts on "{held.body}" at its {held.at}, world axes'
    )
    name = f"{constraint.name}.force{held.number}"
    yield Block(Stage.REACTIONS, xyz(name, "N", f"force {text}"), of.force)
    if held.turns:
        name = f"{constraint.name}.torque{held.number}"
        yield Block(Stage.REACTIONS, xyz(name, "N.m", f"torque {text}"), of.torque)
