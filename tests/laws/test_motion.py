"""Prescribed motion: of the base, and of joints."""

import json

import numpy as np
import pytest

from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.export.symbols import symbols_of
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.reference.run import Run
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import rotation_matrix
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from mbd_fmu.validate.runner import Fmu
from tests.random_trees import random_tree

G = 9.81
M1, M2, L1, L2 = 1.0, 0.7, 0.8, 0.5


def hanging_pair():
    """Two point masses on rods, hung from a point that is moved."""
    pair = Mechanism("hanging_pair")
    pair.body("upper", mass=M1, com=[0, 0, -L1], inertia={"shape": "point"})
    pair.body("lower", mass=M2, com=[0, 0, -L1 - L2], inertia={"shape": "point"})
    hinge = {"axis": [0, -1, 0], "drive": "none"}  # positive angles swing towards +x
    pair.joint("first", "revolute", "ground", "upper", point=[0, 0, 0], **hinge)
    pair.joint("second", "revolute", "upper", "lower", point=[0, 0, -L1], **hinge)
    return pair.moving_base().spec()


def pair_by_hand(a, b, a_dot, b_dot, base_x, base_z):
    """Angular accelerations of both rods (absolute angles from hanging), by Lagrange by hand.

    x_1 = X + L1 sin a, z_1 = Z - L1 cos a; x_2 = x_1 + L2 sin b, z_2 = z_1 - L2 cos b. With the
    accelerations of the suspension point, gravity acts as G + Z'' and X'' as a sideways pull.
    """
    m = M1 + M2
    c, s = np.cos(a - b), np.sin(a - b)
    A = np.array([[m * L1**2, M2 * L1 * L2 * c], [M2 * L1 * L2 * c, M2 * L2**2]])
    rhs = np.array(
        [
            -M2 * L1 * L2 * s * b_dot**2 - m * L1 * ((G + base_z) * np.sin(a) + base_x * np.cos(a)),
            M2 * L1 * L2 * s * a_dot**2 - M2 * L2 * ((G + base_z) * np.sin(b) + base_x * np.cos(b)),
        ]
    )
    return np.linalg.solve(A, rhs)


