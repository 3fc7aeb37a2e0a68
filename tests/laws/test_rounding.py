"""The estimate of rounding in the rows of constraints, against arithmetic with more digits."""

from __future__ import annotations

import operator

import numpy as np
import pytest

from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import read_model
from mbd_fmu.reference.run import Run
from mbd_fmu.system.system import system_of

EPSILON = np.finfo(float).eps

if np.finfo(np.longdouble).eps > EPSILON / 1000:
    pytest.skip("this machine has no longer floats", allow_module_level=True)


class Long:
    """A number with more digits that passes for a symbol, so that mechanics takes it as it is."""

    def __init__(self, value):
        self.value = np.longdouble(value)

    def __float__(self):
        return float(self.value)


def _operation(name):
    def forward(self, other):
        return Long(getattr(operator, name)(self.value, getattr(other, "value", other)))

    def backward(self, other):
        return Long(getattr(operator, name)(np.longdouble(other), self.value))

    return forward, backward


for _name in ("add", "sub", "mul", "truediv"):
    _forward, _backward = _operation(_name)
    setattr(Long, f"__{_name}__", _forward)
    setattr(Long, f"__r{_name}__", _backward)
for _function in (np.cos, np.sin, np.sqrt, np.arctan):
    setattr(Long, _function.__name__, lambda self, f=_function: Long(f(self.value)))
Long.__neg__ = lambda self: Long(-self.value)
Long.__abs__ = lambda self: Long(abs(self.value))


def long(x):
    return np.array([Long(value) for value in x], dtype=object)


def shares(run, x):
    """Error of the rows as shares of the estimate."""
    rough = run.plant.closure(x, run.u)
    exact = run.plant.closure(long(x), long(run.u))
    error = np.array([float(e - r) for e, r in zip(exact.phi, rough.phi, strict=True)])
    return np.abs(error) / (EPSILON * rough.rounding)


def anywhere(run, size, rng):
    """Coordinates of a size, far from the constraints: rounding does not care."""
    x, n = run.x.copy(), len(run.system.state_q)
    x[:n] += size * rng.normal(size=n)
    for k in run.system.states.quaternions:
        x[k : k + 4] /= np.linalg.norm(x[k : k + 4])
    return x


# rows of every kind: hinges in space and in the plane, balls, rods, discs, universal joints
LOOPS = ["bricard", "cardan_shaft", "four_bar", "quarter_car", "rolling_disc", "slider_crank_ball"]


@pytest.mark.parametrize("name", LOOPS)
def test_rows_are_off_by_less_than_the_estimate_whatever_the_size_of_coordinates(name):
    run, rng = Run(system_of(read_model(library()[name]))), np.random.default_rng(1)
    for size in (1.0, 1e3, 1e6):
        for _ in range(4):
            assert shares(run, anywhere(run, size, rng)).max() <= 1.0


def gears(offset):
    """Two wheels far from the origin, geared; and a rod between them that moves with both."""
    it = Mechanism("gears")
    for name, x in (("a", 0.0), ("b", 1.0)):
        it.body(name, mass=1.0, com=[offset + x, 0.1, 0], inertia=np.eye(3))
        it.joint(name, "revolute", "ground", name, point=[offset + x, 0, 0], axis=[0, 0, 1])
    it.constraint("gear", "gear", joints=["a", "b"], ratio=1.0)
    ends = {"point": [offset, 0.2, 0], "point2": [offset + 1.0, 0.2, 0]}
    it.constraint("rod", "distance", parent="a", child="b", **ends)
    return Run(system_of(it.spec()))


@pytest.mark.parametrize("offset", [0.0, 1.0, 100.0, 1e4])
def test_it_grows_with_the_distance_from_the_origin_and_is_not_much_too_large(offset):
    run, rng = gears(offset), np.random.default_rng(2)
    found = np.array([shares(run, anywhere(run, 3.0, rng)) for _ in range(50)])
    assert found.max() <= 1.0
    rod = run.plant.closure(run.x, run.u).rounding[1]
    assert offset <= rod <= 10 * (offset + 10)
    if offset >= 100:  # the points' last digits are what is subtracted
        assert found[:, 1].max() > 0.01


def test_counted_turns_are_known_to_their_last_digit_only():
    run = gears(0.0)
    x = run.x.copy()
    x[0] = x[1] = 1e6
    gear, rod = EPSILON * run.plant.closure(x, run.u).rounding
    assert 1e-10 < gear < 1e-8
    assert 1e-11 < rod < 1e-8
