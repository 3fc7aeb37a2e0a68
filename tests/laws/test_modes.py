"""Modes: known frequencies, shapes that belong together, and states on the constraints."""

import numpy as np
import pytest
from scipy.special import roots_laguerre

from mbd_fmu.analysis.equilibrium import equilibrium
from mbd_fmu.analysis.modes import modes, swinging
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.system.system import system_of
from tests.answers import beads


def test_a_chain_of_beads_and_its_double_pendulum():
    """w^2 l / g are the zeros of Laguerre's polynomial; of the double pendulum 2 -+ sqrt 2."""
    for n in (2, 5):
        found = modes(system_of(beads(n, 0.7)))
        expected = np.sqrt(roots_laguerre(n)[0] * 9.81 / 0.7) / (2 * np.pi)
        assert [mode.frequency for mode in found.undamped] == pytest.approx(
            list(expected), rel=1e-11
        )
        assert [mode.frequency for mode in found.damped] == pytest.approx(list(expected), rel=1e-9)
    (low, high) = modes(system_of(beads(2, 0.7))).undamped
    # angles from the vertical go as 1 : +-sqrt 2; joints count from the bead before
    for mode, sign in ((low, 1), (high, -1)):
        first, second = mode.shape.real
        assert (first + second) / first == pytest.approx(sign * np.sqrt(2), rel=1e-10)


def test_undamped_modes_of_what_stands_upright_grow():
    """Gravity has changed its sign: s^2 l / g are Laguerre's zeros."""
    system = system_of(beads(2, 0.7))
    found = modes(system, {"pin0.q": np.pi})
    expected = np.sqrt(roots_laguerre(2)[0] * 9.81 / 0.7)
    assert [mode.eigenvalue for mode in found.undamped] == pytest.approx(list(expected), rel=1e-11)
    assert [mode.damping for mode in found.undamped] == [-1.0, -1.0]


def test_dampers_change_damped_modes_alone():
    free, damped = (modes(system_of(beads(3, 0.7, damping=d))) for d in (0.0, 0.02))
    same = [mode.frequency for mode in free.undamped]
    assert [mode.frequency for mode in damped.undamped] == pytest.approx(same, rel=1e-12)
    assert all(mode.damping > 1e-3 for mode in damped.damped)
    assert damped.linearization.stability == "stable"


@pytest.mark.parametrize("name", ["delta_robot", "chain", "quarter_car"])
def test_undamped_shapes_are_orthogonal_to_the_inertia(name):
    """phi_i M phi_j = 0: shapes of all joints, so of the loops that follow, too."""
    found = modes(system_of(read_model(library()[name])))
    shapes = np.stack([mode.shape.real for mode in found.undamped], axis=1)
    modal = shapes.T @ found.point.M @ shapes
    size = np.sqrt(np.diag(modal))
    np.testing.assert_allclose(modal / np.outer(size, size), np.eye(len(size)), atol=1e-8)


def test_in_pictures_a_mode_swings_on_the_constraints_and_comes_back():
    system = system_of(read_model(library()["quarter_car"]))
    found = modes(system)
    states = swinging(found.point, found.undamped[0], 12)
    np.testing.assert_allclose(states[0], states[-1], atol=1e-9)
    for x in states:
        phi = found.point.plant.closure(x, found.point.u).phi
        assert np.abs(phi).max() < 1e-12
    away = max(np.abs(x - found.point.x).max() for x in states)
    assert away > 0.1


def test_of_a_steady_motion_there_are_damped_modes_alone():
    system = system_of(read_model(library()["flyball_governor"]))
    found = modes(system, rates={"spin.qd": 6.0})
    assert found.undamped == ()
    steady = equilibrium(system, rates={"spin.qd": 6.0})
    again = modes(system, steady)
    assert [m.frequency for m in again.damped] == pytest.approx([m.frequency for m in found.damped])


def test_what_cannot_move_has_none():
    table = {
        "model": {"name": "led"},
        "body": [{"name": "block", "mass": 1.0, "com": [0, 0, 0], "inertia": {"shape": "point"}}],
        "joint": [
            {
                "name": "slide",
                "type": "prismatic",
                "parent": "ground",
                "child": "block",
                "point": [0, 0, 0],
                "axis": [0, 0, 1],
                "drive": "motion",
            }
        ],
    }
    with pytest.raises(MbdFmuError, match="no freedom is left to swing"):
        modes(system_of(spec_of_table(table, "led")))
