"""What must hold for the dynamics of any tree."""

import json

import numpy as np
import pytest

from mbd_fmu.mechanics.articulated_body import forward_dynamics
from mbd_fmu.mechanics.energy import kinetic_energy, potential_energy
from mbd_fmu.mechanics.forces import Movement
from mbd_fmu.mechanics.inertia import joint_space_inertia
from mbd_fmu.mechanics.inverse_dynamics import inverse_dynamics
from mbd_fmu.mechanics.kinematics import BodyMotion, configure, velocities
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from tests.conftest import random_state
from tests.random_trees import random_tree

CASES = [(n, seed, False) for n in (1, 2, 7, 20) for seed in (1, 2, 3)]
CASES += [(n, seed, True) for n in (1, 2, 7, 20) for seed in (1, 2, 3)]


@pytest.fixture(params=CASES, ids=lambda c: f"{c[0]} bodies, seed {c[1]}{', rotors' * c[2]}")
def case(request):
    n, seed, rotors = request.param
    system = system_of(random_tree(n, seed, rotors=rotors))
    x, _ = random_state(system, np.random.default_rng(seed))
    tree = plant_of(system, system.nominal_parameters()).tree
    nq, nv = system.forest.nq, system.forest.nv
    return tree, x[:nq], x[nq : nq + nv], np.random.default_rng(seed + 100).normal(size=nv)


def scale(*arrays):
    return max([1.0, *(float(np.abs(a).max(initial=0)) for a in arrays)])


def test_forward_dynamics_undoes_inverse_dynamics(case):
    tree, q, v, vd = case
    X = configure(tree, q)
    tau = inverse_dynamics(tree, X, v, vd)
    # ABA and RNEA each round once per body along the path; the inertia's condition multiplies it.
    H = joint_space_inertia(tree, X)
    condition = np.linalg.cond(H) if len(H) else 1.0
    tolerance = 1e-14 * condition * len(tree.parent) * scale(vd)
    assert np.abs(forward_dynamics(tree, X, v, tau)[0] - vd).max(initial=0) < tolerance


def test_inertia_matrix_is_the_derivative_of_inverse_dynamics(case):
    tree, q, v, vd = case
    X = configure(tree, q)
    H = joint_space_inertia(tree, X)
    bias = inverse_dynamics(tree, X, v, np.zeros_like(vd))
    tau = inverse_dynamics(tree, X, v, vd)
    assert np.abs(H @ vd + bias - tau).max(initial=0) < 1e-12 * scale(tau, H, bias)


def test_inertia_matrix_is_symmetric_and_positive_definite(case):
    tree, q, *_ = case
    H = joint_space_inertia(tree, configure(tree, q))
    assert np.array_equal(H, H.T)
    assert np.all(np.linalg.eigvalsh(H) > 0) if len(H) else True


def test_inertia_matrix_gives_the_kinetic_energy_of_bodies_and_rotors(case):
    tree, q, v, _ = case
    X = configure(tree, q)
    held = kinetic_energy(tree, velocities(tree, X, v), v)
    assert v @ joint_space_inertia(tree, X) @ v / 2 == pytest.approx(held, rel=1e-12)


def test_power_of_the_generalised_forces_is_the_rate_of_the_energy(case):
    """d(T + V)/dt = tau . v along any motion, by central differences on the motion itself."""
    tree, q, v, vd = case
    tau = inverse_dynamics(tree, configure(tree, q), v, vd)

    def energy(h):
        """Follow q(t) with the given rates for a short time h, to second order."""
        moved = q.copy()
        for i, joint in enumerate(tree.joint):
            at, dof = tree.forest.q[i], tree.forest.v[i]
            k1 = joint.rate(q[at], v[dof])
            k2 = joint.rate(q[at] + h / 2 * k1, v[dof] + h / 2 * vd[dof])
            moved[at] = q[at] + h * k2
            if joint.quaternion:
                moved[at][:4] /= np.linalg.norm(moved[at][:4])
        motion = BodyMotion(tree, moved, v + h * vd)
        kinetic = kinetic_energy(tree, motion.V_B, motion.v)
        return kinetic + potential_energy(tree, Movement(motion, moved, lambda: motion.v))

    h = 1e-5
    rate = (energy(h) - energy(-h)) / (2 * h)
    # central difference: h^2 times a third derivative, plus rounding of the energy over h
    size = scale(energy(0.0), tau @ v)
    assert rate == pytest.approx(tau @ v, abs=3e-8 * size * len(tree.parent) ** 2)


def test_gravity_alone_makes_everything_fall_alike():
    """A free-flying tree at rest under gravity: no joint accelerates, the base falls with g."""
    spec = random_tree(6, 11, types=("revolute", "prismatic"))
    table = json.loads(spec.text)
    for joint in table["joint"]:
        if joint["parent"] == "ground":
            joint["parent"] = "hull"
    table["body"].append(
        {"name": "hull", "mass": 2.0, "com": [0, 0, 0], "inertia": {"shape": "sphere", "radius": 1}}
    )
    table["joint"].insert(
        0, {"name": "flight", "type": "free", "parent": "ground", "child": "hull"}
    )
    system = system_of(spec_of_table(table, "test"))
    plant = plant_of(system, system.nominal_parameters())
    x = plant.start()
    nq, nv = system.forest.nq, system.forest.nv
    vd = plant.derivatives(x, np.zeros(system.table.n_inputs))[nq : nq + nv]
    expected = np.zeros(nv)
    flight = system.forest.v[
        [system.spec.joints[k].name for k in system.forest.joint].index("flight")
    ]
    expected[flight.start + 3 : flight.stop] = plant.tree.gravity_W
    assert np.abs(vd - expected).max() < 1e-11  # forces of some 100 N cancel
