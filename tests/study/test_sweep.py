"""Studies: bits of single runs, whoever runs them and in whatever order; nothing done is lost."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad

from mbd_fmu import Mechanism, read_model, read_study
from mbd_fmu.errors import DataError, MbdFmuError, SpecError
from mbd_fmu.host.workers import Workers
from mbd_fmu.model.library import library
from mbd_fmu.study.fmu_target import FmuTarget
from mbd_fmu.study.kept_fmus import KeptFmu
from mbd_fmu.study.mechanism_target import MechanismTarget
from mbd_fmu.study.parts import BusyError, Parts
from mbd_fmu.study.plan import Plan
from mbd_fmu.study.summary import SUMMARIES, summaries
from mbd_fmu.study.sweep import LOST, Asked, prepared, run_sweep
from mbd_fmu.validate.runner import Fmu
from tests.study.stand_ins import Sine, plan_of

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
    plan = plan_of(cases)
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


def test_summaries_are_those_of_numpy_and_nan_spreads_over_one_output_of_one_case():
    time = np.linspace(0.0, 1.0, 11)
    values = np.round(RNG.normal(size=(5, 11, 7)), 1)  # greatest absolute values occur twice
    values[3, 4, 2] = np.nan
    found = summaries(time, values).reshape(5, 7, -1)
    least, greatest, last, _, peak_time = np.moveaxis(found, 2, 0)
    there = ~np.isnan(values).any(axis=1)
    assert np.array_equal(np.isnan(found).any(axis=2), ~there)
    assert np.isnan(found[3, 2]).all()
    assert np.array_equal(least[there], values.min(axis=1)[there])
    assert np.array_equal(greatest[there], values.max(axis=1)[there])
    assert np.array_equal(last[there], values[:, -1][there])
    assert np.array_equal(peak_time[there], time[np.argmax(abs(values), axis=1)][there])
    assert summaries(time, values[:0]).shape == (0, 35)


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


@pytest.fixture(scope="module")
def runaway():
    """A mass that its own force drives the further the further it is: q'' = c e^q q^3."""
    made = Mechanism("runaway").parameter("c", 1.0, unit="N")
    made.body("mass", mass=1.0, com=[0, 0, 0], inertia={"shape": "sphere", "radius": 0.1})
    made.joint(
        "slide", "prismatic", "ground", "mass", point=[0, 0, 0], axis=[1, 0, 0], position=0.5
    )
    made.force("push", "joint_law", joint="slide", effort="c*exp(q)*q**3")
    return made.spec()


def test_what_a_case_gave_before_it_failed_is_kept_of_a_model_and_of_its_fmu(
    runaway, fmu_of, tmp_path
):
    def work(q):  # of the force from 0 to q, for c = 1
        return np.exp(q) * (q**3 - 3 * q**2 + 6 * q - 6) + 6

    # It is without end in a finite time: dt = dq / q', and q'^2 / 2 is the work since the start.
    end = quad(lambda q: 1 / np.sqrt(2 * 40.0 * (work(q) - work(0.5))), 0.5, 100.0)[0]
    cases = {"c": np.array([0.0, 40.0, 1e-3])}
    asked = {"stop": 1.0, "step": 0.02, "trajectories": True}
    targets = (MechanismTarget(runaway), FmuTarget.read(fmu_of(runaway)))
    found = [study(t, cases, tmp_path / f"{k}.npz", **asked) for k, t in enumerate(targets)]
    for one in found:
        assert one.failed.tolist() == [False, True, False]
        there = np.isfinite(one.case(1).column("slide.q"))
        assert np.array_equal(there, one.time < end)
        assert np.isnan(one["slide.q.max"][1])
    assert np.array_equal(found[0].trajectories, found[1].trajectories, equal_nan=True)


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


def test_a_worker_that_was_killed_costs_nothing(tmp_path):
    a = np.arange(1.0, 14.0)
    target = Sine(once=(6.0, str(tmp_path / "killed")))
    found = study(target, {"a": a}, tmp_path / "study.npz", jobs=2)
    assert (tmp_path / "killed").exists()
    assert not found.failed.any()
    assert np.array_equal(found["y.max"], a * np.sin(np.pi / 2))


@pytest.mark.skipif(sys.platform == "win32", reason="has no signal that kills")
def test_a_worker_that_is_killed_while_it_sends_trajectories_of_an_fmu_costs_nothing(
    arm_fmu, tmp_path, monkeypatch
):
    """18 MB of the first chunk are on their way; the file is that of a study left alone."""
    target, cases = FmuTarget.read(arm_fmu), {"elbow.tau": np.linspace(-1.0, 1.0, 40)}
    asked = {"jobs": 2, "stop": 0.6, "step": 0.001, "trajectories": True}
    expected = study(target, cases, tmp_path / "alone.npz", **asked).path.read_bytes()
    heard, killed = Workers._heard, []

    def kill_in_the_middle(self):
        found = heard(self)
        for worker in found:
            if worker.task == 0 and worker.has_begun and not killed:
                time.sleep(0.05)  # it writes, and cannot come to an end
                worker.process.kill()
                worker.process.join()
                killed.append(worker)
        return found

    monkeypatch.setattr(Workers, "_heard", kill_in_the_middle)
    found = study(target, cases, tmp_path / "killed.npz", **asked)
    assert len(killed) == 1
    assert not found.failed.any()
    assert found.path.read_bytes() == expected


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
    plan = plan_of(names)
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


@pytest.fixture
def half_done(tmp_path, monkeypatch):
    """A study of four chunks, the first two of which are done; what runs it; what is expected."""
    a, out = np.arange(1.0, 15.0), tmp_path / "study.npz"
    whole, written = Parts.write, []

    def write(self, chunk, outcome):
        if len(written) == 2:
            raise KeyboardInterrupt
        written.append(chunk)
        whole(self, chunk, outcome)

    monkeypatch.setattr(Parts, "write", write)
    monkeypatch.setattr(Sine, "is_foreign", False)
    with pytest.raises(KeyboardInterrupt):
        study(Sine(), {"a": a}, out, trajectories=True)
    monkeypatch.setattr(Parts, "write", whole)

    def again():
        found = study(Sine(), {"a": a}, out, trajectories=True)
        assert np.array_equal(found["y.max"], a * np.sin(np.pi / 2))
        assert np.array_equal(found.trajectories[5, :, 0], a[5] * np.sin(found.time))
        assert [path.name for path in tmp_path.iterdir()] == [out.name]

    return tmp_path / "study.npz.parts", again


@pytest.mark.parametrize("left", [0, 1, 1000, -1])
def test_a_part_that_a_power_cut_has_shortened_is_run_again(left, half_done):
    folder, again = half_done
    part = folder / "0000004.npz"
    part.write_bytes(part.read_bytes()[:left])
    again()


def test_a_part_that_is_damaged_inside_is_told_and_run_again(half_done):
    folder, again = half_done
    part = folder / "0000004.npz"
    content = part.read_bytes()
    part.write_bytes(content[:500] + bytes(100) + content[600:])  # blocks that were never written
    with pytest.raises(MbdFmuError, match="was damaged and is removed"):
        again()
    again()


@pytest.mark.parametrize("head", [None, b""])
def test_leftovers_without_a_head_are_begun_anew(head, half_done):
    folder, again = half_done
    (folder / "study.json").unlink()
    if head is not None:
        (folder / "study.json").write_bytes(head)
    (folder / "0000004.npz").write_bytes((folder / "0000000.npz").read_bytes())  # of another study
    (folder / ".mbd_fmu_0123456789abcdef").write_bytes(b"half a part")
    again()


def test_a_folder_of_somebody_else_is_left_alone(half_done):
    folder, again = half_done
    (folder / "thesis.txt").write_text("months of work")
    with pytest.raises(MbdFmuError, match="is no folder of a study"):
        again()
    assert (folder / "thesis.txt").exists()


def test_two_processes_do_not_work_on_one_study(half_done):
    folder, again = half_done
    script = """
