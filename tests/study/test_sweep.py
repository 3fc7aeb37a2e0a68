"""Studies: bits of single runs, whoever runs them and in whatever order; nothing done is lost."""

import os
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mbd_fmu import read_model, read_study
from mbd_fmu.errors import DataError, FmuError, MbdFmuError, SpecError
from mbd_fmu.host.workers import submitted
from mbd_fmu.model.library import library
from mbd_fmu.study import crews
from mbd_fmu.study.fmu_target import FmuTarget
from mbd_fmu.study.kept_fmus import KeptFmu
from mbd_fmu.study.mechanism_target import MechanismTarget
from mbd_fmu.study.parts import Parts
from mbd_fmu.study.plan import Plan, plan_of
from mbd_fmu.study.summary import SUMMARIES, summaries
from mbd_fmu.study.sweep import LOST, Asked, prepared, run_sweep
from mbd_fmu.validate.runner import Fmu
from tests.study.stand_ins import Sine

STOP = 0.1
N = 70  # cases: several chunks of an FMU
RNG = np.random.default_rng(5)
CASES = {"elbow.tau": RNG.normal(size=N), "wrist1.q_start": 0.3 * RNG.normal(size=N)}


@pytest.fixture(scope="module")
def arm():
    return read_model(library()["six_axis_arm"])


@pytest.fixture(scope="module")
def arm_fmu(arm, fmu_of):
    return fmu_of(arm)


def study(target, cases, out, *, jobs=None, **asked):
    plan = plan_of(cases, target.settable)
    return run_sweep(prepared(target, plan, Asked(**asked), out), jobs=jobs)


@pytest.fixture(scope="module")
def names(arm):
    known = {v.name for v in MechanismTarget(arm).settable}
    return {n: v for n, v in CASES.items() if n in known} | {
        next(n for n in sorted(known) if n.endswith(".q_start")): CASES["wrist1.q_start"]
    }


def single(fmu, times, settings):
    found = fmu.run(times, settings=settings).trajectory
    return found.values  # noqa: PD011


@pytest.fixture(scope="module")
def single_runs(arm_fmu, names):
    """Each case by an instance of its own, in fmpy."""
    with Fmu(arm_fmu) as fmu:
        times = fmu.times(STOP, None)
        return times, np.array(
            [
                single(fmu, times, dict(zip(names, case, strict=True)))
                for case in zip(*names.values(), strict=True)
            ]
        )


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("kind", ["model", "fmu"])
def test_all_cases_have_the_bits_of_single_runs(
    kind, jobs, arm, arm_fmu, names, single_runs, tmp_path
):
    target = MechanismTarget(arm) if kind == "model" else FmuTarget.read(arm_fmu)
    order = np.random.default_rng(jobs).permutation(N)
    cases = {name: column[order] for name, column in names.items()}
    out = tmp_path / "study.npz"
    study(target, cases, out, jobs=jobs, stop=STOP, trajectories=True)
    found = read_study(out)
    times, expected = single_runs
    assert np.array_equal(found.time, times)
    assert np.array_equal(found.trajectories, expected[order])
    alone = np.concatenate([summaries(times, one[None]) for one in expected[order]])
    columns = [found[f"{o}.{s}"] for o in found.head.outputs for s in SUMMARIES]
    assert np.array_equal(np.array(columns).T, alone)
    assert not found.failed.any()


def test_summaries_of_a_sine_are_those_of_its_formula(tmp_path):
    a = np.array([1.0, 2.0, -3.0])
    found = study(Sine(), {"a": a}, tmp_path / "study.npz")
    assert found["y.max"] == pytest.approx(abs(a), rel=1e-15)
    assert found["y.min"] == pytest.approx(-abs(a), rel=1e-15)
    # equally spaced over a whole period the trapezoidal rule is exact for sin^2
    assert found["y.rms"] == pytest.approx(abs(a) / np.sqrt(2), rel=1e-14)
    assert found["y.final"] == pytest.approx(0 * a, abs=1e-14)
    quarters = found["y.peak_time"] / (np.pi / 2)
    assert np.all(np.isclose(quarters, 1) | np.isclose(quarters, 3))


