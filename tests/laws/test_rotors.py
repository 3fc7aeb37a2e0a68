"""Rotors behind joints: closed forms, and what they do in loops, on bases and in flight."""

import copy
import json

import numpy as np
import pytest
from scipy.special import ellipk

from mbd_fmu.analysis.checks import refuse_unusable
from mbd_fmu.errors import SpecError
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.oracle.run import simulate_absolute
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.simulation import simulate
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from mbd_fmu.validate.comparison import energy_drift
from mbd_fmu.validate.momentum import flight_of, momentum_of
from tests.random_loops import named_outputs, random_loops, running, wander

G, MASS, LENGTH, ROTOR = 9.81, 2.0, 0.5, 0.3
POINT = {"shape": "point"}


def pendulum(**keys):
    """A point on a rod, with a motor at its pin."""
    it = Mechanism("geared_pendulum", gravity=[0, 0, -G]).parameter("ratio", 10.0)
    it.body("bob", mass=MASS, com=[0, 0, -LENGTH], inertia=POINT)
    pin = {"point": [0, 0, 0], "axis": [0, -1, 0], "armature": "ratio**2 * 0.003"} | keys
    it.joint("pin", "revolute", "ground", "bob", **pin)
    return it.output("joints", "reactions", "energy")


def final(table, stop, **inputs):
    run = running(table)
    names = [v.name for v in run.system.table.inputs]
    for name, value in inputs.items():
        run.u[names.index(name.replace("_", "."))] = value
    for _ in range(10):
        run.step(stop / 10)
    return named_outputs(run)


def test_a_pendulum_with_a_rotor_swings_more_slowly():
    """The period of a pendulum of moment m l^2 + a: 4 K(sin(q0/2)) sqrt(I / (m g l))."""
    start = 1.2
    inertia = MASS * LENGTH**2 + ROTOR
    quarter = ellipk(np.sin(start / 2) ** 2) * np.sqrt(inertia / (MASS * G * LENGTH))
    spec = pendulum(position=start, drive="none").spec()
    settings = {"solver.tolerance": 1e-11}
    result = simulate(system_of(spec), stop=4 * quarter, step=quarter, settings=settings)
    assert result.column("pin.q") == pytest.approx([start, 0, -start, 0, start], abs=1e-8)
    at_the_bottom = MASS * G * LENGTH * (1 - np.cos(start))
    assert result.column("energy.kinetic")[1] == pytest.approx(at_the_bottom, rel=1e-9)


def test_the_ratio_of_a_gear_may_be_a_parameter():
    system = system_of(pendulum().spec())
    for ratio in (0.0, 4.0):
        p = system.nominal_parameters()
        p[0] = ratio
        push = np.array([2.0])
        rates = plant_of(system, p).derivatives(np.zeros(4), push)
        assert rates[1] == pytest.approx(2.0 / (MASS * LENGTH**2 + 0.003 * ratio**2))


def test_a_prescribed_motion_takes_what_the_rotor_takes():
    """And no reaction feels the rotor: it acts along the freedom, as the drive does."""
    found = {}
    for armature in (0.0, ROTOR):
        run = running(json.loads(pendulum(drive="motion", armature=armature).spec().text))
        run.u[:] = 0.3, 2.0, 5.0
        found[armature] = named_outputs(run)
    assert found[ROTOR]["pin.tau"] - found[0.0]["pin.tau"] == pytest.approx(ROTOR * 5.0)
    assert found[ROTOR]["energy.kinetic"] - found[0.0]["energy.kinetic"] == pytest.approx(
        ROTOR * 2.0**2 / 2
    )
    for c in "xyz":
        for key in ("force", "torque"):
            name = f"pin.{key}.{c}"
            assert found[ROTOR][name] == pytest.approx(found[0.0][name], abs=1e-13)


def test_a_slider_with_a_rotor_is_as_heavy_as_it():
    it = Mechanism("rail", gravity=[0, 0, 0])
    it.body("block", mass=MASS, com=[0, 0, 0], inertia=POINT)
    rail = {"point": [0, 0, 0], "axis": [1, 0, 0], "armature": 5.0}
    spec = it.joint("rail", "prismatic", "ground", "block", **rail).spec()
    system = system_of(spec)
    rates = plant_of(system, system.nominal_parameters()).derivatives(np.zeros(4), np.array([14.0]))
    assert rates[1] == pytest.approx(14.0 / (MASS + 5.0))


