"""Pinocchio: ``aba``, and ``constraintDynamics`` where there are loops.

It is called from Python, so each call has a price of its own. That of the same function for a model
without joints is measured beside it and taken off.
"""

from dataclasses import replace

import numpy as np
import pinocchio as pin

from mbd_fmu.elements.places import GROUND, WORLD
from mbd_fmu.spatial import Array
from scripts.benchmarks.engines.engine import Unable
from scripts.benchmarks.work import POINT, State, Tie, Work
from tests.oracles.pinocchio_engine import PinocchioEngine

ACCURACY, ITERATIONS, REGULARIZATION = 1e-10, 20, 1e-9  # rows may say the same


class Peer:
    """A mechanism in Pinocchio."""

    tolerance = 1e-9  # what its proximal iterations leave where rows say the same
    has_moving_rows = True

    def __init__(self, work: Work) -> None:
        if any(tie.kind != POINT for tie in work.ties):
            raise Unable("its rows hold points and frames, no distances")
        self.work = work
        self._order = _depth_first(work)
        joints = tuple(work.system.joint(i) for i in self._order)
        self.engine = PinocchioEngine(replace(work.system.spec, joints=joints))
        self._call = _Call(self.engine.model, [self._rows(tie) for tie in work.ties])
        self._nothing = _Call(pin.Model(), [])
        self._nothing.constrained = bool(work.ties)
        empty = np.zeros(0)
        self._nothing.take(empty, empty, empty)

    def _rows(self, tie: Tie) -> pin.RigidConstraintModel:
        spec, forest = self.work.system.spec, self.work.system.forest
        ends = []
        for i, point in zip(tie.link, tie.point, strict=True):
            body = GROUND if i == WORLD else spec.bodies[forest.body[i]].name
            here = self.engine.place[body]
            ends += [here.joint, here.to_joint * pin.SE3(np.eye(3), point)]
        kind = pin.ContactType.CONTACT_3D
        return pin.RigidConstraintModel(kind, self.engine.model, *ends, pin.ReferenceFrame.LOCAL)

    def take(self, state: State) -> None:
        """Go to a state."""
        links = [self.work.links[i] for i in self._order]
        q = np.concatenate([state.q[link.q] for link in links])
        v = np.concatenate([state.v[link.v] for link in links])
        effort = np.concatenate([state.effort[link.v] for link in links])
        _, effort = self.engine.coordinates(q, effort)
        self._call.take(*self.engine.coordinates(q, v), effort)

    def accelerations(self) -> Array:
        """Return those of the tree's joints there, in our order."""
        found, at = np.empty(self.work.system.forest.nv), 0
        ordered = self.engine.velocities_back(self._call.once())
        for i in self._order:
            own = self.work.links[i].v
            at, begin = at + own.stop - own.start, at
            found[own] = ordered[begin:at]
        return found

    def repeat(self, times: int) -> None:
        """Evaluate the motion there, so many times."""
        self._call.repeat(times)

    def repeat_nothing(self, times: int) -> None:
        """Do the same for a model without joints."""
        self._nothing.repeat(times)


def _depth_first(work: Work) -> list[int]:
    """Links in the order that its factorisation with constraints wants."""
    order: list[int] = []
    waiting = [i for i, link in enumerate(work.links) if link.parent == WORLD]
    while waiting:
        order.append(waiting.pop())
        waiting += [i for i, link in enumerate(work.links) if link.parent == order[-1]]
    return order


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

    def take(self, q: Array, v: Array, effort: Array) -> None:
        self.state = (q, v, effort)

    def once(self) -> Array:
        function, arguments = self._bound()
        return function(*arguments).copy()

    def repeat(self, times: int) -> None:
        function, arguments = self._bound()
        for _ in range(times):
            function(*arguments)

    def _bound(self):
        if not self.constrained:
            return pin.aba, (self.model, self.data, *self.state)
        closing = (self.rows, self.rows_data, self.settings)
        return pin.constraintDynamics, (self.model, self.data, *self.state, *closing)
