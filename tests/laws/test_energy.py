"""Energy balances over a run, and momentum where nothing acts from outside."""

import json

import numpy as np
import pytest

from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.reference.run import Run
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.system.system import system_of
from mbd_fmu.validate.comparison import energy_drift
from tests.random_trees import random_tree


def run(spec, *, steps, length, tolerance, u=None):
    system = system_of(spec)
    it = Run(system, {"solver.tolerance": tolerance})
    if u is not None:
        it.u = u
    rows = [it.outputs()]
    for _ in range(steps):
        it.step(length)
        rows.append(it.outputs())
    names = tuple(v.name for v in system.table.outputs)
    return Trajectory(length * np.arange(steps + 1), names, np.array(rows))


@pytest.mark.parametrize("seed", range(4))
def test_driven_damped_and_sprung_trees_keep_their_books(seed):
    keys = {"stiffness": 4.0, "rest": 0.3, "damping": 0.6}
    spec = random_tree(3, seed, types=("revolute", "prismatic"), **keys)
    u = np.random.default_rng(seed).normal(size=3)
    result = run(spec, steps=10, length=0.05, tolerance=1e-9, u=u)
    assert result.column("energy.dissipated")[-1] > 0
    assert result.column("energy.input_work")[-1] != 0
    _, relative = energy_drift(result)
    assert relative < 1e-7  # 1e-9 per internal step, some tens of steps


def test_a_free_flying_tree_keeps_momentum_and_angular_momentum():
    spec = random_tree(4, 3, types=("revolute",))
    table = json.loads(spec.text)
    table["model"]["gravity"] = [0, 0, 0]
    for joint in table["joint"]:
        if joint["parent"] == "ground":
            joint["parent"] = "hull"
        joint["velocity"] = 0.5
    table["body"].append(
        {"name": "hull", "mass": 2.0, "com": [0, 0, 0], "inertia": {"shape": "sphere", "radius": 1}}
    )
    flight = {"name": "flight", "type": "free", "parent": "ground", "child": "hull"}
    table["joint"].insert(0, flight | {"velocity": [0.3, -0.2, 0.5, 0.1, 0.0, -0.4]})
    system = system_of(spec_of_table(table, "test"))
    it = Run(system, {"solver.tolerance": 1e-11})

    def momenta():
        at = it.plant.instant(it.x, it.u)
        linear, angular = np.zeros(3), np.zeros(3)
        for i, I_B in enumerate(it.plant.tree.I_B):
            h = I_B @ at.V_B[i]  # spatial momentum in B
            R, p = at.placed.R_WB[i], at.placed.p_WB[i]
            linear += R @ h[3:]
            angular += R @ h[:3] + np.cross(p, R @ h[3:])
        return np.concatenate([linear, angular])

    before = momenta()
    for _ in range(20):
        it.step(0.05)
    assert np.abs(before).max() > 0.1
    # 1e-11 per internal step, some tens of steps
    assert np.abs(momenta() - before).max() < 1e-9