def test_a_ball_s_rotors_resist_about_the_axes_of_its_child():
    """I dw/dt + w x I w + a dw/dt = tau, in axes of the body."""
    I, a = np.diag([1.0, 2.0, 2.5]), np.array([0.5, 0.0, 4.0])
    it = Mechanism("ball", gravity=[0, 0, 0])
    it.body("top", mass=1.0, com=[0, 0, 0], inertia=I)
    it.joint("ball", "spherical", "ground", "top", point=[0, 0, 0], armature=a.tolist())
    system = system_of(it.spec())
    w, tau = np.array([0.3, -1.0, 2.0]), np.array([1.0, 2.0, 3.0])
    turn = np.array([0.5, 0.1, -0.7, 0.5])
    x = np.concatenate([turn / np.linalg.norm(turn), w, [0.0, 0.0]])
    rates = plant_of(system, system.nominal_parameters()).derivatives(x, tau)
    expected = np.linalg.solve(I + np.diag(a), tau - np.cross(w, I @ w))
    assert rates[4:7] == pytest.approx(expected, rel=1e-12)


# --- Loops ---


def crank_and_rod(cut, armature):
    """A plane four-bar with rotors in all four joints."""
    points = {"a": [0, 0, 0], "b": [0, 0, 0.4], "c": [1.1, 0, 0.9], "d": [1.0, 0, 0]}
    bodies = (("crank", "a", "b"), ("rod", "b", "c"), ("rocker", "c", "d"))
    carried = [("ground", "crank"), ("crank", "rod"), ("rod", "rocker"), ("rocker", "ground")]
    return {
        "model": {"name": "four_bar"},
        "body": [
            {
                "name": name,
                "mass": 1.0 + k,
                "com": ((np.array(points[p]) + points[q]) / 2).tolist(),
                "inertia": {"shape": "sphere", "radius": 0.2},
            }
            for k, (name, p, q) in enumerate(bodies)
        ],
        "joint": [
            {"name": name, "type": "revolute", "parent": parent, "child": child}
            | {"point": points[name], "axis": [0, 1, 0], "armature": armature[k]}
            | {"cut": name == cut}
            for k, (name, (parent, child)) in enumerate(zip("abcd", carried, strict=True))
        ],
        "output": [{"groups": ["poses", "velocities", "joints", "energy"]}],
        "fmu": {"tolerance": 1e-10},
    }


@pytest.mark.parametrize("cut", ["a", "b", "c"])
def test_another_cut_gives_the_same_motion(cut):
    armature = [0.1, 0.5, 1.5, 0.8]
    ours, other = (final(crank_and_rod(k, armature), 0.5, a_tau=8.0) for k in ("d", cut))
    assert abs(ours["a.q"]) > 0.3
    for name, value in ours.items():
        if not name.startswith("constraint."):
            assert other[name] == pytest.approx(value, rel=1e-7, abs=1e-7), name


SHAKEN = {"base.w.z": 0.5, "base.v.x": 0.3, "base.a.x": 1.0}


@pytest.mark.parametrize("base", [{}, SHAKEN], ids=["at rest", "shaken"])
def test_energy_of_a_loop_with_rotors_balances_and_the_second_road_finds_the_same(base):
    table = crank_and_rod("d", [0.1, 0.5, 1.5, 0.8])
    if base:
        table["base"] = {"motion": "prescribed"}
    spec = spec_of_table(table, "test")
    pushes = {"a.tau": 8.0, "c.tau": -1.0} | base
    inputs = Trajectory(np.array([0.0]), tuple(pushes), np.array([list(pushes.values())]))
    keys = {"stop": 0.5, "step": 0.05, "inputs": inputs}
    ours = simulate(system_of(spec), **keys)
    _, relative = energy_drift(ours)
    assert relative < 1e-8  # 1e-10 per internal step, some tens of steps
    theirs = simulate_absolute(spec, **keys, tolerance=1e-10)
    for name in ours.names:
        if name in theirs.names and not name.startswith(("constraint.", "energy.")):
            expected = ours.column(name)
            size = 1 + np.abs(expected).max()
            assert np.abs(theirs.column(name) - expected).max() < 1e-7 * size, name


@pytest.mark.parametrize("seed", range(6))
def test_the_inertia_of_a_loop_gives_its_kinetic_energy(seed):
    run = wander(running(random_loops(seed)), seed)
    assert run.plant.tree.has_rotors
    n, m = len(run.system.state_q), len(run.system.state_v)
    v, M = run.x[n : n + m], run.plant.inertia(run.x, run.u)
    assert np.array_equal(M, M.T)
    assert v @ M @ v / 2 == pytest.approx(named_outputs(run)["energy.kinetic"], rel=1e-12)