def test_the_mean_square_counts_time_not_rows():
    """A straight line on unequal steps: the trapezoidal rule, worked out by NumPy's own."""
    time = np.array([0.0, 0.1, 0.5, 0.55])
    values = RNG.normal(size=(3, 4, 2))
    rms = summaries(time, values).reshape(3, 2, -1)[:, :, SUMMARIES.index("rms")]
    expected = np.sqrt(np.trapezoid(values**2, time, axis=1) / time[-1])
    assert rms == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("suffix", [".npz", ".parquet"])
def test_a_file_reads_back_bit_by_bit(suffix, tmp_path):
    out = tmp_path / f"study{suffix}"
    a = RNG.normal(size=11)
    computed = ["swing = y.max - y.min", "root=sqrt(y.rms**2)*2", "milli=1e3*y.max + 2.5E-1"]
    computed.append("both=root + swing")
    made = study(Sine(), {"a": a}, out, trajectories=True, computed=computed)
    found = read_study(out)
    assert list(found) == ["a", *(f"y.{s}" for s in SUMMARIES), "swing", "root", "milli", "both"]
    for name in made:
        assert np.array_equal(found[name], made[name])
    assert np.array_equal(found["swing"], found["y.max"] - found["y.min"])
    assert found["root"] == pytest.approx(2 * found["y.rms"], rel=1e-15)
    assert np.array_equal(found["both"], found["root"] + found["swing"])
    assert np.array_equal(found["milli"], 1e3 * found["y.max"] + 0.25)
    assert np.array_equal(found.case(3).column("y"), a[3] * np.sin(found.time))
    assert found.head == made.head
    frame = found.to_pandas()
    assert frame.shape == (11, 12)
    assert not frame.failed.any()
    if suffix == ".parquet":
        assert np.array_equal(pd.read_parquet(out)["y.max"], found["y.max"])
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


@pytest.mark.parametrize("suffix", [".npz", ".parquet"])
def test_cases_that_fail_are_rows_with_their_message(suffix, tmp_path):
    """A rod shorter than the crank has no place; the case beside it is as if alone."""
    target = MechanismTarget(read_model(library()["slider_crank"]))
    out = tmp_path / f"study{suffix}"
    study(target, {"L": np.array([0.05, 0.3])}, out, stop=STOP)
    alone = study(target, {"L": np.array([0.3])}, tmp_path / "alone.npz", stop=STOP)
    found = read_study(out)
    assert found.failed.tolist() == [True, False]
    assert "start: the rows of wrist_pin have no finite value" in found.messages[0]
    for name in alone:
        assert found[name][1] == alone[name][0]
        assert name == "L" or np.isnan(found[name][0])


def test_a_failed_run_of_an_fmu_tells_and_the_next_is_as_if_it_had_not_been(tmp_path, fmu_of):
    path = fmu_of(read_model(library()["slider_crank"]))
    cases = {"L": np.array([0.3, 0.35, 0.05, 0.3])}
    found = study(FmuTarget.read(path), cases, tmp_path / "study.npz", jobs=1, stop=STOP)
    assert found.failed.tolist() == [False, False, True, False]
    assert "start: the rows of wrist_pin have no finite value" in found.messages[2]
    assert found.messages[2].startswith(str(path))
    for name in found:
        assert found[name][0] == found[name][3]


# --- What is lost, and what is not ---


def test_a_case_that_ends_its_process_is_a_row_and_costs_no_other(tmp_path):
    a = np.arange(1.0, 10.0)
    target = Sine(deadly=6.0, most_in_chunk=2)
    found = study(target, {"a": a}, tmp_path / "study.npz", jobs=2, trajectories=True)
    assert np.flatnonzero(found.failed).tolist() == [5]
    assert found.messages == {5: LOST}
    expected = study(Sine(), {"a": a}, tmp_path / "other.npz", jobs=1)
    there = ~found.failed
    for name in found:
        assert np.array_equal(found[name][there], expected[name][there])
    assert np.isnan(read_study(found.path).trajectories[5]).all()


