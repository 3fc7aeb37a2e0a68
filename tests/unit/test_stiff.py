"""The Rosenbrock method against its order conditions, closed forms, and the C's coefficients."""

import re
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import mbd_fmu
from mbd_fmu.reference import stiff as module
from mbd_fmu.reference.step import STIFF_STEPS, StepError, Stepper

STAGES = 6


def solver(tolerance=1e-6, **more):
    return Stepper("stiff", tolerance, 0.0, **more)


def one_step_at_a_time(rate, x, n, length):
    """n equal steps: tolerance and memory so large that each call takes one."""
    stepper = solver(tolerance=1e6, h=1e6)
    for k in range(n):
        start = k * length / n
        x = stepper.advance(lambda t, y, s=start: rate(s + t, y), length / n, x)
    return x


# --- Coefficients ---


def square(rows):
    """A lower triangle as a matrix."""
    full = np.zeros((STAGES, STAGES))
    for i, row in enumerate(rows):
        full[i, : len(row)] = row
    return full


def classical():
    """alpha, beta and the weights b of both orders; H & W II, eq. IV.7.4 and IV.7.25."""
    Gamma = np.linalg.inv(np.eye(STAGES) / module.GAMMA - square(module.C))
    alpha = square(module.A) @ Gamma
    last = square(module.A)[-1] + np.eye(STAGES)[-1]  # the solution adds u_6 to the last stage
    return alpha, alpha + Gamma, last @ Gamma, square(module.A)[-1] @ Gamma


def conditions(b):
    """What an order of 4 asks for, by order; H & W II, tab. IV.7.1, gamma included in beta."""
    alpha, beta, _, _ = classical()
    ones = np.ones(STAGES)
    a, c = alpha @ ones, beta @ ones
    return {
        1: [b @ ones - 1],
        2: [b @ c - 1 / 2],
        3: [b @ a**2 - 1 / 3, b @ beta @ c - 1 / 6],
        4: [
            b @ a**3 - 1 / 4,
            b @ (a * (alpha @ c)) - 1 / 8,
            b @ beta @ a**2 - 1 / 12,
            b @ beta @ beta @ c - 1 / 24,
        ],
    }


def test_the_solution_is_of_order_four_and_the_other_one_of_order_three():
    # the coefficients have 16 digits, some of them of size 60
    _, _, b, embedded = classical()
    for errors in conditions(b).values():
        assert np.abs(errors).max() < 1e-13
    for order, errors in conditions(embedded).items():
        assert (np.abs(errors).max() < 1e-13) == (order < 4)


def test_times_and_shares_of_the_time_derivative_are_sums_of_rows():
    alpha, beta, _, _ = classical()
    assert_allclose(alpha.sum(axis=1), module.AT, atol=1e-14)
    assert_allclose((beta - alpha).sum(axis=1), module.D, atol=1e-14)


def stability(z):
    _, beta, b, _ = classical()
    return 1 + z * b @ np.linalg.solve(np.eye(STAGES) - z * beta, np.ones(STAGES))


def test_it_is_stable_in_the_left_half_plane_and_forgets_what_is_infinitely_stiff():
    for y in np.geomspace(1e-3, 1e8, 200):
        assert abs(stability(1j * y)) <= 1 + 1e-12  # A-stable by the maximum principle
    assert abs(stability(-1e9)) < 1e-7
    assert abs(stability(1e9j)) < 1e-7


def test_the_c_has_the_same_coefficients():
    text = (Path(mbd_fmu.__file__).parent / "runtime" / "stiff.c").read_text(encoding="ascii")

    def numbers(name):
        block = re.search(
            rf"double {name}\[STAGES\](?:\[STAGES - 1\])? = \{{(.*?)\n?\}};", text, re.DOTALL
        )
        return [float(n) for n in re.findall(r"-?\d+\.\d+", block[1])]

    for name in ("AT", "D"):
        assert numbers(name) == list(getattr(module, name))
    for name in ("A", "C"):
        rows = getattr(module, name)
        assert numbers(name) == [0.0, *(entry for row in rows for entry in row)]
    assert f"#define GAMMA {module.GAMMA}" in text


# --- Order ---


def driven_pendulum(t, x):
    return np.array([x[1], -np.sin(x[0]) - 0.2 * x[1] ** 3 + np.cos(2 * t) * x[0]])


def test_halving_the_step_divides_the_error_by_sixteen():
    start = np.array([1.0, 0.5])
    exact = Stepper("dopri5", 1e-13, 0.0).advance(driven_pendulum, 2.0, start)
    errors = [
        np.abs(one_step_at_a_time(driven_pendulum, start, n, 2.0) - exact).max()
        for n in (80, 160, 320)
    ]
    slopes = -np.diff(np.log2(errors))
    assert slopes.min() > 3.7, slopes
    assert slopes.max() < 4.5, slopes


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8])
def test_the_error_follows_the_tolerance(tolerance):
    start = np.array([1.0, 0.5])
    exact = Stepper("dopri5", 1e-13, 0.0).advance(driven_pendulum, 5.0, start)
    error = np.abs(solver(tolerance).advance(driven_pendulum, 5.0, start) - exact).max()
    # a step may err by tolerance * (1 + |x|); some ten to hundreds of steps add up
    assert 1e-3 * tolerance < error < 100 * tolerance


def test_it_is_exact_for_cubics_in_time():
    found = solver().advance(lambda t, _: np.array([3 * t * t]), 2.0, np.ones(1))
    # the time derivative is a central difference, exact for parabolas but for rounding
    assert found == pytest.approx(9.0, rel=1e-10)


