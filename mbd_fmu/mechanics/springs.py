"""Springs with dampers between points of any two bodies.

    f = k (l - l_0) + d dl/dt,  pulling the points together along the line between them

A length of zero has no direction: the force is then not finite, and the run says so.

Source   [003] sec. 5.4, [004]; e.g. Haug, Computer Aided Kinematics and Dynamics (1989), sec. 6.2.
Checked  tests/laws/test_springs.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mbd_fmu.mechanics.kinematics import Poses, point_velocity
from mbd_fmu.mechanics.tree import Spring, Tree
from mbd_fmu.spatial import Array, Scalar, array, scaled, skew
from mbd_fmu.topology.forest import WORLD


@dataclass(frozen=True)
class SpringState:
    """A spring at one instant."""

    direction_W: Array  # from the point on the parent to that on the child
    length: Scalar
    rate: Scalar


def spring_state(spring: Spring, placed: Poses, V_B: Sequence[Array]) -> SpringState:
    """Measure a spring."""
    (p, v), (p2, v2) = (_end(body, place, placed, V_B) for body, place in spring.ends)
    between = p2 - p
    length = np.sqrt(array([between @ between]))[0]
    direction = scaled(1.0 / length, between)
    return SpringState(direction, length, direction @ (v2 - v))


def spring_forces(tree: Tree, placed: Poses, V_B: Sequence[Array]) -> list[Array]:
    """F_B on every body from all springs, in B about its origin."""
    F: list[Array] = [np.zeros(6) for _ in tree.parent]
    for spring in tree.springs:
        state = spring_state(spring, placed, V_B)
        pull = spring.stiffness * (state.length - spring.natural) + spring.damping * state.rate
        for (body, place), sign in zip(spring.ends, (1.0, -1.0), strict=True):
            if body != WORLD:
                f_B = placed.R_WB[body].T @ scaled(sign * pull, state.direction_W)
                F[body] = F[body] + np.concatenate([skew(place) @ f_B, f_B])
    return F


def spring_energy(tree: Tree, placed: Poses, V_B: Sequence[Array]) -> Scalar:
    """Return what all springs hold."""
    total: Scalar = 0.0
    for spring in tree.springs:
        stretch = spring_state(spring, placed, V_B).length - spring.natural
        total = total + spring.stiffness * stretch * stretch / 2.0
    return total


def spring_dissipation(tree: Tree, placed: Poses, V_B: Sequence[Array]) -> Scalar:
    """Return the rate at which their dampers take energy out."""
    total: Scalar = 0.0
    for spring in tree.springs:
        rate = spring_state(spring, placed, V_B).rate
        total = total + spring.damping * rate * rate
    return total


def _end(body: int, place: Array, placed: Poses, V_B: Sequence[Array]) -> tuple[Array, Array]:
    """Return position and velocity of an end of a spring in the world."""
    if body == WORLD:
        return place, np.zeros(3)
    return placed.point_W(body, place), placed.R_WB[body] @ point_velocity(V_B[body], place)
