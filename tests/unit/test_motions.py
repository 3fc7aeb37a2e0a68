"""Prescribed motions over a step: the law of ``reference/course.py`` against closed forms."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from mbd_fmu.reference.course import course
from mbd_fmu.reference.turns import difference, turned_by, unit

law = settings(derandomize=True, deadline=None, max_examples=40)
WAYS = ("full", "position", "velocity")
LEAD = {"full": 2, "position": 0, "velocity": 1}


def levels(*values):
    return tuple(np.atleast_1d(np.asarray(v, dtype=float)) for v in values)


def told_in_steps(told, motion, h, n, *, rates=False, start=(0.0, 0.0, 0.0)):
    """Position, velocity, acceleration at the ends of n equal steps, led by ``motion(t)``."""
    reached, found = levels(*start), []
    for k in range(n):
        now, later = motion(k * h), motion((k + 1) * h)
        chord = (np.subtract(later, now) / h)[[LEAD[told]]] if rates else None
        reached = course(told, reached, levels(*now), chord, h, h).at(h)
        found.append([float(y[0]) for y in reached])
    return np.array(found)


@law
@given(arrays(float, 4, elements=st.floats(-3, 3)), st.floats(0, 1))
def test_a_motion_told_in_full_goes_on_as_a_polynomial_of_its_derivatives(derivatives, s):
    motion = np.polynomial.Polynomial(derivatives / [1, 1, 2, 6])  # Taylor's series
    told = levels(motion(0), motion.deriv()(0), motion.deriv(2)(0))
    now = course("full", told, told, levels(motion.deriv(3)(0))[0], 2.0, 2.0).at(2.0 * s)
    expected = [motion(2 * s), motion.deriv()(2 * s), motion.deriv(2)(2 * s)]
    assert_allclose(np.ravel(now), expected, rtol=1e-12, atol=1e-11)


@law
@given(
    arrays(float, 14, elements=st.floats(-2, 2)),
    st.sampled_from(WAYS),
    st.booleans(),
    st.booleans(),
)
def test_a_motion_goes_on_where_it_was_with_rates_that_are_its_own(x, told, turns, has_rates):
    """Differences of positions are velocities, of those accelerations; nothing jumps."""
    if turns:
        start = unit(np.array([1.0, *(0.3 * x[:3])]))
        reached = (start, x[3:6], x[6:9])
        said = (unit(start + 0.1 * x[9:13]), x[5:8], x[8:11])
    else:
        reached, said = levels(*x[:3]), levels(*x[3:6])
    rates = 0.2 * x[10:14] if turns else x[10:11]
    rates = rates[:3] if turns and told != "position" else rates
    it = course(told, reached, said, rates if has_rates or told == "full" else None, 0.4, 0.5)
    acts = said[2] if told == "full" else reached[2]  # what is told as acceleration acts at once
    for found, expected in zip(it.at(0.0), (*reached[:2], acts), strict=True):
        assert_allclose(found, expected, atol=1e-10)
    d = 1e-5
    for t in (0.1, 0.3):
        low, now, high = it.at(t - d), it.at(t), it.at(t + d)
        for level in range(2):
            way = difference(high[level], low[level], turns=turns and level == 0)
            assert_allclose(way / (2 * d), now[level + 1], rtol=1e-4, atol=1e-4)


def test_a_turn_about_a_fixed_axis_goes_on_as_scipy_turns():
    axis, start = np.array([2.0, -1.0, 2.0]) / 3, Rotation.from_rotvec([0.3, 0.2, -0.4])
    w, alpha, jerk, t = 1.5, -0.8, 0.6, 0.7
    told = (start.as_quat(scalar_first=True), w * axis, alpha * axis)
    q, w_now, alpha_now = course("full", told, told, jerk * axis, 1.0, 1.0).at(t)
    angle = w * t + alpha * t**2 / 2 + jerk * t**3 / 6
    expected = (Rotation.from_rotvec(angle * axis) * start).as_quat(scalar_first=True)
    assert_allclose(q, expected * np.sign(expected @ q), atol=1e-12)
    assert_allclose(w_now, (w + alpha * t + jerk * t**2 / 2) * axis, atol=1e-12)
    assert_allclose(alpha_now, (alpha + jerk * t) * axis, atol=1e-12)


def test_an_angular_velocity_that_turns_goes_on_as_it_is_told():
    """w + alpha t, to an error of third order: the axis moves, Magnus' term is needed."""
    w, alpha = np.array([1.0, -0.5, 0.3]), np.array([0.2, 2.0, -1.0])
    told = (np.array([1.0, 0, 0, 0]), w, alpha)
    errors = []
    for h in (0.2, 0.1):
        found = course("full", told, told, np.zeros(3), h, h).at(h)[1]
        errors.append(np.abs(found - (w + h * alpha)).max())
    assert errors[0] / errors[1] == pytest.approx(16, rel=0.1)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1.0, 3.0, 9.0, 60.0, 1e4])
