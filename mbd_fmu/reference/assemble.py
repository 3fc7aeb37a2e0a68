"""Start values that fit together: joint velocities from what is said of joints and of bodies.

The velocities of some joints are given, those of others follow from the velocities given for
bodies, as small as can be; the rest are zero. A body's velocity that no choice of the open joints
can produce is an error.
"""

from __future__ import annotations

import numpy as np

from mbd_fmu.errors import Problem, SpecError
from mbd_fmu.mechanics.closures import End
from mbd_fmu.mechanics.frames import Frames
from mbd_fmu.mechanics.joints import JOINTS, drawn_position
from mbd_fmu.mechanics.kinematics import Motion
from mbd_fmu.mechanics.tree import Tree, tree_of
from mbd_fmu.model.expressions import Quantity
from mbd_fmu.model.quantities import vector_of
from mbd_fmu.model.spec import Body, Spec
from mbd_fmu.spatial import Array
from mbd_fmu.topology.forest import Forest

# Data of a model file have few digits; a velocity that misses by less is meant.
MISFIT = 1e-6


def start_position(spec: Spec, forest: Forest) -> Array:
    """Return q at the start, with the parameters' declared values."""
    q = np.zeros(forest.nq)
    for i, k in enumerate(forest.joint):
        joint = spec.joints[k]
        q[forest.q[i]] = vector_of(joint.position or drawn_position(joint), spec.nominal)
    return q


def start_velocity(spec: Spec, forest: Forest, frames: Frames) -> list[Quantity]:
    """Return the start values of v: as given for joints, else as the bodies' velocities ask."""
    given: list[Quantity | None] = [None] * forest.nv
    for i, k in enumerate(forest.joint):
        joint = spec.joints[k]
        if joint.drive == "motion":  # told, not found: it cannot give way to what bodies ask for
            given[forest.v[i]] = joint.velocity or [0.0] * len(JOINTS[joint.type].names.velocities)
        elif joint.velocity is not None:
            given[forest.v[i]] = joint.velocity
    if any(body.velocity for body in spec.bodies):
        found = _follow_bodies(spec, forest, frames, given)
        return [float(x) if g is None else g for g, x in zip(given, found, strict=True)]
    return [0.0 if g is None else g for g in given]


def _follow_bodies(
    spec: Spec, forest: Forest, frames: Frames, given: list[Quantity | None]
) -> Array:
    """Solve for the joint velocities left open, least squares; refuse what does not fit."""
    tree = tree_of(spec, forest, frames, spec.nominal)
    q = start_position(spec, forest)
    moving = [(i, spec.bodies[k]) for i, k in enumerate(forest.body) if spec.bodies[k].velocity]
    wanted = np.concatenate(
        [
            vector_of(values, spec.nominal)
            for _, body in moving
            if body.velocity
            for values in (body.velocity.angular, body.velocity.linear)
        ]
    )
    v = np.array([0.0 if g is None else vector_of((g,), spec.nominal)[0] for g in given])
    open_ = [n for n, g in enumerate(given) if g is None]
    missing = wanted - _body_velocities(tree, q, v, moving)
    if open_:
        columns = [_body_velocities(tree, q, e, moving) for e in np.eye(forest.nv)[open_]]
        v[open_] = np.linalg.lstsq(np.stack(columns, axis=1), missing, rcond=None)[0]
    misfit = wanted - _body_velocities(tree, q, v, moving)
    problems = [
        Problem(
            f'body "{body.name}", velocity',
            f"the joints cannot give it; they miss by {_size(misfit[6 * n : 6 * n + 6])}",
            "give a velocity its joints allow, or the joints' velocities instead",
        )
        for n, (_, body) in enumerate(moving)
        if np.abs(misfit[6 * n : 6 * n + 6]).max() > MISFIT * (1.0 + np.abs(wanted).max())
    ]
    if problems:
        raise SpecError(spec.name, problems)
    return v


def _body_velocities(tree: Tree, q: Array, v: Array, moving: list[tuple[int, Body]]) -> Array:
    """Angular velocity and velocity of the mass centre of the bodies asked for, world axes."""
    motion = Motion(tree, q, v)
    parts = []
    for i, _ in moving:
        _, velocity = motion.point(End(i, tree.p_BBcm[i]))
        parts += [motion.turning(i)[2], velocity]
    return np.concatenate(parts)


def _size(misfit: Array) -> str:
    angular, linear = np.linalg.norm(misfit[:3]), np.linalg.norm(misfit[3:])
    return f"{linear:.3g} m/s and {angular:.3g} rad/s"
