"""Solvers against solutions known in closed form, and against SciPy's table of coefficients."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.integrate import RK45

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.mechanics.constrained import MasslessError
from mbd_fmu.reference import step as module
from mbd_fmu.reference.manifold import MisfitError
from mbd_fmu.reference.step import StepError, Stepper

law = settings(derandomize=True, deadline=None)
START = np.array([1.0, 0.0])


def oscillator(t, x):
    """x1'' = -x1, written as a system; from (1, 0) its solution is (cos t, -sin t)."""
    del t
    return np.array([x[1], -x[0]])


def solution(t):
    return np.array([np.cos(t), -np.sin(t)])


def solver(method, tolerance=1e-6, max_step=1e-2, **more):
    return Stepper(method, tolerance, max_step, **more)


both = pytest.mark.parametrize("method", ["dopri5", "rk4"])


def test_the_coefficients_are_those_of_dormand_and_prince():
    for row, expected in zip(module.A[:-1], RK45.A, strict=True):
        assert_allclose(row, expected[: len(row)], rtol=1e-15)
    assert_allclose(module.A[-1], RK45.B, rtol=1e-15)
    assert_allclose(module.C, [*RK45.C, 1], rtol=1e-15)
    assert_allclose(module.E, -np.array(RK45.E), rtol=1e-15)


@pytest.mark.parametrize(("method", "order"), [("dopri5", 5), ("rk4", 4)])
def test_halving_the_step_divides_the_error_by_two_to_the_order(method, order):
    def error(n):
        # Tolerance and h so large that one internal step is taken per call.
        stepper, x = solver(method, tolerance=1e6, max_step=1e6, h=1e6), START
        for _ in range(n):
            x = stepper.advance(oscillator, 2.0 / n, x)
        return np.linalg.norm(x - solution(2.0))

    # The next term of the error is a step size smaller: it bends the order by a few percent.
    assert np.log2(error(16) / error(32)) == pytest.approx(order, abs=0.2)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8, 1e-10])
def test_the_error_follows_the_tolerance(tolerance):
    error = np.abs(solver("dopri5", tolerance).advance(oscillator, 10.0, START) - solution(10.0))
    # A step may err by tolerance * (1 + |x|); over 10 s some ten to a hundred steps add up.
    assert error.max() < 100 * tolerance
    assert error.max() > 1e-3 * tolerance  # more would be wasted work


def test_a_finer_tolerance_takes_more_steps():
    def evaluations(tolerance):
        calls = []
        solver("dopri5", tolerance).advance(
            lambda t, x: calls.append(t) or oscillator(t, x), 10.0, START
        )
        return len(calls)

    # The step grows with the fifth root of the tolerance: 1e-5 in tolerance is a tenth of the step.
    assert evaluations(1e-10) / evaluations(1e-5) == pytest.approx(10, rel=0.3)


@both
def test_a_rate_that_depends_on_time_is_asked_at_the_right_times(method):
    # x' = 3 t^2 makes x = t^3: both methods are exact for cubics, if their times are right.
    found = solver(method, max_step=0.25).advance(
        lambda t, _: np.array([3 * t * t]), 2.0, np.ones(1)
    )
    assert found == pytest.approx(9.0, rel=1e-12)


@both
@law
@given(length=st.floats(1e-3, 10), memory=st.floats(1e-2, 20))
def test_the_end_is_hit_exactly(method, length, memory):
    times = []

    def rate(t, _):
        times.append(t)
        return np.ones(1)

    stepper = solver(method, max_step=memory, h=memory)
    assert stepper.advance(rate, length, np.zeros(1)) == pytest.approx(length, rel=1e-12)
    assert max(times) == pytest.approx(length, rel=1e-15)
    assert min(times) == 0


def test_rk4_takes_equal_steps_no_longer_than_asked_for():
    times = []
    solver("rk4", max_step=0.3).advance(lambda t, x: times.append(t) or 0 * x, 1.0, np.zeros(1))
    assert_allclose(np.unique(times), np.arange(9) / 8, rtol=1e-15)


def test_the_memory_of_the_last_step_saves_the_search_for_the_next():
    def evaluations(stepper):
        calls = []
        stepper.advance(lambda t, x: calls.append(t) or oscillator(t, x), 0.1, START)
        return len(calls)

    stepper = solver("dopri5")
    assert evaluations(stepper) > evaluations(stepper) == 7  # one step: the first slope and six


@both
def test_one_long_step_and_many_short_ones_agree(method):
    tolerance = 1e-9
    once = solver(method, tolerance).advance(oscillator, 1.0, START)
    stepper, x = solver(method, tolerance), START
    for _ in range(10):
        x = stepper.advance(oscillator, 0.1, x)
    # Both are within the error of the method, below 1e-8 as the tests above show.
    assert_allclose(x, once, atol=1e-8)


@both
def test_a_state_that_rests_stays_where_it_is(method):
    assert solver(method).advance(lambda _, x: 0 * x, 1.0, START).tolist() == START.tolist()


@both
def test_the_state_handed_in_is_not_changed(method):
    x = START.copy()
    solver(method).advance(oscillator, 1.0, x)
    assert x.tolist() == START.tolist()


@both
def test_quaternions_keep_length_one_and_other_states_are_left_alone(method):
    # x' = x would make everything grow by e.
    start = np.array([2.0, 0, 0.6, 0, 0.8, 3.0])
    x = solver(method, quaternions=(1,)).advance(lambda _, x: x, 1.0, start)
    assert x[1:5] == pytest.approx([0, 0.6, 0, 0.8], abs=1e-12)
    assert x[[0, 5]] == pytest.approx([2 * np.e, 3 * np.e], rel=1e-5)  # the solvers' error


def test_normalizing_returns_a_new_state():
    x = np.array([3.0, 0.0, 3.0, 0.0, 4.0])
    assert solver("rk4", quaternions=(1,)).normalized(x).tolist() == [3.0, 0.0, 0.6, 0.0, 0.8]
    assert x.tolist() == [3.0, 0.0, 3.0, 0.0, 4.0]


@pytest.mark.parametrize(
    ("method", "text"),
    [
        ("dopri5", "the motion cannot be followed with tolerance 1e-06"),
        ("rk4", "the motion cannot be followed with steps of 0.01 s"),
    ],
)
def test_a_rate_that_is_no_number_is_refused(method, text):
    with pytest.raises(StepError) as caught:
        solver(method).advance(lambda _, x: x * np.nan, 1.0, START)
    assert str(caught.value) == text
    assert isinstance(caught.value, MbdFmuError)


@both
def test_a_motion_that_runs_away_in_finite_time_is_refused(method):
    # x' = x^2 from 1 is 1 / (1 - t): infinite at 1 s, before the end of the step.
    with pytest.raises(StepError):
        solver(method).advance(lambda _, x: x * x, 2.0, np.ones(1))


def test_a_rate_that_ends_half_way_is_refused():
    def rate(t, x):
        return x if t < 0.5 else x * np.nan

    with pytest.raises(StepError):
        solver("dopri5").advance(rate, 1.0, START)


@both
def test_an_infinite_rate_is_refused_without_a_warning(method):
    with pytest.raises(StepError):
        solver(method).advance(lambda _, x: x * np.inf, 1.0, np.ones(1))


@both
def test_a_mechanism_without_states_can_be_stepped(method):
    assert solver(method).advance(lambda _, x: x, 1.0, np.zeros(0)).shape == (0,)


def test_too_many_steps_of_rk4_are_refused_before_they_are_taken():
    with pytest.raises(StepError) as caught:
        solver("rk4", max_step=1e-8).advance(oscillator, 1.0, START)
    assert str(caught.value) == "a step of 1 s takes 1e+08 internal ones of 1e-08 s"


@pytest.mark.parametrize("error", [MisfitError, MasslessError])
def test_where_projection_fails_a_shorter_step_is_tried_as_in_the_fmu(error):
    """runtime/adaptive.c refuses such a step like too large an error; so does its twin."""
    longest, reached = 0.02, [0.0]

    def settled(t, x):
        if t - reached[-1] > longest:
            raise error("from so far it cannot be brought back")
        reached.append(t)
        return x

    x = solver("dopri5", settled=settled).advance(oscillator, 1.0, START)
    assert np.diff(reached).max() <= longest
    assert_allclose(x, solution(1.0), atol=1e-6)  # the tolerance per step


@pytest.mark.parametrize("error", [MisfitError, MasslessError])
def test_where_it_fails_at_every_length_the_step_is_refused_in_words(error):
    def settled(*_):
        raise error("it misses")

    with pytest.raises(StepError, match="cannot be followed with tolerance"):
        solver("dopri5", settled=settled).advance(oscillator, 1.0, START)
    with pytest.raises(StepError, match=r"cannot be followed with steps of 0\.01 s: it misses"):
        solver("rk4", settled=settled).advance(oscillator, 1.0, START)
