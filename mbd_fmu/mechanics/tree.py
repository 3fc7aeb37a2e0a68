"""The mechanism with its parameters put in: the arrays all algorithms work on.

Structure comes from the forest, numbers or symbols from the parameters; this is where the seed's
L(X, P, S) gets its P. [003]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mbd_fmu.mechanics.arrangement import Arrangement, arrangements
from mbd_fmu.mechanics.frames import Frames, axes_about, snap, turn_about_z
from mbd_fmu.mechanics.joints import JOINTS, JointType
from mbd_fmu.model.expressions import value_of
from mbd_fmu.model.quantities import Values, inertia_of, vector_of
from mbd_fmu.model.spec import GROUND, Force, Spec, Vector
from mbd_fmu.spatial import Array, Scalar, array, spatial_inertia
from mbd_fmu.topology.forest import WORLD, Forest


@dataclass(frozen=True)
class Spring:
    """A spring with a damper; ends are (body, place in its B), or (WORLD, place in the world)."""

    ends: tuple[tuple[int, Array], tuple[int, Array]]
    stiffness: Scalar
    damping: Scalar
    natural: Scalar


@dataclass(frozen=True)
class Tree:
    """A tree of bodies; index i runs over bodies, ``parent[i] < i``. Floats or symbols.

    Frames: P carrier, F joint frame on the carrier, B body (at the joint point), U the user's.
    """

    forest: Forest
    parent: tuple[int, ...]
    joint: tuple[JointType, ...]
    shift: tuple[Array, ...]  # (nq_i,): added to q before the joint places B in F
    reference: tuple[Array, ...]  # (nq_i,): q in the drawn position
    R_PF: tuple[Array, ...]
    p_PF: tuple[Array, ...]
    I_B: tuple[Array, ...]  # (6, 6)
    mass: tuple[Scalar, ...]
    p_BBcm: tuple[Array, ...]
    origin_B: tuple[Array, ...]  # the body's output origin
    points: tuple[tuple[int, Array], ...]  # output points: body, place in B
    quat_PC: tuple[Array, ...]  # turn from the carrier's U to the body's U as drawn
    axis_U: tuple[Array, ...]
    gravity_W: Array
    stiffness: Array  # (nv,)
    rest: Array  # (nv,)
    damping: Array  # (nv,)
    moved: tuple[bool, ...]  # the joint's motion is prescribed
    springs: tuple[Spring, ...]


def tree_of(spec: Spec, forest: Forest, frames: Frames, parameters: Values) -> Tree:
    """Put parameters, numbers or symbols, into a structure."""
    joints = arrangements(spec, forest, parameters)
    R_UB, R_PF, p_PF = _placements(joints, forest, frames)

    def point_B(i: int, point: Vector) -> Array:
        """Return a point of body i, given in U, in the internal frame."""
        return R_UB[i].T @ (vector_of(point, parameters) - joints[i].point_C)

    bodies = [spec.bodies[k] for k in forest.body]
    index = {body.name: i for i, body in enumerate(bodies)}
    mass = tuple(value_of(body.mass, parameters) for body in bodies)
    com = tuple(point_B(i, body.com) for i, body in enumerate(bodies))
    I_Bcm = [R_UB[i].T @ inertia_of(body, parameters) @ R_UB[i] for i, body in enumerate(bodies)]
    types = tuple(JOINTS[joint.type] for joint in joints)
    reference = tuple(
        array([value_of(spec.joints[k].reference, parameters)])
        if len(t.neutral) == 1
        else array(t.neutral)
        for k, t in zip(forest.joint, types, strict=True)
    )

    def spring(force: Force) -> Spring:
        places = ((force.parent, force.point), (force.child, force.point2))
        one, other = (
            (WORLD, vector_of(point, parameters))
            if body == GROUND
            else (index[body], point_B(index[body], point))
            for body, point in places
        )
        constants = (force.stiffness, force.damping, force.length)
        return Spring((one, other), *(value_of(c, parameters) for c in constants))

    def of_freedoms(key: str) -> Array:
        """Return a joint property per velocity; it is zero where the joint has several."""
        return array(
            [
                value_of(getattr(spec.joints[k], key), parameters)
                for k, t in zip(forest.joint, types, strict=True)
                for _ in t.velocities
            ]
        )

    return Tree(
        forest=forest,
        parent=forest.parent,
        joint=types,
        shift=tuple(
            array([turn - r[0]]) if len(r) == 1 else np.zeros(len(r))
            for turn, r in zip(frames.twist, reference, strict=True)
        ),
        reference=reference,
        R_PF=R_PF,
        p_PF=p_PF,
        I_B=tuple(map(spatial_inertia, mass, com, I_Bcm)),
        mass=mass,
        p_BBcm=com,
        origin_B=tuple(point_B(i, body.origin) for i, body in enumerate(bodies)),
        points=tuple(
            (index[point.body], point_B(index[point.body], point.point)) for point in spec.points
        ),
        quat_PC=tuple(joint.quat_PC for joint in joints),
        axis_U=tuple(joint.axis_C for joint in joints),
        gravity_W=vector_of(spec.gravity, parameters),
        stiffness=of_freedoms("stiffness"),
        rest=of_freedoms("rest"),
        damping=of_freedoms("damping"),
        moved=tuple(spec.joints[k].drive == "motion" for k in forest.joint),
        springs=tuple(map(spring, spec.forces)),
    )


def _placements(
    joints: tuple[Arrangement, ...], forest: Forest, frames: Frames
) -> tuple[tuple[Array, ...], tuple[Array, ...], tuple[Array, ...]]:
    """Return the axes of B in U, and the joint frame F placed in the carrier, of every body."""
    R_UB: list[Array] = []
    R_PF: list[Array] = []
    p_PF: list[Array] = []
    for i, joint in enumerate(joints):
        p = forest.parent[i]
        R_UP = np.eye(3) if p == WORLD else R_UB[p]
        R_CP = snap(joint.R_PC.T @ R_UP)  # the carrier's internal axes, in this body's U
        if joint.has_axis:
            R_CF = axes_about(joint.axis_C, frames.x_F[i])
        else:
            R_CF = np.eye(3) if joint.is_free else R_CP
        R_UB.append(snap(R_CF @ turn_about_z(frames.twist[i])))
        R_PF.append(snap(R_CP.T @ R_CF))
        on_carrier = joint.point_P if p == WORLD else joint.point_P - joints[p].point_C
        p_PF.append(R_UP.T @ on_carrier)
    return tuple(R_UB), tuple(R_PF), tuple(p_PF)
