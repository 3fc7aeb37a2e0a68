"""Motions told in full that contradict themselves are found; those that do not are left alone."""

import numpy as np
import pytest

from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.reference.contradictions import Contradictions
from mbd_fmu.reference.motions import Track
from mbd_fmu.reference.turns import turned_by
from mbd_fmu.spatial import quaternion_product
from mbd_fmu.system.variables import PrescribedMotion

PIN = PrescribedMotion(0, JOINTS["revolute"].layout, 0, name="pin")
BALL = PrescribedMotion(0, JOINTS["spherical"].layout, 0)
SCALAR = Track(PIN, (range(1), range(1, 2), range(2, 3)))
TURN = Track(BALL, BALL.turn)


def found_in(rows, h, track=SCALAR):
    """Return the steps at which something was said, and the level."""
    watched = Contradictions(track)
    said = [watched.find(tuple(np.atleast_1d(y) for y in row), h) for row in rows]
    return [(k, level) for k, level in enumerate(said) if level is not None]


def swing(times, w=6.0):
    return np.stack([np.cos(w * times), -w * np.sin(w * times), -w * w * np.cos(w * times)], axis=1)


def trapezoid(times):
    """Start, cruise and stop with accelerations that jump."""
    a = np.select([times < 0.2, times < 0.5, times < 0.7], [1.0, 0.0, -1.0], 0.0)
    v = np.interp(times, [0.0, 0.2, 0.5, 0.7], [0.0, 0.2, 0.2, 0.0])
    q = np.select(
        [times < 0.2, times < 0.5, times < 0.7],
        [times**2 / 2, 0.02 + 0.2 * (times - 0.2), 0.1 - (0.7 - times) ** 2 / 2],
        0.1,
    )
    return np.stack([q, v, a], axis=1)


def smooth_start(times):
    s = np.clip(times, 0.0, 1.0)
    return np.stack([s**5 * (6 - 5 * s), 30 * s**4 * (1 - s), 60 * s**3 * (2 - 2.5 * s)], axis=1)


@pytest.mark.parametrize("motion", [swing, trapezoid, smooth_start])
@pytest.mark.parametrize("h", [0.001, 0.01, 0.05])
def test_a_motion_that_agrees_with_itself_is_left_alone(motion, h):
    assert found_in(motion(np.arange(0.0, 1.5, h)), h) == []


@pytest.mark.parametrize("motion", [swing, smooth_start])
@pytest.mark.parametrize("parts", [2, 10, 50])
def test_rows_interpolated_between_are_left_alone(motion, parts):
    """Between rows 20 ms apart position, velocity and acceleration go on straight lines each."""
    rows = np.arange(0.0, 1.5, 0.02)
    times = np.arange(0.0, 1.4, 0.02 / parts)
    table = motion(rows)
    told = np.stack([np.interp(times, rows, column) for column in table.T], axis=1)
    assert found_in(told, 0.02 / parts) == []


def test_rounded_values_are_left_alone():
    """Six digits of a slow motion: the position stands still, then makes a little jump."""
    times = np.arange(0.0, 0.5, 0.001)
    slow = np.stack([0.3 + 1e-4 * times, np.full_like(times, 1e-4), 0 * times], axis=1)
    assert found_in(np.round(slow, 6), 0.001) == []


def test_a_position_alone_is_said_at_its_first_step_and_once():
    told = swing(np.arange(0.0, 1.0, 0.01)) * [1, 0, 0]
    assert found_in(told, 0.01) == [(1, 0)]


def test_a_single_jump_is_said():
    assert found_in([[0, 0, 0], [0, 0, 0], [0.1, 0, 0], [0.1, 0, 0]], 0.01) == [(2, 0)]


def test_an_acceleration_that_is_missing_is_said():
    ((_, level),) = found_in(swing(np.arange(0.0, 1.0, 0.01)) * [1, 1, 0], 0.01)
    assert level == 1


@pytest.mark.parametrize("factor", [0.0, -1.0, 57.3, 0.0175])
def test_velocities_of_wrong_sign_or_unit_are_said(factor):
    """Where accelerations are small they cannot account for it."""
    times = np.arange(0.0, 1.0, 0.01)
    ramp = np.stack([times, np.full_like(times, factor), 0 * times], axis=1)
    assert [level for _, level in found_in(ramp, 0.01)] == [0]


def test_a_turn_about_an_axis_that_moves_is_left_alone_and_one_without_rate_is_said():
    h, w, alpha = 0.01, np.array([1.0, 0, 0]), np.array([0, 2.0, 0])
    quat, rows = np.array([1.0, 0, 0, 0]), []
    for k in range(50):
        now = w + alpha * k * h
        rows.append((quat, now, alpha))
        theta = now * h + alpha * h**2 / 2 + np.cross(alpha, now) * h**3 / 12
        quat = quaternion_product(turned_by(theta), quat)
    assert found_in(rows, h, TURN) == []
    bare = [(q, np.zeros(3), np.zeros(3)) for q, _, _ in rows]
    assert found_in(bare, h, TURN) == [(1, 0)]
