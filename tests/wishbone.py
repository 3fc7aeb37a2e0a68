"""A double wishbone as five rods of constant length, by SciPy: a second road to docs/wishbone.md.

The arms are two rods each, from a ball of the upright to the chassis, which stands still here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy.optimize import fsolve
from scipy.spatial.transform import Rotation

GRAVITY, STEP = 9.81, 3e-4
WHEEL_MASS, WHEEL_WIDTH, SEAT = 35.0, 0.2, 0.55
PER_METRE = {"lower": 10.0, "upper": 6.0}  # kg, of the arms
RODS = (
    *(("lower_front", "lower_ball"), ("lower_rear", "lower_ball")),
    *(("upper_front", "upper_ball"), ("upper_rear", "upper_ball")),
    ("tie_inner", "tie_outer"),
)
Placed = Callable[[np.ndarray], np.ndarray]


class Corner:
    """One corner, by its hard points and springs."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.p = {k: np.array(v) if isinstance(v, list) else v for k, v in values.items()}
        self.mid = {a: (self.p[f"{a}_front"] + self.p[f"{a}_rear"]) / 2 for a in PER_METRE}

    def upright(self, travel: float) -> tuple[Rotation, Placed]:
        """Return how it has turned, and where its points are, as the chassis sees them."""
        wheel, rods = self.p["wheel"], [(self.p[a], self.p[b]) for a, b in RODS]

        def placed(x: np.ndarray, point: np.ndarray) -> np.ndarray:
            return np.asarray(Rotation.from_rotvec(x[:3]).apply(point - wheel) + wheel + x[3:])

        def misses(x: np.ndarray) -> list[float]:
            lengths = (
                np.sum((placed(x, outer) - inner) ** 2) - np.sum((outer - inner) ** 2)
                for inner, outer in rods
            )
            return [*lengths, x[5] - travel]

        x = fsolve(misses, [0, 0, 0, 0, 0, travel], xtol=1e-12)
        return Rotation.from_rotvec(x[:3]), lambda point: placed(x, point)

    def angles(self, travel: float) -> tuple[float, float]:
        """Return camber and toe of a left wheel, by its axle."""
        x, y, z = self.upright(travel)[0].apply([0, 1, 0])
        return -float(np.arctan2(z, y)), float(np.arctan2(x, y))

    def strut(self, travel: float) -> float:
        """Return its length; its seat lies between the hinge and the ball, and stays there."""
        _, placed = self.upright(travel)
        along = placed(self.p["lower_ball"]) - self.mid["lower"]
        return float(np.linalg.norm(self.mid["lower"] + SEAT * along - self.p["tower"]))

    def preload(self) -> float:
        """Return the push of the strut that carries all weights as drawn, by virtual work."""
        before, after = (self._weight(travel) for travel in (-STEP, STEP))
        return (after - before) / (self.strut(STEP) - self.strut(-STEP))

    def ride(self, preload: float) -> float:
        """Return the frequency in Hz about the position as drawn, V''/T'' by the travel."""
        rate, drawn = self.p["spring_rate"], self.strut(0.0)

        def potential(travel: float) -> float:
            pressed = self.strut(travel) - drawn - preload / rate
            return self._weight(travel) + rate / 2 * pressed**2

        low, here, high = map(potential, (-STEP, 0.0, STEP))
        return float(np.sqrt((low - 2 * here + high) / STEP**2 / self._mass()) / (2 * np.pi))

    def _standing(self, travel: float) -> tuple[list[tuple[float, np.ndarray]], Rotation]:
        """Return what moves on a level road, each with what weighs it, centres first; the turn."""
        p, (turn, placed) = self.p, self.upright(travel)
        up = -placed(p["wheel"] - [0, 0, p["wheel"][2]]) * [0, 0, 1]  # the lowest point is at 0
        centres = [(p["sprung_mass"], p["tower"] + up), (WHEEL_MASS, placed(p["wheel"]) + up)]
        rods = []
        for name, per_metre in PER_METRE.items():
            along = placed(p[f"{name}_ball"]) - self.mid[name]
            mass = per_metre * np.linalg.norm(along)
            centres.append((mass, self.mid[name] + along / 2 + up))
            rods.append((mass / 12, along))
        return [*centres, *rods], turn

    def _weight(self, travel: float) -> float:
        centres = self._standing(travel)[0][: 2 + len(PER_METRE)]
        return float(sum(m * GRAVITY * r[2] for m, r in centres))

    def _mass(self) -> float:
        """Return what swings: twice the kinetic energy at a travel of 1 m/s."""
        (before, a), (after, b) = self._standing(-STEP), self._standing(STEP)
        moved = zip(before, after, strict=True)
        mass = sum(m * np.sum((r2 - r1) ** 2) for (m, r1), (_, r2) in moved) / (2 * STEP) ** 2
        x, y, z = (b * a.inv()).as_rotvec() / (2 * STEP)
        radius = self.p["wheel"][2]
        across = WHEEL_MASS * (3 * radius**2 + WHEEL_WIDTH**2) / 12
        return float(mass + across * (x**2 + z**2) + WHEEL_MASS * radius**2 / 2 * y**2)