def test_a_double_pendulum_on_a_moving_point_obeys_the_equation_found_by_hand():
    system = system_of(hanging_pair())
    plant = plant_of(system, system.nominal_parameters())
    names = [v.name for v in system.table.inputs]
    rng = np.random.default_rng(5)
    for _ in range(20):
        a, b, a_dot, b_dot = rng.normal(size=4)
        u = np.array([v.start for v in system.table.inputs])
        moved = dict(
            zip(
                [n for n in names if n[5] in "rva" and "alpha" not in n],
                rng.normal(size=9),
                strict=True,
            )
        )
        for name, value in moved.items():
            u[names.index(name)] = value
        x = np.array([a, b - a, a_dot, b_dot - a_dot, 0, 0])
        found = plant.derivatives(x, u)[2:4]
        expected = pair_by_hand(a, b, a_dot, b_dot, moved["base.a.x"], moved["base.a.z"])
        assert [found[0], found[0] + found[1]] == pytest.approx(expected, rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("seed", range(3))
def test_a_base_that_moves_is_a_base_that_is_carried_so(seed):
    """Whatever moves the base, the tree cannot tell: prescribed base = tree on a driven free body.

    The free body carries the tree; the wrench the moving base reports, and what the body itself
    takes by Newton and Euler, make it move as prescribed.
    """
    spec = random_tree(4, seed, types=("revolute", "prismatic"), frame="world")
    riding = json.loads(spec.text) | {"base": {"motion": "prescribed"}}
    carried = json.loads(spec.text)
    for joint in carried["joint"]:
        if joint["parent"] == "ground":
            joint["parent"] = "raft"
    raft = {"name": "raft", "mass": 2.0, "com": [0, 0, 0], "inertia": np.eye(3).tolist()}
    carried["body"].append(raft)
    float_joint = {
        "name": "float",
        "type": "free",
        "parent": "ground",
        "child": "raft",
        "point": [0, 0, 0],
    }
    carried["joint"].append(float_joint)
    one, other = system_of(spec_of_table(riding, "t")), system_of(spec_of_table(carried, "t"))

    rng = np.random.default_rng(seed)
    u = rng.normal(size=one.table.n_inputs)
    names = [v.name for v in one.table.inputs]
    at = {n: k for k, n in enumerate(names)}
    quat = np.array([u[at[f"base.quat.{c}"]] for c in "wxyz"])
    quat /= np.linalg.norm(quat)
    for c, value in zip("wxyz", quat, strict=True):
        u[at[f"base.quat.{c}"]] = value
    x = rng.normal(size=one.nx)
    state = dict(zip(one.states.names, x, strict=True))
    plant = plant_of(one, one.nominal_parameters())
    outputs = dict(zip([v.name for v in one.table.outputs], plant.all_outputs(x, u), strict=True))
    acceleration = dict(zip(one.states.names, plant.derivatives(x, u), strict=True))

    R = rotation_matrix(quat)

    def base(key):
        return np.array([u[at[f"base.{key}.{c}"]] for c in "xyz"])

    w, v = R.T @ base("w"), R.T @ base("v")
    for c, a, b, d, e in zip("xyz", w, v, base("r"), "xyz", strict=True):
        state |= {f"float.w.{c}": a, f"float.v.{c}": b, f"float.r.{e}": d}
    state |= {f"float.q.{c}": value for c, value in zip("wxyz", quat, strict=True)}
    x_other = np.array([state[name] for name in other.states.names])
    g = np.array([float(x) for x in spec.gravity])
    own = {"force": 2.0 * (base("a") - g), "torque": base("alpha")}  # a ball: no gyroscopic part
    force, torque = (
        R.T @ (own[key] + [outputs[f"base.{key}.{c}"] for c in "xyz"])
        for key in ("force", "torque")
    )
    drive = {f"float.tau[{k + 1}]": torque[k] for k in range(3)}
    drive |= {f"float.f[{k + 1}]": force[k] for k in range(3)}
    u_other = np.array(
        [drive.get(v.name, u[at[v.name]] if v.name in at else 0.0) for v in other.table.inputs]
    )
    plant_other = plant_of(other, other.nominal_parameters())
    found = dict(zip(other.states.names, plant_other.derivatives(x_other, u_other), strict=True))
    size = max(abs(value) for value in acceleration.values())
    for name in one.states.names[: -len(("input work", "dissipated"))]:
        assert found[name] == pytest.approx(acceleration[name], abs=1e-11 * size), name
    expected = np.concatenate([R.T @ base("alpha"), R.T @ base("a") - np.cross(w, v)])
    got = [found[f"float.{k}.{c}"] for k in "wv" for c in "xyz"]
    assert got == pytest.approx(expected, abs=1e-11 * size)


@pytest.mark.parametrize("kind", ["free", "spherical", "cylindrical"])
def test_what_a_joint_does_tells_it_to_do_so(kind):
    """From r, quat, v, w, a, alpha to the joint's own coordinates and rates, and back."""
    rng = np.random.default_rng(3)
    layout = JOINTS[kind].layout
    told = rng.normal(size=layout.size)
    if kind != "cylindrical":
        told[layout.slices["quat"]] /= np.linalg.norm(told[layout.slices["quat"]])
    motion = layout.motion(told)
    for part, at in layout.slices.items():
        assert layout.part(part, motion) == pytest.approx(told[at], abs=1e-12), part


def driven_arm(drive):
    arm = Mechanism("arm")
    arm.body(
        "one", mass=1.5, com=[0.2, 0, 0], inertia={"shape": "rod", "length": 0.4, "axis": [1, 0, 0]}
    )
    arm.body(
        "two", mass=0.8, com=[0.6, 0, 0], inertia={"shape": "rod", "length": 0.4, "axis": [1, 0, 0]}
    )
    keys = {"damping": 0.1, "stiffness": 2.0, "rest": 0.2}
    arm.joint(
        "shoulder",
        "revolute",
        "ground",
        "one",
        point=[0, 0, 0],
        axis=[0, 1, 0],
        drive=drive,
        **keys,
    )
    arm.joint("elbow", "revolute", "one", "two", point=[0.4, 0, 0], axis=[0, 1, 0], drive="none")
    return arm.spec()


def fed_back(fmu_of, step):
    """Tell the shoulder to follow q = t^2 / 2, then feed back the torque; return both runs."""
    times = step * np.arange(round(0.3 / step) + 1)
    motion = np.stack([times**2 / 2, times, np.ones_like(times)], axis=1)
    names = ("shoulder.q", "shoulder.qd", "shoulder.qdd")
    with Fmu(fmu_of(driven_arm("motion"))) as told:
        first = told.run(times, inputs=Trajectory(times, names, motion), tolerance=1e-10).trajectory
    torque = Trajectory(times, ("shoulder.tau",), first.column("shoulder.tau")[:, None])
    with Fmu(fmu_of(driven_arm("torque"))) as asked:
        second = asked.run(times, inputs=torque, interpolate=True, tolerance=1e-10).trajectory
    return first, second


def test_feeding_back_the_torque_a_prescribed_motion_takes_reproduces_it(fmu_of):
    """Between points the torque is a straight line: the error goes with the step squared."""
    first, second = fed_back(fmu_of, 0.001)
    assert np.abs(second.column("shoulder.q") - second.time**2 / 2).max() < 1e-5
    for name in ("elbow.q", "elbow.qd", "elbow.force.x", "elbow.force.z"):
        one, other = first.column(name), second.column(name)
        assert np.abs(one - other).max() < 1e-4 * np.ptp(one)
    _, coarse = fed_back(fmu_of, 0.002)
    errors = [np.abs(run.column("shoulder.q") - run.time**2 / 2).max() for run in (coarse, second)]
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.05)


