"""Work and precision: how exact a run is for the time it takes.

Runs are compared with one by SciPy's DOP853 at 1e-13 on the derivatives of our FMU, which engines
have confirmed: another integrator on the same equations, without projection.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

from mbd_fmu.errors import FmuError
from mbd_fmu.spatial import Array
from scripts.benchmarks.engines import peers
from scripts.benchmarks.engines.engine import UnableError
from scripts.benchmarks.engines.ours import Ours
from scripts.benchmarks.results import Curve, Point
from scripts.benchmarks.timing import LOW
from scripts.benchmarks.work import Work

TOLERANCES = tuple(10.0**-k for k in range(3, 11))
STEPS = (30, 100, 300, 1000, 3000, 10000)
EXACT = 1e-13
REPEATS = 11

Run = Callable[[float], tuple[Array, float]]  # setting -> coordinates at the end, seconds


def curves(work: Work, seconds: float, fmu: Path, folder: Path) -> list[Curve]:
    """Return one curve per method, of runs from the start."""
    ours = Ours(work, fmu, folder)
    exact = _by_scipy(ours, seconds, "DOP853", EXACT)[0]
    methods: dict[str, tuple[Run, Sequence[float]]] = {
        "mbd_fmu": (lambda tolerance: _by_ours(ours, seconds, tolerance), TOLERANCES),
        "SciPy's RK45 on our derivatives": (
            lambda tolerance: _by_scipy(ours, seconds, "RK45", tolerance),
            TOLERANCES,
        ),
    }
    if (peer := _mujoco(work)) is not None:
        methods["MuJoCo's RK4"] = (
            lambda steps: _by_mujoco(peer, ours.start, seconds, int(steps)),
            STEPS,
        )
    found = [
        Curve(work.name, name, tuple(_point(run, setting, exact) for setting in settings))
        for name, (run, settings) in methods.items()
    ]
    ours.close()
    return found


def _point(run: Run, setting: float, exact: Array) -> Point:
    runs = [run(setting) for _ in range(REPEATS)]
    error = float(np.abs(runs[0][0] - exact).max())
    return Point(setting, error, float(np.percentile([seconds for _, seconds in runs], LOW)))


def _by_ours(ours: Ours, seconds: float, tolerance: float) -> tuple[Array, float]:
    """One communication step over all: only the integrator works."""
    run = ours.stepping(tolerance=tolerance)
    begin = time.thread_time()
    status = run.step(0.0, seconds)
    took = time.thread_time() - begin
    x = np.array(run.get(ours.exchange.states))
    run.free()
    if status:
        raise FmuError(f"{ours.work.name}: the run with tolerance {tolerance:g} failed")
    return ours.work.state_of(x).q, took


def _by_scipy(ours: Ours, seconds: float, method: str, tolerance: float) -> tuple[Array, float]:
    span = (0.0, seconds)
    begin = time.thread_time()
    run = solve_ivp(
        lambda _, x: ours.rates(x), span, ours.start, method, rtol=tolerance, atol=tolerance
    )
    return ours.work.state_of(run.y[:, -1]).q, time.thread_time() - begin


def _mujoco(work: Work):
    """MuJoCo's twin, if it is installed and can."""
    module = peers().get("mujoco")
    try:
        return module.Peer(work) if module else None
    except UnableError:
        return None


def _by_mujoco(peer, start: Array, seconds: float, steps: int) -> tuple[Array, float]:
    peer.take(peer.work.state_of(start))
    begin = time.thread_time()
    q = peer.run(seconds, steps)
    return q, time.thread_time() - begin
