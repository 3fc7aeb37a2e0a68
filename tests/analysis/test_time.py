"""Answers about mechanisms in which forces or motions hang on the time: those of an instant."""

import numpy as np
import pytest

import mbd_fmu
from mbd_fmu import Mechanism, system_of
from mbd_fmu.analysis.equilibrium import equilibrium
from mbd_fmu.analysis.inverse_motion import inverse_dynamics
from mbd_fmu.analysis.linearization import linearize
from mbd_fmu.errors import DataError
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.summaries.linear import stability

BOX = {"shape": "box", "size": [0.1, 0.2, 0.3]}


def sled(drive="none", law="-40*q + 6*cos(3*time)"):
    it = Mechanism("sled", gravity=[0, 0, 0])
    it.body("sled", mass=2.0, com=[0, 0, 0], inertia=BOX)
    it.joint("rail", "prismatic", "ground", "sled", point=[0, 0, 0], axis=[1, 0, 0], drive=drive)
    return it.force("law", "joint_law", joint="rail", effort=law)


def test_the_linear_system_is_that_of_the_time_0_and_says_nothing_of_stability():
    found = linearize(system_of(sled().spec()))
    assert pytest.approx(np.array([[0, 1], [-20, 0]]), abs=1e-12) == found.A
    assert found.accelerations == pytest.approx([3.0], abs=1e-12)
    assert found.is_steady is False
    assert "its eigenvalues are those of an instant" in stability(found)
    still = linearize(system_of(sled(law="-40*(q - 0)").spec()))
    assert still.is_steady


def test_a_stiffness_that_changes_is_taken_as_it_is_then():
    found = linearize(system_of(sled(law="-(40 + 10*cos(time))*q").spec()))
    assert pytest.approx(np.array([[0, 1], [-25, 0]]), abs=1e-12) == found.A


def test_a_balance_is_that_of_the_time_0():
    found = equilibrium(system_of(sled().spec()))
    q, *_ = found.point.x
    assert q == pytest.approx(6.0 / 40.0, abs=1e-9)


def test_drives_for_a_motion_know_the_time_of_each_row():
    """f = m q'' + 40 q - 6 cos(3 t)."""
    time = np.linspace(0, 1, 41)
    course = Trajectory(
        time,
        ("rail.q", "rail.qd", "rail.qdd"),
        np.stack([np.sin(2 * time), 2 * np.cos(2 * time), -4 * np.sin(2 * time)], axis=1),
    )
    found = inverse_dynamics(system_of(sled("torque").spec()), course)
    expected = -8 * np.sin(2 * time) + 40 * np.sin(2 * time) - 6 * np.cos(3 * time)
    assert found.drives.column("rail.f") == pytest.approx(expected, abs=1e-10)


def led():
    it = Mechanism("led")
    it.body("arm", mass=2.0, com=[0.3, 0, 0], inertia=BOX)
    own = {"drive": "motion", "motion": {"expression": "0.2 + 0.5*time"}}
    it.joint("pin", "revolute", "ground", "arm", point=[0, 0, 0], axis=[0, 1, 0], **own)
    return it


def test_an_instant_is_that_of_the_time_0_and_another_place_is_refused():
    model = mbd_fmu.load(led())
    assert model.at()["pin.q"] == pytest.approx(0.2)
    with pytest.raises(DataError, match='the motion of "pin" is a function of time, here at time'):
        model.at(q={"pin.q": 0.5})
