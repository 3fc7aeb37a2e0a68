"""What a joint type is: all that the rest of the project asks of it.

A joint places the frame M, carried by the child, in the frame F, carried by the parent. Where it
has an axis, that is the z axis of both; in the drawn position the frames coincide. The columns of S
span the relative motion, in axes of M at the origin of M; they may turn with the coordinates, and
then S' v is their bias. The columns of T are the wrenches of unit drives: S^T T = 1.

``k`` holds a joint's constants, made of its own keys and its second axis in M.

Source   Featherstone, Rigid Body Dynamics Algorithms (2008), Tab. 4.1, p. 79, and sec. 4.4.
Seed     [002], [004]: joints as subspaces of motion.
Checked  tests/unit/test_joints.py, tests/laws/test_kinematics.py, tests/laws/test_reactions.py
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from mbd_fmu.elements.closing import Closing
from mbd_fmu.elements.keys import Number
from mbd_fmu.elements.names import Names
from mbd_fmu.elements.prescribed import PrescribedLayout, coordinate_layout
from mbd_fmu.elements.symbols import JointSymbol
from mbd_fmu.spatial import Array, conjugate, skew, times

# A second axis gives x of the frames; it must be there, or is x or y of the drawing by default. The
# axis of the child's own shaft does not: as drawn it may be bent away from the first, its default.
NONE, REQUIRED, OPTIONAL, OF_CHILD = "none", "required", "optional", "of child"


@dataclass(frozen=True)
class Subspace:
    """The relative motion a joint allows; q, v and k as above."""

    S: Callable[[Array, Array], Array]  # q, k -> (6, nv)
    bias: Callable[[Array, Array, Array], Array]  # q, v, k -> dS/dt v, (6,)
    T: Callable[[Array, Array], Array]  # q, k -> (6, nv)


def unit_columns(*rows: int) -> Array:
    """Constant S with one unit entry per column."""
    return np.eye(6)[:, list(rows)]


def constant_subspace(S: Array) -> Subspace:
    """S that does not move, orthonormal, so that the drives act along it."""
    return Subspace(lambda *_: S, lambda *_: np.zeros(6), lambda *_: S)


def velocities_are_rates(_: Array, v: Array) -> Array:
    """dq/dt of coordinates that turn and slide about given axes."""
    return v


@dataclass(frozen=True)
class JointType:
    """See above; what is said of it in the docs, and how it is drawn, too."""

    name: str
    allows: str  # for the docs: its freedoms, in order
    place: Callable[[Array, Array], tuple[Array, Array]]  # q, k -> R_FM, p_FM
    motion: Subspace
    turn: Callable[[Array, Array], Array]  # q, k -> quaternion of M in F
    neutral: tuple[float, ...]  # q in the drawn position
    names: Names
    closing: Closing
    symbol: JointSymbol = field(default_factory=JointSymbol)
    rate: Callable[[Array, Array], Array] = velocities_are_rates  # q, v -> dq/dt
    prescribed_by: PrescribedLayout | None = None  # where not by coordinates as they are
    has_axis: bool = True  # z of its frames is given
    second_axis: str = NONE
    keys: tuple[Number, ...] = ()  # further numbers of its own
    constants: Callable[[Array, Array], Array] = lambda *_: np.zeros(0)  # own numbers, axis2_M -> k
    is_axial: bool = False  # the same from both ends but for the direction of its axis
    can_twist: bool = False  # a constant turn about z can be added to its first coordinate
    quaternion: bool = False  # the first four coordinates are a unit quaternion
    leads_anywhere: bool = False  # there is nothing to see between parent and child
    for_a_point: str = ""  # remedy for a child that has no inertia about some axis

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return len(self.neutral)

    @property
    def nv(self) -> int:
        """Number of freedoms."""
        return len(self.names.velocities)

    @property
    def layout(self) -> PrescribedLayout:
        """The inputs that prescribe its motion."""
        return self.prescribed_by or coordinate_layout(self.names)

    @property
    def turns(self) -> bool:
        """Its first coordinate is an angle."""
        return self.nq > 0 and self.names.positions[0].unit == "rad"

    @property
    def restricts(self) -> bool:
        """It takes some freedom away, and so it exerts forces."""
        return self.nv < 6

    @property
    def has_x_axis(self) -> bool:
        """The x axis of its frames is given, too."""
        return self.second_axis != NONE

    def from_child(self) -> JointType:
        """Return the joint with the roles of F and M exchanged, in the same coordinates.

        With V = S v the motion of M in F, that of F in M, seen from F, is -X_FM V; its bias is
        -X_FM (S' v), because V x V = 0. Wrenches of drives act on the other body: -X_FM^* T.
        RBDA sec. 2.8.
        """

        def place(q: Array, k: Array) -> tuple[Array, Array]:
            R, p = self.place(q, k)
            return R.T, -times(R.T, p)

        def carried(q: Array, k: Array, V: Array) -> Array:
            """-X_FM V, of motion vectors in columns."""
            R, p = self.place(q, k)
            w = times(R, V[:3])
            return -np.concatenate([w, times(R, V[3:]) + times(skew(p), w)])

        def exerted(q: Array, k: Array) -> Array:
            R, p = self.place(q, k)
            F = self.motion.T(q, k)
            f = times(R, F[3:])
            return -np.concatenate([times(R, F[:3]) + times(skew(p), f), f])

        return replace(
            self,
            place=place,
            motion=Subspace(
                S=lambda q, k: carried(q, k, self.motion.S(q, k)),
                bias=lambda q, v, k: carried(q, k, self.motion.bias(q, v, k)),
                T=exerted,
            ),
            turn=lambda q, k: conjugate(self.turn(q, k)),
        )
