"""The verdict on an FMU: every reason against it is told."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.comparison import SignalError, compare
from mbd_fmu.validate.invariants import Invariant
from mbd_fmu.validate.runner import FmuRun
from mbd_fmu.validate.validation import Validation

TIME = np.linspace(0, 2 * np.pi, 401)
WAVE = Trajectory(TIME, ("pin.q",), np.sin(TIME)[:, None])

GOOD = Validation(
    name="pendulum",
    path=Path("pendulum.fmu"),
    problems=(),
    run=FmuRun(WAVE, seconds=1.0, steps=400),
    reference=WAVE,
    signals=tuple(compare(WAVE, WAVE)),
    units={"pin.q": "rad"},
    energy=(1e-9, 1e-9),
    tolerance=1e-6,
    invariants=(Invariant("energy balance", 1e-9, 1e-6, "of what moves", "as for signals"),),
)


def test_without_reasons_against_it_an_fmu_passes():
    assert GOOD.failures == []
    assert GOOD.passed


@pytest.mark.parametrize("none", [{"reference": None}, {"energy": None, "invariants": ()}])
def test_what_is_not_known_is_no_reason(none):
    assert replace(GOOD, **none, signals=()).passed


def test_a_fifth_too_much_amplitude_fails():
    louder = replace(WAVE, values=1.2 * WAVE.values)
    bad = replace(GOOD, signals=tuple(compare(louder, WAVE)))
    assert bad.failures == ["pin.q: off by 0.2 rad, 0.1 of its range; allowed 1e-06"]
    assert not bad.passed
    assert replace(bad, tolerance=0.11).passed


@pytest.mark.parametrize(
    ("change", "failure"),
    [
        ({"problems": ("no GUID",)}, "fmpy: no GUID"),
        (
            {"invariants": (replace(GOOD.invariants[0], worst=0.02),)},
            "energy balance: off by 0.02 of what moves; allowed 1e-06, as for signals",
        ),
        (
            {"run": FmuRun(replace(WAVE, values=WAVE.values * np.nan), 1.0, 400)},
            "the run has values that are not finite",
        ),
        (
            {"signals": (SignalError("pin.q", 1.0, np.nan, np.nan),)},
            "pin.q: off by nan rad, nan of its range; allowed 1e-06",
        ),
    ],
)
def test_each_reason_alone_is_enough(change, failure):
    assert replace(GOOD, **change).failures == [failure]


def test_all_reasons_are_told():
    bad = replace(
        GOOD, problems=("one", "two"), invariants=(replace(GOOD.invariants[0], worst=1.0),)
    )
    assert [text.partition(":")[0] for text in bad.failures] == ["fmpy", "fmpy", "energy balance"]


def test_the_worst_signal_is_the_one_furthest_off_for_its_range():
    wide, narrow = SignalError("wide", 100.0, 2.0, 1.0), SignalError("narrow", 1.0, 0.5, 0.1)
    assert replace(GOOD, signals=(wide, narrow)).worst is narrow
    assert replace(GOOD, signals=()).worst is None


def test_time_per_step_is_that_of_the_run_shared_among_its_steps():
    assert GOOD.run.seconds_per_step == pytest.approx(1 / 400)
    assert FmuRun(WAVE, 1.0, 0).seconds_per_step == 1.0
