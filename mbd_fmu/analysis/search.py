"""The way to an equilibrium: from step to step along the constraints.

Sought are the positions xi of the freedoms, and inputs, parameters or rates that are set free, for
which nothing accelerates:

    r = (accelerations of the picked velocities, outputs - what is wanted of them) = 0        (1)

Velocities are zero but for the rates that are given, so coordinates that advance are those on which
nothing depends. Each step solves, with exact derivatives r' on the constraints,

    (V / delta - r') step = r,    V = 1 for positions, 0 for what else is sought              (2)

and moves along the constraints. For small delta that is the way of the mechanism in honey: it sinks
to where it would come to rest, and where forces push away from a balance delta stays so small that
it does. As r gets smaller delta grows, and the step becomes Newton's. The coordinates are others in
every step (loops, quaternions); so scipy's solvers of equations in one set of coordinates are not
used, only its linear ones.

Source   Kelley & Keyes, SIAM J. Numer. Anal. 35 (1998), p. 508: pseudo-transient continuation.
Checked  tests/laws/test_equilibrium.py
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import eigvals, lstsq

from mbd_fmu.analysis.freedoms import (
    Freedoms,
    SingularError,
    coordinates_of,
    followers,
    freedoms_at,
    usual_sizes,
)
from mbd_fmu.analysis.operating_point import OperatingPoint
from mbd_fmu.analysis.resting import resting, with_rates
from mbd_fmu.analysis.tangents import Tangents
from mbd_fmu.errors import DataError, MbdFmuError
from mbd_fmu.reference.manifold import MisfitError
from mbd_fmu.reference.run import check_parameters
from mbd_fmu.spatial import Array
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.variable import refused_setting

FIRST = 0.05  # s^2, delta at the start: a free fall of a few steps
LONGEST = 0.5  # rad, or of the characteristic length, or of a parameter: one step
ARRIVED = 1e-11  # likewise: a step of Newton's method that is rounding
STEPS = 200
HALVED = 6  # times: a step after which loops do not close, or parameters are out of limits
SINGULAR = 1e-10  # of the largest: below it a singular value is zero, as of a cyclic coordinate
NOTHING = 1e-13  # 1/s2, likewise: accelerations that are rounding
AS_WANTED = 1e-9  # of what an output is to be, or of its unit: what may be missing
BALANCED = 1e-6  # of the forces that balance: what may be left of them, and change in 1 s


class NoEquilibriumError(MbdFmuError):
    """Nothing was found."""


@dataclass(frozen=True)
class Asked:
    """What is sought, and under which conditions."""

    rates: Mapping[str, float]  # velocities that are given; the others are zero or follow
    hold: Sequence[str]  # coordinates that stay as they are
    solve: Sequence[str]  # inputs, parameters and velocities that are sought besides positions
    wanted: Mapping[str, float]  # outputs, and what they are to be


class Search:
    """See above."""

    def __init__(self, tangents: Tangents, point: OperatingPoint, asked: Asked) -> None:
        self.tangents, self.system, self.asked = tangents, point.system, asked
        positions, velocities = coordinates_of(self.system)
        self.position_names = [q.name for q in positions]
        self.velocity_names = [q.name for q in velocities]
        table = self.system.table
        self.inputs = {v.name: table.acting[k] for k, v in enumerate(table.inputs)}
        self.parameters = {v.name: k for k, v in enumerate(table.parameters)}
        self._units = {v.name: v.unit for v in table.variables}
        self._units |= {q.name: q.unit for q in velocities}
        self._refuse_unknown()
        self.rates = dict(asked.rates)
        for name in asked.solve:
            if name in self.velocity_names:
                self.rates.setdefault(name, 0.0)
        given = [self.velocity_names.index(n) for n in self.rates]
        self.held = [self.position_names.index(n) for n in asked.hold]
        found = freedoms_at(resting(point), tangents, [*given, *self.held])
        self.preferred = [*given, *(k for k in found.velocities if k not in given)]
        self._refuse_dependent(found, given)
        self.start = self._moving(point, self.rates)

    def unit(self, name: str) -> str:
        """Return the unit of what is sought."""
        return self._units[name]

    def run(self) -> tuple[OperatingPoint, int]:
        """Go there; return the place and the number of steps."""
        at, delta, before = self.start, FIRST, np.inf
        for n in range(STEPS):
            freedoms = self._freedoms(at)
            r, slope = self._residual(at, freedoms)
            size, sizes = float(np.abs(r).max(initial=0.0)), self._sizes(at, freedoms)
            if n and size > 0.0:
                delta = min(delta * max(before / size, 0.1), 1e20)
            before = size
            newton = self._step(r, slope, sizes)
            if self._is_there(at, r, freedoms, np.abs(newton / sizes).max(initial=0.0)):
                self._refuse_unsteady(at, freedoms)
                return at, n
            step = self._step(r, slope - self._honey(slope, delta, freedoms), sizes)
            share = np.abs(step / sizes)[self._bounded(freedoms)]
            moved = self._tried(at, step * (LONGEST / share.max(initial=LONGEST)), freedoms)
            if moved is None:
                break
            at = moved
        raise NoEquilibriumError(self._failure(at))

    def _is_there(self, at: OperatingPoint, r: Array, freedoms: Freedoms, left: float) -> bool:
        """Tell whether nothing is left to go, or all that is left of r is rounding."""
        usual = usual_sizes(self.system)[list(freedoms.velocities)]
        own, missed = r[: len(usual)], r[len(usual) :]
        if not np.any(missed) and np.abs(own / usual).max(initial=0.0) <= NOTHING:
            return True
        is_balanced = bool(np.all(np.abs(own) <= BALANCED * self._forces(at, freedoms)))
        asked = np.abs(list(self.asked.wanted.values()))
        is_as_wanted = bool(np.all(np.abs(missed) <= AS_WANTED * (1.0 + asked)))
        return left <= ARRIVED and is_balanced and is_as_wanted

    @staticmethod
    def _forces(at: OperatingPoint, freedoms: Freedoms) -> Array:
        """How the forces that balance would accelerate what is picked, each by itself."""
        inertia = np.diag(at.M)
        alone = (np.abs(at.M) @ at.v**2 + np.abs(at.equations.f)) / inertia
        if len(at.multipliers):
            alone = alone + np.abs(at.J).T @ np.abs(at.multipliers) / inertia
        return 1.0 + alone[list(freedoms.velocities)]

    def _tried(self, at: OperatingPoint, step: Array, freedoms: Freedoms) -> OperatingPoint | None:
        """Go a step, or a part of it: loops do not always close, parameters have limits."""
        for _ in range(HALVED):
            try:
                return self._moved(at, step, freedoms)
            except (MisfitError, SingularError, DataError):
                step = step / 2.0
        return None

    def values(self, at: OperatingPoint) -> dict[str, float]:
        """Return what was set free, by name."""
        return {name: self._value(at, name) for name in self.asked.solve}

    def _value(self, at: OperatingPoint, name: str) -> float:
        if name in self.inputs:
            return float(at.u[self.inputs[name]])
        if name in self.parameters:
            return float(at.p[self.parameters[name]])
        return float(at.v[self.velocity_names.index(name)])

    # --- One step ---

    def _sought(self, freedoms: Freedoms) -> list[int]:
        """Positions of the freedoms that are not held, as columns of T."""
        return [n for n, k in enumerate(freedoms.positions) if k not in self.held]

    def _directions(self, at: OperatingPoint, freedoms: Freedoms) -> Array:
        """What is sought, a direction each: positions, then what is set free."""
        tangents, T, nv = self.tangents, freedoms.T, len(freedoms.T) // 2
        own = T[:, self._sought(freedoms)]
        found = [tangents.directions(d=own[:nv], v=own[nv:])]
        for name in self.asked.solve:
            unit: dict[str, Array] = {}
            if name in self.velocity_names:
                v = freedoms.velocities.index(self.velocity_names.index(name))
                column = T[:, [len(freedoms.positions) + v]]
            else:
                part, k = (
                    ("u", self.inputs[name])
                    if name in self.inputs
                    else ("p", self.parameters[name])
                )
                column = followers(at, tangents, freedoms, part, [k])
                unit = {part: np.eye(tangents.sizes[part])[:, [k]]}
            found.append(tangents.directions(d=column[:nv], v=column[nv:], **unit))
        return np.hstack(found)

    def _residual(self, at: OperatingPoint, freedoms: Freedoms) -> tuple[Array, Array]:
        """r and r' of (1)."""
        directions = self._directions(at, freedoms)
        picked = list(freedoms.velocities)
        r, slope = at.vd[picked], self.tangents.accelerations(at, directions)[picked]
        if not self.asked.wanted:
            return r, slope
        names = [v.name for v in self.system.table.outputs]
        rows = [names.index(name) for name in self.asked.wanted]
        missing = at.y[rows] - np.array(list(self.asked.wanted.values()))
        return (
            np.concatenate([r, missing]),
            np.vstack([slope, self.tangents.outputs(at, directions)[rows]]),
        )

    def _honey(self, slope: Array, delta: float, freedoms: Freedoms) -> Array:
        """V / delta, of positions whose velocities are picked; more where forces push away."""
        own = [
            (freedoms.velocities.index(freedoms.positions[n]), column)
            for column, n in enumerate(self._sought(freedoms))
            if freedoms.positions[n] in freedoms.velocities
        ]
        rows, columns = [row for row, _ in own], [column for _, column in own]
        pushing = eigvals(slope[np.ix_(rows, columns)]).real.max(initial=0.0)
        found = np.zeros_like(slope)
        found[rows, columns] = max(1.0 / delta, 2.0 * pushing)
        return found

    @staticmethod
    def _step(r: Array, slope: Array, sizes: Array) -> Array:
        """Solve -slope step = r; of many solutions, the least."""
        found: Array = lstsq(-slope * sizes, r, cond=SINGULAR)[0]
        return found * sizes

    def _sizes(self, at: OperatingPoint, freedoms: Freedoms) -> Array:
        """What is little of each that is sought: so the least of many solutions means something."""
        usual = usual_sizes(self.system)
        own = [usual[freedoms.positions[n]] for n in self._sought(freedoms)]
        free = [
            (abs(self._value(at, name)) if name in self.parameters else 0.0) or 1.0
            for name in self.asked.solve
        ]
        return np.array([*own, *free])

    def _bounded(self, freedoms: Freedoms) -> Array:
        """Which of what is sought goes there in short steps: positions and parameters."""
        free = [name in self.parameters for name in self.asked.solve]
        return np.array([*([True] * len(self._sought(freedoms))), *free], dtype=bool)

    def _moved(self, at: OperatingPoint, step: Array, freedoms: Freedoms) -> OperatingPoint:
        """Go a step, along the constraints."""
        n, nv = len(self._sought(freedoms)), len(at.v)
        u, p, rates = at.u.copy(), at.p.copy(), dict(self.rates)
        for name, change in zip(self.asked.solve, map(float, step[n:]), strict=True):
            if name in self.inputs:
                u[self.inputs[name]] += change
            elif name in self.parameters:
                p[self.parameters[name]] += change
            else:
                rates[name] += change
        if np.any(p != at.p):
            check_parameters(self.system, p)
        d = (self._directions(at, freedoms) @ step)[:nv]
        plant = plant_of(self.system, p)
        moved = self._moving(replace(at, plant=plant, u=u, x=plant.retract(at.x, u, d)), rates)
        self.rates = rates
        return moved

    def _moving(self, at: OperatingPoint, rates: Mapping[str, float]) -> OperatingPoint:
        """Return the state on the constraints, with the velocities that are given, the others 0."""
        asked = np.zeros(len(at.v))
        for name, value in rates.items():
            asked[self.velocity_names.index(name)] = value
        return with_rates(resting(at), self.tangents, self.preferred, asked)

    def _freedoms(self, at: OperatingPoint) -> Freedoms:
        """The freedoms there: what is given and held is picked."""
        return freedoms_at(at, self.tangents, self.preferred, self.held)

    # --- Refusals ---

    def _refuse_unknown(self) -> None:
        outputs = [v.name for v in self.system.table.outputs]
        derived = [v.name for v in self.system.table.derived]
        free = [*self.inputs, *self.parameters, *self.velocity_names]
        for names, known, what in (
            (self.asked.rates, self.velocity_names, "velocity of a joint of the tree"),
            (self.asked.hold, self.position_names, "coordinate of a joint of the tree"),
            (self.asked.solve, free, "input, parameter or velocity"),
            (self.asked.wanted, outputs, "output"),
        ):
            for name in names:
                if name not in known:
                    raise DataError(refused_setting(name, known, derived, what))

    def _refuse_dependent(self, found: Freedoms, given: Sequence[int]) -> None:
        """A rate that follows from others cannot be given, too."""
        over = [self.velocity_names[k] for k in given if k not in found.velocities]
        if over:
            raise DataError(
                f"the rate of {', '.join(over)} follows from others that are given; leave it out"
            )

    def _refuse_unsteady(self, at: OperatingPoint, freedoms: Freedoms) -> None:
        """What advances must change nothing: else the balance is that of an instant."""
        if not np.any(at.v):
            return
        nv, picked = len(at.v), list(freedoms.positions)
        moved = freedoms.T[:, : len(picked)] @ at.v[picked, None]
        along = self.tangents.directions(d=moved[:nv], v=moved[nv:])
        jerk = self.tangents.accelerations(at, along)[list(freedoms.velocities), 0]
        if np.any(np.abs(jerk) > BALANCED * self._forces(at, freedoms)):
            moving = ", ".join(
                name for name, v in zip(self.velocity_names, at.v, strict=True) if abs(v) > 1e-9
            )
            raise NoEquilibriumError(
                f"{self.system.spec.name}: with the rates given ({moving}) nothing accelerates for "
                "an instant, but the motion is not steady: what advances changes the forces; give "
                "the rate of a coordinate on which nothing depends"
            )

    def _failure(self, at: OperatingPoint) -> str:
        freedoms = self._freedoms(at)
        names = [self.velocity_names[k] for k in freedoms.velocities]
        vd = at.vd[list(freedoms.velocities)]
        worst = sorted(zip(np.abs(vd), names, vd, strict=True), reverse=True)[:3]
        left = [
            f"{name} accelerates by {a:.3g} {self.unit(name)}2"
            for size, name, a in worst
            if size > BALANCED * worst[0][0]
        ]
        for name, value in self.asked.wanted.items():
            left.append(f"{name} is {at.output(name):.6g}, not {value:g}")
        return (
            f"{self.system.spec.name}: no equilibrium found; where the search ended, "
            f"{', '.join(left)}; begin elsewhere (--at), hold what would run away (--hold), or set "
            "an input free (--solve)"
        )
