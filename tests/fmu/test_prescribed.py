"""FMUs whose motions are told by positions or velocities alone; what is said of those in full."""

from __future__ import annotations

import random
import zipfile
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from mbd_fmu.reference.course import course
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.runner import Fmu, check_fmu
from tests.fmu import mechanisms
from tests.fmu.cases import take_up, written
from tests.fmu.ctypes_fmu import OK, Recorder
from tests.fmu.exchange import MODEL_EXCHANGE, directional, output_rates

H = 0.01


@pytest.fixture
def library(library_of):
    return library_of(mechanisms.led())


def told(t):
    """What an importer says at time t."""
    return {"shoulder.q": 0.3 + 0.2 * t + t**3, "base.v.x": t**2, "base.w.z": 0.5 * t}


def steps(it, n, first=0, disturb=None):
    for k in range(first, first + n):
        assert it.set(told(k * H)) == OK
        if disturb:
            disturb()
        assert it.step(k * H, H) == OK, it.recorder.texts()
    return it


def test_what_is_not_told_is_no_input_but_an_output_with_a_start_value(library, fmu_of):
    assert check_fmu(fmu_of(mechanisms.led())) == []
    inputs, outputs, parameters = (library.names(c) for c in ("input", "output", "parameter"))
    assert inputs == [
        *(f"base.{part}.{c}" for part in "vw" for c in "xyz"),
        "shoulder.q",
        "elbow.tau",
    ]
    assert {"shoulder.qd", "shoulder.qdd", "base.r.x", "base.quat.w", "base.alpha.z"} <= set(
        outputs
    )
    assert {"shoulder.qd_start", "base.r_start.x", "base.quat_start.w"} <= set(parameters)
    assert "shoulder.q_start" not in parameters


def test_no_output_feels_a_position_at_once_but_all_do_at_the_start(fmu_of):
    with zipfile.ZipFile(fmu_of(mechanisms.led())) as archive:
        root = ET.fromstring(archive.read("modelDescription.xml"))
    names = [v.get("name") for v in root.findall("ModelVariables/ScalarVariable")]
    at = str(names.index("shoulder.q") + 1)
    for tag, is_felt in (("Outputs", False), ("InitialUnknowns", True)):
        unknowns = root.findall(f"ModelStructure/{tag}/Unknown")
        assert any(at in u.get("dependencies").split() for u in unknowns) is is_felt, tag


def test_model_exchange_is_neither_offered_nor_given(library, fmu_of):
    """There are no steps of which rates could be made."""
    with zipfile.ZipFile(fmu_of(mechanisms.led())) as archive:
        assert ET.fromstring(archive.read("modelDescription.xml")).find("ModelExchange") is None
    recorder = Recorder()
    assert library.instantiate(recorder, kind=MODEL_EXCHANGE) is None
    (text,) = recorder.texts()
    assert 'the motion of "base" is made from step to step' in text
    assert 'motion = "full"' in text


def test_a_state_taken_up_goes_on_bit_by_bit(library, new):
    """Also with steps of other lengths, derivatives told, and steps tried in between."""
    one, other = new(library).start(), new(library).start()
    steps(one, 4, disturb=lambda: one.set_rates({"base.v.x": 0.03}))
    state = written(one)
    steps(one, 2, first=4)
    take_up(one, state)
    take_up(other, state)
    chance = [random.Random(1), random.Random(1)]
    for it, dice in zip((one, other), chance, strict=True):
        t = 4 * H
        for _ in range(4):
            assert it.set(told(t)) == OK
            length = dice.choice([H, H / 7, 3 * H])
            assert it.step(t, length) == OK
            t += length
    assert one.everything() == other.everything()
    assert written(one) == written(other)


def test_a_reset_instance_is_a_fresh_one(library, new):
    used, fresh = steps(new(library).start(), 3), new(library)
    assert used.call("fmi2Reset") == OK
    assert steps(used.start(), 3).everything() == steps(fresh.start(), 3).everything()


def test_before_the_first_step_what_is_told_is_true_and_later_it_leads(library, new):
    it = new(library).start()
    names = ["upper.com.x", "shoulder.qd", "elbow.qdd"]
    before, slope = np.array(it.get(names)), directional(it, names, {"shoulder.q": 1.0})
    assert it.set({"shoulder.q": 0.3 + 1e-6}) == OK
    assert np.abs((it.get(names) - before) / 1e-6 - slope).max() < 1e-4
    assert slope[0] != 0.0
    steps(it, 2)
    before = it.get(names)
    assert directional(it, names, {"shoulder.q": 1.0}).tolist() == [0, 0, 0]
    assert it.set({"shoulder.q": 0.5}) == OK
    assert it.get(names) == before


