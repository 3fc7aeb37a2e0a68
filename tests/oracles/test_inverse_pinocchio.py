"""Inverse dynamics against Pinocchio's recursive Newton-Euler algorithm."""

import numpy as np
import pytest

pytest.importorskip("pinocchio", reason="the second engine is not installed")

import pinocchio as pin

from mbd_fmu.analysis.inverse import InverseDynamics, drives_of
from mbd_fmu.formats.choices import Choices
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from tests.conftest import random_state
from tests.formats.pinocchio_robots import Twins
from tests.formats.test_robots import ROBOTS
from tests.oracles.pinocchio_engine import ENGINE_TYPES, PinocchioEngine
from tests.oracles.test_pinocchio import in_model_order
from tests.random_trees import random_tree

# arms, hands, humanoids, quadrupeds; trees without gears, which RNEA alone cannot share out
SAMPLE = ("ur5_robot", "xarm7", "kinova", "allegro_left_hand", "solo12", "a1", "simple_humanoid")


@pytest.mark.parametrize("name", SAMPLE)
def test_robots_take_the_torques_of_the_second_engine(name):
    """1e-10 of the largest torque; friction and damping of the file are ours to add."""
    twins = Twins(ROBOTS[name], Choices(base="fixed", is_lenient=True))
    system, rng = twins.system, np.random.default_rng(7)
    inverse = InverseDynamics(twins.plant, drives_of(system))
    for _ in range(3):
        q, v = twins.random_state(rng)
        vd = rng.uniform(-5, 5, size=len(v))
        x = np.concatenate([q, v, np.zeros(system.nx - len(q) - len(v))])
        found = inverse.at(x, np.zeros(system.table.n_inputs), vd)
        q_there, v_there, order = twins.there(q, v)
        rnea = pin.rnea(twins.model, twins.data, q_there, v_there, vd[order])
        expected = np.zeros(len(v))
        expected[order] = rnea
        expected -= twins.passive(v)
        ours = np.zeros(len(v))
        ours[[n for _, n in system.table.driven]] = found.drives
        assert np.abs(ours - expected).max() <= 1e-10 * np.abs(expected).max()


@pytest.mark.parametrize("seed", range(6))
def test_random_trees_take_the_torques_of_the_second_engine(seed):
    spec = random_tree(8, seed, types=ENGINE_TYPES, rotors=seed >= 3)
    system, rng = system_of(spec), np.random.default_rng(seed)
    x, _ = random_state(system, rng)
    nq, nv = system.forest.nq, system.forest.nv
    vd = rng.normal(size=nv)
    plant = plant_of(system, system.nominal_parameters())
    inverse = InverseDynamics(plant, drives_of(system))
    found = inverse.at(x, np.zeros(system.table.n_inputs), vd)
    q, v, back = in_model_order(system, x[:nq], x[nq : nq + nv])
    engine = PinocchioEngine(spec)
    q_pin, v_pin = engine.coordinates(q, v)
    _, a_pin = engine.coordinates(q, vd[back])
    expected = engine.velocities_back(pin.rnea(engine.model, engine.data, q_pin, v_pin, a_pin))
    ours = np.zeros(nv)
    ours[[n for _, n in system.table.driven]] = found.drives
    assert np.abs(ours[back] - expected).max() <= 1e-10 * (1 + np.abs(expected).max())
