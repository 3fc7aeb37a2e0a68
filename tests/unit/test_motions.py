"""Prescribed motions within a step, against polynomials and against the turns of SciPy."""

from types import SimpleNamespace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from mbd_fmu.export.variables import Motion
from mbd_fmu.reference.motions import inputs_at

law = settings(derandomize=True, deadline=None)


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
