"""What an export does grows with the mechanism, not with its square: counted, not timed."""

from __future__ import annotations

import cProfile

import pytest

from mbd_fmu.analysis.diagnosis import diagnose
from mbd_fmu.export.recorder import Recorder
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from tests.chains import four_bars

LOOPS = 10
TWICE = 2.1  # as much work for twice as many loops; 4 would be their square


def loads(system):
    """Record how forces, drives and J^T lam follow from multipliers."""
    recorder = Recorder()
    it = recorder.symbols(system)
    plant = plant_of(system, it.p)
    with recorder.tape.listening():
        plant.loads(it.x, it.u, it.vd, it.lam)
        plant.pull(it.x, it.u, it.lam)
        plant.closure(it.x, it.u)


def calls(work, loops):
    """How many functions work on a mechanism calls, itself and all they call."""
    system = system_of(four_bars(loops))
    profile = cProfile.Profile()
    profile.runcall(work, system)
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.parametrize("work", [diagnose, loads])
def test_twice_as_many_loops_are_twice_the_work(work):
    assert calls(work, 2 * LOOPS) < TWICE * calls(work, LOOPS)
