"""Many cases of one mechanism: by our batch, in lanes and one by one, and by fmpy in a loop.

Runs of a second with a communication step of 10 ms, start velocities drawn at random, all joint
outputs read at every point; one thread. fmpy keeps one instance and resets it. All three give the
same bits, or nothing is timed.
"""

from pathlib import Path

import numpy as np

from mbd_fmu import build_fmu, read_model, run_batch, system_of
from mbd_fmu.errors import FmuError
from mbd_fmu.model.library import library
from mbd_fmu.spatial import Array
from mbd_fmu.study.library import batch_library
from mbd_fmu.system.system import System
from scripts.benchmarks.fmpy_runs import ByFmpy
from scripts.benchmarks.results import Batch
from scripts.benchmarks.timing import ratio, take_turns

MODELS = ("double_pendulum", "six_axis_arm", "quadruped", "four_bar")
CASES, ROUNDS, QUICK_ROUNDS = 256, 60, 20
STOP, STEP = 1.0, 0.01
LANES, ALONE, FMPY = "lanes", "one by one", "fmpy"


def batch(name: str, folder: Path, *, quick: bool) -> Batch:
    """Time the cases of a model of the library, per case."""
    spec = read_model(library()[name])
    system = system_of(spec)
    outputs = [v.name for v in system.table.outputs if v.name.rpartition(".")[2] in ("q", "qd")]
    parameters = _cases(system)
    asked = {"stop": STOP, "step": STEP, "outputs": outputs, "threads": 1}
    found = run_batch(system, parameters, **asked)
    ours = ByFmpy(build_fmu(spec, folder / f"{name}.fmu").path, folder / f"{name}_batch", outputs)
    each = [{n: float(v[k]) for n, v in parameters.items()} for k in range(CASES)]
    for k in (0, CASES - 1):
        if not np.array_equal(ours.run(each[k], found.time), found.values[k]):
            raise FmuError(f"{name}: batch and FMU differ in case {k}")

    def by_fmpy(times: int) -> None:
        for k in range(times):
            ours.run(each[k % CASES], found.time)

    def by_batch(*, lanes: bool):
        return lambda times: [
            run_batch(system, parameters, lanes=lanes, **asked) for _ in range(times)
        ]

    tasks = {LANES: by_batch(lanes=True), ALONE: by_batch(lanes=False), FMPY: by_fmpy}
    times = take_turns(tasks, QUICK_ROUNDS if quick else ROUNDS)
    ours.close()
    per_case = {LANES: CASES, ALONE: CASES, FMPY: 1}
    return Batch(
        name,
        batch_library(system).batch_width(),
        *(times[task].seconds / per_case[task] for task in (LANES, ALONE, FMPY)),
        *ratio(times[ALONE], times[LANES]),
    )


def _cases(system: System) -> dict[str, Array]:
    """Draw start velocities of joints; those of loops are left alone: they would not fit."""
    rng = np.random.default_rng(5)
    declared = {v.name: v.start or 0.0 for v in system.table.parameters}
    moved = [n for n in declared if n.endswith((".qd_start", ".w_start.x", ".w_start.y"))]
    if system.rows:
        moved = moved[:1]
    return {name: declared[name] + 0.3 * rng.normal(size=CASES) for name in moved}
