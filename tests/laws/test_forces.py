"""Attraction, bushings and wrenches: closed forms, gradients, balance and the books of energy."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mbd_fmu.mechanics.equations import Instant
from mbd_fmu.mechanics.forces import stored_energy
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.reference.run import Run
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from mbd_fmu.validate.comparison import compare
from mbd_fmu.validate.runner import Fmu
from tests.conftest import random_state

BALL = {"shape": "sphere", "radius": 0.3}
K = [40.0, 50.0, 60.0, 3.0, 4.0, 5.0]


def two_bodies(**bushing):
    """Two bodies in flight, held together by a bushing."""
    it = Mechanism("pair", gravity=[0, 0, 0])
    for k, name in enumerate(("one", "two")):
        inertia = np.diag([0.3, 0.4, 0.5]) + 0.02 * k
        it.body(name, mass=1.0 + k, com=[0.5 * k, 0.1, 0.2], inertia=inertia)
    keys = {"point": [0.2, 0, 0], "point2": [0.3, 0.1, 0]} | bushing
    it.force("mount", "bushing", parent="one", child="two", **keys)
    return it


def planet():
    """A unit mass attracted by the origin, on an ellipse of eccentricity 0.6."""
    it = Mechanism("planet", gravity=[0, 0, 0])
    it.body("mass", mass=1, com=[0.4, 0, 0], inertia=BALL, velocity={"linear": [0, 2, 0]})
    keys = {"point": [0, 0, 0], "point2": [0.4, 0, 0], "strength": 1.0}
    it.force("sun", "inverse_square", parent="ground", child="mass", **keys)
    return it.output("poses", "velocities", "energy").spec()


def kepler(t, e=0.6):
    """Position on an ellipse with a = mu = 1, from Kepler's equation."""
    E = t + e * np.sin(t)
    for _ in range(50):
        E = E - (E - e * np.sin(E) - t) / (1 - e * np.cos(E))
    return np.stack([np.cos(E) - e, np.sqrt(1 - e * e) * np.sin(E)], axis=1)


def test_an_attracted_mass_moves_on_kepler_s_ellipse(fmu_of):
    times = np.linspace(0, 12, 241)
    with Fmu(fmu_of(planet())) as fmu:
        result = fmu.run(times, tolerance=1e-11).trajectory
    reference = Trajectory(times, ("mass.com.x", "mass.com.y"), kepler(times))
    # errors grow with the square of time along the orbit
    assert max(error.max_relative for error in compare(result, reference)) < 1e-7
    energy = result.column("energy.kinetic") + result.column("energy.potential")
    assert energy == pytest.approx(-0.5, rel=1e-8)  # -mu / 2a


def test_the_force_of_a_bushing_is_the_gradient_of_its_energy():
    """d(energy)/dt = -power of its forces on both bodies, whatever they do; no dampers."""
    system = system_of(two_bodies(stiffness=K).spec())
    plant = plant_of(system, system.nominal_parameters())
    for seed in range(5):
        x, u = random_state(system, np.random.default_rng(seed))
        q, v, _ = plant.coordinates(x, u)
        at = Instant(plant.tree, q, v)
        power = sum(F @ V for F, V in zip(at.applied, at.V_B, strict=True))
        h = 1e-6
        rate = np.concatenate(at.rates())
        ahead, behind = (
            stored_energy(plant.tree, Instant(plant.tree, q + s * h * rate, v).movement)
            for s in (1, -1)
        )
        # rounding of some 100 J over h
        assert (ahead - behind) / (2 * h) == pytest.approx(-power, rel=1e-7, abs=1e-6)


def test_a_bushing_turned_a_little_pulls_back_with_its_stiffness():
    system = system_of(two_bodies(stiffness=K).spec())
    plant = plant_of(system, system.nominal_parameters())
    q, v, _ = plant.coordinates(plant.start(), np.zeros(0))
    names = [system.spec.joints[k].name for k in system.forest.joint]
    at = system.forest.q[names.index("two_free")]
    small = Rotation.from_rotvec([1e-6, 0, 0]).as_quat()
    q[at] = [small[3], *small[:3], 0, 2e-6, 0]
    i = names.index("two_free")
    torque, force = np.split(Instant(plant.tree, q, v).applied[i], 2)
    # turned about the mass centre by 1e-6, its point moves by that times the lever, and by 2e-6
    lever = np.array([0.3, 0.1, 0]) - np.array([0.5, 0.1, 0.2])
    moved = np.array([0, 2e-6, 0]) + np.cross([1e-6, 0, 0], lever)
    # in axes of the turned body: second order
    assert force == pytest.approx(-np.array(K[:3]) * moved, rel=1e-5, abs=1e-9)
    expected = np.array([-K[3] * 1e-6, 0, 0]) + np.cross(lever, force)
    assert torque == pytest.approx(expected, rel=1e-5, abs=1e-9)


