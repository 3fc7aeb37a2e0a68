"""Vectors and moments of inertia with parameters put in, against integrals over the solids."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from mbd_fmu.model.inertias import inertia_of
from mbd_fmu.quantities.vectors import Orientation, quaternion_of, unit_vector_of, vector_of

LENGTHS = {"a": 2.0, "b": 3.0, "c": 6.0}


def body(mechanism, inertia, mass=5.0):
    spec = mechanism(
        [{"name": "rod", "mass": mass, "inertia": inertia}], [{"child": "rod"}], parameters=LENGTHS
    )
    return spec.bodies[0]


def moments(x, y, z):
    """Return the inertia from the integrals of x^2, y^2 and z^2 over the mass."""
    return np.diag([y + z, x + z, x + y])


@pytest.mark.parametrize(
    ("inertia", "expected"),
    [
        # Means of squares: L^2/12 over a length, r^2/4 over a disc, r^2/5 over a ball.
        ({"shape": "box", "size": ["a", "b", "c"]}, moments(4 / 12, 9 / 12, 36 / 12)),
        ({"shape": "sphere", "radius": "b"}, moments(9 / 5, 9 / 5, 9 / 5)),
        ({"shape": "cylinder", "radius": "a", "length": "c"}, moments(1, 1, 36 / 12)),
        (
            {"shape": "cylinder", "radius": "a", "length": "c", "axis": [0, 7, 0]},
            moments(1, 36 / 12, 1),
        ),
        ({"shape": "rod", "length": "c", "axis": [-2, 0, 0]}, moments(36 / 12, 0, 0)),
        ({"shape": "point"}, moments(0, 0, 0)),
    ],
)
def test_moments_of_solids_are_those_of_the_integrals(inertia, expected, mechanism):
    found = inertia_of(body(mechanism, inertia), LENGTHS)
    assert_allclose(found, 5 * expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("axis", [[1, 1, 0], [2, -1, 2], [0, 3, 4]])
def test_a_cylinder_along_any_axis_is_one_along_z_that_was_turned(axis, mechanism):
    solid = {"shape": "cylinder", "radius": "a", "length": "c"}
    along_z = inertia_of(body(mechanism, solid), LENGTHS)
    R, _ = Rotation.align_vectors([axis], [[0, 0, 1]])
    found = inertia_of(body(mechanism, solid | {"axis": axis}), LENGTHS)
    assert_allclose(found, R.as_matrix() @ along_z @ R.as_matrix().T, atol=1e-12)


@pytest.mark.parametrize(
    "inertia",
    [
        {"shape": "box", "size": ["a", "b", 1]},
        {"shape": "sphere", "radius": "a"},
        {"shape": "cylinder", "radius": "a", "length": "b", "axis": ["a", "b", 0]},
        {"shape": "rod", "length": "a", "axis": [0, "b", 1]},
        [["a", 0, 0], [0, "a+b", 0], [0, 0, "b"]],
    ],
)
def test_inertia_of_symbols_is_that_of_numbers(inertia, mechanism, on_symbols):
    solid = body(mechanism, inertia)

    def function(p):
        return inertia_of(solid, dict(zip(LENGTHS, p, strict=True)))

    values = np.array(list(LENGTHS.values()))
    assert_allclose(on_symbols(function, values), function(values), rtol=1e-12, atol=1e-12)


def test_vectors_take_their_parameters_and_directions_their_length(mechanism):
    spec = mechanism(
        [{"name": "rod", "com": ["a", "a+1", "c"]}], [{"child": "rod"}], parameters=LENGTHS
    )
    com = spec.bodies[0].com
    assert vector_of(com, LENGTHS).tolist() == [2, 3, 6]
    assert_allclose(unit_vector_of(com, LENGTHS), np.array([2, 3, 6]) / 7, rtol=1e-15)


@pytest.mark.parametrize("values", [(0.1, 0.2, 0.3), (1.0, 0.0, 0.0, 1e-7)])
def test_an_orientation_is_a_quaternion_of_length_one(values):
    quat = quaternion_of(Orientation(values), {})
    assert quat @ quat == pytest.approx(1, abs=1e-15)
