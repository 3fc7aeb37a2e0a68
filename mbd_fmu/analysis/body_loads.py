"""All that acts on each body at one instant, in its own axes: what a finite-element model needs.

Joints with drives, springs and rotors in them, constraints, forces, gravity; and, for inertia
relief, the mass forces of the motion,

    -m a   and   -(I alpha + w x I w)   at the mass centre                                     (1)

Together they sum to nothing, about any point. Axes and points are those of the drawing: the body's
frame U, in which the model gives its numbers.

Source   Newton and Euler, d'Alembert; inertia relief as finite-element programs have it.
Checked  tests/analysis/test_body_loads.py
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mbd_fmu.elements.jets import BodyJets
from mbd_fmu.elements.places import GROUND, WORLD, BodyPoint
from mbd_fmu.mechanics.cuts import joint_ends
from mbd_fmu.mechanics.equations import Instant
from mbd_fmu.mechanics.kinematics import accelerations
from mbd_fmu.model.inertias import inertia_of
from mbd_fmu.model.spec import Joint
from mbd_fmu.spatial import Array, skew
from mbd_fmu.system.plant import Plant
from mbd_fmu.topology.connect import BASE_BODY

GRAVITY, INERTIA = "gravity", "inertia"


@dataclass(frozen=True)
class BodyLoad:
    """What one element exerts on a body: force, and moment about the point; axes of U."""

    element: str
    kind: str  # joint, constraint, force, gravity or inertia
    other: str  # the body at the other end; empty where there is none
    point: Array
    force: Array
    moment: Array

    def moment_about(self, point: Array) -> Array:
        """Return the moment about another point."""
        return self.moment + np.cross(self.point - point, self.force)


@dataclass(frozen=True)
class LoadedBody:
    """A body with its mass, its motion and all that acts on it; axes of U."""

    name: str
    mass: float
    mass_centre: Array
    inertia: Array  # (3, 3) about the mass centre
    gravity: Array
    acceleration: Array  # of the mass centre
    angular_velocity: Array
    angular_acceleration: Array
    applied: tuple[BodyLoad, ...]  # by elements

    @property
    def loads(self) -> tuple[BodyLoad, ...]:
        """All of them, with gravity and inertia relief: they balance."""
        w, none = self.angular_velocity, np.zeros(3)
        turning = self.inertia @ self.angular_acceleration + np.cross(w, self.inertia @ w)
        weight = BodyLoad(GRAVITY, GRAVITY, "", self.mass_centre, self.mass * self.gravity, none)
        relief = BodyLoad(
            INERTIA, INERTIA, "", self.mass_centre, -self.mass * self.acceleration, -turning
        )
        return (*self.applied, weight, relief)

    @property
    def balance(self) -> tuple[Array, Array]:
        """What is left of all forces, and of their moments about the mass centre."""
        loads = self.loads
        force = sum((load.force for load in loads), np.zeros(3))
        return force, sum((load.moment_about(self.mass_centre) for load in loads), np.zeros(3))


def loaded_bodies(plant: Plant, x: Array, u: Array, z: Array) -> tuple[LoadedBody, ...]:
    """Return every body with its loads, where derivatives and multipliers are z."""
    at = plant.solved(x, u, z).at
    wrenches: dict[int, list[BodyLoad]] = {}
    for k, load in (*_of_joints(plant, at), *_of_constraints(plant, at), *_of_forces(plant, at)):
        wrenches.setdefault(k, []).append(load)
    spec, tree = plant.system.spec, plant.tree
    A_B = accelerations(tree, at.configuration, at.V_B, at.v, at.vd, np.zeros(6))
    jets = BodyJets(at.placed.R_WB, at.placed.p_WB, at.V_B, A_B)
    found = []
    for i, k in enumerate(plant.system.forest.body):
        body = spec.bodies[k]
        if spec.moving_base and body.name == BASE_BODY:
            continue  # it has no mass, and follows what is told
        R_UB, R_WB = tree.R_UB[i], at.placed.R_WB[i]
        R_UW = R_UB @ R_WB.T
        found.append(
            LoadedBody(
                name=body.name,
                mass=float(tree.mass[i]),
                mass_centre=_point_U(plant, i, tree.p_BBcm[i]),
                inertia=inertia_of(body, plant.system.named(plant.p)).astype(float),
                gravity=R_UW @ tree.gravity_W,
                acceleration=R_UW @ jets.point(BodyPoint(i, tree.p_BBcm[i])).drift,
                angular_velocity=R_UB @ at.V_B[i][:3],
                angular_acceleration=R_UB @ A_B[i][:3],
                applied=tuple(wrenches.get(i, ())),
            )
        )
    return tuple(found)


def _point_U(plant: Plant, body: int, p_B: Array) -> Array:
    found: Array = plant.tree.places.origin_U[body] + plant.tree.R_UB[body] @ p_B
    return found


def _load(
    plant: Plant, body: int, element: tuple[str, str, str], F_B: Array, p_B: Array
) -> tuple[int, BodyLoad]:
    """Return a wrench that is given in B about its origin, about a point in axes of U."""
    R_UB = plant.tree.R_UB[body]
    moment = F_B[:3] - skew(p_B) @ F_B[3:]
    point = _point_U(plant, body, p_B)
    return body, BodyLoad(*element, point, R_UB @ F_B[3:], R_UB @ moment)


def _of_joints(plant: Plant, at: Instant) -> Iterator[tuple[int, BodyLoad]]:
    """Yield what joints exert on both their bodies, each at the joint point it carries."""
    tree, system = plant.tree, plant.system
    for i, F_B in enumerate(at.transmitted):
        wrench = {i: F_B}
        if tree.parent[i] != WORLD:
            wrench[tree.parent[i]] = -at.configuration.X_BP[i].force_back(F_B)
        yield from _at_ends(plant, system.joint(i), wrench)
    first = 0
    for k, cut in enumerate(at.cuts):
        n = 6 - (cut.cut.v.stop - cut.cut.v.start)
        mine = range(first, first + n)
        first += n
        effort = at.drive[cut.cut.v] + at.added[cut.cut.v] + at.rotors[cut.cut.v]
        lam = np.zeros(0) if at.lam is None else at.lam
        wrench = {body: unit @ effort for body, unit in cut.wrenches().items()}
        for body in wrench:
            if body in at.rows.acting:
                own = at.rows.acting[body].of(mine)
                wrench[body] = wrench[body] + own @ lam[mine.start : mine.stop]
        yield from _at_ends(plant, system.joint(len(tree.parent) + k), wrench)


def _at_ends(
    plant: Plant, joint: Joint, wrench: dict[int, Array]
) -> Iterator[tuple[int, BodyLoad]]:
    if not _carries(joint):
        return
    ends = joint_ends(joint, plant.tree.places)
    for frame, other in ((ends.M, joint.parent), (ends.F, joint.child)):
        if frame.body in wrench:
            element = joint.name, "joint", other
            yield _load(plant, frame.body, element, wrench[frame.body], frame.origin)


def _carries(joint: Joint) -> bool:
    """Tell whether something can go through a joint: what flies freely carries nothing."""
    acts = joint.stiffness or joint.damping or joint.friction or joint.stop
    return joint.kind.restricts or joint.drive != "none" or bool(acts)


def _of_constraints(plant: Plant, at: Instant) -> Iterator[tuple[int, BodyLoad]]:
    """Yield what constraints exert, at the points the model gives them, else at mass centres."""
    tree, system = plant.tree, plant.system
    if at.lam is None:
        return
    for constraint in system.spec.constraints:
        own = [
            k for k, r in enumerate(system.rows) if not r.is_joint and r.element == constraint.name
        ]
        given = {}
        for name, point in (
            (constraint.parent, constraint.point),
            (constraint.child, constraint.point2),
        ):
            if name in tree.places.body and len(point):
                given[tree.places.body[name]] = tree.places.point(name, point).place
        for body, acting in at.rows.acting.items():
            unit = acting.of(own)
            F_B = unit @ at.lam[own]
            if np.any(unit):
                place = given.get(body, tree.p_BBcm[body])
                yield _load(plant, body, (constraint.name, "constraint", ""), F_B, place)


def _of_forces(plant: Plant, at: Instant) -> Iterator[tuple[int, BodyLoad]]:
    """Yield what springs, bushings, attractions and wrenches exert, where they take hold."""
    tree, spec = plant.tree, plant.system.spec
    triples = zip(spec.forces, tree.forces, tree.force_inputs, strict=True)
    for force, placed, own in triples:
        for load in placed.loads(at.movement, at.force_inputs[own]):
            if load.body == WORLD:
                continue
            body = spec.bodies[plant.system.forest.body[load.body]].name
            other = force.parent if body == force.child else force.child
            R_WB, p_WB = at.placed.R_WB[load.body], at.placed.p_WB[load.body]
            p_B, R_UB = R_WB.T @ (load.at - p_WB), tree.R_UB[load.body]
            R_UW = R_UB @ R_WB.T
            yield (
                load.body,
                BodyLoad(
                    force.name,
                    "force",
                    "" if other == GROUND and not force.is_coupling else other,
                    _point_U(plant, load.body, p_B),
                    R_UW @ load.force,
                    R_UW @ load.torque,
                ),
            )
