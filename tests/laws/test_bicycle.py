"""The bicycle of the library against the published linear theory of its straight running.

Source   Meijaard, Papadopoulos, Ruina & Schwab, Proc. R. Soc. A 463 (2007), p. 1955.
"""

import numpy as np
import pytest
from scipy.optimize import brentq

from mbd_fmu.analysis.equilibrium import equilibrium
from mbd_fmu.analysis.linearization import Linearizer
from mbd_fmu.analysis.operating_point import operating_point
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.library import library
from mbd_fmu.system.system import system_of
from tests.cases import case_of

CASE = case_of("literature/bicycle_meijaard2007")


@pytest.fixture(scope="module")
def eigenvalues():
    """Lean's and steer's four at a speed; the other six, of where it is and how fast, are zero."""
    system = system_of(read_model(library()["bicycle"]))
    linearizer = Linearizer(system)

    def found(speed):
        point = operating_point(system, {"push": 0.0, "speed": speed})
        linear = linearizer.at(point, outputs=[])
        assert (linear.n_positions, linear.n_velocities) == (7, 3)
        values = linear.eigenvalues
        assert np.sum(values == 0.0) == 6
        return values[values != 0.0]

    return found


@pytest.mark.parametrize("speed", sorted(CASE["eigenvalues"], key=float))
def test_eigenvalues_over_speed(speed, eigenvalues):
    found = eigenvalues(float(speed))
    expected = np.array([complex(*pair) for pair in CASE["eigenvalues"][speed]])
    for value in expected:
        assert np.abs(found - value).min() < 1e-9


def test_weave_and_capsize_speed(eigenvalues):
    """Where the real part of the pair, and the slow real one, change their sign."""

    def weave(speed):
        values = eigenvalues(speed)
        return values[np.argmax(values.imag)].real

    def capsize(speed):
        values = eigenvalues(speed)
        return values[np.abs(values.imag) < 1e-9].real.max()

    assert brentq(weave, 4.0, 5.0, xtol=1e-13) == pytest.approx(4.29238253634111, abs=1e-9)
    assert brentq(capsize, 5.5, 6.5, xtol=1e-13) == pytest.approx(6.02426201538837, abs=1e-9)


@pytest.mark.parametrize(("speed", "growing"), [(4.0, 2), (5.0, 0), (7.0, 1)])
def test_it_rides_by_itself_between_them(speed, growing):
    """Found as a steady motion, with the rate of the rear wheel given."""
    system = system_of(read_model(library()["bicycle"]))
    found = equilibrium(system, rates={"rear_axle.qd": speed / 0.3})
    assert found.state["flight.v.x"] == pytest.approx(speed, rel=1e-12)
    assert found.state["front_axle.qd"] == pytest.approx(speed / 0.35, rel=1e-12)
    assert found.linearization.poles.growing == growing
    assert found.linearization.poles.idle == 6