def test_quaternions_of_rotation_vectors_are_those_of_scipy(angle):
    theta = angle * np.array([2.0, -1.0, 2.0]) / 3
    expected = Rotation.from_rotvec(theta).as_quat(scalar_first=True)
    found = turned_by(theta)
    assert_allclose(found, expected * np.sign(expected @ found), atol=1e-13 + 1e-15 * angle)


# --- Errors, jumps, stability ---


@pytest.mark.parametrize(
    ("told", "rates", "factors"),
    [
        ("position", False, (-1.0, -11 / 6, -2.0)),
        ("position", True, (0.0, -1 / 3, -1.0)),
        ("velocity", False, (None, -1.0, -1.5)),
        ("velocity", True, (None, 0.0, -0.5)),
    ],
)
def test_errors_are_those_the_law_states(told, rates, factors):
    """Of a constant third derivative j: factors of h^3 j, h^2 j, h j."""
    j, h, n = 6.0, 0.1, 8

    def motion(t):
        return np.array([j * t**3 / 6, j * t**2 / 2, j * t])

    end = told_in_steps(told, motion, h, n, rates=rates)[-1] - motion(n * h)
    for error, factor, order in zip(end, factors, (3, 2, 1), strict=True):
        if factor is not None:
            assert error == pytest.approx(factor * h**order * j, abs=1e-12)


@pytest.mark.parametrize(
    ("told", "level", "expected"), [("position", 0, [0, 3, 0, 1, 1]), ("velocity", 1, [0, 2, 1, 1])]
)
def test_after_a_jump_steps_end_as_the_law_states(told, level, expected):
    def motion(t):
        jump = float(t > 0.05)
        return np.array([jump, jump, 0.0])

    found = told_in_steps(told, motion, 0.1, len(expected))[:, level]
    assert found == pytest.approx(expected, abs=1e-12)


def sequences():
    """Periods of steps: all of up to four out of a few sizes, and many short ones after a long."""
    for n in range(1, 5):
        yield from itertools.product([1, 0.3, 0.1, 0.01], repeat=n)
    for n, short in itertools.product((1, 2, 3, 5, 10, 30, 60, 100), (0.5, 0.1, 0.03, 0.01)):
        yield (1, *([short] * n))


@pytest.mark.parametrize("told", ["position", "velocity"])
@pytest.mark.parametrize("rates", [False, True])
def test_no_sequence_of_steps_makes_errors_grow(told, rates):
    """Largest eigenvalue of what is left of an error after a period; told is rest at zero."""
    n = 3 if told == "position" else 2  # the position is free where velocities are told
    worst = 0.0
    for steps in sequences():
        span, last, period = 0.0, steps[-1], np.eye(n)
        for lap in range(2):  # the first one only to settle the span
            for h in steps:
                span = max(h, last, span - last / 2)
                last = h
                if lap == 1:
                    period = step_matrix(told, h, span, n, rates=rates) @ period
        worst = max(worst, np.abs(np.linalg.eigvals(period)).max())
    assert worst < 0.2


def step_matrix(told, h, span, n, *, rates=False):
    """What a step makes of errors in position, velocity, acceleration (or in the last two)."""
    columns = []
    for unit_error in np.eye(n):
        reached = levels(*unit_error) if n == 3 else levels(0.0, *unit_error)
        zero = levels(0.0)[0] if rates else None
        end = course(told, reached, levels(0, 0, 0), zero, h, span).at(h)
        columns.append(np.ravel(end)[-n:])
    return np.stack(columns, axis=1)


def test_equal_steps_forget_at_once():
    step = step_matrix("position", 0.1, 0.1, 3)
    assert np.abs(step @ step @ step).max() < 1e-9 * np.abs(step).max()