def test_rates_of_outputs_are_those_with_which_the_step_ended(library, new):
    """Of positions velocities, of those accelerations; of those the jerk of the course."""
    it = steps(new(library).start(), 6)
    assert output_rates(it, ["upper.com.x"])[0] == pytest.approx(it.one("upper.v.x"), rel=1e-12)
    assert output_rates(it, ["shoulder.qd"])[0] == pytest.approx(it.one("shoulder.qdd"), rel=1e-12)
    reached = tuple(np.array([x]) for x in (0.3, 0.2, 0.0))
    for k in range(6):
        levels = (np.array([told(k * H)["shoulder.q"]]), *reached[1:])
        way = course("position", reached, levels, None, H, H)
        reached = way.at(H)
    jerk = (way.at(H)[2] - way.at(H - 1e-7)[2]) / 1e-7
    assert it.one("shoulder.qdd") == pytest.approx(reached[2][0], rel=1e-10)
    assert output_rates(it, ["shoulder.qdd"])[0] == pytest.approx(jerk[0], rel=1e-3)


def test_derivatives_that_are_chords_lead_and_those_that_are_tangents_are_left_out(library, new):
    """A chord leads to the value told next; of a tangent that is said once, by name."""
    chord, tangent, none = (new(library).start() for _ in range(3))

    def rate(t, is_chord):
        if is_chord:
            return (told(t + H)["shoulder.q"] - told(t)["shoulder.q"]) / H
        return 0.2 + 3 * t**2

    for k in range(40):
        for it in (chord, tangent, none):
            assert it.set(told(k * H)) == OK
            if it is not none:
                assert it.set_rates({"shoulder.q": rate(k * H, it is chord)}) == OK
            assert it.step(k * H, H) == OK
    assert chord.recorder.texts("logStatusWarning") == []
    (text,) = tangent.recorder.texts("logStatusWarning")
    assert 'the derivative told of the position of "shoulder" did not lead to' in text
    offs = [abs(it.one("shoulder.qdd") - 6 * 40 * H) for it in (chord, none)]
    assert offs == pytest.approx([H * 6, 2 * H * 6], rel=1e-6)  # late by one step, and by two
    assert tangent.one("shoulder.qdd") == pytest.approx(none.one("shoulder.qdd"), rel=1e-9)


def test_rates_left_unconnected_are_said_once_and_by_name(library_of, new):
    it = new(library_of(mechanisms.told_crank())).start({"a.qd": 0.0})
    for k in range(5):
        assert it.set({"a.q": 0.01 * k, "a.qd": 0.0, "a.qdd": 0.0}) == OK
        assert it.step(k * H, H) == OK
    (text,) = it.recorder.texts("logStatusWarning")
    assert text.startswith("t = 0.01: the motion told contradicts itself: a.q moves, but not at")
    assert 'connect a.qd, or build the FMU with motion = "position"' in text


def test_a_position_held_over_several_steps_is_said_once_and_by_name(library, new):
    """A table with rows every 30 ms, held: the mechanism is led up and down a staircase."""
    it = new(library).start()
    for k in range(15):
        assert it.set({"shoulder.q": 0.3 + 0.01 * (k // 3)}) == OK
        assert it.step(k * H, H) == OK
    (text,) = it.recorder.texts("logStatusWarning")
    assert 'the position told of "shoulder" stands still and jumps in turn' in text


def test_a_motion_that_agrees_with_itself_is_not_said_anything_of(library_of, new):
    it = new(library_of(mechanisms.told_crank())).start({"a.qd": 0.0})
    for k in range(60):
        q, w = 0.1 * (1 - np.cos(9 * k * H)), 9
        told_now = {"a.q": q, "a.qd": 0.1 * w * np.sin(w * k * H), "a.qdd": w * w * (0.1 - q)}
        assert it.set(told_now) == OK
        assert it.step(k * H, H) == OK
    assert it.recorder.texts("logStatusWarning") == []


@pytest.mark.parametrize("speed", [6.0, 40.0, 200.0])
def test_a_base_may_turn_round_many_times_in_one_step(speed, library_of, new):
    """At a constant angular velocity w it stands at the angle w t, however long the step."""
    it = new(library_of(mechanisms.riding()))
    it.start({"base.w.z": speed})
    assert it.step(0.0, 1.0) == OK, it.recorder.texts()
    angle = np.array([np.cos(speed / 2), 0.0, 0.0, np.sin(speed / 2)])
    found = np.array([it.one(f"base.quat.{c}") for c in "wxyz"])
    assert np.abs(found * np.sign(found @ angle) - angle).max() < 1e-12


def test_the_python_fmu_is_led_alike(fmu_of):
    times = H * np.arange(6)
    names = ("shoulder.q", "base.v.x", "base.w.z")
    values = np.array([[told(t)[name] for name in names] for t in times])
    found = []
    for backend in ("native", "python"):
        with Fmu(fmu_of(mechanisms.led(), backend)) as fmu:
            run = fmu.run(times, inputs=Trajectory(times, names, values), tolerance=1e-9)
            found.append(run.trajectory)
    assert found[0].names == found[1].names
    size = 1.0 + np.abs(found[0].values).max()
    assert np.abs(found[0].values - found[1].values).max() < 1e-9 * size
