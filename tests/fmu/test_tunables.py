"""Parameters that change between steps: they act from then on, and loops follow."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from mbd_fmu.reference.slave import MechanismSlave
from tests.fmu import mechanisms
from tests.fmu.cases import STEP, take_up, written
from tests.fmu.ctypes_fmu import ERROR, OK
from tests.fmu.exchange import Exchange
from tests.fmu.mechanisms import ROTOR_INERTIA


def braked_rotor() -> dict:
    table = mechanisms.rotor()
    table["parameters"] = {"brake": {"value": 0.5, "min": 0, "max": 10, "tunable": True}}
    table["joint"][0] |= {"damping": "brake", "velocity": 3.0}
    return table


def test_a_brake_acts_from_the_moment_it_is_set(library_of, new):
    """I w' = -d w: the exponent adds up over the spans in which d had its values."""
    instance = new(library_of(braked_rotor())).start(tolerance=1e-12)
    exponent, speeds = 0.0, []
    for k in range(50):
        brake = 0.5 + 0.04 * k
        assert instance.set({"brake": brake}) == OK
        assert instance.one("axle.qdd") == pytest.approx(
            -brake * instance.one("axle.qd") / ROTOR_INERTIA, rel=1e-12
        )
        assert instance.step(k * STEP, STEP) == OK
        exponent += brake * STEP / ROTOR_INERTIA
        # 1e-12 per internal step
        assert instance.one("axle.qd") == pytest.approx(3.0 * math.exp(-exponent), rel=1e-9)
        speeds.append(instance.one("axle.qd"))
    assert speeds[-1] < 0.2 * speeds[0]


def test_start_values_and_the_memory_of_the_solver_stay(case, library, new):
    instance = new(library).start(case.settings())
    for k in range(3):
        assert instance.step(k * STEP, STEP) == OK
    first = 33 + len(library.guid)  # where the time stands, and after it the internal step size
    before = written(instance)[first : first + 16]
    assert any(before[8:])
    assert instance.set({case.tunable: case.tuned}) == OK
    instance.everything()
    assert written(instance)[first : first + 16] == before
    assert instance.one(case.start) == case.settings()[case.start]
    assert instance.one(case.tunable) == case.tuned
    assert instance.step(3 * STEP, STEP) == OK


def test_a_tree_stays_where_it_is(library_of, new):
    for table in (mechanisms.chain(), mechanisms.riding()):
        instance = new(library_of(table)).start()
        assert instance.step(0.0, STEP) == OK
        names = ["shoulder.q", "elbow.q", "shoulder.qd", "elbow.qd"]
        before, load = instance.get(names), instance.one("elbow.qdd")
        assert instance.set({"drag": 5.0}) == OK
        assert instance.get(names) == before
        assert instance.one("elbow.qdd") != load


@pytest.mark.parametrize(
    ("table", "name"),
    [
        (mechanisms.loop(), "span"),
        (mechanisms.loop(stabilization="baumgarte"), "span"),
        (mechanisms.loop(stabilization="none"), "span"),
        (mechanisms.told_crank(), "span"),
        (mechanisms.rolling(), "radius"),
        (mechanisms.actuated(), "lead"),
    ],
    ids=["loop", "Baumgarte", "no stabilization", "told crank", "rolling", "actuated"],
)
def test_what_is_constrained_follows_before_the_next_output(table, name, library_of, new):
    instance = new(library_of(table)).start()
    for k in range(20):
        # without stabilization it drifts in between
        assert instance.set({name: instance.one(name) * (1.01 if k % 2 else 1 / 1.01)}) == OK
        assert instance.one("constraint.position_error") < 1e-12
        assert instance.one("constraint.velocity_error") < 1e-12
        assert instance.step(k * STEP, STEP) == OK, instance.recorder.texts()
    assert instance.recorder.texts("logStatusError") == []


def test_a_disc_that_grows_stays_on_the_ground(library_of, new):
    instance = new(library_of(mechanisms.rolling())).start()
    assert instance.one("disc.com.z") == pytest.approx(0.3, abs=1e-12)
    assert instance.set({"radius": 0.35}) == OK
    assert instance.one("disc.com.z") == pytest.approx(
        0.35, abs=1e-9
    )  # upright: its lean is second order
    assert instance.step(0.0, STEP) == OK


def test_it_does_not_matter_what_was_asked_for_on_the_way(case, library, new):
    straight, curious = (new(library).start(case.settings()) for _ in range(2))
    for it in (straight, curious):
        assert it.step(0.0, STEP) == OK
    middle = 0.5 * (case.tuned + curious.one(case.tunable))
    assert curious.set({case.tunable: middle}) == OK
    curious.everything()
    for it in (straight, curious):
        assert it.set({case.tunable: case.tuned}) == OK
    assert curious.everything() == straight.everything()
    for it in (straight, curious):
        assert it.step(STEP, STEP) == OK
    assert curious.everything() == straight.everything()
    assert written(curious) == written(straight)


def crank_on_a_rod() -> dict:
    table = mechanisms.four_bar()
    reach = {"value": 1.8, "unit": "m", "min": 0, "max": 9, "tunable": True}
    table["parameters"] = {"reach": reach}
    table["body"], table["joint"] = table["body"][:1], table["joint"][:1]
    del table["joint"][0]["velocity"]
    rod = {"parent": "ground", "child": "crank", "point": [2, 0, 0], "point2": [0.5, 0, 1]}
    table["constraint"] = [{"name": "rod", "type": "distance", "length": "reach", **rod}]
    return table


