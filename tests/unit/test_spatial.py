"""Rotations against SciPy, spatial vectors against 3-D mechanics; floats and symbols alike."""

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from mbd_fmu import spatial
from mbd_fmu.spatial import Transform

law = settings(derandomize=True, deadline=None)
SEED = 7


def vectors(*shape):
    return arrays(float, shape, elements=st.floats(-2, 2))


def quaternions():
    return vectors(4).filter(lambda q: q @ q > 0.1).map(lambda q: q / np.linalg.norm(q))


def same(actual, expected):
    assert_allclose(actual, expected, rtol=1e-12, atol=1e-12)


def scipy_rotation(quat):
    return Rotation.from_quat(quat, scalar_first=True)


def transform(quat, p):
    return Transform(((spatial.rotation_matrix(quat), p),))


def test_numbers_make_a_float_array_and_one_symbol_makes_an_object_array():
    assert spatial.array([[1, 2.0], [np.float64(3), np.int64(4)]]).dtype == float
    assert spatial.array([1.0, ca.SX.sym("x")]).dtype == object


SHAPES = [((3,), (3,)), ((6,), (6,)), ((3, 3), (3,)), ((6, 2), (2,)), ((3,), (3, 4))]
SHAPES += [((3, 3), (3, 3)), ((6, 3), (3, 2)), ((0, 3), (3,)), ((2, 0), (0,)), ((2, 0), (0, 3))]


@pytest.mark.parametrize(("one", "other"), SHAPES)
def test_times_is_the_product_of_matrices(one, other, on_symbols):
    rng = np.random.default_rng(SEED)
    a, b = rng.normal(size=one), rng.normal(size=other)
    assert spatial.times(a, b).shape == (a @ b).shape
    same(spatial.times(a, b), a @ b)
    if 0 not in one:
        same(on_symbols(lambda a, b: spatial.array([spatial.times(a, b)]), a, b), [a @ b])


@law
@given(vectors(3, 3), vectors(3))
def test_times_adds_numbers_in_the_order_in_which_they_stand(A, b):
    """Bit by bit: nothing is fused, nothing taken out of turn, whatever way they lie in memory."""
    rows = [(p * b[0] + q * b[1]) + r * b[2] for p, q, r in A]
    assert spatial.times(A, b).tolist() == rows
    assert spatial.times(np.asfortranarray(A), b).tolist() == rows
    assert [spatial.times(row, b) for row in A] == rows
    assert spatial.times(A, np.stack([b, -b], axis=1)).tolist() == [[x, -x] for x in rows]


def test_a_length_is_that_of_pythagoras():
    assert spatial.length_of(np.array([2.0, 3.0, 6.0])) == 7.0
    assert spatial.length_of(np.zeros(3)) == 0.0


@law
@given(vectors(3), vectors(3))
def test_skew_is_the_cross_product_as_a_matrix(a, b):
    same(spatial.skew(a) @ b, np.cross(a, b))


def test_symmetric_mirrors_the_upper_triangle_and_leaves_its_argument_alone():
    A = np.arange(9.0).reshape(3, 3)
    assert spatial.symmetric(A).tolist() == [[0, 1, 2], [1, 4, 5], [2, 5, 8]]
    assert A.tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]


@law
@given(quaternions())
def test_the_matrix_of_a_quaternion_is_that_of_scipy(quat):
    same(spatial.rotation_matrix(quat), scipy_rotation(quat).as_matrix())


@law
@given(quaternions())
def test_a_quaternion_and_its_negative_are_one_rotation(quat):
    same(spatial.rotation_matrix(-quat), spatial.rotation_matrix(quat))


@law
@given(quaternions(), quaternions())
def test_a_product_of_quaternions_turns_first_by_the_right_one(a, b):
    product = spatial.rotation_matrix(spatial.quaternion_product(a, b))
    same(product, (scipy_rotation(a) * scipy_rotation(b)).as_matrix())


@law
@given(quaternions())
def test_a_quaternion_times_its_conjugate_is_no_turn(quat):
    same(spatial.quaternion_product(quat, spatial.conjugate(quat)), [1, 0, 0, 0])


@law
@given(quaternions())
def test_a_matrix_gives_its_quaternion_back_with_w_not_negative(quat):
    found = spatial.quaternion_of_matrix(scipy_rotation(quat).as_matrix())
    assert found[0] >= 0
    # Next to a half turn w is near 0 and either sign is right.
    same(found * np.sign(found @ quat), quat)


@pytest.mark.parametrize("axis", np.eye(3).tolist())
def test_half_turns_lose_no_digits(axis):
    found = spatial.quaternion_of_matrix(Rotation.from_rotvec(np.pi * np.array(axis)).as_matrix())
    same(np.abs(found), [0, *axis])


@law
@given(vectors(3))
def test_roll_pitch_yaw_turn_about_fixed_x_then_y_then_z(rpy):
    found = spatial.rotation_matrix(spatial.quaternion_of_rpy(*rpy))
    same(found, Rotation.from_euler("xyz", rpy).as_matrix())


@law
@given(quaternions(), vectors(3))
def test_the_rate_of_a_quaternion_turns_its_matrix_with_the_angular_velocity(quat, w_B):
    rate = spatial.quaternion_rate(quat, w_B)
    R = spatial.rotation_matrix
    # R is quadratic in q: its central difference is exact for any step, here 1.
    same((R(quat + rate) - R(quat - rate)) / 2, R(quat) @ spatial.skew(w_B))


