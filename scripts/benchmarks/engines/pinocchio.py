"""Pinocchio: ``aba``, and ``constraintDynamics`` where there are loops.

It is called from Python, so each call has a price of its own. That of the same function for a model
without joints is measured beside it and taken off. Joints along a coordinate axis are of the types
for that, as those that it reads from URDF, and ``aba`` works in axes of the world: both are faster.
"""

import numpy as np
import pinocchio as pin

from mbd_fmu.elements.places import WORLD
from mbd_fmu.spatial import Array
from scripts.benchmarks.engines.engine import UnableError, refuse_long
from scripts.benchmarks.work import POINT, Link, State, Tie, Work

ACCURACY, ITERATIONS, REGULARIZATION = 1e-10, 20, 1e-9  # rows may say the same
_ALIGNED = {
    "revolute": (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ),
    "prismatic": (pin.JointModelPX, pin.JointModelPY, pin.JointModelPZ),
}
_TYPES = {
    "revolute": pin.JointModelRevoluteUnaligned,
    "prismatic": pin.JointModelPrismaticUnaligned,
    "universal": pin.JointModelUniversal,
    "spherical": pin.JointModelSpherical,
    "free": pin.JointModelFreeFlyer,
}
# where our coordinates and velocities stand in its: quaternions end with w, what slides comes first
_Q = {"spherical": [1, 2, 3, 0], "free": [4, 5, 6, 1, 2, 3, 0]}
_V = {"free": [3, 4, 5, 0, 1, 2]}


class Peer:
    """A mechanism in Pinocchio."""

    has_moving_rows = True

    def __init__(self, work: Work) -> None:
        refuse_long(work)  # a thousand: 24 GB
        if any(tie.kind != POINT for tie in work.ties):
            raise UnableError("its rows hold points and frames, no distances")
        if kinds := {link.kind for link in work.links} - set(_TYPES):
            raise UnableError(f"no joint of type {', '.join(sorted(kinds))} here")
        self.work = work
        # of loops: what its proximal iterations leave where rows say the same
        self.tolerance = 1e-9 if work.ties else work.rounding
        self.model, self.number = _model(work)
        self._call = _Call(self.model, [self._rows(tie) for tie in work.ties])
        self._nothing = _Call(pin.Model(), [])
        self._nothing.constrained = bool(work.ties)
        self._nothing.state = (np.zeros(0), np.zeros(0), np.zeros(0))

    def _rows(self, tie: Tie) -> pin.RigidConstraintModel:
        ends = []
        for i, point in zip(tie.link, tie.point, strict=True):
            ends += [self.number[i], pin.SE3(np.eye(3), point)]
        kind = pin.ContactType.CONTACT_3D
        return pin.RigidConstraintModel(kind, self.model, *ends, pin.ReferenceFrame.LOCAL)

    def take(self, state: State) -> None:
        """Go to a state."""
        q, v, effort = np.empty(self.model.nq), np.empty(self.model.nv), np.empty(self.model.nv)
        for link, at_q, at_v in self._places():
            q[at_q], v[at_v] = state.q[link.q] - link.reference, state.v[link.v]
            effort[at_v] = state.effort[link.v]
        self._call.state = (q, v, effort)

    def accelerations(self) -> Array:
        """Return those of the tree's joints there, in our order."""
        ordered, found = self._call.once(), np.empty(self.model.nv)
        for link, _, at_v in self._places():
            found[link.v] = ordered[at_v]
        return found

    def _places(self):
        """Links with the places of their coordinates and velocities, each in our order."""
        for i, link in enumerate(self.work.links):
            joint = self.model.joints[self.number[i]]
            yield (
                link,
                joint.idx_q + np.argsort(_Q.get(link.kind, range(joint.nq))),
                joint.idx_v + np.argsort(_V.get(link.kind, range(joint.nv))),
            )

    def repeat(self, times: int) -> None:
        """Evaluate the motion there, so many times."""
        self._call.repeat(times)

    def repeat_nothing(self, times: int) -> None:
        """Do the same for a model without joints."""
        self._nothing.repeat(times)


def _model(work: Work) -> tuple[pin.Model, dict[int, int]]:
    """Return it with its numbers of our links; it wants them depth first for its factorisation."""
    model, number = pin.Model(), {WORLD: 0}
    model.gravity = pin.Motion(work.gravity, np.zeros(3))
    waiting = [i for i, link in enumerate(work.links) if link.parent == WORLD]
    while waiting:
        i = waiting.pop()
        link = work.links[i]
        place = pin.SE3(link.turn, link.position)
        number[i] = model.addJoint(number[link.parent], _joint(link), place, link.name)
        inertia = pin.Inertia(link.mass, link.com, link.inertia)
        model.appendBodyToJoint(number[i], inertia, pin.SE3.Identity())
        waiting += [k for k, other in enumerate(work.links) if other.parent == i]
    return model, number


def _joint(link: Link):
    """Return the fastest type that fits."""
    if link.kind in _ALIGNED and link.axes[0].max() == 1.0:
        return _ALIGNED[link.kind][int(link.axes[0].argmax())]()
    return _TYPES[link.kind](*link.axes)


class _Call:
    """One function of Pinocchio with its arguments, nothing to be converted but the state."""

    def __init__(self, model: pin.Model, rows: list[pin.RigidConstraintModel]) -> None:
        self.model, self.data = model, model.createData()
        self.rows = pin.StdVec_RigidConstraintModel()
        self.rows_data = pin.StdVec_RigidConstraintData()
        for row in rows:
            self.rows.append(row)
            self.rows_data.append(row.createData())
        self.settings = pin.ProximalSettings(ACCURACY, REGULARIZATION, ITERATIONS)
        pin.initConstraintDynamics(model, self.data, self.rows, self.rows_data)
        self.constrained = bool(rows)
        self.state: tuple[Array, ...] = ()

    def once(self) -> Array:
        function, arguments = self._bound()
        return function(*arguments).copy()

    def repeat(self, times: int) -> None:
        function, arguments = self._bound()
        for _ in range(times):
            function(*arguments)

    def _bound(self):
        if not self.constrained:
            return pin.aba, (self.model, self.data, *self.state, pin.Convention.WORLD)
        closing = (self.rows, self.rows_data, self.settings)
        return pin.constraintDynamics, (self.model, self.data, *self.state, *closing)
