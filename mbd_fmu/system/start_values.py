"""Start values that fit together, from what is said of joints and of bodies.

The velocities of some joints are given, those of others follow from the velocities given for
bodies and for joints that close loops, as small as can be; the rest are zero. A body's velocity
that no choice of the open joints can produce is an error.
"""

from __future__ import annotations

import numpy as np

from mbd_fmu.elements.places import BodyPoint
from mbd_fmu.errors import Problem, SpecError
from mbd_fmu.mechanics.constraints import constraint_jacobian
from mbd_fmu.mechanics.equations import Instant
from mbd_fmu.mechanics.frames import Frames
from mbd_fmu.mechanics.kinematics import BodyMotion
from mbd_fmu.mechanics.tree import tree_of
from mbd_fmu.model.spec import Body, Joint, Spec
from mbd_fmu.quantities.expressions import Quantity
from mbd_fmu.quantities.vectors import Vector, vector_of
from mbd_fmu.spatial import Array, length_of
from mbd_fmu.topology.forest import Forest

# Data of a model file have few digits; a velocity that misses by less is meant.
MISFIT = 1e-6
CLOSING = 20  # steps of Newton's method


def start_position(spec: Spec, forest: Forest, frames: Frames) -> list[Quantity]:
    """Return q of all joints at the start: as given, else as drawn, or as loops ask for.

    Where positions are given, coordinates left open move as little as closes the loops; positions
    given for joints that close loops count like the others.
    """
    given: list[Quantity] = []
    for k in forest.every_joint:
        given += _told(spec, spec.joints[k])[0] or spec.joints[k].drawn_position
    joints = [spec.joints[k] for k in forest.every_joint]
    if not forest.cut or all(joint.position is None for joint in joints):
        return given
    found = _closed(spec, forest, frames, vector_of(tuple(given), spec.nominal).astype(float))
    for joint, q in zip(joints, forest.every_q, strict=True):
        if joint.position is None and joint.drive != "motion":
            given[q] = [float(x) for x in found[q]]
    return given


def _told(spec: Spec, joint: Joint) -> tuple[Vector | None, Vector | None]:
    """Return the start values that are given of a joint; by a function of time, at the time 0."""
    if joint.of_time is None:
        return joint.position, joint.velocity
    start = joint.of_time.start(joint.kind.layout, spec.nominal)
    return tuple(map(float, start.q)), tuple(map(float, start.v))


def _closed(spec: Spec, forest: Forest, frames: Frames, q: Array) -> Array:
    """Close the loops by Newton's method, as far as it comes; assembly has the last word."""
    tree = tree_of(spec, forest, frames, spec.nominal)
    wishes = [
        n
        for n, k in enumerate(forest.cut)
        if spec.joints[k].position is not None and not spec.joints[k].kind.quaternion
    ]
    open_ = np.zeros(forest.nv, dtype=bool)
    for i, k in enumerate(forest.joint):
        open_[forest.v[i]] = spec.joints[k].position is None and spec.joints[k].drive != "motion"
    given = [q[forest.cut_q[n]].copy() for n in wishes]
    for _ in range(CLOSING):
        at = Instant(tree, q, np.zeros(forest.nv))
        missing = [
            at.rows.phi,
            *(at.cuts[n].cut_coordinates() - t for n, t in zip(wishes, given, strict=True)),
        ]
        J = [at.rows.J[: len(at.rows.phi)]]
        for n in wishes:
            unit = at.cuts[n].wrenches()
            width = forest.cut_v[n].stop - forest.cut_v[n].start
            J.append(constraint_jacobian(tree, at.configuration, unit, width))
        d = np.zeros(forest.nv)
        d[open_] = np.linalg.lstsq(np.vstack(J)[:, open_], -np.concatenate(missing), rcond=1e-6)[0]
        rates = Instant(tree, q, d).rates()
        for n, (place, k) in enumerate(zip(forest.every_q, forest.every_joint, strict=True)):
            if n < len(forest):
                q[place] += rates[n]
                if spec.joints[k].kind.quaternion:
                    turn = slice(place.start, place.start + 4)
                    q[turn] /= length_of(q[turn])
    return q


