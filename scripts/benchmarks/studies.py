"""A study from the command to its file, beside fmpy in a loop: what a user waits for.

1000 variants of an arm, a second in steps of 10 ms, all outputs. `sweep` of the model and of its
FMU, each a command of its own, on all processors; the loop is one process that keeps one instance
and resets it, and writes nothing. They take turns, and of each the shortest counts.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from mbd_fmu import build_fmu, read_model
from mbd_fmu.model.library import library
from mbd_fmu.system.system import system_of
from scripts.benchmarks.batches import ByFmpy
from scripts.benchmarks.results import StudyTimes

MODEL, INPUT, CASES, TURNS = "six_axis_arm", "elbow.tau", 1000, 5
STOP, STEP = 1.0, 0.01


def studies(folder: Path, *, quick: bool) -> StudyTimes:
    """Time the same study in three ways."""
    spec = read_model(library()[MODEL])
    path = build_fmu(spec, folder / "study.fmu").path
    outputs = [v.name for v in system_of(spec).table.outputs]
    times, values = np.arange(101) * STEP, np.linspace(-1.0, 1.0, CASES)

    def loop() -> None:
        fmpy = ByFmpy(path, folder / "study", outputs)
        for value in values:
            fmpy.run({INPUT: float(value)}, times)
        fmpy.close()

    tasks: dict[str, Callable[[], None]] = {
        "model": lambda: _sweep(MODEL, folder),
        "fmu": lambda: _sweep(str(path), folder),
        "loop": loop,
    }
    tasks["model"]()  # the library is made once for all
    found = {name: [] for name in tasks}
    for _ in range(1 if quick else TURNS):
        for name, task in tasks.items():
            begin = time.perf_counter()
            task()
            found[name].append(time.perf_counter() - begin)
    return StudyTimes(MODEL, CASES, *(min(found[name]) for name in ("model", "fmu", "loop")))


def _sweep(what: str, folder: Path) -> None:
    cases = ["--set", f"{INPUT}=-1:1:{CASES}", "--stop", str(STOP), "--step", str(STEP)]
    command = [sys.executable, "-m", "mbd_fmu", "sweep", what, *cases, "-o", folder / "study.npz"]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
