"""The mechanism with its parameters put in: the arrays all algorithms work on.

Structure comes from the forest, numbers or symbols from the parameters; this is where the seed's
L(X, P, S) gets its P. [003]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np

from mbd_fmu.elements.axes import axes_about, snap
from mbd_fmu.elements.constraint import PlacedConstraint
from mbd_fmu.elements.force import PlacedForce
from mbd_fmu.elements.joint import JointType
from mbd_fmu.elements.places import WORLD, BodyPoint, Places
from mbd_fmu.mechanics.arrangement import Arrangement, arrangements
from mbd_fmu.mechanics.cuts import Cut, cuts_of
from mbd_fmu.mechanics.frames import Frames, axes_turned, axes_without_axis, turn_about_z
from mbd_fmu.model.inertias import inertia_of
from mbd_fmu.model.spec import Joint, Spec
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import Values, vector_of
from mbd_fmu.spatial import Array, Scalar, array, spatial_inertia, times
from mbd_fmu.topology.forest import Forest


@dataclass(frozen=True)
class Passive:
    """What a joint does by itself in one of its freedoms; q is None where the freedom has none."""

    q: int | None
    v: int
    stiffness: Scalar
    rest: Scalar
    damping: Scalar
    friction: Scalar
    friction_speed: Scalar
    stops: tuple[tuple[float, Scalar], ...]  # (+1 upper, -1 lower; where)
    stop: tuple[Scalar, ...]  # stiffness, damping, width


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
    points: tuple[BodyPoint, ...]  # output points
    quat_PC: tuple[Array, ...]  # turn from the carrier's U to the body's U as drawn
    R_UB: tuple[Array, ...]  # axes of B in U
    places: Places  # where what a model says lies on the bodies
    constants: tuple[Array, ...]  # of the joints
    gravity_W: Array
    passive: tuple[Passive, ...]  # springs, dampers, friction and stops in the joints
    armature: Array  # of the rotors behind all velocities, those of cut joints last; 0: none
    has_rotors: bool
    prescribed: tuple[bool, ...]  # the joint's motion is prescribed
    forces: tuple[PlacedForce, ...]
    force_inputs: tuple[slice, ...]  # of each force, among those of all
    cuts: tuple[Cut, ...]
    constraints: tuple[PlacedConstraint, ...]


def tree_of(spec: Spec, forest: Forest, frames: Frames, parameters: Values) -> Tree:
    """Put parameters, numbers or symbols, into a structure."""
    joints = arrangements(spec, forest, parameters)
    R_UB, R_PF, p_PF = _placements(joints, forest, frames)
    bodies = [spec.bodies[k] for k in forest.body]
    order = (spec.joints[k].name for k in forest.every_joint)
    places = Places(
        parameters,
        {body.name: i for i, body in enumerate(bodies)},
        {name: i for i, name in enumerate(order)},
        R_UB,
        tuple(joint.point_C for joint in joints),
    )
    mass = tuple(value_of(body.mass, parameters) for body in bodies)
    com = tuple(places.point(body.name, body.com).place for body in bodies)
    I_Bcm = [
        times(times(R.T, inertia_of(body, parameters)), R)
        for R, body in zip(R_UB, bodies, strict=True)
    ]
    reference = tuple(vector_of(spec.joints[k].drawn_position, parameters) for k in forest.joint)
    return Tree(
        forest=forest,
        parent=forest.parent,
        joint=tuple(joint.joint_type for joint in joints),
        shift=tuple(
            _shift(joint, turn, r)
            for joint, turn, r in zip(joints, frames.twist, reference, strict=True)
        ),
        reference=reference,
        R_PF=R_PF,
        p_PF=p_PF,
        I_B=tuple(map(spatial_inertia, mass, com, I_Bcm)),
        mass=mass,
        p_BBcm=com,
        origin_B=tuple(places.point(body.name, body.origin).place for body in bodies),
        points=tuple(places.point(point.body, point.point) for point in spec.points),
        quat_PC=tuple(joint.quat_PC for joint in joints),
        R_UB=R_UB,
        places=places,
        constants=tuple(
            joint.constants(snap(times(R.T, joint.axis2_C)))
            for joint, R in zip(joints, R_UB, strict=True)
        ),
        gravity_W=vector_of(spec.gravity, parameters),
        passive=tuple(
            force
            for k, q, v in zip(forest.every_joint, forest.every_q, forest.every_v, strict=True)
            for force in _passive(spec.joints[k], q, v, parameters)
        ),
        armature=_armature(spec, forest, parameters),
        has_rotors=any(joint.armature for joint in spec.joints),
        prescribed=tuple(spec.joints[k].drive == "motion" for k in forest.joint),
        forces=tuple(force.placed(places) for force in spec.forces),
        force_inputs=_counted_on(len(force.inputs) for force in spec.forces),
        cuts=cuts_of(spec, forest, places),
        constraints=tuple(constraint.placed(places) for constraint in spec.constraints),
    )


def _counted_on(sizes: Iterable[int]) -> tuple[slice, ...]:
    """Slices of the given sizes, one after the other."""
    ends = list(accumulate(sizes, initial=0))
    return tuple(slice(a, b) for a, b in pairwise(ends))


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
        R_CP = snap(times(joint.R_PC.T, R_UP))  # the carrier's internal axes, in this body's U
        if joint.kind.has_x_axis:
            R_CF = axes_about(joint.axis_C, joint.x_C)
        elif joint.kind.has_axis:
            R_CF = axes_turned(joint.axis_C, frames.z_F[i], frames.x_F[i])
        else:
            R_CF = axes_without_axis(joint, R_CP)
        R_UB.append(snap(times(R_CF, turn_about_z(frames.twist[i]))))
        R_PF.append(snap(times(R_CP.T, R_CF)))
        on_carrier = joint.point_P if p == WORLD else joint.point_P - joints[p].point_C
        p_PF.append(times(R_UP.T, on_carrier))
    return tuple(R_UB), tuple(R_PF), tuple(p_PF)


def _shift(joint: Arrangement, twist: float, reference: Array) -> Array:
    """Return what is added to q before the joint places B in F."""
    if len(reference) == 1:
        return array([twist - reference[0]])
    shift = np.zeros(len(reference))
    if joint.kind.can_twist:
        shift[0] = twist
    return shift


def _armature(spec: Spec, forest: Forest, parameters: Values) -> Array:
    """Return the reflected inertia of the rotors, per velocity of every joint."""
    joints = [spec.joints[k] for k in forest.every_joint]
    given = (joint.armature or (0.0,) * joint.kind.nv for joint in joints)
    return np.concatenate([np.zeros(0), *(vector_of(a, parameters) for a in given)])


def _passive(joint: Joint, q: slice, v: slice, parameters: Values) -> Iterator[Passive]:
    """Yield the freedoms of a joint that have springs, dampers, friction or stops."""
    if not joint.passive:
        return
    given = {
        key: vector_of(getattr(joint, key), parameters)
        for key in ("stiffness", "rest", "damping", "friction", "lower", "upper", "stop")
    }
    has_q = q.stop - q.start == v.stop - v.start

    def entry(key: str, n: int) -> Scalar:
        return given[key][n] if len(given[key]) else 0.0

    for n in range(v.stop - v.start):
        ends = ((1.0, given["upper"]), (-1.0, given["lower"]))
        yield Passive(
            q=q.start + n if has_q else None,
            v=v.start + n,
            stiffness=entry("stiffness", n),
            rest=entry("rest", n),
            damping=entry("damping", n),
            friction=entry("friction", n),
            friction_speed=value_of(joint.friction_speed, parameters),
            stops=tuple((sign, where[n]) for sign, where in ends if len(where)),
            stop=tuple(given["stop"]),
        )
