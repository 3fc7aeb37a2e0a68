"""Constraint forces obey Newton and Euler, body by body, in the world."""

import numpy as np
import pytest

from mbd_fmu.mechanics.equations import Instant
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from tests.conftest import random_state
from tests.random_trees import random_tree


@pytest.mark.parametrize("seed", range(8))
def test_all_forces_on_a_body_change_its_momentum(seed):
    """Sum of forces = m a; sum of torques about the mass centre = dL/dt, by differences in time.

    Forces are put together from the outside only: reactions as the FMU gives them, drives along the
    axes as the model says, gravity. Nothing of the recursion is used.
    """
    spec = random_tree(6, seed, types=("revolute", "prismatic", "rigid"))
    system = system_of(spec)
    plant = plant_of(system, system.nominal_parameters())
    x, u = random_state(system, np.random.default_rng(seed))
    xd = plant.derivatives(x, u)
    at = at_state(plant, x, u, xd)
    tree, forest, placed = plant.tree, system.forest, at.placed

    drive = np.zeros(forest.nv)
    for k, n in system.table.driven:
        drive[n] = u[k]
    n = len(forest)
    force, moment = np.zeros((n, 3)), np.zeros((n, 3))  # about each mass centre
    com = np.array([placed.point_W(i, tree.p_BBcm[i]) for i in range(n)])
    for i, k in enumerate(forest.joint):
        torque, f = at.reactions[i][:3].copy(), at.reactions[i][3:].copy()
        axis_W = placed.R_WB[i][:, 2]
        if spec.joints[k].type == "revolute":
            torque += axis_W * drive[forest.v[i]]
        if spec.joints[k].type == "prismatic":
            f += axis_W * drive[forest.v[i]]
        point = placed.p_WB[i]  # joint point carried by the child
        for body, sign in ((i, 1.0), (forest.parent[i], -1.0)):
            if body >= 0:
                force[body] += sign * f
                moment[body] += sign * (torque + np.cross(point - com[body], f))

    h = 1e-6
    after, before = momentum(plant, x + h * xd, u), momentum(plant, x - h * xd, u)
    rate = (after - before) / (2 * h)
    size = np.abs(rate).max() + np.abs(force).max()
    gravity = np.outer(np.array(tree.mass, dtype=float), tree.gravity_W)
    # rounding of momenta over h, and h^2 times third derivatives
    assert np.abs(rate[:, :3] - force - gravity).max() < 1e-7 * size
    assert np.abs(rate[:, 3:] - moment).max() < 1e-7 * size


def at_state(plant, x, u, xd):
    """The mechanism at a state with all its accelerations."""
    q, v, _ = plant.coordinates(x, u)
    n, m = len(plant.system.state_q), len(plant.system.state_v)
    return Instant(plant.tree, q, v, vd=xd[n : n + m])


def momentum(plant, x, u):
    """Linear momentum, and angular momentum about the mass centre, of every body."""
    at = at_state(plant, x, u, np.zeros_like(x))
    found = []
    for i, I_B in enumerate(plant.tree.I_B):
        R, m, c = at.placed.R_WB[i], plant.tree.mass[i], plant.tree.p_BBcm[i]
        I_cm = I_B[:3, :3] - m * (np.eye(3) * (c @ c) - np.outer(c, c))
        spin = R @ I_cm @ at.V_B[i][:3]
        found.append(np.concatenate([m * at.point_velocity_W(i, c), spin]))
    return np.array(found)


def test_a_resting_rod_hangs_on_its_pin_with_its_weight():
    rod = Mechanism("rod")
    rod.body("rod", mass=3.0, com=[0, 0, -0.5], inertia={"shape": "rod", "length": 1.0})
    rod.joint("pin", "revolute", "ground", "rod", point=[0, 0, 0], axis=[0, 1, 0])
    system = system_of(rod.spec())
    plant = plant_of(system, system.nominal_parameters())
    x = plant.start()
    u = np.zeros(1)
    reaction = at_state(plant, x, u, plant.derivatives(x, u)).reactions[0]
    assert np.allclose(reaction, [0, 0, 0, 0, 0, 3.0 * 9.81], atol=1e-13)


def test_a_cantilever_carries_weight_and_moment_at_its_weld():
    beam = Mechanism("beam")
    beam.body("beam", mass=2.0, com=[0.5, 0, 0], inertia={"shape": "rod", "length": 1.0})
    beam.joint("weld", "rigid", "ground", "beam", point=[0, 0, 0])
    system = system_of(beam.spec())
    plant = plant_of(system, system.nominal_parameters())
    x = plant.start()
    u = np.zeros(0)
    reaction = at_state(plant, x, u, plant.derivatives(x, u)).reactions[0]
    # weight downwards at x = 0.5 asks for -m g l about y
    assert np.allclose(reaction, [0, -2.0 * 9.81 * 0.5, 0, 0, 0, 2.0 * 9.81], atol=1e-13)
