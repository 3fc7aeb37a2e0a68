"""States: kept, written down, taken up by another process; many instances; memory."""

from __future__ import annotations

import ctypes
import json
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.fmu import mechanisms, timed
from tests.fmu.cases import CASES, MODES, STEP, future, kept, prepared, read, take_up, written
from tests.fmu.continuation import disturbed, followed
from tests.fmu.ctypes_fmu import ERROR, OK, Instance, Library
from tests.fmu.forgery import first_number, forged, refused

ROOT = Path(__file__).parents[2]
NAN = float("nan")

# What is interrupted, and within which limits its parameter moves from step to step.
MODELS: dict[str, tuple[dict[str, Any], tuple[str, float, float]]] = {
    "chain": (mechanisms.chain(), ("drag", 0.1, 0.6)),
    "riding": (mechanisms.riding(), ("drag", 0.1, 0.6)),
    "loop": (mechanisms.loop(), ("span", 1.99, 2.01)),
    "rolling": (mechanisms.rolling(), ("radius", 0.298, 0.302)),
    "told crank": (mechanisms.told_crank(), ("span", 1.99, 2.01)),
    "timed": (timed.timed(), ("push", 1.0, 2.0)),
    "timed crank": (timed.timed_crank(), ("span", 1.99, 2.01)),
    "rk4": (mechanisms.chain(solver="rk4"), ("drag", 0.1, 0.6)),
    "stiff": (mechanisms.chain(solver="stiff"), ("drag", 0.1, 0.6)),
    "stiff loop": (mechanisms.loop(solver="stiff"), ("span", 1.99, 2.01)),
    "Baumgarte": (mechanisms.loop(stabilization="baumgarte"), ("span", 1.99, 2.01)),
}
POINTS = 12  # of each: 132 in all


def in_child(*arguments: object) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.fmu.continuation", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        check=False,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


# ---- Another process


@pytest.mark.parametrize("model", MODELS)
def test_another_process_goes_on_bit_by_bit_from_random_points(
    model, fmu_of, library_of, new, tmp_path
):
    table, tunable = MODELS[model]
    library, chance = library_of(table), random.Random(f"points of {model}")
    points, expected = [], []
    for seed in range(POINTS):
        instance = new(library).start(tolerance=10.0 ** chance.uniform(-8, -4))
        for _ in range(chance.randrange(1, 20)):
            disturbed(instance, chance, tunable)
            length = chance.choice((STEP, 0.047))
            assert instance.step(instance.last_time(), length) == OK, instance.recorder.texts()
        # right after a step, or with inputs, rates and parameters told; outputs asked for or not
        if seed % 2:
            disturbed(instance, chance, tunable)
        if seed % 3:
            instance.everything()
        points.append({"state": written(instance).hex(), "seed": seed, "tunable": tunable})
        expected.append(followed(instance, seed, tunable))
    file = tmp_path / "points.json"
    file.write_text(json.dumps(points), encoding="utf-8")

    assert in_child("points", fmu_of(table), tmp_path, file) == expected
    assert len(set(expected)) == POINTS


@pytest.mark.parametrize("mode", MODES)
def test_a_state_of_any_mode_leads_to_the_same_future_in_a_fresh_instance(mode, case, library, new):
    instance = prepared(case, library, mode)
    text = written(instance)
    other = take_up(new(library), text)
    assert written(other) == text
    assert other.recorder.messages == []
    assert future(case, other, mode) == future(case, instance, mode)
    instance.free()


def test_the_form_is_fixed_whatever_the_platform(library, new):
    instance = new(library).start(start=1.5)
    text = written(instance)
    assert text[:8] == b"mbd-fmu!"
    words = [int.from_bytes(text[k : k + 8], "little") for k in (8, 16)]
    assert words == [1, len(text)]
    assert text[32 : 32 + len(library.guid) + 1] == library.guid.encode() + b"\0"
    first = 33 + len(library.guid)
    assert text[first : first + 8] == bytes(ctypes.c_uint64(0x3FF8000000000000))  # 1.5: the time
    sum_ = 14695981039346656037
    for byte in text[:24] + text[32:]:
        sum_ = (sum_ ^ byte) * 1099511628211 % 2**64
    assert int.from_bytes(text[24:32], "little") == sum_


