"""Loads of bodies balance, are actions and reactions, and are those of the book."""

from dataclasses import replace

import numpy as np
import pytest

from mbd_fmu.analysis.body_loads import loaded_bodies
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.model.spec import with_groups
from mbd_fmu.spatial import rotation_matrix
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from tests.analysis.in_motion import in_motion
from tests.random_loops import random_loops

G = 9.81


def loaded(spec, seed=3):
    """Bodies of a mechanism in some motion, under random drives and wrenches."""
    rng = np.random.default_rng(seed)
    inverse, x, u, rank = in_motion(spec, rng)
    first = inverse.system.table.first_force_input
    u[first:] += rng.normal(size=len(u) - first)
    z = inverse.plant.solution(x, u, rank)
    return inverse.plant, (x, u, z), loaded_bodies(inverse.plant, x, u, z)


def assert_balanced(bodies):
    largest = max(np.abs(load.force).max() for body in bodies for load in body.loads)
    moments = max(np.abs(load.moment).max() for body in bodies for load in body.loads)
    # what turns freely has I alpha = -w x I w: each of them is a moment that counts
    moments += max(np.abs(b.inertia).max() * (b.angular_velocity**2).sum() for b in bodies)
    if largest <= 1e-15 * max(b.mass for b in bodies):
        largest = 1.0  # nothing acts: rounding is compared with 1 N
    for body in bodies:
        force, moment = body.balance
        assert np.abs(force).max() <= 1e-10 * largest, body.name
        assert np.abs(moment).max() <= 1e-10 * (largest + moments), body.name


@pytest.mark.parametrize("name", sorted(library()))
def test_loads_of_every_body_of_every_model_balance(name):
    """Inertia relief: all that acts on a body, with its mass forces, sums to nothing."""
    assert_balanced(loaded(read_model(library()[name]))[2])


@pytest.mark.parametrize("seed", range(4))
def test_loads_balance_with_springs_and_drives_in_joints_that_close_loops(seed):
    spec = spec_of_table(random_loops(seed, planar=seed == 3, motor=seed >= 2), "random")
    assert_balanced(loaded(spec)[2])


def test_a_load_that_is_left_out_shows():
    """The check can fail: without any one of its loads a body does not balance."""
    _, _, bodies = loaded(read_model(library()["quarter_car"]))
    lower = next(body for body in bodies if body.name == "lower")
    assert {load.kind for load in lower.applied} == {"joint", "force"}
    for k in range(len(lower.applied)):
        applied = (*lower.applied[:k], *lower.applied[k + 1 :])
        with pytest.raises(AssertionError):
            assert_balanced([replace(lower, applied=applied)])


@pytest.mark.parametrize("name", ["excavator", "quarter_car", "six_axis_arm", "stewart_platform"])
def test_what_a_joint_exerts_on_one_body_the_other_takes(name):
    """In the world, about one point: action and reaction, of tree and cut joints alike."""
    plant, (x, u, _), bodies = loaded(with_groups(read_model(library()[name]), "poses"))
    at = plant.instant(x, u)
    index = plant.tree.places.body
    total: dict[str, list] = {}
    for body in bodies:
        i = index[body.name]
        R_WU = at.placed.R_WB[i] @ plant.tree.R_UB[i].T
        origin = at.placed.p_WB[i] - R_WU @ plant.tree.places.origin_U[i]
        for load in body.applied:
            if load.kind == "joint" and load.other != "ground":
                force = R_WU @ load.force
                moment = R_WU @ load.moment + np.cross(origin + R_WU @ load.point, force)
                total.setdefault(load.element, []).append(np.concatenate([force, moment]))
    assert total
    for wrenches in total.values():
        assert len(wrenches) == 2
        assert np.abs(sum(wrenches)).max() <= 1e-11 * (1 + np.abs(wrenches).max())


def test_without_drive_and_spring_a_load_is_the_reaction_that_is_put_out():
    """Of a pin that nothing drives: the FMU's output, turned into the child's axes."""
    plant, (x, u, z), bodies = loaded(with_groups(read_model(library()["excavator"]), "poses"))
    outputs = plant.outputs_of(x, u, z)
    y = dict(zip((v.name for v in plant.system.table.outputs), outputs, strict=True))
    boom = next(body for body in bodies if body.name == "boom")
    load = next(load for load in boom.applied if load.element == "boom_pin")
    R_WU = rotation_matrix(np.array([y[f"boom.quat.{c}"] for c in "wxyz"]))
    force = np.array([y[f"boom_pin.force.{c}"] for c in "xyz"])
    torque = np.array([y[f"boom_pin.torque.{c}"] for c in "xyz"])
    assert np.abs(R_WU @ load.force - force).max() <= 1e-11 * np.abs(force).max()
    assert np.abs(R_WU @ load.moment - torque).max() <= 1e-11 * np.abs(force).max()


def test_a_driven_pendulum_carries_what_the_book_says_in_its_own_axes():
    """Along the rod m (g cos q + l qd^2), across it m (g sin q + l qdd), about the pin tau."""
    mass, length, inertia, q, qd, tau = 2.0, 0.7, 0.1, 0.6, 1.5, 3.0
    m = Mechanism("p")
    m.body("bob", mass=mass, com=[0, 0, -length], inertia=np.diag([0.2, inertia, 0.3]))
    m.joint("pin", "revolute", "ground", "bob", point=[0, 0, 0], axis=[0, 1, 0],
            position=q, velocity=qd)  # fmt: skip
    system = system_of(m.spec())
    plant, u = plant_of(system, system.nominal_parameters()), np.array([tau])
    x = plant.start()
    (body,) = loaded_bodies(plant, x, u, plant.solution(x, u))
    qdd = (tau - mass * G * length * np.sin(q)) / (inertia + mass * length**2)
    (pin,) = body.applied
    across, along = mass * (G * np.sin(q) + length * qdd), mass * (G * np.cos(q) + length * qd**2)
    assert np.abs(pin.force - [-across, 0.0, along]).max() <= 1e-12
    assert np.abs(pin.moment - [0.0, tau, 0.0]).max() <= 1e-12
    assert np.abs(body.acceleration - [-length * qdd, 0.0, length * qd**2]).max() <= 1e-12
    assert np.abs(body.angular_acceleration - [0.0, qdd, 0.0]).max() <= 1e-12
    assert np.abs(body.gravity - G * np.array([np.sin(q), 0, -np.cos(q)])).max() <= 1e-12
