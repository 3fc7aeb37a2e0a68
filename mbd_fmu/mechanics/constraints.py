"""Cut joints and constraints as rows, at position, velocity and acceleration level.

    phi(q, t) = 0      holonomic rows
    sigma(q, v, t) = 0 their rates, and the rows on velocities alone
    J dv/dt = gamma    the rates of those; J sigma's derivative with respect to v

A row is a formula of points and directions that bodies carry; calculus is left to ``jets``.
Lengths are in metres; a row on directions is the sine of the angle that must not be.

Source   [002], [004]; Haug, Computer Aided Kinematics and Dynamics (1989), ch. 9.
Checked  tests/laws/test_constraints.py
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mbd_fmu.mechanics.arrangement import any_across
from mbd_fmu.mechanics.closures import BodyPoint, Cut, PlacedConstraint
from mbd_fmu.mechanics.cut_joints import CutMotion
from mbd_fmu.mechanics.frames import axes_about
from mbd_fmu.mechanics.jets import (
    BodyJets,
    Flow,
    Jet,
    Wrenches,
    along,
    cosine,
    cross,
    dot,
    over,
    product,
    root,
    sine,
    stacked,
)
from mbd_fmu.mechanics.kinematics import Configuration
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, Scalar, array
from mbd_fmu.topology.forest import WORLD


@dataclass(frozen=True)
class Rows:
    """All rows: the holonomic ones of all elements, then those on velocities alone."""

    phi: Array  # (n_holonomic,)
    J: Array  # (n, nv)
    sigma: Array  # (n,)
    gamma: Array  # (n,)
    wrench: Wrenches  # body -> (6, n): what unit multipliers exert, in B
    counted: Array  # (n_holonomic,): size of the coordinates that a gear compares, turns and all


def constraint_rows(carried: BodyJets, cuts: Sequence[CutMotion]) -> Rows:
    """Gather the rows of all cut joints and constraints."""
    tree, at = carried.motion.tree, carried.motion.configuration
    holonomic: list[Jet] = [row for cut in tree.cuts for row in _joint_rows(cut, carried)]
    on_velocity: list[Jet] = []
    counted: list[Scalar] = [0.0] * sum(len(row.value) for row in holonomic)
    for restriction in tree.constraints_placed:
        size = _counted(restriction, carried, cuts)
        for row in _constraint_rows(restriction, carried, cuts):
            if isinstance(row, Jet):
                holonomic.append(row)
                counted.append(size)
            else:
                on_velocity.append(row.row)
    rows = stacked([*holonomic, *on_velocity])
    J = generalized(tree, at, rows.wrench, len(rows.rate)).T
    return Rows(rows.value, J, rows.rate, -rows.drift, rows.wrench, array(counted))


def generalized(tree: Tree, at: Configuration, wrench: Wrenches, n: int) -> Array:
    """Return the generalised forces (nv, n) of wrenches on bodies, in columns."""
    F = [wrench.get(i, np.zeros((6, n))) for i in range(len(tree.parent))]
    kind = np.result_type(float, *(F_B.dtype for F_B in F), *(S.dtype for S in at.S))
    Q = np.zeros((tree.forest.nv, n), dtype=kind)
    for i in reversed(range(len(tree.parent))):
        Q[tree.forest.v[i]] = at.S[i].T @ F[i]
        if tree.parent[i] != WORLD:
            F[tree.parent[i]] = F[tree.parent[i]] + at.X_BP[i].force_back(F[i])
    return Q


# --- Cut joints: where M is in F ---


def _joint_rows(cut: Cut, carried: BodyJets) -> list[Jet]:
    """Rows of a cut joint: as many as it takes freedoms away."""
    x_F, y_F, z_F = (carried.direction(cut.F.body, cut.F.axes[:, k]) for k in range(3))
    x_M, y_M, z_M = (carried.direction(cut.M.body, cut.M.axes[:, k]) for k in range(3))
    p_FM = carried.point(cut.M.body, cut.M.origin) - carried.point(cut.F.body, cut.F.origin)
    axes_meet = [dot(x_F, z_M), dot(y_F, z_M)]  # z stays z
    on_axis = [dot(x_F, p_FM), dot(y_F, p_FM)]
    match cut.type:
        case "rigid":
            return [p_FM, *axes_meet, dot(x_F, y_M)]
        case "revolute":
            return [p_FM, *axes_meet]
        case "prismatic":
            return [*on_axis, *axes_meet, dot(x_F, y_M)]
        case "cylindrical":
            return [*on_axis, *axes_meet]
        case "helical":
            lead = cut.constants[0]
            turn = dot(z_F, p_FM).times(1.0 / lead)  # the angle that belongs to the travel
            ahead = product(sine(turn), dot(x_F, x_M)) - product(cosine(turn), dot(y_F, x_M))
            return [*on_axis, *axes_meet, ahead.times(lead)]
        case "universal":
            second = carried.direction(cut.M.body, cut.M.axes @ cut.constants)
            return [p_FM, dot(z_F, second).plus(-cut.constants[2])]
        case "spherical":
            return [p_FM]
        case "planar":
            return [dot(z_F, p_FM), *axes_meet]
        case "translational":
            return [*axes_meet, dot(x_F, y_M)]
    return []  # free


# --- Constraints that are no joints ---


def _constraint_rows(
    r: PlacedConstraint, carried: BodyJets, cuts: Sequence[CutMotion]
) -> Iterator[Jet | Flow]:
    match r.type:
        case "distance":
            between = _point(carried, r.child) - _point(carried, r.parent)
            yield root(dot(between, between)).plus(-r.length)
        case "point_on_line":
            between = _point(carried, r.child) - _point(carried, r.parent)
            axes = axes_about(r.axis, any_across(r.axis))
            for k in (0, 1):
                yield dot(carried.direction(r.parent.body, axes[:, k]), between)
        case "point_in_plane":
            between = _point(carried, r.child) - _point(carried, r.parent)
            yield dot(carried.direction(r.parent.body, r.axis), between)
        case "gear" | "rack_pinion":
            a, b = (_coordinate(i, carried, cuts) for i in r.joints)
            yield (b - a.times(r.ratio)).plus(-r.offset)
        case "knife_edge":
            edge = carried.direction(r.child.body, r.axis)
            yield _slip(carried, edge, _point(carried, r.child), r)
        case "rolling_disc" | "wheel_set":
            discs = [_disc(carried, r, r.child, r.axis)]
            if r.second is not None:
                discs.append(_disc(carried, r, *r.second))
            for disc in discs:
                yield disc.height
            for disc in discs:
                yield disc.slip(carried, disc.forward, r)
            yield discs[0].slip(carried, discs[0].sideward, r)  # an axle makes the second the same


@dataclass(frozen=True)
class _Disc:
    """A thin disc on a plane: how high it is above it, and where it touches."""

    body: int
    height: Jet
    contact: Jet
    forward: Jet
    sideward: Jet

    def slip(self, carried: BodyJets, direction: Jet, r: PlacedConstraint) -> Flow:
        on_disc = _speed(carried, self.body, direction, self.contact)
        return on_disc - _speed(carried, r.parent.body, direction, self.contact)


def _disc(carried: BodyJets, r: PlacedConstraint, center: BodyPoint, axis: Array) -> _Disc:
    """With normal n and axis a, e = (n - (a.n) a) / s is up within the disc, s = sqrt(1 - (a.n)^2).

    Lying flat, s = 0, a disc touches nowhere in particular; then nothing is finite.
    """
    n, a = carried.direction(r.parent.body, r.normal), carried.direction(center.body, axis)
    cosine_tilt = dot(a, n)
    s = root(product(cosine_tilt, cosine_tilt).times(-1.0).plus(1.0))
    up = product(over(s), n - product(cosine_tilt, a))
    forward = product(over(s), cross(a, n))
    at_center = _point(carried, center)
    return _Disc(
        body=center.body,
        height=dot(n, at_center - _point(carried, r.parent)) - s.times(r.length),
        contact=at_center - up.times(r.length),
        forward=forward,
        sideward=cross(n, forward),
    )


def _speed(carried: BodyJets, body: int, direction: Jet, at: Jet) -> Flow:
    """Velocity, along a direction, of the point that a body has just there: d . (v + w x r)."""
    origin = np.zeros(3)
    lever = at - carried.point(body, origin)
    turning = along(cross(lever, direction), carried.spin(body))
    return along(direction, carried.velocity(body, origin)) + turning


def _slip(carried: BodyJets, direction: Jet, at: Jet, r: PlacedConstraint) -> Flow:
    """Velocity of the child along a direction, against the parent."""
    on_child = _speed(carried, r.child.body, direction, at)
    return on_child - _speed(carried, r.parent.body, direction, at)


def _point(carried: BodyJets, end: BodyPoint) -> Jet:
    return carried.point(end.body, end.place)


def _counted(r: PlacedConstraint, carried: BodyJets, cuts: Sequence[CutMotion]) -> Scalar:
    """Size of the coordinates that a gear compares; nothing for what is no gear."""
    if not r.joints:
        return 0.0
    a, b = (_coordinate(i, carried, cuts).value[0] for i in r.joints)
    return abs(b) + abs(a * r.ratio)


def _coordinate(i: int, carried: BodyJets, cuts: Sequence[CutMotion]) -> Jet:
    """Coordinate of joint i, of the tree or, counted on, cut."""
    tree, motion = carried.motion.tree, carried.motion
    n = len(tree.parent)
    if i >= n:
        cut = cuts[i - n]
        return Jet(cut.q, cut.wrenches(), cut.v, cut.vd(carried.A_B))
    q_F = motion.q[tree.forest.q[i]] + tree.shift[i]
    T = tree.joint[i].motion.T(q_F, tree.constants[i])
    wrench = {i: T}
    if tree.parent[i] != WORLD:
        wrench[tree.parent[i]] = -motion.configuration.X_BP[i].force_back(T)
    dof = tree.forest.v[i]
    return Jet(motion.q[tree.forest.q[i]], wrench, motion.v[dof], carried.vd[dof])
