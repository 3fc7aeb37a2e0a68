"""Absolute coordinates against the recursive road: no line of dynamics in common."""

import numpy as np
import pytest

from mbd_fmu.export.system import system_of
from mbd_fmu.mechanics.absolute import AbsoluteRoad, State, quaternion_rates
from mbd_fmu.mechanics.equations import Instant
from mbd_fmu.spatial import quaternion_rate, rotation_matrix
from tests.conftest import random_state
from tests.random_trees import random_tree


def placed_alike(plant, x, u):
    """The state of the recursive road in absolute coordinates, bodies in the order of the model."""
    q, v, _ = plant.coordinates(x, u)
    at = Instant(plant.tree, q, v)
    n = len(plant.tree.parent)
    rows = {}
    for i, k in enumerate(plant.system.forest.body):
        com = plant.tree.p_BBcm[i]
        R = at.placed.R_WB[i]
        rows[k] = (
            at.placed.point_W(i, com),
            at.placed.quat_WU[i],
            at.point_velocity_W(i, com),
            R @ at.V_B[i][:3],
        )
    return State(*(np.array([rows[k][part] for k in range(n)]) for part in range(4)))


def case(n, seed):
    spec = random_tree(n, seed)
    system = system_of(spec)
    x, u = random_state(system, np.random.default_rng(seed))
    plant = system.plant(system.nominal_parameters())
    drives = {}
    names = {v: k for k, v in system.table.driven}
    for i, k in enumerate(system.forest.joint):
        dof = system.forest.v[i]
        drives[spec.joints[k].name] = np.array([u[names[m]] for m in range(dof.start, dof.stop)])
    return spec, system, plant, x, u, drives


CASES = [(n, seed) for n in (1, 2, 5, 8) for seed in range(6)]


@pytest.mark.parametrize(("n", "seed"), CASES)
def test_joints_hold_where_the_recursive_road_puts_the_bodies(n, seed):
    spec, _, plant, x, u, _ = case(n, seed)
    road = AbsoluteRoad(spec)
    state = placed_alike(plant, x, u)
    J, _, _ = road.constraints(state)
    assert (
        np.abs(road.residuals(state)).max(initial=0) < 1e-12 * 100
    )  # positions of some ten metres
    speed = np.hstack([state.v, state.w]).ravel()
    assert np.abs(J @ speed).max(initial=0) < 1e-12 * (1 + np.abs(speed).max()) * 100


@pytest.mark.parametrize(("n", "seed"), CASES)
def test_accelerations_and_reactions_agree_with_the_recursive_road(n, seed):
    spec, system, plant, x, u, drives = case(n, seed)
    road = AbsoluteRoad(spec)
    state = placed_alike(plant, x, u)
    solution = road.solve(state, drives)
    values = plant.all_outputs(x, u)
    outputs = dict(zip((v.name for v in system.table.outputs), values, strict=True))
    size = 1 + np.abs(values).max()
    for name, (force, torque) in solution.wrench.items():
        if f"{name}.force.x" in outputs:
            ours = [outputs[f"{name}.{key}.{c}"] for key in ("force", "torque") for c in "xyz"]
            # the target of this comparison; least squares of some 100 unknowns rounds at 1e-12
            assert np.concatenate([force, torque]) == pytest.approx(ours, abs=1e-8 * size), name

    h = 1e-6
    xd = plant.derivatives(x, u)
    ahead, behind = (placed_alike(plant, x + s * h * xd, u) for s in (1, -1))
    rate = np.hstack([ahead.v - behind.v, ahead.w - behind.w]) / (2 * h)
    # central differences: rounding over h
    assert np.abs(solution.acceleration - rate).max() < 1e-6 * (1 + np.abs(rate).max())


def test_quaternions_turn_alike_for_both_forms_of_angular_velocity():
    """w in the world, from the left, or in the body, from the right: [004] writes both."""
    rng = np.random.default_rng(2)
    quat = rng.normal(size=(5, 4))
    quat /= np.linalg.norm(quat, axis=1)[:, None]
    w = rng.normal(size=(5, 3))
    in_body = [quaternion_rate(q, rotation_matrix(q).T @ x) for q, x in zip(quat, w, strict=True)]
    assert quaternion_rates(quat, w) == pytest.approx(np.array(in_body), abs=1e-14)
