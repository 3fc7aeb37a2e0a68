"""One communication step in NumPy: the twin of ``runtime/adaptive.c``, ``dopri5.c``, ``rk4.c``.

Source   Dormand & Prince (1980), J. Comp. Appl. Math. 6, p. 19; Hairer, Norsett & Wanner,
         Solving Ordinary Differential Equations I (1993), sec. II.4; II (1996), sec. IV.2: when
         a motion is stiff.
Checked  tests/twins/test_roads.py against the C, tests/unit/test_step.py against closed forms.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.mechanics.constrained import MasslessError
from mbd_fmu.reference import stiff
from mbd_fmu.reference.manifold import MisfitError
from mbd_fmu.spatial import Array

A = (
    (),
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
C = (0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1)
E = (71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)

SMALLEST_SHARE = 1e-10
SMALLEST_FIRST = 1e-6
# Steps are looked at every so often: one that goes on at its pace may take as many, no more.
MOST_STEPS = 1_000_000
LOOK_EVERY = 100_000

BOUNDARY = 2.5  # of h |lambda|; stability ends at 3.3, near the imaginary axis sooner
STIFF_STEPS = 15  # so many accepted steps beyond it make a motion stiff,
CALM_STEPS = 6  # unless so many in a row are not

Rate = Callable[[float, Array], Array]  # time since the start of the step, x -> dx/dt


class StepError(MbdFmuError):
    """The motion cannot be followed."""


@dataclass(frozen=True)
class Trial:
    """A step that may be accepted."""

    x: Array
    error: Array
    slope: Array | None = None  # x' at its end, if it is known already
    reach: float = 0.0  # h |lambda|, as far as it shows


@dataclass
class Stepper:
    """A solver with its memory from step to step."""

    method: str
    tolerance: float
    max_step: float
    quaternions: tuple[int, ...] = ()
    h: float = field(default=0.0)  # internal step to try next; 0: none yet
    settled: Callable[[float, Array], Array] | None = None  # brings x back to the constraints
    staying: Callable[[Array, Array], Array] | None = None  # x, error -> what is left of it then
    sizes: tuple[int, int] = (0, 0)  # coordinates and velocities in x
    hits: int = field(default=0)  # steps at the edge of stability
    calm: int = field(default=0)  # others since then

    @property
    def is_strained(self) -> bool:
        """Tell whether stability, not accuracy, keeps the steps of an explicit method short."""
        return self.hits >= STIFF_STEPS

    def advance(self, rate: Rate, length: float, x: Array) -> Array:
        """Return x one communication step later."""
        method = self._rk4 if self.method == "rk4" else self._follow
        with np.errstate(all="ignore"):  # what is not finite is refused in words
            return method(rate, length, x)

    def normalized(self, x: Array) -> Array:
        """Return x with its quaternions brought back to length 1."""
        x = x.copy()
        for k in self.quaternions:
            x[k : k + 4] /= np.sqrt(x[k : k + 4] @ x[k : k + 4])
        return x

    def _settle(self, t: float, x: Array) -> Array:
        x = self.normalized(x)
        return self.settled(t, x) if self.settled else x

    def _attempts(
        self, rate: Rate, length: float, t: float, x: Array, slope: Array
    ) -> Callable[[float], Trial]:
        """Get ready for steps from x at time t; the method, size of a step -> trial."""
        if self.method == "stiff":
            derivatives = stiff.slopes(rate, t, x, length)
            return lambda step: Trial(*stiff.trial(rate, derivatives, t, step, x, slope))
        return lambda step: self._dopri5(rate, t, step, x, slope)

    def _dopri5(self, rate: Rate, t: float, step: float, x: Array, slope: Array) -> Trial:
        k, points = [slope], [x]
        for a, c in zip(A[1:], C[1:], strict=True):
            points.append(x + step * _combine(a, k))
            k.append(rate(t + c * step, points[-1]))
        dx, dk = points[-1] - points[-2], k[-1] - k[-2]
        n, end = self.sizes[0], sum(self.sizes)
        dq, dv, da = (float(np.linalg.norm(d)) for d in (dx[:n], dx[n:end], dk[n:end]))
        # of what oscillates, da = lambda^2 dq; of what is damped, da = lambda dv
        reach = step * min(math.sqrt(da / dq), da / dv) if dq > 0.0 and dv > 0.0 else 0.0
        return Trial(points[-1], step * _combine(E, k), k[-1], reach)

    def _review(self, reach: float) -> None:
        """Count accepted steps beyond the boundary of stability."""
        if self.is_strained:
            return
        if reach > BOUNDARY:
            self.hits, self.calm = self.hits + 1, 0
        else:
            self.calm += 1
            if self.calm >= CALM_STEPS:
                self.hits = 0

    def _root(self, norm: float) -> float:
        return norm ** (0.25 if self.method == "stiff" else 0.2)

    def _follow(self, rate: Rate, length: float, x: Array) -> Array:
        slope = rate(0.0, x)
        h = self.h or max(_first_step(self.tolerance, x, slope), SMALLEST_FIRST * length)
        t, t_looked_at, n_steps = 0.0, 0.0, 0
        attempt = self._attempts(rate, length, t, x, slope)
        while True:
            parts = math.ceil((length - t) / h * (1.0 - 1e-12))
            last = not parts > 1
            step = length - t if last else (length - t) / parts

            trial = attempt(step)
            scale = self.tolerance * (1.0 + np.maximum(np.abs(x), np.abs(trial.x)))
            error = self.staying(x, trial.error) if self.staying else trial.error
            norm = float(np.sqrt(np.mean((error / scale) ** 2))) if len(x) else 0.0
            t_end, settled = length if last else t + step, trial.x
            if norm <= 1.0 and (self.quaternions or self.settled):
                try:
                    settled = self._settle(t_end, trial.x)
                except (MisfitError, MasslessError):
                    norm = math.nan  # a shorter step may
            n_steps += 1
            if n_steps % LOOK_EVERY == 0:
                if (t - t_looked_at) * (MOST_STEPS // LOOK_EVERY) < length:
                    raise StepError(
                        f"the motion cannot be followed in reasonable time: {n_steps} internal "
                        f"steps led {t:g} s far into a step of {length:g} s"
                    )
                t_looked_at = t
            if not norm <= 1.0:
                factor = 0.9 / self._root(norm) if math.isfinite(norm) else 0.1
                h = step * max(0.1, factor)
                if not h > length * SMALLEST_SHARE:
                    raise StepError(
                        f"the motion cannot be followed with tolerance {self.tolerance:g}"
                    )
                continue
            factor = 0.9 / self._root(norm) if norm > 1e-5 else 5.0
            h = max(h, step * min(5.0, factor)) if last else step * min(5.0, max(0.2, factor))
            self._review(trial.reach)
            x = settled
            if last:
                self.h = h
                return x
            known = trial.slope if x is trial.x else None
            slope = rate(t_end, x) if known is None else known
            t = t_end
            attempt = self._attempts(rate, length, t, x, slope)

    def _rk4(self, rate: Rate, length: float, x: Array) -> Array:
        n = max(1, math.ceil(length / self.max_step * (1.0 - 1e-12)))
        if n > MOST_STEPS:
            raise StepError(
                f"a step of {length:g} s takes {n:g} internal ones of {self.max_step:g} s"
            )
        h = length / n
        cannot = f"the motion cannot be followed with steps of {h:g} s"
        for step in range(n):
            t = step * h
            k1 = rate(t, x)
            k2 = rate(t + 0.5 * h, x + 0.5 * h * k1)
            k3 = rate(t + 0.5 * h, x + 0.5 * h * k2)
            k4 = rate(t + h, x + h * k3)
            x = x + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)
            try:
                x = self._settle(t + h, x)
            except (MisfitError, MasslessError) as misfit:
                raise StepError(f"{cannot}: {misfit}") from None
            if not np.all(np.isfinite(x)):
                raise StepError(cannot)
        return x


def _combine(weights: tuple[float, ...], k: list[Array]) -> Array:
    total = np.zeros_like(k[0])
    for weight, slope in zip(weights, k, strict=True):
        total = total + weight * slope
    return total


def _first_step(tolerance: float, x: Array, xd: Array) -> float:
    scale = tolerance * (1.0 + np.abs(x))
    size, rate = float(np.sum((x / scale) ** 2)), float(np.sum((xd / scale) ** 2))
    return 0.01 * math.sqrt(size / rate) if size > 0 and rate > 0 else 1e-3