@pytest.mark.parametrize("seed", range(3))
def test_no_flipped_bit_goes_unnoticed(seed, library, new):
    instance = new(library).start()
    text, chance = written(instance), random.Random(seed)
    place = ctypes.c_void_p()
    for _ in range(200):
        k = chance.randrange(8 * len(text))
        damaged = bytearray(text)
        damaged[k // 8] ^= 1 << k % 8
        damaged = bytes(damaged)
        status = instance.call("fmi2DeSerializeFMUstate", damaged, len(text), ctypes.byref(place))
        assert status == ERROR
        assert place.value is None
    assert written(instance) == text


# ---- Made up


@pytest.mark.parametrize("name", ["chain", "loop"])
def test_a_forged_state_is_refused_or_followed_without_harm(name, fmu_of, tmp_path):
    """Its checksum is right: the numbers themselves are looked at."""
    command = [sys.executable, "-m", "tests.fmu.forgery", name, fmu_of(CASES[name].table), tmp_path]
    done = subprocess.run(
        [*map(str, command)], cwd=ROOT, capture_output=True, check=False, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)
    assert counts["refused"] > 100
    assert counts["followed"] > 100


# in the order of the state: what is named when it is wrong
FORGED = {
    "the time": (0, NAN),
    "the step size": (1, -1.0),
    "the count of stiff steps": (2, 0.5),
    "shoulder.q": (11, NAN),
    "the stop time": (-2, NAN),
    "the mode": (-3, 3.0),
    "the kind of FMU": (-1, 2.0),
}


@pytest.mark.parametrize("what", FORGED)
def test_a_forged_state_is_refused_by_the_name_of_what_is_wrong(what, library_of, new):
    instance = new(library_of(CASES["chain"].table)).start()
    number, value = FORGED[what]
    text = written(instance)
    first = first_number(instance.library.guid)
    place = len(text) + 8 * number if number < 0 else first + 8 * number
    assert refused(instance, forged(text, place, value))
    assert instance.recorder.texts()[-1].endswith(f"in {what}")
    assert written(instance) == text


# ---- Within one process


def test_a_state_handed_over_itself_instead_of_its_address_is_freed(library, new):
    """As fmusim 0.0.39 does; the address of a pointer never spells what a state begins with."""
    instance = new(library).start()
    state = kept(instance)
    wrong = ctypes.cast(state, ctypes.POINTER(ctypes.c_void_p))
    assert instance.call("fmi2FreeFMUstate", wrong) == OK
    (message,) = instance.recorder.messages
    assert message.category == "logStatusWarning"
    assert "the state itself instead of its address" in message.text
    assert instance.step(0.0, STEP) == OK


def test_a_step_can_be_taken_back_and_taken_again(case, library, new):
    """As a master does that looks for events, or for a step size."""
    instance, twin = new(library).start(case.settings()), new(library).start(case.settings())
    state = kept(instance)
    for k in range(10):
        assert instance.call("fmi2GetFMUstate", ctypes.byref(state)) == OK
        assert instance.set({case.a: 5.0, case.tunable: case.tuned}) == OK
        assert instance.step(k * STEP, 2.5 * STEP) == OK
        instance.everything()
        assert instance.call("fmi2SetFMUstate", state) == OK
        for it in (instance, twin):
            assert it.set({case.a: 0.1 * k}) == OK
            assert it.step(k * STEP, STEP) == OK
        assert instance.everything() == twin.everything()
    assert instance.call("fmi2FreeFMUstate", ctypes.byref(state)) == OK
    assert written(instance) == written(twin)


def test_a_state_outlives_its_instance_and_serves_another(case, library, new):
    instance = prepared(case, library, "stepping")
    state, other = kept(instance), new(library)
    expected = future(case, instance, "stepping")
    instance.free()
    assert other.call("fmi2SetFMUstate", state) == OK
    assert future(case, other, "stepping") == expected
    assert other.call("fmi2FreeFMUstate", ctypes.byref(state)) == OK


def test_states_are_copies(case, library, new):
    instance = new(library).start()
    first, text = kept(instance), written(instance)
    assert instance.step(0.0, STEP) == OK
    second = kept(instance)
    assert first.value != second.value
    assert instance.call("fmi2SetFMUstate", first) == OK
    assert written(instance) == text
    assert instance.set({case.a: 7.0}) == OK
    assert instance.call("fmi2SetFMUstate", first) == OK
    assert written(instance) == text
    for state in (first, second):
        assert instance.call("fmi2FreeFMUstate", ctypes.byref(state)) == OK


def test_after_a_failed_step_a_state_can_be_taken_up(case, library, new):
    instance, twin = new(library).start(), new(library).start()
    text = written(instance)
    assert instance.step(0.0, STEP) == OK
    assert instance.set({case.drive: 1e300}) == OK
    assert instance.step(STEP, STEP) == ERROR
    take_up(instance, text)
    assert future(case, instance, "stepping") == future(case, twin, "stepping")


def test_a_state_keeps_the_stop_time_and_the_logger_keeps_its_categories(library, new):
    instance = new(library, logging=True).start(stop=0.5)
    other = take_up(new(library).start(), written(instance))
    assert other.step(0.0, 0.6) == ERROR
    assert "stop time 0.5" in other.recorder.messages[-1].text
    assert other.step(0.0, STEP) == OK
    assert other.recorder.texts("logEvaluations") == []


def test_a_state_read_from_bytes_can_be_read_by_every_instance(library, new):
    instance = new(library).start()
    state = read(new(library), written(instance))
    for other in (new(library), instance, new(library).start(start=3.0)):
        assert other.call("fmi2SetFMUstate", state) == OK
        assert other.last_time() == 0.0
    assert instance.call("fmi2FreeFMUstate", ctypes.byref(state)) == OK


# ---- Many instances


@pytest.mark.parametrize("n", [500, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_instances_and_states_come_and_go_without_a_trace_in_memory(n, case, fmu_of, tmp_path):
    held = [int(word) for word in in_child("cycles", fmu_of(case.table), tmp_path, n)]
    # an instance takes some kilobytes, a state some hundred bytes: to lose either would show
    assert held[-1] - held[1] < n * 100


def test_64_instances_in_8_threads_equal_one_after_the_other(case, library):
    def simulate(n: int) -> bytes:
        instance = Instance(library).start({case.fixed: 1.0 + 0.01 * n})
        for k in range(20):
            assert instance.set({case.a: 0.1 * ((k + n) % 7)}) == OK
            if k == 10:
                assert instance.set({case.tunable: case.tuned}) == OK
                take_up(instance, written(instance))
            assert instance.step(k * STEP, STEP) == OK
        text = instance.everything() + written(instance)
        instance.free()
        return text

    serial = [simulate(n) for n in range(64)]
    assert len(set(serial)) == 64
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(simulate, range(64))) == serial


def test_the_cases_are_what_they_are_meant_to_be(library_of):
    """A chain and a base that is told have no rows; a loop and a disc have."""
    for name, has_rows in (("chain", False), ("riding", False), ("loop", True), ("rolling", True)):
        library: Library = library_of(CASES[name].table)
        assert ("constraint.rank" in library.reference) == has_rows
    assert "base.alpha.z" in library_of(CASES["riding"].table).names("input")
