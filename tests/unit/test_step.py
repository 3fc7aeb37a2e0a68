"""Solvers against solutions known in closed form, and against SciPy's table of coefficients."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from scipy.integrate import RK45
from scipy.spatial.transform import Rotation

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.export.variables import Motion
from mbd_fmu.reference import step as module
from mbd_fmu.reference.step import StepError, Stepper, inputs_at

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


def told(*kinds):
    """Return what ``inputs_at`` needs of a table: motions of these joints, one after another."""
    sizes = [{"free": 19, "spherical": 10, "planar": 9}.get(kind, 3) for kind in kinds]
    stops = [sum(sizes[: n + 1]) for n in range(len(sizes))]
    parts = [
        Motion(0, kind, slice(stop - n, stop))
        for kind, n, stop in zip(kinds, sizes, stops, strict=True)
    ]
    return SimpleNamespace(motions=parts)


@law
@given(arrays(float, 4, elements=st.floats(-3, 3)), st.floats(0, 2))
def test_a_prescribed_motion_goes_on_as_a_polynomial_of_its_derivatives(derivatives, t):
    motion = np.polynomial.Polynomial(derivatives / [1, 1, 2, 6])  # Taylor's series
    u = np.array([motion(0), motion.deriv()(0), motion.deriv(2)(0)])
    u_rate = np.array([np.nan, np.nan, motion.deriv(3)(0)])  # the first two follow from the rest
    expected = [motion(t), motion.deriv()(t), motion.deriv(2)(t)]
    assert_allclose(inputs_at(told("revolute"), u, u_rate, t), expected, rtol=1e-12, atol=1e-12)


def test_inputs_that_are_no_motion_are_held_or_move_on_at_their_rate():
    u, u_rate = np.array([1.0, 2.0]), np.array([0.0, 3.0])
    assert inputs_at(told(), u, u_rate, 0.5).tolist() == [1.0, 3.5]
    assert u.tolist() == [1.0, 2.0]


def test_a_prescribed_turn_about_a_fixed_axis_goes_on_as_scipy_turns():
    axis, start = np.array([2.0, -1.0, 2.0]) / 3, Rotation.from_rotvec([0.3, 0.2, -0.4])
    w, alpha, jerk, t = 1.5, -0.8, 0.6, 0.7
    u, u_rate = np.zeros(19), np.zeros(19)  # r, quaternion, v, w, a, alpha
    u[3:7], u[10:13], u[16:19] = start.as_quat(scalar_first=True), w * axis, alpha * axis
    u_rate[16:19] = jerk * axis
    now = inputs_at(told("free"), u, u_rate, t)
    angle = w * t + alpha * t**2 / 2 + jerk * t**3 / 6
    expected = (Rotation.from_rotvec(angle * axis) * start).as_quat(scalar_first=True)
    assert_allclose(now[3:7], expected * np.sign(expected @ now[3:7]), atol=1e-12)
    assert_allclose(now[10:13], (w + alpha * t + jerk * t**2 / 2) * axis, atol=1e-12)


def test_the_origin_of_a_prescribed_free_motion_falls_as_a_stone():
    u = np.zeros(19)
    u[3] = 1.0  # no turn
    u[0:3], u[7:10], u[13:16] = [1, 2, 3], [4, 5, 6], [7, 8, 9]
    now = inputs_at(told("free"), u, np.zeros(19), 0.5)
    assert_allclose(now[0:3], u[0:3] + u[7:10] * 0.5 + u[13:16] * 0.5**2 / 2, rtol=1e-12)
    assert_allclose(now[7:10], u[7:10] + u[13:16] * 0.5, rtol=1e-12)
    assert now[13:16].tolist() == [7, 8, 9]


def test_each_freedom_of_a_prescribed_joint_goes_on_by_itself():
    # q1 q2 q3, their rates, their accelerations; before them another motion.
    u = np.array([0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9.0])
    now = inputs_at(told("prismatic", "planar"), u, np.zeros(12), 0.5)
    assert_allclose(now[3:6], u[3:6] + u[6:9] * 0.5 + u[9:12] * 0.125, rtol=1e-12)
    assert_allclose(now[6:9], u[6:9] + u[9:12] * 0.5, rtol=1e-12)


def test_a_prescribed_ball_joint_turns_as_scipy_does():
    w = np.array([0.3, -0.2, 0.5])
    u = np.array([1.0, 0, 0, 0, *w, 0, 0, 0])  # quaternion, w, alpha
    now = inputs_at(told("spherical"), u, np.zeros(10), 2.0)
    assert_allclose(now[:4], Rotation.from_rotvec(2 * w).as_quat(scalar_first=True), atol=1e-12)
