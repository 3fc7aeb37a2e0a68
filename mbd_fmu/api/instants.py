"""A model at one instant: kinematics and dynamics, forward and inverse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mbd_fmu.analysis.equilibrium import Equilibrium
from mbd_fmu.analysis.kinematics import target_pose, unprescribed
from mbd_fmu.api.contents import Contents, Parameters, Settings
from mbd_fmu.api.pose import Pose
from mbd_fmu.api.posing import Posing, posing_of
from mbd_fmu.api.state import Point, State
from mbd_fmu.api.vectors import Given, tau_of
from mbd_fmu.api.view import View
from mbd_fmu.errors import DataError
from mbd_fmu.spatial import Array
from mbd_fmu.system.system import System, system_of
from mbd_fmu.tables import Listing
from mbd_fmu.viewer.motion import Motion

Where = Given | State | Equilibrium


@dataclass(frozen=True, repr=False, eq=False)
class Instants(Contents):
    """See above.

    q, v and tau are arrays over ``coordinates`` and ``velocities``, or mappings by the names of
    joints. What is left out of q is at its start, of v and tau it is 0; on constraints it follows.
    """

    def at(
        self,
        q: Where = None,
        v: Given = None,
        tau: Given = None,
        *,
        inputs: Settings | None = None,
        parameters: Parameters | None = None,
    ) -> State:
        """Return the mechanism at one instant, of which everything can be asked.

        Instead of q there may be a state or an equilibrium: then all of it is meant.
        """
        if isinstance(q, State | Equilibrium):
            if any(given is not None for given in (v, tau, inputs, parameters)):
                raise DataError("a state is whole: leave v, tau, inputs and parameters out")
            return State(q.point)
        posing = (
            self._posing if not parameters else posing_of(self._system, self._known(parameters))
        )
        return posing.state(q, v, tau, inputs)

    @cached_property
    def _posing(self) -> Posing:
        return posing_of(self._system, {})

    @cached_property
    def _led(self) -> System:
        """The mechanism with joints that can all be led, those of prescribed motions, too."""
        spec = unprescribed(self.spec())
        return self._system if spec == self.spec() else system_of(spec)

    def forward_kinematics(
        self, q: Where = None, *, parameters: Parameters | None = None
    ) -> Listing[Pose]:
        """Return where every body is: ``m.forward_kinematics(q)["rod"].position``."""
        return self.at(q, parameters=parameters).poses

    def jacobian(
        self, point: Point, q: Where = None, *, parameters: Parameters | None = None
    ) -> Array:
        """Return J (6, nv) of a body, an output point or ``(body, [x, y, z])``.

        J v is the angular velocity of the body, then the velocity of the point, in world axes.
        """
        return self.at(q, parameters=parameters).jacobian(point)

    def mass_matrix(self, q: Where = None, *, parameters: Parameters | None = None) -> Array:
        """Return H (nv, nv): the kinetic energy is v H v / 2, rotors included."""
        return self.at(q, parameters=parameters).mass_matrix

    def forward_dynamics(
        self,
        q: Where = None,
        v: Given = None,
        tau: Given = None,
        *,
        inputs: Settings | None = None,
        parameters: Parameters | None = None,
    ) -> Array:
        """Return the accelerations under ``tau`` along the freedoms, and all else that acts."""
        return self.at(q, v, tau, inputs=inputs, parameters=parameters).accelerations

    def inverse_dynamics(
        self,
        q: Where = None,
        v: Given = None,
        a: Given = None,
        *,
        drives: Sequence[str] | None = None,
        inputs: Settings | None = None,
        parameters: Parameters | None = None,
    ) -> Array:
        """Return the tau that makes the joints accelerate by ``a``.

        Of a tree, along every freedom; with loops or ``drives``, inputs by name, by what these can
        do, all of the model's by default.
        """
        state = self.at(q, v, inputs=inputs, parameters=parameters)
        if drives is None and not self._system.rows:
            return state.efforts(a)
        return tau_of(self._system, state.drives(a, drives))

    def inverse_kinematics(
        self,
        targets: Settings,
        *,
        hold: Sequence[str] = (),
        parameters: Parameters | None = None,
    ) -> State:
        """Return the state where joints, points and bodies are as asked: ``{"tip.r.x": 0.3}``.

        It is led there from the start; joints to ``hold`` stay, other freedoms stay near.
        """
        settings = self._known(parameters or {})
        found = target_pose(self._led, targets, hold=hold, settings=settings).positions
        q = {name: found[name] for name in self.coordinates if name in found}
        return self.at(q, parameters=parameters)

    def view(self, q: Where = None, *, parameters: Parameters | None = None) -> View:
        """Show the mechanism in 3-D, at rest."""
        poses = self.at(q, parameters=parameters).poses
        still = {
            name: np.concatenate([pose.position, pose.quaternion])[None].astype(float)
            for name, pose in poses.items()
        }
        return View(self.source.scene(), Motion(np.zeros(1), still, {}))