def test_a_damped_bushing_in_flight_keeps_momenta_and_books():
    it = two_bodies(stiffness=K, damping=[1, 2, 3, 0.1, 0.2, 0.3])
    it.force("push", "wrench", body="one", point=[0, 0, 0])
    system = system_of(it.output("energy", "velocities", "poses").spec())
    names = [v.name for v in system.table.outputs]
    run = Run(
        system, {"solver.tolerance": 1e-10, "two_free.w_start.y": 1.0, "one_free.v_start.x": 0.3}
    )

    def look():
        y = dict(zip(names, run.outputs(), strict=True))
        momentum = [y[f"one.v.{c}"] + 2 * y[f"two.v.{c}"] for c in "xyz"]
        signs = {"kinetic": 1, "potential": 1, "input_work": -1, "dissipated": 1}
        return np.array(momentum), sum(s * y[f"energy.{k}"] for k, s in signs.items()), y

    before, books, _ = look()
    for _ in range(10):
        run.step(0.05)
    after, books_after, y = look()
    assert after == pytest.approx(before, abs=1e-9)
    assert books_after == pytest.approx(books, abs=1e-8)
    assert y["energy.dissipated"] > 1e-3


@pytest.mark.parametrize("axes", ["world", "body"])
def test_a_wrench_accelerates_as_newton_and_euler_say(axes):
    it = Mechanism("it", gravity=[0, 0, 0])
    it.body("a", mass=2.0, com=[0, 0, 0], inertia=np.diag([1.0, 2.0, 4.0]))
    quarter = [np.sqrt(0.5), 0, 0, np.sqrt(0.5), 0, 0, 0]  # about z: the body's x is the world's y
    it.joint("fly", "free", "ground", "a", point=[0, 0, 0], position=quarter, drive="none")
    it.force("push", "wrench", body="a", point=[0, 0.5, 0], axes=axes)
    system = system_of(it.spec())
    assert [v.name for v in system.table.inputs] == [
        f"push.{k}.{c}" for k in ("force", "torque") for c in "xyz"
    ]
    plant = plant_of(system, system.nominal_parameters())
    u = np.array([6.0, 0, 0, 0, 0, 8.0])
    xd = plant.derivatives(plant.start(), u)
    wd, vd = xd[7:10], xd[10:13]  # in the body's axes
    force = {"world": np.array([0, -6.0, 0]), "body": np.array([6.0, 0, 0])}[axes]
    moment = np.array([0, 0, 8.0]) + np.cross([0, 0.5, 0], force)
    assert vd == pytest.approx(force / 2)
    assert wd == pytest.approx(moment / [1, 2, 4])


def test_all_forces_agree_between_numpy_and_the_native_fmu(fmu_of):
    it = two_bodies(stiffness=K, damping=[1, 2, 3, 0.1, 0.2, 0.3])
    it.force("push", "wrench", body="one", point=[0, 0.1, 0], axes="body")
    it.force(
        "pull",
        "inverse_square",
        parent="one",
        child="two",
        point=[0, 1, 0],
        point2=[1, 0, 0],
        strength=2.0,
    )
    spec = it.output("poses", "velocities", "energy").spec()
    system = system_of(spec)
    run = Run(system, {"solver.tolerance": 1e-9})
    run.u = np.array([1.0, -0.5, 0.3, 0.1, 0.2, -0.4])
    settings = {v.name: value for v, value in zip(system.table.inputs, run.u, strict=True)}
    with Fmu(fmu_of(spec)) as fmu:
        found = fmu.run(0.02 * np.arange(6), settings=settings | {"solver.tolerance": 1e-9})
    for row in found.trajectory.values:
        expected = run.outputs()
        assert np.abs(row - expected).max() < 1e-10 * (1 + np.abs(expected).max())  # rounding
        run.step(0.02)
