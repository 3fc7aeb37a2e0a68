"""Numbers that are none are never handed out as if they were: an error names the variable."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from mbd_fmu.errors import DataError
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.reference.run import Run
from mbd_fmu.simulation import simulate
from mbd_fmu.system.system import system_of
from tests.fmu import mechanisms
from tests.fmu.cases import STEP, written
from tests.fmu.ctypes_fmu import ERROR, OK, Instance, Library, integers, reals
from tests.fmu.exchange import Exchange

FAR = {"base.r.z": 1e308}  # a base beyond all bounds: what it carries has no potential energy
SANE = "is every input and parameter of a sane size?"


@pytest.fixture
def library(library_of: Any) -> Library:
    return library_of(mechanisms.riding())


def refused(instance: Instance, function: str, names: list[str], *between: Any) -> str:
    """Ask for values that there are not all of; nothing is written. Return what was said."""
    values = reals([7.0] * len(names))
    status = instance.call(function, instance.references(names), len(names), *between, values)
    assert status == ERROR
    assert list(values) == [7.0] * len(names)
    return instance.recorder.texts()[-1]


def test_an_output_that_is_infinite_is_an_error_that_names_it(library, new):
    instance = new(library).start(FAR)
    text = refused(instance, "fmi2GetReal", ["elbow.q", "energy.potential", "elbow.qd"])
    assert "fmi2GetReal: energy.potential is " in text
    assert SANE in text
    # the others are as good as ever, and so is the state
    assert np.isfinite(instance.get(["elbow.q", "elbow.qd"])).all()
    assert instance.set({"base.r.z": 0.0}) == OK
    assert instance.everything() == new(library).start().everything()


def test_a_derivative_that_is_infinite_is_an_error_that_names_it(library, new):
    instance = new(library).start()
    given = instance.references(["base.a.x"]), 1, reals([1e308])
    text = refused(instance, "fmi2GetDirectionalDerivative", ["elbow.q", "elbow.force.x"], *given)
    assert "fmi2GetDirectionalDerivative: the change of elbow.force.x is " in text
    assert instance.set({"base.v.z": 1.7e308}) == OK  # m g v is too much
    orders = integers([1, 1])
    names = ["elbow.q", "energy.potential"]
    text = refused(instance, "fmi2GetRealOutputDerivatives", names, orders)
    assert "energy.potential" in text or "is not finite" in text


@pytest.mark.parametrize(
    ("inputs", "rates"), [({"base.v.x": 1e308}, {}), ({}, {"base.a.x": 1e308})]
)
def test_a_step_whose_inputs_end_beyond_all_numbers_leaves_no_trace(inputs, rates, library, new):
    instance = new(library).start()
    assert instance.set(inputs) == OK
    text = written(instance)
    assert instance.set_rates(rates) == OK
    assert instance.step(0.0, 100.0) == ERROR
    assert written(instance) == text
    zeros = dict.fromkeys(inputs, 0.0)
    assert instance.set(zeros) == OK
    assert instance.step(0.0, STEP) == OK
    twin = new(library).start()
    assert twin.step(0.0, STEP) == OK
    assert instance.everything() == twin.everything()


def test_model_exchange_hands_out_no_infinite_derivative(library_of):
    it = Exchange(library_of(mechanisms.chain())).run()
    assert it.set({"elbow.tau": 1e308, "shoulder.tau": 1e308}) == OK
    values = reals([7.0] * it.n)
    assert it.call("fmi2GetDerivatives", ctypes.byref(values), it.n) == ERROR
    assert list(values) == [7.0] * it.n
    assert "is not finite" in it.recorder.texts()[-1]
    it.free()


@np.errstate(over="ignore", invalid="ignore")
def test_the_numpy_road_hands_out_none_either():
    system = system_of(spec_of_table(mechanisms.riding(), "test"))
    with pytest.raises(DataError, match=r"t = 0: energy\.potential is "):
        simulate(system, stop=0.1, step=0.1, settings=FAR)
    run = Run(system)
    run.u[[v.name for v in system.table.inputs].index("base.v.x")] = 1e308
    x = run.x.copy()
    with pytest.raises(DataError, match=r"base\.r\.x is inf"):
        run.step(100.0)
    assert list(run.x) == list(x)