@law
@given(st.floats(0, 5), vectors(3), vectors(3, 3), vectors(6))
def test_spatial_inertia_gives_the_momentum_of_a_rigid_body(mass, com, A, V):
    I_Bcm = A @ A.T
    v_com = V[3:] + np.cross(V[:3], com)
    momentum = np.concatenate([I_Bcm @ V[:3] + np.cross(com, mass * v_com), mass * v_com])
    same(spatial.spatial_inertia(mass, com, I_Bcm) @ V, momentum)


@law
@given(vectors(6), vectors(6))
def test_the_cross_product_of_motions_is_that_of_screws(V, U):
    expected = [np.cross(V[:3], U[:3]), np.cross(V[3:], U[:3]) + np.cross(V[:3], U[3:])]
    same(spatial.cross_motion(V, U), np.concatenate(expected))


@law
@given(vectors(6), vectors(6), vectors(6))
def test_the_cross_product_with_a_force_is_dual_to_that_with_a_motion(V, U, F):
    same(spatial.cross_motion(V, U) @ F, -U @ spatial.cross_force(V, F))


@law
@given(quaternions(), vectors(3), vectors(6))
def test_a_motion_moves_to_another_frame_as_velocities_of_points_do(quat, p, V):
    R = scipy_rotation(quat).inv()
    expected = [R.apply(V[:3]), R.apply(V[3:] + np.cross(V[:3], p))]
    same(transform(quat, p).motion(V), np.concatenate(expected))


@law
@given(quaternions(), vectors(3), vectors(6), vectors(6))
def test_power_does_not_depend_on_the_frame(quat, p, V_A, F_B):
    X = transform(quat, p)
    same(X.motion(V_A) @ F_B, V_A @ X.force_back(F_B))


@law
@given(quaternions(), vectors(3), vectors(6, 6), vectors(6))
def test_kinetic_energy_does_not_depend_on_the_frame(quat, p, A, V_A):
    X, I_B = transform(quat, p), A @ A.T
    # Entries of I_B reach 24 and those of V_B 40: the energy is up to some 1e5 in size.
    assert V_A @ X.inertia_back(I_B) @ V_A == pytest.approx(
        X.motion(V_A) @ I_B @ X.motion(V_A), rel=1e-12, abs=1e-10
    )


def two_factors():
    rng = np.random.default_rng(SEED)
    (R_1, R_2), (p_1, p_2) = Rotation.random(2, rng=rng).as_matrix(), rng.normal(size=(2, 3))
    return Transform(((R_1, p_1), (R_2, p_2))), Transform(((R_1 @ R_2, p_1 + R_1 @ p_2),))


def test_a_transform_of_two_factors_is_that_of_their_product():
    X, whole = two_factors()
    for found, expected in zip(X.pose, whole.pose, strict=True):
        same(found, expected)
    same(X.motion(np.arange(6.0)), whole.motion(np.arange(6.0)))
    same(X.force_back(np.arange(6.0)), whole.force_back(np.arange(6.0)))
    I_B = np.diag(np.arange(1.0, 7.0))
    same(X.inertia_back(I_B), whole.inertia_back(I_B))


def test_several_forces_move_as_each_of_them():
    X, _ = two_factors()
    F = np.arange(18.0).reshape(6, 3)
    same(X.force_back(F), np.stack([X.force_back(f) for f in F.T], axis=1))


def factors(quat, p):
    return Transform(((spatial.rotation_matrix(quat), p), (np.eye(3), np.ones(3))))


ON_SYMBOLS = {
    "scaled": (lambda s, a: spatial.scaled(s[0], a), [1, 3]),
    "skew": (spatial.skew, [3]),
    "symmetric": (spatial.symmetric, [(3, 3)]),
    "blocks": (spatial.blocks, [(3, 3), (3, 3), (3, 3)]),
    "quaternion_product": (spatial.quaternion_product, [4, 4]),
    "conjugate": (spatial.conjugate, [4]),
    "rotation_matrix": (spatial.rotation_matrix, [4]),
    "quaternion_of_rpy": (lambda rpy: spatial.quaternion_of_rpy(*rpy), [3]),
    "quaternion_rate": (spatial.quaternion_rate, [4, 3]),
    "spatial_inertia": (lambda m, c, I: spatial.spatial_inertia(m[0], c, I), [1, 3, (3, 3)]),
    "cross_motion": (spatial.cross_motion, [6, 6]),
    "cross_force": (spatial.cross_force, [6, 6]),
    "R_AB": (lambda quat, p: factors(quat, p).pose[0], [4, 3]),
    "p_AB": (lambda quat, p: factors(quat, p).pose[1], [4, 3]),
    "motion": (lambda quat, p, V: factors(quat, p).motion(V), [4, 3, 6]),
    "force_back": (lambda quat, p, F: factors(quat, p).force_back(F), [4, 3, (6, 2)]),
    "inertia_back": (lambda quat, p, I: factors(quat, p).inertia_back(I), [4, 3, (6, 6)]),
}


@pytest.mark.parametrize("name", ON_SYMBOLS)
def test_symbols_give_what_numbers_give(name, on_symbols):
    function, shapes = ON_SYMBOLS[name]
    rng = np.random.default_rng(SEED)
    arguments = [rng.normal(size=shape) for shape in shapes]
    same(on_symbols(function, *arguments), function(*arguments))


def test_one_symbolic_angle_of_three_is_enough_to_make_the_quaternion_symbolic(on_symbols):
    found = on_symbols(lambda roll: spatial.quaternion_of_rpy(roll[0], 0.0, 0.5), [0.3])
    same(found, spatial.quaternion_of_rpy(0.3, 0.0, 0.5))
