"""The path-matrix road against the recursive one: no line of dynamics in common."""

import numpy as np
import pytest

from mbd_fmu.mechanics.energy import kinetic_energy, potential_energy
from mbd_fmu.mechanics.forces import Movement
from mbd_fmu.mechanics.inertia import joint_space_inertia
from mbd_fmu.mechanics.inverse_dynamics import inverse_dynamics
from mbd_fmu.mechanics.kinematics import BodyMotion, configure, poses, velocities
from mbd_fmu.oracle.lagrange import LagrangeRoad
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from tests.conftest import random_state
from tests.random_trees import random_tree

ONE_FREEDOM = ("revolute", "prismatic", "rigid")
ALL = (*ONE_FREEDOM, "free")


def roads(n, seed, **keys):
    system = system_of(random_tree(n, seed, **keys))
    x, _ = random_state(system, np.random.default_rng(seed))
    nq, nv = system.forest.nq, system.forest.nv
    tree = plant_of(system, system.nominal_parameters()).tree
    q, v = x[:nq], x[nq : nq + nv]
    return tree, LagrangeRoad(system.spec, system.forest, q), q, v


@pytest.mark.parametrize("seed", range(8))
def test_inertia_and_energies_agree_with_the_recursive_road(seed):
    tree, road, q, v = roads(8, seed, types=ALL, rotors=seed % 2 == 1)
    X = configure(tree, q)
    H = joint_space_inertia(tree, X)
    V = velocities(tree, X, v)
    assert np.abs(road.inertia_matrix() - H).max() < 1e-12 * np.abs(H).max()
    assert road.kinetic_energy(v) == pytest.approx(kinetic_energy(tree, V, v), rel=1e-12)
    potential = potential_energy(tree, Movement(BodyMotion(tree, q, v), q, lambda: v))
    assert road.potential_energy() == pytest.approx(potential, rel=1e-12, abs=1e-11)


@pytest.mark.parametrize("seed", range(8))
def test_mass_centres_are_the_sum_along_the_path(seed):
    tree, road, q, _ = roads(8, seed, types=ALL)
    placed = poses(tree, configure(tree, q))
    for i, p in enumerate(tree.p_BBcm):
        assert np.allclose(road.com[i], placed.point_W(i, p), rtol=0, atol=1e-13 * 20)


@pytest.mark.parametrize("seed", range(8))
def test_coriolis_matrix_gives_the_velocity_forces_of_the_recursive_road(seed):
    tree, road, q, v = roads(7, seed, types=ONE_FREEDOM)
    X = configure(tree, q)
    rest = np.zeros_like(v)
    velocity_forces = inverse_dynamics(tree, X, v, rest) - inverse_dynamics(tree, X, rest, rest)
    found = road.coriolis_matrix(v) @ v
    assert np.abs(found - velocity_forces).max(initial=0) < 1e-11 * (
        1 + np.abs(found).max(initial=0)
    )


@pytest.mark.parametrize("seed", range(8))
def test_the_rate_of_inertia_minus_twice_coriolis_is_skew(seed):
    tree, road, q, v = roads(7, seed, types=ONE_FREEDOM)
    h = 1e-6
    ahead, behind = (joint_space_inertia(tree, configure(tree, q + s * h * v)) for s in (1.0, -1.0))
    by_difference = (ahead - behind) / (2 * h)
    rate = np.einsum("lij,l->ij", road.inertia_derivatives(), v)
    size = 1 + np.abs(rate).max(initial=0)
    # central difference: rounding over h
    assert np.abs(rate - by_difference).max(initial=0) < 1e-7 * size
    skew = rate - 2 * road.coriolis_matrix(v)
    assert np.abs(skew + skew.T).max(initial=0) < 1e-10 * size


def test_the_power_of_the_coriolis_forces_is_not_zero():
    """Seed 002 concludes v C v = 0; what holds is v (dM/dt - 2C) v = 0."""
    _, road, _, v = roads(4, 1, types=("revolute",))
    C = road.coriolis_matrix(v)
    rate = np.einsum("lij,l->ij", road.inertia_derivatives(), v)
    assert abs(v @ C @ v) > 1e-3
    assert v @ (rate - 2 * C) @ v == pytest.approx(0, abs=1e-12 * np.abs(C).max())
