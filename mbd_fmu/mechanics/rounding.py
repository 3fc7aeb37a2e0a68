"""How well a computer can know whether a row of the constraints is met.

Every sum and product is off by half a unit of its last place, and so are the coordinates
themselves: an angle of a million radians is known to 1e-10. What that does to the poses of the
bodies adds up from the ground outward, in shares of the machine epsilon:

    turned_i = turned_P + 1 + |angles of joint i|                                              (1)
    shifted_i = shifted_P + turned_P |p_PB| + |p_WB| + |travels of joint i|                    (2)

A row changes with the poses of its bodies by the wrenches of a unit multiplier, so it is known to

    rounding_j = sum over bodies of |torque_j| turned + |force_j| shifted                      (3)

with the coordinates added that a gear compares. No method can bring it closer to zero, wherever the
mechanism was drawn, however often it has turned round. The estimate is to first order, and generous
by a small factor.

Source   Higham, Accuracy and Stability of Numerical Algorithms (2002), sec. 3.3: running errors.
Checked  tests/laws/test_rounding.py, against arithmetic with more digits
"""

from __future__ import annotations

import numpy as np

from mbd_fmu.elements.places import WORLD
from mbd_fmu.mechanics.constraints import Rows
from mbd_fmu.mechanics.kinematics import BodyMotion
from mbd_fmu.mechanics.passes import each
from mbd_fmu.spatial import Array, Scalar, array


def row_rounding(motion: BodyMotion, rows: Rows) -> Array:
    """Return (3) for the holonomic rows, in shares of the machine epsilon."""
    turned, shifted = _pose_rounding(motion)
    found = list(rows.counted)
    for body in each(rows.acting):
        own = rows.acting[body]
        n = int(np.searchsorted(own.rows, len(found)))  # that are holonomic
        sizes = np.abs(own.F[:, :n])
        torques, forces = sizes[:3].sum(axis=0), sizes[3:].sum(axis=0)
        for k, torque, force in zip(own.rows[:n], torques, forces, strict=True):
            found[k] = found[k] + torque * turned[body] + force * shifted[body]
    return array(found)


def _pose_rounding(motion: BodyMotion) -> tuple[list[Scalar], list[Scalar]]:
    """Return (1) and (2) of every body."""
    tree, placed = motion.tree, motion.placed
    turned: list[Scalar] = []
    shifted: list[Scalar] = []
    for i in each(range(len(tree.parent))):
        parent, joint = tree.parent[i], tree.joint[i]
        q = dict(zip(joint.names.positions, motion.q[tree.forest.q[i]], strict=True))
        angles = [abs(x) for component, x in q.items() if component.unit == "rad"]
        travels = [abs(x) for component, x in q.items() if component.unit == "m"]
        before, place = (0.0, 0.0), placed.p_WB[i]
        if parent != WORLD:
            swung = turned[parent] * _size(place - placed.p_WB[parent])
            before = turned[parent], shifted[parent] + swung
        turned.append(before[0] + 1.0 + sum(angles))
        shifted.append(before[1] + _size(place) + sum(travels))
    return turned, shifted


def _size(vector: Array) -> Scalar:
    """Sum of the absolute values, of numbers or symbols."""
    return sum((abs(x) for x in vector), 0.0)