import sys, time
from pathlib import Path
from mbd_fmu.host.locks import held_alone
with held_alone(Path(sys.argv[1])) as held:
    print(held, flush=True)
    time.sleep(60)
"""
    command = [sys.executable, "-c", script, str(folder / "lock")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "True\n"
        with pytest.raises(BusyError, match="another process is at work on this study"):
            again()
        assert (folder / "0000004.npz").exists()
        other.kill()
    again()  # who was killed holds nothing


def test_processes_that_die_while_they_begin_are_told_whatever_they_are_given(
    tmp_path, monkeypatch
):
    """Nobody reads what they are given: more than a pipe holds."""
    target = Sine(once=(0.0, "x" * 1_000_000))
    monkeypatch.setattr(
        sys.modules["__main__"], "__file__", str(tmp_path / "gone.py"), raising=False
    )
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", None)
    with pytest.raises(MbdFmuError, match="2 processes ended while they began"):
        study(target, {"a": np.ones(3)}, tmp_path / "study.npz", jobs=2)


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


@pytest.mark.parametrize("suffix", [".npz", ".parquet"])
def test_memory_does_not_grow_with_the_number_of_runs(suffix, tmp_path):
    """A table of 118 outputs, 142 MB, and trajectories of 170 MB go by, piece by piece."""
    script = """
