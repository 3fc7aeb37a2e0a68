"""Bodies as another body sees them: what lies between two of them, and nothing else.

The pose of B seen from A hangs on the joints between them alone, not on those that carry both. So
everything here starts at the last body that carries all in question, as if that were the ground:
then symbols that cancel do not come in, and what is said to depend on a joint does.

Source   Featherstone, Rigid Body Dynamics Algorithms (2008), sec. 4.4, with another root; relative
         motion: e.g. Haug, Computer Aided Kinematics and Dynamics (1989), sec. 9.2.
Checked  tests/laws/test_named_outputs.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mbd_fmu.elements.places import WORLD, BodyPoint
from mbd_fmu.mechanics.kinematics import (
    BodyMotion,
    accelerations,
    carried_turn,
    carried_velocity,
    point_velocity,
    velocity_product,
)
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, quaternion_product, scaled, skew, times

_NO_TURN = np.array([1.0, 0.0, 0.0, 0.0])


def common_carrier(tree: Tree, bodies: Sequence[int]) -> int:
    """Return the last body that carries all of these, or is one of them."""
    ways = [_way(tree, body) for body in bodies]
    shared = set(ways[0]).intersection(*ways[1:])
    return next(body for body in ways[0] if body in shared)


def _way(tree: Tree, body: int) -> list[int]:
    """Return the bodies from this one down to the ground."""
    way = [body]
    while way[-1] != WORLD:
        way.append(tree.parent[way[-1]])
    return way


@dataclass(frozen=True)
class _Frame:
    """Body B as the carrier C sees it: R_CB and p_CB in C's B, turn between their frames U."""

    R_CB: Array
    p_CB: Array
    quat: Array
    V_B: Array


class SeenFrom:
    """Bodies as a carrier sees them; vectors in its B, or in the world. It asks for no more."""

    def __init__(self, motion: BodyMotion, vd: Array, carrier: int) -> None:
        self.motion, self.vd, self.carrier = motion, vd, carrier
        self._frames: dict[int, _Frame] = {}

    def point(self, at: BodyPoint) -> tuple[Array, Array]:
        """Position and velocity of a point of a body."""
        if self.carrier == WORLD:
            return self.motion.point(at)
        frame = self._frame(at.body)
        velocity = point_velocity(frame.V_B, at.place)
        return frame.p_CB + times(frame.R_CB, at.place), times(frame.R_CB, velocity)

    def turning(self, body: int) -> tuple[Array, Array, Array]:
        """Axes of U, turn of U and angular velocity of a body."""
        if self.carrier == WORLD:
            return self.motion.turning(body)
        frame = self._frame(body)
        R_CU = times(frame.R_CB, self.motion.tree.R_UB[body].T)
        return R_CU, frame.quat, times(frame.R_CB, frame.V_B[:3])

    @property
    def to_world(self) -> Array:
        """What turns vectors into world axes."""
        return np.eye(3) if self.carrier == WORLD else self.motion.placed.R_WB[self.carrier]

    @cached_property
    def A_B(self) -> list[Array]:
        """Spatial accelerations of all bodies in the world, each in its body's frame."""
        at = self.motion
        return accelerations(at.tree, at.configuration, at.V_B, at.v, self.vd, np.zeros(6))

    def acceleration(self, at: BodyPoint) -> Array:
        """Acceleration of a point of a body."""
        if at.body == self.carrier:
            return np.zeros(3)
        V_B, A_B, R_CB = self._velocity(at.body), self._acceleration(at.body), self._axes(at.body)
        classical = A_B[3:] + times(skew(A_B[:3]), at.place)
        found: Array = times(R_CB, classical + times(skew(V_B[:3]), point_velocity(V_B, at.place)))
        return found

    def angular_acceleration(self, body: int) -> Array:
        """Angular acceleration of a body."""
        if body == self.carrier:
            return np.zeros(3)
        found: Array = times(self._axes(body), self._acceleration(body)[:3])
        return found

    def relative(self, at: BodyPoint, to: BodyPoint) -> tuple[Array, Array]:
        """Position and velocity of a point as the body of another one sees it, from that one.

        Velocity, and acceleration below, are what an observer on that body finds, who does not see
        his own turning; they are told in axes of the carrier.
        """
        (p, v), (p_A, v_A) = self.point(at), self.point(to)
        _, _, w = self.turning(to.body)
        return p - p_A, v - v_A - times(skew(w), p - p_A)

    def relative_acceleration(self, at: BodyPoint, to: BodyPoint) -> Array:
        """Take away the acceleration of the observer's place there, and Coriolis'."""
        (r, velocity), (_, _, w) = self.relative(at, to), self.turning(to.body)
        alpha = self.angular_acceleration(to.body)
        carried = self.acceleration(to) + times(skew(alpha), r) + times(skew(w), times(skew(w), r))
        return self.acceleration(at) - carried - scaled(2.0, times(skew(w), velocity))

    # --- What it stands on ---

    def _axes(self, body: int) -> Array:
        return self.motion.placed.R_WB[body] if self.carrier == WORLD else self._frame(body).R_CB

    def _velocity(self, body: int) -> Array:
        return self.motion.V_B[body] if self.carrier == WORLD else self._frame(body).V_B

    def _acceleration(self, body: int) -> Array:
        if self.carrier == WORLD:
            return self.A_B[body]
        if body == self.carrier:
            return np.zeros(6)
        tree, at, v = self.motion.tree, self.motion.configuration, self.motion.v
        carried = at.X_BP[body].motion(self._acceleration(tree.parent[body]))
        own = times(at.S[body], self.vd[tree.forest.v[body]])
        return carried + own + velocity_product(tree, at, v, body, self._frame(body).V_B)

    def _frame(self, body: int) -> _Frame:
        if body not in self._frames:
            self._frames[body] = self._carried(body)
        return self._frames[body]

    def _carried(self, body: int) -> _Frame:
        """Go on from the body that carries this one."""
        if body == self.carrier:
            return _Frame(np.eye(3), np.zeros(3), _NO_TURN, np.zeros(6))
        tree, at = self.motion.tree, self.motion.configuration
        below = self._frame(tree.parent[body])
        R_PB, p_PB = at.X_BP[body].pose
        return _Frame(
            times(below.R_CB, R_PB),
            below.p_CB + times(below.R_CB, p_PB),
            quaternion_product(below.quat, carried_turn(tree, at, body)),
            carried_velocity(tree, at, self.motion.v, body, below.V_B),
        )
