"""Springs, dampers, friction and stops inside the joints: smooth functions of q and v.

    spring      -k (q - rest)
    damper      -d v
    friction    -f tanh(v / v_s)               Coulomb's, fading below the speed v_s
    stop        -(k delta(x) + d delta'(x) v)  delta(x) = (x + sqrt(x^2 + w^2)) / 2

x is how far the joint is beyond the stop. delta is zero far before it, x far beyond it, and smooth
over the width w; its derivative switches the damper on. All of them act inside the freedoms and
remove none.

Source   [003]; tanh friction e.g. Andersson et al., Tribology International 40 (2007), p. 580.
Checked  tests/laws/test_joint_forces.py
"""

from __future__ import annotations

import numpy as np

from mbd_fmu.mechanics.passes import each
from mbd_fmu.mechanics.tree import Passive, Tree
from mbd_fmu.spatial import Array, Scalar, array


def passive_forces(tree: Tree, q: Array, v: Array) -> Array:
    """Return what all joints add to their drives, per velocity."""
    forces = np.zeros(len(v), dtype=np.result_type(q, v))
    for k in each(range(len(tree.passive))):
        passive = tree.passive[k]
        forces[passive.v] = forces[passive.v] + passive_force(passive, q, v[passive.v])
    return forces


def joint_potential(tree: Tree, q: Array) -> Scalar:
    """Return what springs and stops hold."""
    total: Scalar = 0.0
    for k in each(range(len(tree.passive))):
        passive = tree.passive[k]
        if passive.q is None:
            continue
        stretch = q[passive.q] - passive.rest
        total = total + passive.stiffness * stretch * stretch / 2.0
        for sign, where in passive.stops:
            stiffness, _, width = passive.stop
            x, root = _beyond(sign, where, q[passive.q], width)
            # the integral of delta
            area = (x * x + x * root + width * width * _log((x + root) / width)) / 4.0
            total = total + stiffness * area
    return total


def joint_dissipation(tree: Tree, q: Array, v: Array) -> Scalar:
    """Return the rate at which dampers, friction and stops take energy out."""
    total: Scalar = 0.0
    for k in each(range(len(tree.passive))):
        passive = tree.passive[k]
        rate = v[passive.v]
        total = total - (_friction(passive, rate) - passive.damping * rate) * rate
        for sign, where in passive.stops:
            _, damping, width = passive.stop
            x, root = _beyond(sign, where, q[passive.q], width)
            total = total + damping * _share(x, root) * rate * rate
    return total


def passive_force(passive: Passive, q: Array, rate: Scalar) -> Scalar:
    """Return what one freedom adds to its drive."""
    force = _friction(passive, rate) - passive.damping * rate
    if passive.q is None:
        return force
    force = force - passive.stiffness * (q[passive.q] - passive.rest)
    for sign, where in passive.stops:
        stiffness, damping, width = passive.stop
        x, root = _beyond(sign, where, q[passive.q], width)
        force = force - sign * stiffness * (x + root) / 2.0 - damping * _share(x, root) * rate
    return force


def _friction(passive: Passive, rate: Scalar) -> Scalar:
    return -passive.friction * np.tanh(array([rate / passive.friction_speed]))[0]


def _beyond(sign: float, where: Scalar, q: Scalar, width: Scalar) -> tuple[Scalar, Scalar]:
    """How far q is beyond a stop, and sqrt(x^2 + w^2)."""
    x = sign * (q - where)
    return x, np.sqrt(array([x * x + width * width]))[0]


def _share(x: Scalar, root: Scalar) -> Scalar:
    """delta'(x): from 0 before the stop to 1 beyond it."""
    return (1.0 + x / root) / 2.0


def _log(x: Scalar) -> Scalar:
    return np.log(array([x]))[0]
