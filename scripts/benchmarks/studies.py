"""A study from the command to the file, beside a loop of fmpy: what a user waits for.

Variants of an arm, a second in steps of 10 ms, all outputs. `sweep` of the model and of its FMU on
all processors, and the loop of `study_loop.py` in one, each a command of its own. They take turns;
of each the shortest counts, and of processor time the least.
"""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from mbd_fmu import build_fmu, read_model, read_study
from mbd_fmu.errors import FmuError
from mbd_fmu.model.library import library
from scripts.benchmarks.results import StudyTimes

MODEL, INPUT = "six_axis_arm", "elbow.tau"
CASES, TURNS, QUICK_CASES = (1000, 10_000), 3, 1000
STOP, STEP = 1.0, 0.01
TASKS = ("model", "fmu", "loop")


def studies(folder: Path, *, quick: bool) -> tuple[StudyTimes, ...]:
    """Time the same studies in three ways."""
    path = build_fmu(read_model(library()[MODEL]), folder / "study.fmu").path
    if quick:
        return (timed(path, folder, QUICK_CASES, turns=1),)
    return tuple(timed(path, folder, n, turns=TURNS) for n in CASES)


def timed(path: Path, folder: Path, n: int, *, turns: int) -> StudyTimes:
    """Time one study of ``n`` cases."""
    commands = {
        "model": _sweep(MODEL, n, folder / "model.npz"),
        "fmu": _sweep(str(path), n, folder / "fmu.npz"),
        "loop": _loop(path, n, folder),
    }
    for what in (MODEL, str(path)):  # what is compiled once is made now
        _run(_sweep(what, 2, folder / "first.npz"))
    found = [{name: _run(commands[name]) for name in TASKS} for _ in range(turns)]
    _refuse_differences(folder)
    return StudyTimes(
        MODEL,
        n,
        os.cpu_count() or 1,
        *(min(turn[name][k] for turn in found) for k in (0, 1) for name in TASKS),
    )


def _sweep(what: str, n: int, out: Path) -> list[str]:
    cases = ["--set", f"{INPUT}=-1:1:{n}", "--stop", str(STOP), "--step", str(STEP)]
    return [sys.executable, "-m", "mbd_fmu", "sweep", what, *cases, "-o", str(out)]


def _loop(path: Path, n: int, folder: Path) -> list[str]:
    asked = [str(path), str(folder), INPUT, str(n), str(STOP), str(STEP)]
    return [sys.executable, "-m", "scripts.benchmarks.study_loop", *asked]


def _run(command: list[str]) -> tuple[float, float]:
    """Return seconds on the wall and of processors."""
    begin, used = time.perf_counter(), _used()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begin, _used() - used


def _used() -> float:
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def _refuse_differences(folder: Path) -> None:
    """All three have the same numbers, but for rounding in sums over time, or nothing is told."""
    model, fmu = (read_study(folder / f"{name}.npz") for name in ("model", "fmu"))
    by_fmpy = np.load(folder / "study.npy")
    ours = np.array([model[c] for c in list(model)[1:]]).T.reshape(by_fmpy.shape)
    is_same = all(np.array_equal(model[c], fmu[c]) for c in model)
    if not (is_same and np.allclose(ours, by_fmpy, rtol=1e-12, atol=0)):
        raise FmuError("sweep and loop give different numbers")
