"""Small systems against NumPy's own linear algebra."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

from mbd_fmu.mechanics.ldl import factorize

law = settings(derandomize=True, deadline=None)
SEED = 3
SIZES = [1, 2, 3, 6]


def positive_definite(n, seed=SEED):
    A = np.random.default_rng(seed).normal(size=(n, n))
    return A @ A.T + np.eye(n)


def lower(factor):
    """Return L as a matrix."""
    n = len(factor.d_inverse)
    L = np.eye(n)
    for i, row in enumerate(factor.L):
        L[i, :i] = row
    return L


@law
@given(
    arrays(float, (4, 4), elements=st.floats(-2, 2)), arrays(float, 4, elements=st.floats(-2, 2))
)
def test_the_solution_solves_the_system(B, b):
    A = B @ B.T + np.eye(4)
    # The condition number is at most 1 + |B|^2 = 65, the solution at most 4 in size.
    assert_allclose(A @ factorize(A).solve(b), b, atol=1e-12)


@pytest.mark.parametrize("n", SIZES)
def test_the_factors_multiply_to_the_matrix(n):
    A = positive_definite(n)
    factor = factorize(A)
    L, D = lower(factor), np.diag(1 / np.array(factor.d_inverse))
    assert_allclose(L @ D @ L.T, A, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("n", SIZES)
def test_the_pivots_are_the_squares_of_the_cholesky_diagonal(n):
    A = positive_definite(n)
    expected = np.diag(np.linalg.cholesky(A)) ** -2
    assert_allclose(factorize(A).d_inverse, expected, rtol=1e-12)


@pytest.mark.parametrize("n", SIZES)
def test_several_right_hand_sides_are_solved_as_numpy_does(n):
    A, B = positive_definite(n), np.random.default_rng(SEED).normal(size=(n, 3))
    found = factorize(A).solve(B)
    assert found.shape == (n, 3)
    assert_allclose(found, np.linalg.solve(A, B), rtol=1e-12, atol=1e-12)


def test_solving_leaves_the_right_hand_side_alone():
    b = np.array([1.0, 2.0])
    factorize(positive_definite(2)).solve(b)
    assert b.tolist() == [1.0, 2.0]


def test_only_the_lower_triangle_is_read():
    A = positive_definite(3)
    spoilt = np.tril(A) + np.triu(np.full((3, 3), np.nan), 1)
    assert factorize(spoilt) == factorize(A)


def test_a_joint_without_freedoms_has_an_empty_system():
    assert factorize(np.zeros((0, 0))).solve(np.zeros((0, 6))).shape == (0, 6)


@pytest.mark.parametrize("shape", [(3,), (3, 2)])
def test_symbols_give_what_numbers_give(shape, on_symbols):
    A, B = positive_definite(3), np.random.default_rng(SEED).normal(size=shape)
    found = on_symbols(lambda A, B: factorize(A).solve(B), A, B)
    assert_allclose(found, np.linalg.solve(A, B), rtol=1e-12, atol=1e-12)