@pytest.mark.parametrize("cut", ["b", "d"])
def test_a_loop_that_follows_a_motion_takes_what_its_rotors_take(cut):
    """The crank is turned at will: its drive's power is what energy gains."""
    table = crank_and_rod(cut, [0.1, 0.5, 1.5, 0.8])
    table["joint"][0]["drive"] = "motion"
    table["joint"][0]["velocity"] = 1.0
    times = 0.01 * np.arange(31)
    motion = np.stack([times + times**2 / 2, 1 + times, 1 + 0 * times], axis=1)
    inputs = Trajectory(times, ("a.q", "a.qd", "a.qdd"), motion)
    system = system_of(spec_of_table(table, "test"))
    result = simulate(system, stop=0.3, step=0.01, inputs=inputs)
    energy = result.column("energy.kinetic") + result.column("energy.potential")
    power = result.column("a.tau") * motion[:, 1]
    # central differences: h^2 times a third derivative
    rate = (energy[2:] - energy[:-2]) / 0.02
    assert np.abs(rate - power[1:-1]).max() < 2e-3 * np.abs(power).max()
    _, relative = energy_drift(result)
    assert relative < 1e-7


# --- What has mass, and what flies ---


def test_a_joint_with_a_rotor_needs_no_mass_beyond_it():
    it = Mechanism("arm", gravity=[0, 0, 0])
    it.body("arm", mass=1.0, com=[0.5, 0, 0], inertia=POINT)
    it.body("hand", mass=0.0, com=[1, 0, 0], inertia=POINT)
    pin = {"axis": [0, 1, 0]}
    it.joint("shoulder", "revolute", "ground", "arm", point=[0, 0, 0], **pin)
    bare = copy.deepcopy(it).joint("wrist", "revolute", "arm", "hand", point=[1, 0, 0], **pin)
    with pytest.raises(SpecError, match='joint "wrist": it moves no mass'):
        refuse_unusable(system_of(bare.spec()))
    it.joint("wrist", "revolute", "arm", "hand", point=[1, 0, 0], armature=0.2, **pin)
    system = system_of(it.spec())
    refuse_unusable(system)
    # a torque between them turns the wrist against its rotor alone, and the arm back
    rates = plant_of(system, system.nominal_parameters()).derivatives(
        np.zeros(6), np.array([0.0, 3.0])
    )
    assert rates[2:4] == pytest.approx([0.0, 3.0 / 0.2])


def flying_pair():
    it = Mechanism("flyers", gravity=[0, 0, -3.0])
    for k, name in enumerate("ab"):
        box = {"shape": "box", "size": [0.2, 0.3 + k, 0.4]}
        it.body(name, mass=k + 1.0, com=[k, 0, 0], inertia=box)
    hinge = {"point": [0.5, 0, 0.2], "axis": [0, 1, 1], "armature": 2.0, "velocity": 1.0}
    it.joint("hinge", "revolute", "a", "b", **hinge)
    return it.output("poses", "velocities", "energy").spec()


def test_rotors_between_flying_bodies_leave_their_momentum_alone():
    """What a rotor exerts on one body it exerts on the other."""
    spec = flying_pair()
    settings = {"solver.tolerance": 1e-11}
    inputs = Trajectory(np.array([0.0]), ("hinge.tau",), np.array([[4.0]]))
    result = simulate(system_of(spec), stop=1.0, step=0.1, inputs=inputs, settings=settings)
    linear, angular = momentum_of(result, flight_of(spec), 1e-8)
    assert linear.passed
    assert angular.passed


# --- What a model file may say ---


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ({"armature": [1, 2]}, 'joint "it", armature'),
        ({"armature": -1}, 'joint "it", armature: -1; give 0 or more'),
        ({"armature": "rotor"}, "rotor"),
        ({"type": "rigid", "armature": 1}, "armature"),
        ({"type": "spherical", "armature": 1}, 'joint "it", armature'),
        ({"armatur": 1}, 'did you mean "armature"'),
    ],
)
def test_what_an_armature_may_not_be_is_named(keys, text):
    it = {"name": "it", "type": "revolute", "parent": "ground", "child": "a", "point": [0, 0, 0]}
    it |= keys
    if it["type"] == "revolute":
        it["axis"] = [0, 0, 1]
    solid = {"name": "a", "mass": 1, "com": [0, 0, 0], "inertia": {"shape": "sphere", "radius": 1}}
    with pytest.raises(SpecError) as caught:
        spec_of_table({"model": {"name": "m"}, "body": [solid], "joint": [it]}, "test")
    assert any(text in str(problem) for problem in caught.value.problems), caught.value.problems
