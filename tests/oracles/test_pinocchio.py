"""Ours against Pinocchio, on random trees of every joint type we have."""

import numpy as np
import pytest

from mbd_fmu.mechanics.inertia import joint_space_inertia
from mbd_fmu.mechanics.kinematics import configure
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from tests.conftest import random_state
from tests.random_trees import random_tree

pytest.importorskip("pinocchio", reason="the second engine is not installed")

from tests.oracles.pinocchio_engine import ENGINE_TYPES, PinocchioEngine

CASES = [(n, seed, seed >= 4) for n in (1, 3, 8, 20) for seed in range(8)]  # the later with rotors


@pytest.fixture(params=CASES, ids=lambda c: f"{c[0]} bodies, seed {c[1]}")
def case(request):
    n, seed, rotors = request.param
    spec = random_tree(n, seed, types=ENGINE_TYPES, rotors=rotors)
    system = system_of(spec)
    x, _ = random_state(system, np.random.default_rng(seed))
    return system, PinocchioEngine(spec), x


def in_model_order(system, q, v):
    """Our vectors in the order of the model's joints, which is Pinocchio's; and the way back."""
    place = {k: i for i, k in enumerate(system.forest.joint)}
    order = [place[k] for k in range(len(system.spec.joints))]
    q_there = np.concatenate([[], *(q[system.forest.q[i]] for i in order)])
    v_there = np.concatenate([[], *(v[system.forest.v[i]] for i in order)])
    return (
        q_there,
        v_there,
        np.concatenate([np.arange(system.forest.nv)[system.forest.v[i]] for i in order]),
    )


def test_accelerations_agree_with_the_second_engine(case):
    system, engine, x = case
    nq, nv = system.forest.nq, system.forest.nv
    tau = np.random.default_rng(9).normal(size=nv)
    q, v, back = in_model_order(system, x[:nq], x[nq : nq + nv])
    expected = engine.accelerations(q, v, tau[back])
    u = np.array([tau[n] for _, n in system.table.driven])
    found = plant_of(system, system.nominal_parameters()).derivatives(x, u)[nq : nq + nv][back]
    # the target of this comparison: 1e-10 relative, of which rounding takes a part per body
    assert np.abs(found - expected).max(initial=0) <= 1e-10 * (1 + np.abs(expected).max(initial=0))


def test_inertia_matrices_agree_with_the_second_engine(case):
    system, engine, x = case
    nq, nv = system.forest.nq, system.forest.nv
    q, _, back = in_model_order(system, x[:nq], x[nq : nq + nv])
    tree = plant_of(system, system.nominal_parameters()).tree
    H = joint_space_inertia(tree, configure(tree, x[:nq]))[np.ix_(back, back)]
    expected = engine.inertia(q)
    assert np.abs(H - expected).max(initial=0) <= 1e-12 * (1 + np.abs(expected).max(initial=0))


def test_poses_energies_and_reactions_agree_with_the_second_engine(case):
    system, engine, x = case
    nq, nv = system.forest.nq, system.forest.nv
    vd = np.random.default_rng(10).normal(size=nv)
    q, v, back = in_model_order(system, x[:nq], x[nq : nq + nv])
    expected = engine.outputs(q, v, vd[back])
    plant = plant_of(system, system.nominal_parameters())
    xd = np.concatenate([np.zeros(nq), vd, np.zeros(2)])
    u = np.zeros(system.table.n_inputs)
    names = [v.name for v in system.table.outputs]
    stages = ("positions", "velocities", "energies", "work", "accelerations", "reactions")
    values = np.concatenate([plant.outputs(stage, x, u, xd) for stage in stages])
    found = dict(zip(names, values, strict=True))
    # a free joint carries nothing and has no reaction
    free = {joint.name for joint in system.spec.joints if joint.type == "free"}
    bare = {f"{name}.{key}" for name in free for key in ("force", "torque")}
    for name in expected.keys() - bare:
        vector = expected[name]
        letters = {1: [""], 3: [".x", ".y", ".z"], 4: [".w", ".x", ".y", ".z"]}[len(vector)]
        ours = np.array([found[f"{name}{c}"] for c in letters])
        if name.endswith("quat") and ours @ vector < 0:
            ours = -ours
        # 20 bodies in a row: rounding of some 1e-14 per body on numbers of up to 1000
        assert np.abs(ours - vector).max() <= 1e-11 * (1 + np.abs(vector).max()), name
