"""Where a mechanism rests or moves steadily, what holds it there, and whether it stays there.

Source   ``analysis.search`` finds it, ``analysis.poles`` judges it.
Checked  tests/laws/test_equilibrium.py
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mbd_fmu.analysis.freedoms import coordinates_of
from mbd_fmu.analysis.limits import beyond_limits
from mbd_fmu.analysis.linearization import Linearization, Linearizer
from mbd_fmu.analysis.operating_point import OperatingPoint, point_of
from mbd_fmu.analysis.search import Asked, Search
from mbd_fmu.analysis.stops import stops_reached
from mbd_fmu.errors import DataError
from mbd_fmu.system.system import System


@dataclass(frozen=True)
class Equilibrium:
    """What was found: the state, what was set free, and how what is disturbed behaves."""

    point: OperatingPoint
    linearization: Linearization  # about it, with no outputs
    solved: dict[str, float]  # inputs, parameters and rates that were set free
    units: dict[str, str]
    residual: float  # largest acceleration left, rad/s2 or m/s2
    steps: int
    stops: tuple[str, ...]  # joints that hang on one, in words
    limits: tuple[str, ...]  # inputs that would have to leave theirs, in words

    @property
    def stability(self) -> str:
        """Say stable, unstable, neutral, or unknown; see ``Linearization``."""
        return self.linearization.stability

    @property
    def is_at_rest(self) -> bool:
        """Nothing moves."""
        return not np.any(self.point.v)

    @cached_property
    def state(self) -> dict[str, float]:
        """Coordinates and velocities of joints by name, as ``linearize`` takes them."""
        system = self.point.system
        n = len(system.state_q) + len(system.state_v)
        return dict(zip(system.states.names[:n], map(float, self.point.x[:n]), strict=True))

    @property
    def joint_values(self) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
        """Coordinates and velocities of the joints of the tree, by joint."""
        system, positions, velocities = self.point.system, {}, {}
        q, v = iter(map(float, self.point.q)), iter(map(float, self.point.v))
        for i in system.free_joints:
            joint = system.joint(i)
            if joint.kind.nq:
                positions[joint.name] = [next(q) for _ in range(joint.kind.nq)]
                velocities[joint.name] = [next(v) for _ in range(joint.kind.nv)]
        return positions, velocities

    def to_dict(self) -> dict[str, Any]:
        """Return all of it for programs."""
        linear = self.linearization.to_dict()
        kept = ("eigenvalues", "frequencies", "damping", "freedoms", "stability")
        return {
            "name": linear["name"],
            "state": self.state,
            "solved": self.solved,
            "residual": self.residual,
            "steps": self.steps,
            "stops": list(self.stops),
            "limits": list(self.limits),
            **{key: linear[key] for key in kept},
        }


def equilibrium(
    system: System,
    *,
    state: Mapping[str, float] | OperatingPoint | None = None,
    settings: Mapping[str, float] | None = None,
    rates: Mapping[str, float] | None = None,
    hold: Sequence[str] = (),
    solve: Sequence[str] = (),
    wanted: Mapping[str, float] | None = None,
    trim: bool = False,
) -> Equilibrium:
    """Find where a mechanism rests, or moves steadily, from its start or from ``state``.

    ``rates`` are velocities of joints that are given (``{"spin.qd": 10}``): a steady motion.
    ``hold`` names coordinates that stay as they are. ``solve`` names inputs, parameters and
    velocities that are sought, too; ``wanted`` says what outputs are to be. ``trim`` holds the
    whole pose and seeks the inputs, those of ``solve`` if there are any, else all.
    """
    linearizer = Linearizer(system)
    positions, velocities = coordinates_of(system)
    if trim:
        hold = [q.name for q in positions]
        solve = solve or [v.name for v in system.table.inputs]
    asked = Asked(dict(rates or {}), tuple(hold), tuple(solve), dict(wanted or {}))
    if isinstance(state, Mapping):
        _refuse_velocities(state, [v.name for v in velocities], asked.rates)
    point = point_of(system, settings, state)
    search = Search(linearizer.tangents, point, asked)
    found, steps = search.run()
    picked = [velocities[k].name for k in search.preferred]
    linear = linearizer.at(found, outputs=[], preferred=picked)
    values = search.values(found)
    return Equilibrium(
        point=found,
        linearization=linear,
        solved=values,
        units={name: search.unit(name) for name in values},
        residual=float(np.abs(linear.accelerations).max(initial=0.0)),
        steps=steps,
        stops=tuple(stops_reached(found)),
        limits=tuple(beyond_limits(system.table.inputs, {n: (x, x) for n, x in values.items()})),
    )


def _refuse_velocities(
    state: Mapping[str, float], velocities: Sequence[str], rates: Mapping[str, float]
) -> None:
    """Refuse velocities to begin with: they are zero, or those of a steady motion."""
    lost = [n for n in velocities if state.get(n) and n not in rates]
    if lost:
        remedy = " ".join(f"--rate {n}={state[n]:g}" for n in lost)
        raise DataError(
            f"{', '.join(lost)}: an equilibrium is sought from rest; if it is to be a steady "
            f"motion: {remedy}"
        )
