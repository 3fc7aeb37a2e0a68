"""Start values against closed forms of planar chains and of a body in flight."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from mbd_fmu.errors import SpecError
from mbd_fmu.mechanics.frames import choose_frames
from mbd_fmu.quantities.vectors import vector_of
from mbd_fmu.system.start_values import start_position, start_velocity
from mbd_fmu.topology.forest import forest_of

law = settings(derandomize=True, deadline=None)
rates = st.floats(-5, 5)


def start(spec):
    """Return q and v at the start."""
    forest = forest_of(spec)
    frames = choose_frames(spec, forest)
    q = vector_of(tuple(start_position(spec, forest, frames)), spec.nominal)
    return q.astype(float), start_velocity(spec, forest, frames)


def moving(name, com, linear, angular):
    velocity = {"linear": list(linear), "angular": list(angular)}
    return {"name": name, "com": list(com), "velocity": velocity}


def test_without_start_values_the_mechanism_rests_as_drawn(mechanism):
    spec = mechanism(
        [{"name": "arm"}, {"name": "bird"}, {"name": "plate"}],
        [
            {"child": "arm", "reference": 0.25},
            {"child": "bird", "type": "free"},
            {"child": "plate", "type": "rigid"},
        ],
    )
    q, v = start(spec)
    assert q.tolist() == [0.25, 1, 0, 0, 0, 0, 0, 0]
    assert v == [0] * 7


def test_given_start_values_win_over_the_drawing(mechanism):
    spec = mechanism(
        [{"name": "arm"}, {"name": "bird"}],
        [
            {"child": "arm", "reference": 0.25, "position": "2*a", "velocity": "a"},
            {
                "child": "bird",
                "type": "free",
                "position": [0, 1, 0, 0, 7, 8, 9],
                "velocity": [1, 2, 3, 4, 5, 6],
            },
        ],
        parameters={"a": 0.5},
    )
    q, v = start(spec)
    assert q.tolist() == [1, 0, 1, 0, 0, 7, 8, 9]
    assert v[0].text == "a", "an expression stays one, so that the FMU's parameter acts on it"
    assert v[1:] == [1, 2, 3, 4, 5, 6]


@law
@given(rates, rates, st.floats(-3, 3), st.floats(-3, 3))
def test_the_joints_of_a_double_pendulum_follow_the_velocities_of_its_bodies(
    mechanism, first, second, q_1, q_2
):
    """In the plane: v = sum of w_i x r_i, with arms of 2 m and mass centres half-way."""
    arm_1, arm_2 = (np.array([np.cos(a), np.sin(a), 0]) for a in (q_1, q_1 + q_2))
    w_1, w_2 = np.array([0, 0, first]), np.array([0, 0, first + second])
    spec = mechanism(
        [
            moving("upper", [1, 0, 0], np.cross(w_1, arm_1), w_1),
            moving("lower", [3, 0, 0], np.cross(w_1, 2 * arm_1) + np.cross(w_2, arm_2), w_2),
        ],
        [
            {"child": "upper", "position": q_1},
            {"parent": "upper", "child": "lower", "point": [2, 0, 0], "position": q_2},
        ],
    )
    assert_allclose(start(spec)[1], [first, second], atol=1e-12)


def test_a_joint_declared_against_the_tree_turns_the_other_way(mechanism):
    spec = mechanism(
        [moving("arm", [1, 0, 0], [0, 3, 0], [0, 0, 3])],
        [{"name": "pin", "parent": "arm", "child": "ground"}],
    )
    assert_allclose(start(spec)[1], [-3], atol=1e-12)


def test_a_given_joint_velocity_holds_and_the_open_joint_makes_up_the_rest(mechanism):
    spec = mechanism(
        [{"name": "upper"}, moving("lower", [2, 0, 0], [0, 4, 0], [0, 0, 5])],
        [
            {"child": "upper", "velocity": -1},
            {"parent": "upper", "child": "lower", "point": [1, 0, 0]},
        ],
    )
    # Absolute rates -1 and 5: the mass centre moves with -1 * 1 m + 5 * 1 m.
    assert_allclose(start(spec)[1], [-1, 6], atol=1e-12)


def test_a_slider_follows_along_its_axis(mechanism):
    spec = mechanism(
        [moving("slider", [0, 0, 0], [0.6, 0.8, 0], [0, 0, 0])],
        [{"child": "slider", "type": "prismatic", "axis": [3, 4, 0]}],
    )
    assert_allclose(start(spec)[1], [1], atol=1e-12)


def test_a_free_body_takes_its_velocity_in_its_own_axes_at_the_joint_point(mechanism):
    quat, w, v = np.array([0.5, 0.5, -0.5, 0.5]), np.array([1.0, 2, 3]), np.array([4.0, 5, 6])
    com, point = np.array([0.3, 0, -0.2]), np.array([0, 0.1, 0])
    spec = mechanism(
        [moving("bird", com, v, w)],
        [
            {
                "child": "bird",
                "type": "free",
                "point": point.tolist(),
                "position": [*quat.tolist(), 1, 2, 3],
            }
        ],
    )
    R_WB = Rotation.from_quat(quat, scalar_first=True)
    v_point = v - np.cross(w, R_WB.apply(com - point))
    expected = [*R_WB.apply(w, inverse=True), *R_WB.apply(v_point, inverse=True)]
    assert_allclose(start(spec)[1], expected, atol=1e-12)


def test_velocities_the_joints_cannot_give_are_all_named_with_what_is_missing(mechanism):
    spec = mechanism(
        [
            moving("arm", [1, 0, 0], [0, 0, 0.5], [0, 0, 0]),
            moving("plate", [0, 0, 0], [0, 3, 4], [2, 0, 0]),
            moving("wheel", [0, 0, 0], [0, 0, 0], [0, 0, 7]),
        ],
        [{"child": "arm"}, {"child": "plate", "type": "rigid"}, {"child": "wheel"}],
    )
    with pytest.raises(SpecError) as caught:
        start(spec)
    assert str(caught.value) == (
        "mechanism: 2 problems\n"
        '  body "arm", velocity: the joints cannot give it; they miss by 0.5 m/s and 0 rad/s; '
        "give a velocity its joints allow, or the joints' velocities instead\n"
        '  body "plate", velocity: the joints cannot give it; they miss by 5 m/s and 2 rad/s; '
        "give a velocity its joints allow, or the joints' velocities instead"
    )


def test_a_given_joint_velocity_that_contradicts_its_body_is_refused(mechanism):
    spec = mechanism(
        [moving("arm", [1, 0, 0], [0, 3, 0], [0, 0, 3])], [{"child": "arm", "velocity": 2}]
    )
    with pytest.raises(SpecError, match=r'body "arm", velocity: .* miss by 1 m/s and 1 rad/s'):
        start(spec)


def test_velocities_with_the_few_digits_of_a_drawing_are_taken_for_meant(mechanism):
    third = 0.33333333  # eight digits of 1/3
    spec = mechanism([moving("arm", [1, 0, 0], [0, third, 0], [0, 0, 1 / 3])], [{"child": "arm"}])
    assert_allclose(start(spec)[1], [1 / 3], atol=1e-8)  # the digits that were given
