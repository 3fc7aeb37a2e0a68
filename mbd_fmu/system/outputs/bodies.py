"""Outputs of bodies and of points on them: where they are, and how they move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mbd_fmu.elements.names import Component
from mbd_fmu.model.spec import Spec
from mbd_fmu.spatial import Array
from mbd_fmu.system.outputs.block import Block, Solved, Stage, xyz
from mbd_fmu.topology.connect import BASE_BODY
from mbd_fmu.topology.forest import Forest


@dataclass(frozen=True)
class _Body:
    """What is put out of body i, in the world."""

    i: int

    def origin(self, now: Solved) -> Array:
        return now.at.placed.point_W(self.i, now.at.tree.origin_B[self.i])

    def orientation(self, now: Solved) -> Array:
        return now.at.placed.quat_WU[self.i]

    def mass_centre(self, now: Solved) -> Array:
        return now.at.placed.point_W(self.i, now.at.tree.p_BBcm[self.i])

    def velocity(self, now: Solved) -> Array:
        return now.at.point_velocity_W(self.i, now.at.tree.p_BBcm[self.i])

    def angular_velocity(self, now: Solved) -> Array:
        found: Array = now.at.placed.R_WB[self.i] @ now.at.V_B[self.i][:3]
        return found


@dataclass(frozen=True)
class _Point:
    """What is put out of point k, in the world."""

    k: int

    def position(self, now: Solved) -> Array:
        return now.at.motion.point(now.at.tree.points[self.k])[0]

    def velocity(self, now: Solved) -> Array:
        return now.at.motion.point(now.at.tree.points[self.k])[1]


def body_blocks(spec: Spec, forest: Forest) -> Iterator[Block]:
    """Yield poses and velocities of bodies, as far as they are chosen."""
    for i, k in enumerate(forest.body):
        body, of = spec.bodies[k].name, _Body(i)
        if spec.moving_base and body == BASE_BODY:
            continue  # its pose is an input
        if "poses" in spec.groups:
            text = f'origin of body "{body}" (as drawn) in the world'
            yield Block(Stage.POSITIONS, xyz(f"{body}.r", "m", text), of.origin)
            yield Block(Stage.POSITIONS, _quaternion(body), of.orientation)
            text = f'mass centre of body "{body}" in the world'
            yield Block(Stage.POSITIONS, xyz(f"{body}.com", "m", text), of.mass_centre)
        if "velocities" in spec.groups:
            text = f'velocity of the mass centre of body "{body}", world axes'
            yield Block(Stage.VELOCITIES, xyz(f"{body}.v", "m/s", text), of.velocity)
            text = f'angular velocity of body "{body}", world axes'
            yield Block(Stage.VELOCITIES, xyz(f"{body}.w", "rad/s", text), of.angular_velocity)


def point_blocks(spec: Spec) -> Iterator[Block]:
    """Yield positions and velocities of the points that are asked for."""
    for k, point in enumerate(spec.points):
        of, text = _Point(k), f'point "{point.name}" of body "{point.body}"'
        named = xyz(f"{point.name}.r", "m", f"{text} in the world")
        yield Block(Stage.POSITIONS, named, of.position)
        named = xyz(f"{point.name}.v", "m/s", f"velocity of {text}, world axes")
        yield Block(Stage.VELOCITIES, named, of.velocity)


def _quaternion(body: str) -> tuple[Component, ...]:
    text = f'orientation of body "{body}" in the world, unit quaternion'
    return tuple(Component(f"{body}.quat.{c}", "1", f"{text}, {c}") for c in "wxyz")
