"""Functions of time: values and derivatives by other formulas, and what is refused."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from mbd_fmu.oracle.time_functions import levels
from mbd_fmu.quantities.functions import FUNCTIONS
from mbd_fmu.quantities.scope import Scope
from mbd_fmu.quantities.table import Table
from mbd_fmu.quantities.time_functions import Spline, read_time_function, read_time_functions

PARAMETERS = {"amp": 0.7, "f": 1.3}
POINTS = ((0.0, 0.0), (0.5, 1.0), (1.2, -0.3), (1.3, 0.4), (2.0, 0.7))


def read(data, problems=None):
    found = [] if problems is None else problems
    table = Table('joint "j"', {"motion": data}, found, Scope(set(PARAMETERS)))
    function = read_time_function(table, "motion", table.raw("motion"))
    assert problems is not None or not found
    return function


FORMS = {
    "number": 5,
    "parameter": "2*amp",
    "text": "amp*sin(2*pi*f*time) + time**2",
    "expression": {"expression": "exp(-time)*amp"},
    "sine": {"sine": {"amplitude": "amp", "frequency": "f", "phase": 0.3, "offset": -1}},
    "polynomial": {"polynomial": [1, "amp", 0.5, "-f"]},
    "rest": {"table": [list(p) for p in POINTS]},
    "straight": {"table": [list(p) for p in POINTS], "ends": "straight"},
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("t", [0.0, 0.31, 0.5, 1.25, 1.9])
def test_values_and_derivatives_are_those_of_other_formulas(form, t):
    function = read(FORMS[form])
    found = function.levels(t, PARAMETERS)
    # an expression is differentiated there by differences, whose rounding is 1e-11
    expected = levels(function, t, PARAMETERS)
    assert (found.value, found.rate, found.second) == pytest.approx(expected, abs=1e-9)
    assert function.value(t, PARAMETERS) == found.value


@pytest.mark.parametrize(("ends", "bc"), [("rest", "clamped"), ("straight", "natural")])
@pytest.mark.parametrize("seed", range(10))
def test_a_table_is_scipy_s_spline(ends, bc, seed):
    rng = np.random.default_rng(seed)
    n = rng.integers(2, 12)
    times, values = np.cumsum(rng.uniform(0.05, 1.0, n)), rng.normal(size=n)
    function = Spline(tuple(zip(times.tolist(), values.tolist(), strict=True)), ends)
    theirs = CubicSpline(times, values, bc_type=bc)
    size = 1 + np.abs(theirs(times, 2)).max()
    for t in [*np.linspace(times[0], times[-1], 40)[:-1], *times[:-1]]:
        found = function.levels(float(t), {})
        expected = [float(theirs(t, level)) for level in range(3)]
        assert (found.value, found.rate, found.second) == pytest.approx(expected, abs=1e-12 * size)


def test_beyond_a_table_things_rest_or_go_on_straight():
    rest, straight = (read(FORMS[ends]) for ends in ("rest", "straight"))
    for t in (-1.0, 2.0, 3.5):
        found = rest.levels(t, {})
        end = POINTS[0 if t < 0 else -1][1]
        assert (found.value, found.rate, found.second) == pytest.approx((end, 0, 0), abs=1e-15)
        found = straight.levels(t, {})
        end = 0.0 if t < 0 else 2.0
        near = straight.levels(end + 1e-9 * (1 if t < 0 else -1), {})
        assert found.rate == pytest.approx(near.rate, abs=1e-6)
        assert found.value == pytest.approx(near.value + (t - end) * found.rate, abs=1e-6)
        assert found.second == 0.0


@pytest.mark.parametrize("form", FORMS)
def test_symbols_give_what_numbers_give(form, on_tape):
    function = read(FORMS[form])

    def symbols(given):
        t, amp, f = given
        found = function.levels(t, {"amp": amp, "f": f})
        return np.array([found.value, found.rate, found.second])

    found = function.levels(0.8, PARAMETERS)
    expected = [found.value, found.rate, found.second]
    np.testing.assert_allclose(on_tape(symbols, [0.8, 0.7, 1.3]), expected, atol=1e-13)


@pytest.mark.parametrize(
    ("form", "changes"),
    [("number", False), ("parameter", False), ("text", True), ("sine", True), ("rest", True)],
)
def test_what_is_constant_knows_it(form, changes):
    assert read(FORMS[form]).uses_time is changes


PAIRS = "[[0, 0], [1, 0.5]]"
REFUSED = {
    "no function": (True, "true is no function of time; give a number, an expression of time"),
    "name": ("amp*tiem", 'no parameter "tiem" in "amp*tiem"; did you mean "time"?'),
    "joint": (
        "2*crank.q",
        '"2*crank.q" names "crank.q": functions of time know time and parameters only; '
        "laws of joint_law and nonlinear_spring may name joints",
    ),
    "no form": ({}, "{  } says no form; give one of expression, sine, polynomial, table"),
    "two": ({"sine": {}, "polynomial": [1]}, "sine and polynomial would each say it; give one"),
    "misspelt": ({"sine": {"amplitude": 1, "frequenzy": 2}}, 'unknown key "frequenzy"'),
    "missing": ({"sine": {"amplitude": 1}}, "sine, frequency: missing"),
    "empty": ({"polynomial": []}, "[] is no list of numbers"),
    "pairs": (
        {"table": [1, 2]},
        f"no list of two or more pairs of numbers; give times and values, {PAIRS}",
    ),
    "one": ({"table": [[1, 2]]}, "is no list of two or more pairs of numbers"),
    "order": ({"table": [[1, 2], [1, 3]]}, "the times [1, 1] do not rise; sort the pairs"),
    "ends": ({"table": [[0, 0], [1, 1]], "ends": "open"}, 'no ends "open"; known: rest, straight'),
    "long": ({"table": [[k, 0] for k in range(501)]}, "501 points; 500 are the most; give longer"),
    "nested": ({"expression": {"sine": {}}}, "write an expression in quotes"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_function_of_time_is_refused(case):
    data, expected = REFUSED[case]
    problems = []
    read(data, problems)
    texts = [f"{p.where}: {p.found}; {p.remedy}" for p in problems]
    assert any(expected in text for text in texts), texts
    assert all(text.startswith('joint "j", motion') for text in texts)


def test_as_many_functions_as_freedoms():
    problems = []
    table = Table('joint "j"', {"torque": [1, 2]}, problems, Scope())
    assert len(read_time_functions(table, "torque", table.raw("torque"), 3)) == 3
    assert str(problems[0].found) == "[1, 2] is no list of 3"


def test_a_smooth_step_without_width_is_a_step():
    for x, expected in ((1.0, 0.0), (3.0, 1.0)):
        assert FUNCTIONS["smooth_step"].value(x, 2.0, 2.0) == expected
