"""The same studies on a Dask cluster of two worker processes; workers that die included."""

import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from mbd_fmu import read_model
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.model.library import library
from mbd_fmu.study.fmu_target import FmuTarget
from mbd_fmu.study.mechanism_target import MechanismTarget
from mbd_fmu.study.sweep import LOST, Asked, prepared, run_sweep
from tests.study.stand_ins import Sine, plan_of

distributed = pytest.importorskip("distributed", reason="needs the extra cluster")
dask = pytest.importorskip("dask")


@pytest.fixture(scope="module")
def cluster():
    """Two workers of one thread each, begun anew when they die; one death makes a suspect."""
    settings = {"distributed.scheduler.allowed-failures": 1}
    with (
        dask.config.set(settings),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as made,
    ):
        yield made


def study(target, cases, out, watch=lambda _: None, scheduler=None, **asked):
    plan = plan_of(cases)
    return run_sweep(prepared(target, plan, Asked(**asked), out), scheduler=scheduler, watch=watch)


def same(found, expected):
    return all(np.array_equal(found[n], expected[n], equal_nan=True) for n in expected)


def test_a_model_and_its_fmu_have_the_bits_of_this_machine(cluster, tmp_path, fmu_of):
    spec = read_model(library()["double_pendulum"])
    cases = {"shoulder.q_start": np.linspace(-1, 1, 70)}
    here = study(MechanismTarget(spec), cases, tmp_path / "here.npz", stop=0.2)
    address = cluster.scheduler_address
    for k, target in enumerate((MechanismTarget(spec), FmuTarget.read(fmu_of(spec)))):
        there = study(target, cases, tmp_path / f"{k}.npz", scheduler=address, stop=0.2)
        assert same(there, here)
        assert not there.failed.any()


def test_a_worker_killed_in_mid_run_loses_nothing(cluster, tmp_path):
    a = np.arange(1.0, 81.0)
    killed = []

    def watch(done):
        if done >= 12 and not killed:
            victim = next(iter(cluster.workers.values()))
            killed.append(victim.pid)
            os.kill(victim.pid, signal.SIGKILL)

    target = Sine(pause=0.02)
    found = study(target, {"a": a}, tmp_path / "a.npz", watch, cluster.scheduler_address)
    assert killed
    assert not found.failed.any()
    assert same(found, study(Sine(), {"a": a}, tmp_path / "b.npz"))


@pytest.mark.slow  # each death takes a new worker some seconds
def test_a_case_that_ends_worker_after_worker_is_a_row(cluster, tmp_path):
    a = np.arange(1.0, 10.0)
    target = Sine(deadly=6.0, most_in_chunk=2)
    found = study(target, {"a": a}, tmp_path / "a.npz", scheduler=cluster.scheduler_address)
    assert found.messages == {5: LOST}


def test_a_scheduler_that_dies_is_told_and_the_same_command_goes_on(tmp_path):
    known, a, out = tmp_path / "scheduler.json", np.arange(1.0, 81.0), tmp_path / "a.npz"
    dask_cli = [sys.executable, "-m", "distributed.cli.dask_"]
    words = ["--scheduler-file", str(known), "--no-dashboard"]
    begun = []
    try:
        for name, more in (
            ("scheduler", ["--host", "127.0.0.1", "--port", "0"]),
            ("worker", ["--no-nanny", "--nthreads", "1", "--death-timeout", "20"]),
        ):
            command = [*dask_cli[:-1], f"{dask_cli[-1]}{name}", *words, *more]
            begun.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))
        with distributed.Client(scheduler_file=str(known), timeout=30) as client:
            client.wait_for_workers(1)
        address = json.loads(known.read_text())["address"]

        def watch(done):
            if done >= 12:
                begun[0].kill()

        with pytest.raises(MbdFmuError, match="the scheduler ended, or the way to it"):
            study(Sine(pause=0.02), {"a": a}, out, watch, address)
    finally:
        for process in begun:
            process.kill()
            process.wait()
    counts = []
    found = study(Sine(pause=0.02), {"a": a}, out, counts.append)  # without one
    assert counts[0] >= 12
    assert np.array_equal(found["y.max"], a * np.sin(np.pi / 2))


def test_where_no_scheduler_answers_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("mbd_fmu.study.cluster.SECONDS", 0.5)
    for address in ("tcp://127.0.0.1:9", "nonsense://x"):
        with pytest.raises(MbdFmuError, match="no scheduler answers there"):
            study(Sine(), {"a": np.ones(1)}, tmp_path / "a.npz", scheduler=address)
