"""What parameters must not make of a mechanism: no mass below 0, whatever its expression is."""

from __future__ import annotations

import pytest

from tests.fmu import mechanisms
from tests.fmu.cases import STEP
from tests.fmu.ctypes_fmu import ERROR, OK
from tests.fmu.test_tunables import slave_of


def weighed_rotor() -> dict:
    """A rotor of mass gross - tare, and of inertia wheel / 2 about its axis."""
    table = mechanisms.rotor()
    table["parameters"] = {
        name: {"value": value, "tunable": True}
        for name, value in (("gross", 3.0), ("tare", 1.0), ("wheel", 2.0))
    }
    table["body"][0]["mass"] = "gross - tare"
    table["body"][0]["inertia"] = [["wheel", 0, 0], [0, "wheel", 0], [0, 0, "wheel/2"]]
    return table


IMPOSSIBLE = 'body "disc", mass: -1 with these parameters; it must not be negative'


def test_a_limit_that_follows_is_in_the_description_and_kept(library_of, new):
    library = library_of(weighed_rotor())
    limits = {v.get("name"): v.find("Real").get("min") for v in library.variables}
    found = [limits[name] for name in ("gross", "tare", "wheel")]
    assert found[:2] == [None, None]
    assert float(found[2]) == 0.0
    instance = new(library).start()
    assert instance.set({"wheel": -1.0}) == ERROR
    assert "wheel = -1 is outside 0 to inf" in instance.recorder.texts()[-1]


def test_what_no_limit_can_tell_is_refused_when_it_is_used(library_of, new):
    """One parameter is set after the other: on the way between two possible masses is no error."""
    instance = new(library_of(weighed_rotor()))
    assert instance.setup() == instance.enter() == OK
    assert instance.set({"tare": 4.0}) == OK
    assert instance.leave() == ERROR
    assert instance.try_get(["axle.qdd"]) == ERROR
    assert IMPOSSIBLE in instance.recorder.texts()[-1]
    assert instance.set({"gross": 9.0}) == OK
    assert instance.try_get(["axle.qdd"]) == OK


def test_between_steps_it_is_refused_and_the_motion_goes_on_when_it_is_mended(library_of, new):
    library = library_of(weighed_rotor())
    instance, twin = (new(library).start() for _ in range(2))
    for it in (instance, twin):
        assert it.step(0.0, STEP) == OK
    assert instance.set({"tare": 4.0}) == OK
    assert instance.step(STEP, STEP) == ERROR
    assert IMPOSSIBLE in instance.recorder.texts()[-1]
    assert instance.set({"tare": 1.0}) == OK
    for it in (instance, twin):
        assert it.step(STEP, STEP) == OK
    assert instance.everything() == twin.everything()


def test_the_python_slave_refuses_the_same(tmp_path):
    slave = slave_of(weighed_rotor(), tmp_path)
    slave.setup_experiment(0.0)
    slave.exit_initialization_mode()
    tare = [v.name for v in slave.table.variables].index("tare")
    slave.set_real([tare], [4.0])
    with pytest.raises(Exception, match='body "disc", mass: -1 kg; give a mass of 0 or more'):
        slave.do_step(0.0, STEP)