def start_velocity(spec: Spec, forest: Forest, frames: Frames) -> list[Quantity]:
    """Return the start values of v: as given for joints, else as the bodies' velocities ask."""
    given: list[Quantity | None] = [None] * forest.nv
    for i, k in enumerate(forest.joint):
        joint = spec.joints[k]
        if joint.drive == "motion":  # told, not found: it cannot give way to what bodies ask for
            told = _told(spec, joint)[1]
            given[forest.v[i]] = told or [0.0] * len(joint.kind.names.velocities)
        elif joint.velocity is not None:
            given[forest.v[i]] = joint.velocity
    if _wishes(spec, forest):
        found = _follow(spec, forest, frames, given)
        return [float(x) if g is None else g for g, x in zip(given, found, strict=True)]
    return [0.0 if g is None else g for g in given]


def _wishes(spec: Spec, forest: Forest) -> bool:
    """Tell whether velocities are given that are not those of the tree's joints."""
    closing = any(spec.joints[k].velocity is not None for k in forest.cut)
    return closing or any(body.velocity is not None for body in spec.bodies)


def _follow(spec: Spec, forest: Forest, frames: Frames, given: list[Quantity | None]) -> Array:
    """Solve for the joint velocities left open, least squares; refuse what does not fit."""
    tree = tree_of(spec, forest, frames, spec.nominal)
    q = vector_of(tuple(start_position(spec, forest, frames)), spec.nominal).astype(float)
    moving = [(i, spec.bodies[k]) for i, k in enumerate(forest.body) if spec.bodies[k].velocity]
    closing = [n for n, k in enumerate(forest.cut) if spec.joints[k].velocity is not None]

    def produced(v: Array) -> Array:
        """What there are wishes for, and what the constraints want to be zero."""
        at = Instant(tree, q, v)
        parts = [_body_velocities(at.motion, moving), *(at.cuts[n].v for n in closing)]
        return np.concatenate([*parts, at.rows.sigma])

    wanted = [
        vector_of(values, spec.nominal)
        for _, body in moving
        if body.velocity
        for values in (body.velocity.angular, body.velocity.linear)
    ]
    wanted += [vector_of(spec.joints[forest.cut[n]].velocity or (), spec.nominal) for n in closing]
    v = np.array([0.0 if g is None else vector_of((g,), spec.nominal)[0] for g in given])
    open_ = [n for n, g in enumerate(given) if g is None]
    now = produced(v)
    wishes = np.concatenate([np.zeros(0), *wanted])
    goal = np.concatenate([wishes, np.zeros(len(now) - len(wishes))])
    if open_:
        at_rest = produced(np.zeros(forest.nv))
        columns = [produced(e) - at_rest for e in np.eye(forest.nv)[open_]]
        v[open_] = np.linalg.lstsq(np.stack(columns, axis=1), goal - now, rcond=None)[0]
    misfit = goal - produced(v)
    problems = [
        Problem(
            f'body "{body.name}", velocity',
            f"the joints cannot give it; they miss by {_size(misfit[6 * n : 6 * n + 6])}",
            "give a velocity its joints allow, or the joints' velocities instead",
        )
        for n, (_, body) in enumerate(moving)
        if np.abs(misfit[6 * n : 6 * n + 6]).max() > MISFIT * (1.0 + np.abs(goal).max())
    ]
    if problems:
        raise SpecError(spec.name, problems)
    return v


def _body_velocities(motion: BodyMotion, moving: list[tuple[int, Body]]) -> Array:
    """Angular velocity and velocity of the mass centre of the bodies asked for, world axes."""
    parts = [np.zeros(0)]
    for i, _ in moving:
        _, velocity = motion.point(BodyPoint(i, motion.tree.p_BBcm[i]))
        parts += [motion.turning(i)[2], velocity]
    return np.concatenate(parts)


def _size(misfit: Array) -> str:
    angular, linear = length_of(misfit[:3]), length_of(misfit[3:])
    return f"{linear:.3g} m/s and {angular:.3g} rad/s"
