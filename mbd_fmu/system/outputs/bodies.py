"""Outputs of bodies: where they are, and how they move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mbd_fmu.elements.names import wxyz, xyz
from mbd_fmu.elements.places import BodyPoint
from mbd_fmu.model.spec import Spec
from mbd_fmu.spatial import Array, times
from mbd_fmu.system.outputs.block import Block, Solved, Stage
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
        found: Array = times(now.at.placed.R_WB[self.i], now.at.V_B[self.i][:3])
        return found

    def acceleration(self, now: Solved) -> Array:
        return now.at.in_world.acceleration(BodyPoint(self.i, now.at.tree.p_BBcm[self.i]))

    def angular_acceleration(self, now: Solved) -> Array:
        return now.at.in_world.angular_acceleration(self.i)


def body_blocks(spec: Spec, forest: Forest) -> Iterator[Block]:
    """Yield poses and velocities of bodies, as far as they are chosen."""
    for i, k in enumerate(forest.body):
        body, of = spec.bodies[k].name, _Body(i)
        if spec.moving_base and body == BASE_BODY:
            continue  # its pose is an input
        if "poses" in spec.groups:
            text = f'origin of body "{body}" (as drawn) in the world'
            yield Block(Stage.POSITIONS, xyz(f"{body}.r", "m", text), of.origin)
            text = f'orientation of body "{body}" in the world, unit quaternion'
            yield Block(Stage.POSITIONS, wxyz(f"{body}.quat", text), of.orientation)
            text = f'mass centre of body "{body}" in the world'
            yield Block(Stage.POSITIONS, xyz(f"{body}.com", "m", text), of.mass_centre)
        if "velocities" in spec.groups:
            text = f'velocity of the mass centre of body "{body}", world axes'
            yield Block(Stage.VELOCITIES, xyz(f"{body}.v", "m/s", text), of.velocity)
            text = f'angular velocity of body "{body}", world axes'
            yield Block(Stage.VELOCITIES, xyz(f"{body}.w", "rad/s", text), of.angular_velocity)


def acceleration_blocks(spec: Spec, forest: Forest) -> Iterator[Block]:
    """Yield accelerations of bodies."""
    for i, k in enumerate(forest.body):
        body, of = spec.bodies[k].name, _Body(i)
        if spec.moving_base and body == BASE_BODY:
            continue  # they are inputs
        text = f'acceleration of the mass centre of body "{body}", world axes'
        yield Block(Stage.ACCELERATIONS, xyz(f"{body}.a", "m/s2", text), of.acceleration)
        text = f'angular acceleration of body "{body}", world axes'
        named = xyz(f"{body}.alpha", "rad/s2", text)
        yield Block(Stage.ACCELERATIONS, named, of.angular_acceleration)
