"""A mechanism at one instant: coordinates, velocities and all that acts; the rest follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from mbd_fmu.analysis.inverse import Driving, InverseDynamics, drives_of
from mbd_fmu.analysis.inverse_motion import MISSING, UndrivenError
from mbd_fmu.analysis.operating_point import OperatingPoint
from mbd_fmu.api.pose import Pose, Reaction
from mbd_fmu.api.vectors import (
    Given,
    acceleration_vector,
    coordinate_vector,
    numbers_in,
    velocity_vector,
)
from mbd_fmu.elements.places import BodyPoint
from mbd_fmu.errors import DataError, nearest
from mbd_fmu.mechanics.constraints import constraint_jacobian
from mbd_fmu.mechanics.equations import Instant
from mbd_fmu.quantities.vectors import vector_of
from mbd_fmu.reference.assembly import Assembly
from mbd_fmu.spatial import Array, skew
from mbd_fmu.system.prescribing import prescribed
from mbd_fmu.system.system import System
from mbd_fmu.system.weightless import refuse_weightless
from mbd_fmu.tables import Listing, UnknownNameError, number

Point = str | tuple[str, ArrayLike]  # a body, an output point, or a body and a point of it


@dataclass(frozen=True, eq=False)
class State:
    """See above; made by ``Model.at``. What is asked for is computed once."""

    point: OperatingPoint

    @property
    def _system(self) -> System:
        return self.point.system

    @cached_property
    def _instant(self) -> Instant:
        return self.point.plant.instant(self.point.x, self.point.u)

    @cached_property
    def _solved(self) -> Instant:
        """The same instant with accelerations and multipliers; refused where no mass moves."""
        refuse_weightless(self.point.plant, self.point.x, self.point.u)
        lam = self.point.multipliers if self._system.rows else None
        return self.point.plant.instant(self.point.x, self.point.u, self.point.vd, lam)

    # --- Position and velocity ---

    @property
    def q(self) -> Array:
        """Coordinates of the joints of the tree."""
        return self._instant.q[: self._system.forest.nq].copy()

    @property
    def v(self) -> Array:
        """Velocities of the joints of the tree."""
        return self._instant.v.copy()

    @cached_property
    def poses(self) -> Listing[Pose]:
        """Where every body is."""
        at, system = self._instant, self._system
        names = [system.spec.bodies[k].name for k in system.forest.body]
        found = {
            name: Pose(at.placed.point_W(i, at.tree.origin_B[i]), at.placed.quat_WU[i])
            for i, name in enumerate(names)
        }
        return Listing("body", found, ("position in m", "quaternion w x y z"), _pose_row)

    def position(self, point: Point) -> Array:
        """Return where a point is, in the world."""
        return self._instant.motion.point(self._place(point))[0]

    def jacobian(self, point: Point) -> Array:
        """Return J (6, nv) of a point: J v is the angular velocity, then the velocity, world axes.

        Power is force times velocity: the rows are the generalized forces of unit torques and
        unit forces at the point.
        """
        place, at = self._place(point), self._instant
        R_BW = at.placed.R_WB[place.body].T
        unit = np.zeros((6, 6))
        unit[:3, :3] = R_BW
        unit[3:, 3:] = R_BW
        unit[:3, 3:] = skew(place.place) @ R_BW
        return constraint_jacobian(at.tree, at.configuration, {place.body: unit}, 6)

    def _place(self, point: Point) -> BodyPoint:
        """Return where on which body a point lies."""
        system, tree = self._system, self.point.plant.tree
        bodies = {system.spec.bodies[k].name: i for i, k in enumerate(system.forest.body)}
        points = {p.name: k for k, p in enumerate(system.spec.points)}
        if isinstance(point, str) and point in points:
            return tree.points[points[point]]
        name, given = (point, None) if isinstance(point, str) else point
        if name not in bodies:
            known = [*bodies, *(points if given is None else ())]
            raise DataError(f'no body or point "{name}"; {nearest(str(name), known)}')
        i = bodies[name]
        if given is None:
            return BodyPoint(i, tree.origin_B[i])
        p_U = numbers_in(given)
        if p_U is None or p_U.shape != (3,):
            raise DataError(f'point of "{name}": {given!r}; give three numbers, as in the model')
        origin = system.spec.bodies[system.forest.body[i]].origin
        from_origin = p_U - vector_of(origin, system.named(self.point.p))
        return BodyPoint(i, tree.origin_B[i] + tree.R_UB[i].T @ from_origin)

    # --- Dynamics ---

    @property
    def mass_matrix(self) -> Array:
        """H (nv, nv): the kinetic energy is v H v / 2, rotors included."""
        return self._instant.inertia.copy()

    @property
    def accelerations(self) -> Array:
        """Accelerations of the joints of the tree under all that acts."""
        return self._solved.vd.copy()

    @cached_property
    def reactions(self) -> Listing[Reaction]:
        """What every joint exerts on its child by its constraints."""
        system = self._system
        joints = [system.spec.joints[k] for k in system.forest.every_joint]
        found = {
            joint.name: Reaction(wrench[3:], wrench[:3])
            for joint, wrench in zip(joints, self._solved.reactions, strict=True)
            if joint.kind.restricts and not joint.fictitious
        }
        return Listing("joint", found, ("force in N", "torque in N.m"), _reaction_row)

    def efforts(self, a: Given) -> Array:
        """Return what must act along every freedom of the tree for the accelerations ``a``.

        Springs, dampers and all else that acts is counted: this comes on top of it.
        """
        u, vd = self._accelerating(a)
        return self.point.plant.instant(self.point.x, u, vd).driving.copy()

    def drives(self, a: Given, names: Sequence[str] | None = None) -> dict[str, float]:
        """Return what drives must do for the accelerations ``a``, by the names of their inputs.

        By default all drives of the model. Redundant ones share by least squares; what they
        cannot give is refused.
        """
        names = drives_of(self._system) if names is None else names
        u, vd = self._accelerating(a)
        inverse = InverseDynamics(self.point.plant, names)
        found = inverse.at(self.point.x, u, vd, self.point.rank)
        self._refuse_undriven(found)
        return dict(zip(inverse.drives, map(float, found.drives), strict=True))

    def _accelerating(self, a: Given) -> tuple[Array, Array]:
        """Return u and the accelerations of the states; on constraints those left out follow."""
        system, point = self._system, self.point
        vector, none = acceleration_vector(system), np.zeros(system.forest.nv)
        every, given = vector.read(a, none)
        u = prescribed(system, point.u, self.q, self.v, every)
        vd, held = every[system.state_v], given[system.state_v]
        if system.rows:
            vd = Assembly(point.plant, u).accelerating(point.x, vd, held)
        return u, vd

    def _refuse_undriven(self, found: Driving) -> None:
        per = {"N.m": 1.0 / self._system.length, "N": 1.0}
        lacks = [
            f"{lack.freedom} lacks {lack.size:.4g} {lack.unit}"
            for lack in found.lacks
            if per[lack.unit] * abs(lack.size) > MISSING * found.largest
        ]
        if lacks:
            raise UndrivenError(
                f"the drives cannot make these accelerations: {'; '.join(lacks)}; ask for others, "
                "or name more drives"
            )

    # --- Everything by name ---

    def __getitem__(self, name: str) -> float:
        """Return an output of the model."""
        outputs = {v.name: k for k, v in enumerate(self._system.table.outputs)}
        if name not in outputs:
            raise UnknownNameError(f'no output "{name}"; {nearest(name, outputs)}')
        return float(self.point.y[outputs[name]])

    @property
    def _table(self) -> Listing[tuple[float, str]]:
        system = self._system
        entries: dict[str, tuple[float, str]] = {}
        for vector, values in (
            (coordinate_vector(system), self.q),
            (velocity_vector(system), self.v),
            (acceleration_vector(system), self.accelerations),
        ):
            for variable, value in zip(vector.variables, values, strict=True):
                entries[variable.name] = (float(value), variable.unit)
        return Listing("joint", entries, ("value", "unit"), lambda e: (number(e[0]), e[1]))

    def __repr__(self) -> str:
        return repr(self._table)

    def _repr_html_(self) -> str:
        return self._table._repr_html_()


def _pose_row(pose: Pose) -> tuple[str, str]:
    return _vector(pose.position), _vector(pose.quaternion)


def _reaction_row(reaction: Reaction) -> tuple[str, str]:
    return _vector(reaction.force), _vector(reaction.torque)


def _vector(values: Array) -> str:
    return ", ".join(f"{x + 0.0:.4g}" for x in values)