@pytest.mark.parametrize("breaks_at", range(2, 7))
def test_a_pool_breaks_between_two_chunks_and_none_of_them_is_forgotten(
    breaks_at, tmp_path, monkeypatch
):
    """A process may end after one chunk is done and before the next is given to it."""
    given = []

    def submitted_to_broken(pool, work, *args):
        given.append(work)
        if len(given) == breaks_at:
            raise BrokenProcessPool
        return submitted(pool, work, *args)

    monkeypatch.setattr(crews, "submitted", submitted_to_broken)
    a = np.arange(1.0, 10.0)
    found = study(Sine(most_in_chunk=2), {"a": a}, tmp_path / "study.npz", jobs=2)
    assert len(given) > breaks_at
    assert not found.failed.any()
    assert np.array_equal(found["y.max"], a * np.sin(np.pi / 2))


def test_a_worker_that_was_killed_costs_nothing(tmp_path):
    a = np.arange(1.0, 14.0)
    target = Sine(once=(6.0, str(tmp_path / "killed")))
    found = study(target, {"a": a}, tmp_path / "study.npz", jobs=2)
    assert (tmp_path / "killed").exists()
    assert not found.failed.any()
    assert np.array_equal(found["y.max"], a * np.sin(np.pi / 2))


def test_a_study_that_was_stopped_goes_on_where_it_was(tmp_path, monkeypatch, arm, names):
    monkeypatch.setattr(MechanismTarget, "most_in_chunk", 16)
    out, target = tmp_path / "study.npz", MechanismTarget(arm)
    whole, written = Parts.write, []

    def write(self, chunk, outcome):
        if len(written) == 2:
            raise KeyboardInterrupt
        written.append(chunk)
        whole(self, chunk, outcome)

    monkeypatch.setattr(Parts, "write", write)
    with pytest.raises(KeyboardInterrupt):
        study(target, names, out, stop=STOP)
    assert not out.exists()
    plan = plan_of(names, target.settable)
    with pytest.raises(MbdFmuError, match="holds another study"):
        prepared(target, plan, Asked(stop=2 * STOP), out)
    sweep = prepared(target, plan, Asked(stop=STOP), out)
    assert sweep.done == 32
    monkeypatch.setattr(Parts, "write", lambda *a: (written.append(a[1]), whole(*a)))
    found = run_sweep(sweep)
    assert sorted(chunk.start for chunk in written) == [0, 16, 32, 48, 64]  # none twice
    monkeypatch.undo()
    unbroken = study(target, names, tmp_path / "other.npz", stop=STOP)
    assert out.read_bytes() == unbroken.path.read_bytes()
    assert not found.failed.any()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["other.npz", "study.npz"]