def test_a_prescribed_motion_keeps_the_books():
    """Its torque works: kinetic + potential - input work + dissipated stays constant."""
    system = system_of(driven_arm("motion"))
    run = Run(system, {"solver.tolerance": 1e-10})
    names = [v.name for v in system.table.outputs]
    balance = []
    for k in range(50):
        t = 0.01 * k
        run.u = np.array([t**2 / 2, t, 1.0])
        y = dict(zip(names, run.outputs(), strict=True))
        balance.append(
            y["energy.kinetic"]
            + y["energy.potential"]
            - y["energy.input_work"]
            + y["energy.dissipated"]
        )
        run.step(0.01)
    assert abs(y["energy.input_work"]) > 0.5
    assert np.ptp(balance) < 1e-8  # 1e-10 per internal step, some 100 steps


def test_the_native_fmu_of_a_moving_base_follows_the_numpy_road(fmu_of):
    """A base that is told to go anywhere at each step: both are led there alike."""
    spec = hanging_pair()
    system = system_of(spec)
    run = Run(system, {"solver.tolerance": 1e-9})
    names = [v.name for v in system.table.inputs]
    rng = np.random.default_rng(1)
    with Fmu(fmu_of(spec)) as fmu:
        times = 0.01 * np.arange(11)
        values = 0.01 * rng.normal(size=(11, len(names)))  # in a step of 0.01 s that is wild enough
        quats = [names.index(f"base.quat.{c}") for c in "wxyz"]
        values[:, quats[0]] += 1.0
        values[:, quats] /= np.linalg.norm(values[:, quats], axis=1)[:, None]
        inputs = Trajectory(times, tuple(names), values)
        found = fmu.run(times, inputs=inputs, tolerance=1e-9).trajectory.values
    for k in range(11):
        run.u = values[k]
        expected = run.outputs()
        size = 1 + np.abs(expected).max()
        assert np.abs(found[k] - expected).max() < 1e-9 * size  # rounding over ten steps
        if k < 10:
            run.step(0.01)


def test_the_velocity_of_a_base_that_carries_everything_is_no_dependency():
    """Galilei: neither accelerations nor reactions feel it, so no master shall see a loop there."""
    system = system_of(hanging_pair())
    depends = symbols_of(system).depends_on_input
    inputs = [v.name for v in system.table.inputs]
    plant = plant_of(system, system.nominal_parameters())
    rng = np.random.default_rng(2)
    x, u = rng.normal(size=system.nx), rng.normal(size=len(inputs))
    moved = u.copy()
    at = [inputs.index(f"base.v.{c}") for c in "xyz"]
    moved[at] += [3.0, -2.0, 5.0]
    one, other = plant.all_outputs(x, u), plant.all_outputs(x, moved)
    for row, variable in enumerate(system.table.outputs):
        if variable.name.endswith("qdd") or ".force" in variable.name or ".torque" in variable.name:
            assert not depends[row, at].any(), variable.name
            assert other[row] == pytest.approx(one[row], abs=1e-11 * (1 + np.abs(one).max()))
    assert depends[:, inputs.index("base.a.x")].any()


@pytest.mark.parametrize("kind", ["prismatic", "free"])
def test_of_a_base_that_the_time_leads_no_other_velocity_is_taken_for_its_own(kind):
    """What is led along x on a base that turns about z pushes along y by Coriolis' 2 m w v."""
    ride = Mechanism("ride")
    ride.body("seat", mass=2.0, com=[0, 0, 0], inertia={"shape": "sphere", "radius": 0.1})
    keys = {"axis": [1, 0, 0]} if kind == "prismatic" else {}
    ride.joint("rail", kind, "ground", "seat", point=[0, 0, 0], drive="motion", **keys)
    ride.moving_base({"position": [0, 0, 0], "rpy": [0, 0, "0.7*time"]})
    system = system_of(ride.output("joints", "reactions").spec())
    inputs = [v.name for v in system.table.inputs]
    outputs = [v.name for v in system.table.outputs]
    plant, u = plant_of(system, system.nominal_parameters()), system.nominal_inputs()
    at = inputs.index("rail.qd" if kind == "prismatic" else "rail.v.x")
    push = outputs.index("rail.force.y")
    moved = u.copy()
    moved[system.table.acting[at]] += 3.0
    change = plant.all_outputs(plant.start(), moved) - plant.all_outputs(plant.start(), u)
    assert change[push] == pytest.approx(2 * 2.0 * 0.7 * 3.0, abs=1e-12)
    assert symbols_of(system).depends_on_input[push, at]
