"""Numbers with two derivatives in time: against closed forms and against differences."""

import math

import numpy as np
import pytest

from mbd_fmu.quantities.expressions import parse
from mbd_fmu.quantities.taylor import Taylor

T = 0.37
SMOOTH = [
    "time**3 - 2*time + 1",
    "1/(1 + time**2)",
    "(2 + time)/(3 - time)",
    "sin(2*time)*cos(time)",
    "tan(time)",
    "tanh(3*time - 1)",
    "asin(time/2) + acos(time/3) + atan(2*time)",
    "atan2(sin(time), 2 + time)",
    "sqrt(1 + time)",
    "exp(-time)*log(2 + time)",
    "(1 + time)**time",
    "2**time",
    "(1 + time)**2.5",
    "-time + +time**2 - (3 - time)",
    "abs(time - 1)*time**2",
    "min(time**2, 1) + max(time, 2*time, 0.1)",
    "sign(time)*time**3 + unit_step(time - 0.1)*time**2",
    "smooth_step(time, 0.1, 0.9)",
]


def value(text, t):
    return parse(text, frozenset({"time"})).value({"time": t})


@pytest.mark.parametrize("text", SMOOTH)
def test_derivatives_are_those_of_differences(text):
    found = value(text, Taylor(T, 1.0))
    h = 1e-3
    f = [value(text, T + k * h) for k in (-2, -1, 0, 1, 2)]
    # of order 4: off by h^4 / 30 times a fifth derivative of up to 4000, and rounding / h^2
    assert found.value == f[2]
    assert found.rate == pytest.approx((f[0] - 8 * f[1] + 8 * f[3] - f[4]) / (12 * h), abs=1e-9)
    second = (-f[0] + 16 * f[1] - 30 * f[2] + 16 * f[3] - f[4]) / (12 * h * h)
    assert found.second == pytest.approx(second, abs=1e-8)


@pytest.mark.parametrize("text", SMOOTH)
def test_symbols_give_what_numbers_give(text, on_tape):
    def function(t):
        found = value(text, Taylor(t[0], 1.0))
        return np.array([found.value, found.rate, found.second])

    found = value(text, Taylor(T, 1.0))
    expected = [found.value, found.rate, found.second]
    np.testing.assert_allclose(on_tape(function, [T]), expected, rtol=1e-13, atol=1e-13)


def test_a_sine_has_the_derivatives_of_a_sine():
    found = value("sin(3*time)", Taylor(T, 1.0))
    expected = (math.sin(3 * T), 3 * math.cos(3 * T), -9 * math.sin(3 * T))
    assert (found.value, found.rate, found.second) == pytest.approx(expected, abs=1e-15)


def test_powers_of_nothing_have_their_derivatives():
    for n, expected in ((1, (0, 1, 0)), (2, (0, 0, 2)), (3, (0, 0, 0)), (0, (1, 0, 0))):
        found = Taylor(0.0, 1.0) ** float(n)
        assert (found.value, found.rate, found.second) == expected


def test_a_kink_has_the_mean_of_both_sides():
    assert value("abs(time)", Taylor(0.0, 1.0)).rate == 0.0
    assert value("max(time, 0)", Taylor(0.0, 1.0)).rate == 0.5
    assert value("min(time, 0)", Taylor(0.0, 1.0)).rate == 0.5