def test_a_study_that_was_killed_leaves_no_process_and_goes_on(tmp_path, fmu_of):
    fmu = fmu_of(read_model(library()["pendulum"]))
    words = [fmu, "--set", "pivot.q_start=0:1:600", "--stop", "0.2", "--jobs", "1"]
    command = [sys.executable, "-m", "mbd_fmu", "sweep", *words, "-o", tmp_path / "study.npz"]
    parts = tmp_path / "study.npz.parts"
    begun = subprocess.Popen([*map(str, command)], start_new_session=True)
    deadline = time.monotonic() + 60
    while len(list(parts.glob("0*.npz"))) < 2:
        assert begun.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    begun.kill()
    begun.wait()
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=True)
    assert "of 600 cases were done before; it goes on from there" in done.stderr
    found = read_study(tmp_path / "study.npz")
    assert len(found) == 600
    assert not found.failed.any()
    model = MechanismTarget(read_model(library()["pendulum"]))
    expected = study(
        model, {"pivot.q_start": np.linspace(0, 1, 600)}, tmp_path / "model.npz", stop=0.2
    )
    for name in expected:
        assert np.array_equal(found[name], expected[name])
    while True:  # workers of what was killed end by themselves
        try:
            os.killpg(begun.pid, 0)
        except ProcessLookupError:
            break
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_memory_does_not_grow_with_the_number_of_runs(tmp_path):
    """Trajectories of 10,000 runs are 450 MB; what stays is a table of 12."""
    script = """
import resource, sys
from mbd_fmu.cli import main
words = ["sweep", "pendulum", "--set", f"pivot.q_start=0:1:{sys.argv[1]}", "--stop", "2"]
assert main([*words, "--step", "0.01", "-o", sys.argv[2]]) == 0
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""
    used = []
    for n in (1000, 10_000):
        command = [sys.executable, "-c", script, str(n), str(tmp_path / f"{n}.npz")]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        used.append(int(done.stdout.splitlines()[-1]))
    table = (tmp_path / "10000.npz").stat().st_size
    assert used[1] - used[0] < 4 * table  # chunks, all of them together, columns


# --- FMUs whose reset is none ---


class Forgetful:
    """An FMU whose reset leaves the parameters of the run before."""

    path, reference = Path("forgetful.fmu"), {"y": 0}

    def __init__(self):
        self.warnings, self.last, self.instances = [], 0.0, 0

    def walk(self, walk, settings, *, keep):
        if not (keep and self.last):
            self.last, self.instances = 0.0, self.instances + 1
        self.last += settings["a"]
        walk.values = self.last * walk.way.times[:, None]


class Way:
    times, outputs, inputs, interpolate = np.array([0.0, 1.0]), ("y",), None, False


def test_where_a_reset_gives_other_bits_every_run_gets_an_instance():
    fmu = Forgetful()
    kept = KeptFmu("forgetful.fmu", fmu)
    found = [kept.run(Way, {"a": a})[0][1, 0] for a in (1.0, 2.0, 4.0, 8.0)]
    assert found == [1.0, 2.0, 4.0, 8.0]
    assert not kept.resets


def test_an_fmu_of_ours_is_instantiated_twice_for_any_number_of_runs(fmu_of):
    with Fmu(fmu_of(read_model(library()["pendulum"]))) as fmu:
        begun = []
        instantiate = fmu.slave.instantiate
        fmu.slave.instantiate = lambda **k: (begun.append(1), instantiate(**k))
        kept = KeptFmu("pendulum.fmu", fmu)
        way = type("W", (Way,), {"outputs": ("pivot.q",)})
        for k in range(10):
            kept.run(way, {"pivot.q_start": 0.1 * k})
        with pytest.raises(FmuError):
            kept.run(way, {"solver.tolerance": -1.0})
        kept.run(way, {"pivot.q_start": 0.1})
        assert kept.resets
        # the first, one to compare with, one to keep after that; one after the failure
        assert len(begun) <= 4


# --- What is refused ---


def test_wrong_names_of_outputs_and_columns_are_told_at_once(tmp_path):
    out = tmp_path / "study.npz"
    plan = Plan(("a",), np.ones((1, 1)))
    with pytest.raises(SpecError) as error:
        prepared(Sine(), plan, Asked(outputs=["z", "x.*"]), out)
    assert len(error.value.problems) == 2
    computed = ["b=y.mox", "a=3", "c", "d=y.max+", "e=__import__('os')", "f f=1", "pi=3", "g=h"]
    computed.append("h=1")  # after what names it
    with pytest.raises(SpecError) as error:
        prepared(Sine(), plan, Asked(computed=computed), out)
    assert len(error.value.problems) == 9
    assert 'did you mean "y.max"?' in str(error.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("content", "told"), [(None, "cannot be read"), (b"no archive", "is no file of a study")]
)
def test_what_is_no_study_is_refused(content, told, tmp_path):
    for suffix in (".npz", ".parquet"):
        path = tmp_path / f"some{suffix}"
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(DataError, match=told):
            read_study(path)