import resource, sys
from mbd_fmu.cli import main
words = ["sweep", "six_axis_arm", "--set", f"elbow.tau=0:1:{sys.argv[1]}", "--stop", "0.05"]
assert main([*words, "--step", "0.01", "-o", sys.argv[2]]) == 0
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""
    used = []
    for n in (3000, 30_000):  # the first fills a piece already
        command = [sys.executable, "-c", script, str(n), str(tmp_path / f"study{suffix}")]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        used.append(int(done.stdout.splitlines()[-1]))
    table = 8 * 591 * 30_000
    # a few bytes for each case: values of the plan, messages; and what allocators keep
    assert used[1] - used[0] < table / 4


def test_a_case_is_read_without_the_others(tmp_path):
    """Bytes of the others are destroyed."""
    a, out = np.arange(1.0, 4.0), tmp_path / "study.npz"
    study(Sine(), {"a": a}, out, trajectories=True)
    found = read_study(out)
    content = bytearray(out.read_bytes())
    others = [content.find((np.sin(found.time) * x).tobytes()) for x in (1.0, 3.0)]
    assert min(others) > 0
    for place in others:
        content[place : place + 808] = bytes(808)
    out.write_bytes(content)
    for k in (1, -2):
        assert np.array_equal(found.case(k).column("y"), 2 * np.sin(found.time))
    with pytest.raises(IndexError):
        found.case(3)


def test_pieces_of_a_parquet_file_are_counted_through(tmp_path, monkeypatch):
    monkeypatch.setattr("mbd_fmu.study.sweep.PIECE_BYTES", 1)
    a = np.arange(1.0, 12.0)
    study(Sine(), {"a": a}, tmp_path / "study.parquet", trajectories=True)
    found = read_study(tmp_path / "study.parquet")
    for k in (*range(11), -1):
        assert np.array_equal(found.case(k).column("y"), a[k] * np.sin(found.time))
    with pytest.raises(IndexError):
        found.case(11)


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss in kB")
def test_memory_of_a_process_that_runs_an_fmu_does_not_grow(fmu_of):
    """Failed runs, which free their instance, among others: an instance holds some 10 kB."""
    script = """
import resource, sys
from pathlib import Path
import numpy as np
from mbd_fmu.study.fmu_target import FmuTarget
from mbd_fmu.study.targets import Course
target = FmuTarget.read(Path(sys.argv[1]))
times, step = target.times(0.02, 0.01)
course = Course(("L",), times, step, ("bearing.q",))
cases = np.where(np.arange(1000) % 3, 0.3, 0.05)[:, None]
used = []
for _ in range(4):
    assert target.run(course, cases, 1).failed.sum() == 334
    used.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
print(used[-1] - used[0])
"""
    path = fmu_of(read_model(library()["slider_crank"]))
    command = [sys.executable, "-c", script, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 1000  # kB, of 3000 runs


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
    found = [kept.run(Way, {"a": a}).values[1, 0] for a in (1.0, 2.0, 4.0, 8.0)]  # noqa: PD011
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
        assert "solver.tolerance" in kept.run(way, {"solver.tolerance": -1.0}).failure
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
    with pytest.raises(SpecError, match='there is an output "y"; name it otherwise'):
        prepared(Sine(), plan, Asked(computed=["y=y.max*2"]), out)
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
