"""A state that is told is that state; what is not told follows from it."""

import numpy as np
import pytest

from mbd_fmu import Mechanism
from mbd_fmu.analysis.operating_point import operating_point
from mbd_fmu.errors import DataError
from mbd_fmu.reference.assembly import AssemblyError
from mbd_fmu.system.system import system_of

R, L = 0.1, 0.3
ANGLE = 0.5  # that the model gives


def slider_crank():
    """Drawn stretched along x; the crank is given a position."""
    m = Mechanism("crank")
    for name, mass, com in (("disk", 2.0, 0.0), ("rod", 0.5, R + L / 2), ("piston", 0.8, R + L)):
        m.body(name, mass=mass, com=[com, 0, 0], inertia={"shape": "sphere", "radius": 0.05})
    m.joint("main", "revolute", "ground", "disk", point=[0, 0, 0], axis=[0, 0, 1], position=ANGLE)
    m.joint("big", "revolute", "disk", "rod", point=[R, 0, 0], axis=[0, 0, 1])
    m.joint("small", "revolute", "rod", "piston", point=[R + L, 0, 0], axis=[0, 0, 1])
    m.joint("bore", "prismatic", "ground", "piston", point=[R + L, 0, 0], axis=[1, 0, 0])
    return m


def stroke(angle):
    """How far the piston is from where it is drawn."""
    return R * np.cos(angle) + np.sqrt(L**2 - (R * np.sin(angle)) ** 2) - R - L


def ratio(angle):
    """How fast it moves, of the crank's speed."""
    s, c = np.sin(angle), np.cos(angle)
    return -R * s - R**2 * s * c / np.sqrt(L**2 - (R * s) ** 2)


@pytest.fixture(scope="module")
def system():
    return system_of(slider_crank().spec())


def state(point):
    return dict(zip(point.system.states.names, point.x, strict=True))


@pytest.mark.parametrize("angle", [0.2, 0.9, 2.6])
def test_a_follower_that_is_told_leads(system, angle):
    """Even against a position that the model gives, and however far from it."""
    found = state(operating_point(system, state={"bore.q": stroke(angle)}))
    assert found["bore.q"] == stroke(angle)
    assert found["main.q"] == pytest.approx(angle, abs=1e-10)  # sixteen digits, through a root


def test_a_velocity_that_is_told_leads(system):
    found = state(operating_point(system, state={"main.q": 1.2, "bore.qd": 0.3}))
    assert (found["main.q"], found["bore.qd"]) == (1.2, 0.3)
    assert found["bore.q"] == pytest.approx(stroke(1.2), abs=1e-12)
    assert found["main.qd"] == pytest.approx(0.3 / ratio(1.2), rel=1e-12)


def test_what_the_model_gives_stays_where_it_can():
    """Of two cranks each keeps to itself."""
    m = slider_crank()
    m.body("wheel", mass=1.0, com=[0, 0, 1], inertia={"shape": "sphere", "radius": 0.05})
    m.joint("axle", "revolute", "disk", "wheel", point=[0, 0, 1], axis=[0, 0, 1])
    system = system_of(m.spec())
    found = state(operating_point(system, state={"axle.q": 0.7}))
    assert (found["main.q"], found["axle.q"]) == (ANGLE, 0.7)


def test_what_cannot_be_and_what_follows_is_refused(system):
    with pytest.raises(AssemblyError, match='cannot be made to fit; these miss most: "big"'):
        operating_point(system, state={"bore.q": stroke(0.9), "main.q": 0.2})
    with pytest.raises(DataError, match="closes a loop and follows the others"):
        operating_point(system, state={"big.q": -1.0})