# --- Stiffness ---


def oscillator(w, damping):
    """x'' + 2 D w x' + w^2 (x - sin t) = 0, and the solution that only follows the drive."""

    def rate(t, x):
        return np.array([x[1], -2 * damping * w * x[1] - w * w * (x[0] - np.sin(t))])

    gain = w * w / (w * w - 1 + 2j * damping * w)  # of exp(it)

    def solution(t):
        value = gain * np.exp(1j * t)
        return np.array([value.imag, (1j * value).imag])

    return rate, solution


@pytest.mark.parametrize("w", [1e3, 1e5, 1e7])
@pytest.mark.parametrize("damping", [0.01, 1.0, 10.0])
def test_a_stiff_oscillator_follows_its_drive_in_few_evaluations(w, damping):
    rate, solution = oscillator(w, damping)
    calls = []
    stepper = solver(1e-6)
    x = stepper.advance(lambda t, y: calls.append(t) or rate(t, y), 3.0, solution(0.0))
    assert_allclose(x, solution(3.0), atol=1e-5)  # some tens of steps of 1e-6
    # an explicit method takes w / 3 steps of six at least: 6000 to 6e7 evaluations in 3 s
    assert len(calls) < 1000


@pytest.mark.parametrize("stiffness", [1e3, 1e6, 1e9])
def test_a_strongly_damped_mode_decays_at_once_and_without_oscillation(stiffness):
    """x' = -k (x - cos t) from 1 beside its target, in steps of 0.1 s."""

    def rate(t, x):
        return -stiffness * (x - np.cos(t))

    target = (stiffness**2 * np.cos(0.1) + stiffness * np.sin(0.1)) / (1 + stiffness**2)
    one = one_step_at_a_time(rate, np.array([2.0]), 1, 0.1)
    # R(z) = 9.3 / |z| + ... is what is left of the 1
    assert abs(one[0] - target) < 20 / (0.1 * stiffness)
    deviations = []
    for n in (1, 2, 3):
        length = 0.1 * n
        exact = (stiffness**2 * np.cos(length) + stiffness * np.sin(length)) / (1 + stiffness**2)
        deviations.append(one_step_at_a_time(rate, np.array([2.0]), n, length)[0] - exact)
    assert np.all(np.abs(deviations[1:]) <= np.abs(deviations[0]))


def test_slopes_are_those_of_the_rate():
    def rate(t, x):
        return np.array([x[0] * x[1] + t * t, np.sin(x[0]) * t])

    jacobian, in_time = module.slopes(rate, 0.5, np.array([0.3, 2.0]), 1.0)
    assert_allclose(jacobian, [[2.0, 0.3], [0.5 * np.cos(0.3), 0.0]], atol=1e-9)
    assert_allclose(in_time, [1.0, np.sin(0.3)], atol=1e-9)


# --- As every solver ---


def test_the_end_is_hit_exactly_and_the_state_handed_in_is_not_changed():
    x = np.zeros(1)
    for length, memory in ((1.0, 0.3), (0.01, 20.0), (7.0, 0.01)):
        found = solver(h=memory).advance(lambda _, y: np.ones_like(y), length, x)
        assert found == pytest.approx(length, rel=1e-12)
    assert x.tolist() == [0.0]


def test_quaternions_keep_length_one():
    start = np.array([2.0, 0, 0.6, 0, 0.8, 3.0])
    x = solver(quaternions=(1,)).advance(lambda _, x: x, 1.0, start)
    assert x[1:5] == pytest.approx([0, 0.6, 0, 0.8], abs=1e-12)
    assert x[[0, 5]] == pytest.approx([2 * np.e, 3 * np.e], rel=1e-5)  # the solver's error


def test_a_mechanism_without_states_can_be_stepped():
    assert solver().advance(lambda _, x: x, 1.0, np.zeros(0)).shape == (0,)


def test_rates_that_are_no_numbers_and_motions_that_run_away_are_refused():
    with pytest.raises(StepError, match="cannot be followed with tolerance 1e-06"):
        solver().advance(lambda _, x: x * np.nan, 1.0, np.ones(2))
    with pytest.raises(StepError):
        solver().advance(lambda _, x: x * x, 2.0, np.ones(1))


# --- When an explicit method struggles ---


def strain(rate, x, tolerance, length=0.01, n=50):
    half = len(x) // 2
    stepper = Stepper("dopri5", tolerance, 0.0, sizes=(half, half))
    for k in range(n):
        start = k * length
        x = stepper.advance(lambda t, y, s=start: rate(s + t, y), length, x)
    return stepper


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6])
def test_a_damped_stiff_oscillator_strains_dopri5(tolerance):
    rate, solution = oscillator(1e4, 2.0)
    assert strain(rate, solution(0.0), tolerance).is_strained


@pytest.mark.parametrize("tolerance", [1e-2, 1e-4, 1e-6, 1e-9])
def test_a_fast_oscillation_that_is_to_be_followed_does_not(tolerance):
    def rate(_, x):
        return np.array([x[1], -(300.0**2) * x[0]])

    assert not strain(rate, np.array([1.0, 0.0]), tolerance).is_strained


def test_a_few_strained_steps_are_forgotten():
    stepper = Stepper("dopri5", 1e-6, 0.0)
    for _ in range(10):
        for _ in range(STIFF_STEPS - 1):
            stepper._review(5.0)
        for _ in range(6):
            stepper._review(1.0)
    assert not stepper.is_strained
    for _ in range(STIFF_STEPS):
        stepper._review(1.0)
        stepper._review(5.0)
    assert stepper.is_strained