def test_what_cannot_follow_is_named_and_goes_on_from_where_it_was(library_of, new):
    library = library_of(crank_on_a_rod())
    instance, twin = (new(library).start() for _ in range(2))
    for it in (instance, twin):
        assert it.step(0.0, STEP) == OK
    assert instance.set({"reach": 5.0}) == OK  # the tip comes no farther than 3.12 m
    assert instance.try_get(["a.q"]) == ERROR
    assert instance.step(STEP, STEP) == ERROR
    assert instance.last_time() == STEP
    for text in instance.recorder.texts():
        assert text.startswith("t = 0.01, with the parameters set since then: the positions cannot")
        assert "rod misses most, by" in text
    for it in (instance, twin):
        assert it.set({"reach": 1.85}) == OK
    assert instance.everything() == twin.everything()
    for it in (instance, twin):
        assert it.step(STEP, STEP) == OK
    assert instance.everything() == twin.everything()


def test_a_motion_that_cannot_be_followed_is_taken_back(library_of, new):
    """A crank told, before the first step, to be half a turn off: the loop does not let it."""
    library = library_of(mechanisms.told_crank())
    instance, twin = (new(library).start() for _ in range(2))
    assert instance.set({"a.q": 3.0}) == OK
    statuses = [instance.try_get(["d.q"]), instance.step(0.0, STEP)]
    assert statuses == [ERROR, ERROR]
    assert "with the motions and parameters set since then" in instance.recorder.texts()[0]
    for it in (instance, twin):
        assert it.set({"a.q": 0.0101}) == OK
    assert instance.everything() == twin.everything()
    for it in (instance, twin):
        assert it.step(0.0, STEP) == OK
    assert instance.everything() == twin.everything()


# ---- When the importer integrates


def test_in_event_mode_the_importer_hears_that_states_have_followed(library_of):
    it = Exchange(library_of(mechanisms.loop())).run()
    assert it.set({"span": 2.02}) == ERROR
    assert "parameter span changes in event mode only" in it.recorder.texts()[-1]
    assert it.call("fmi2EnterEventMode") == OK
    assert it.set({"span": 2.02}) == OK
    assert it.events().valuesOfContinuousStatesChanged == 1
    assert it.events().valuesOfContinuousStatesChanged == 0
    assert it.call("fmi2EnterContinuousTimeMode") == OK
    x = it.x
    it.x = x
    assert it.one("constraint.position_error") < 1e-12
    assert list(it.x) == list(x)
    it.free()


def test_states_that_the_importer_sets_are_taken_as_they_are_whatever_is_told_first(library_of):
    it = Exchange(library_of(mechanisms.told_crank())).run()
    x = it.x
    found = []
    for told_first in (True, False):
        assert it.set({"a.q": 0.0, "a.qd": 1.0}) == OK
        it.x = x
        it.derivatives()
        if told_first:
            assert it.set({"a.q": 1e-4, "a.qd": 1.1}) == OK
        it.x = x + 1e-5
        if not told_first:
            assert it.set({"a.q": 1e-4, "a.qd": 1.1}) == OK
        found.append((list(it.derivatives()), list(it.x)))
    assert found[0] == found[1]
    assert found[0][1] == list(x + 1e-5)
    it.free()


def test_a_state_of_model_exchange_can_be_taken_up(case, library):
    one, other = Exchange(library).run(case.settings()), Exchange(library)
    one.x = one.x + 1e-3
    assert one.call("fmi2SetTime", 0.25) == OK
    assert one.set({case.a: 0.7}) == OK
    text = written(one)
    take_up(other, text)
    assert written(other) == text
    assert list(other.x) == list(one.x)
    assert list(other.derivatives()) == list(one.derivatives())
    assert other.everything() == one.everything()
    for it in (one, other):
        it.free()


# ---- The Python back end does the same


def slave_of(table: dict, tmp_path) -> MechanismSlave:
    file = tmp_path / "model.json"
    file.write_text(json.dumps(table), encoding="utf-8")
    return type("Slave", (MechanismSlave,), {"model": file})(instance_name="test")


@pytest.mark.parametrize("name", ["chain", "loop"])
def test_both_back_ends_take_the_same_steps(name, library_of, new, tmp_path):
    table = getattr(mechanisms, name)()
    tunable, values = {"chain": ("drag", (0.5, 2.0)), "loop": ("span", (2.02, 1.97))}[name]
    native, slave = new(library_of(table)).start(), slave_of(table, tmp_path)
    slave.setup_experiment(0.0)
    slave.exit_initialization_mode()
    reference, outputs = native.library.reference, native.library.names("output")
    for k in range(8):
        if k in (2, 5):
            assert native.set({tunable: values[k % 2]}) == OK
            slave.set_real([reference[tunable]], [values[k % 2]])
        assert native.step(k * STEP, STEP) == OK
        assert slave.do_step(k * STEP, STEP)
        ours, theirs = native.get(outputs), slave.get_real([reference[n] for n in outputs])
        # the same steps with other factorisations: rounding, times what the motion makes of it
        assert np.allclose(ours, theirs, rtol=1e-9, atol=1e-9)


def test_the_python_slave_refuses_what_the_library_refuses(tmp_path):
    slave = slave_of(mechanisms.chain(), tmp_path)
    slave.setup_experiment(0.0)
    slave.exit_initialization_mode()
    names = [v.name for v in slave.table.variables]
    arm, drag, tau = (names.index(n) for n in ("arm_mass", "drag", "elbow.tau"))
    for references, values, words in (
        ([tau, drag], [1.0, -0.5], "drag = -0.5 is outside 0 to 5"),
        ([tau, drag], [1.0, math.nan], "drag = nan"),
        ([tau, arm], [1.0, 2.0], "arm_mass is fixed"),
    ):
        with pytest.raises(Exception, match=words):
            slave.set_real(references, values)
        assert slave.get_real([tau, drag, arm]) == [0.0, 0.2, 1.5]
