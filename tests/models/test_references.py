"""Reference cases: closed forms and Pinocchio, through the native FMU."""

import numpy as np
import pytest

from mbd_fmu.model.builder import Mechanism
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.comparison import compare
from mbd_fmu.validate.validation import validate_fmu
from tests.cases import case_of, solution_of
from tests.oracles.pendulum import swinging_rod

AXES = {"X": [1, 0, 0], "Y": [0, 1, 0], "Z": [0, 0, 1]}


def renamed(trajectory, names):
    """Columns of a reference under the names of an FMU: {ours: theirs}."""
    values = np.stack([trajectory.column(old) for old in names.values()], axis=1)
    return Trajectory(trajectory.time, tuple(names), values)


def robot(case):
    """A robot of the reference cases: bodies and joints in local frames."""
    links = case["reduced_model"]
    arm = Mechanism(case["title"].split(":")[0], frame="local")
    for k, link in enumerate(links):
        name = link["joint"]
        arm.body(f"{name}_link", mass=link["mass"], com=link["com"], inertia=link["inertia_com"])
        arm.joint(
            name,
            "revolute",
            "ground" if link["parent"] == 0 else f"{links[link['parent'] - 1]['joint']}_link",
            f"{name}_link",
            point=link["placement_xyz"],
            matrix=link["placement_R"],
            axis=AXES[link["type"][-1]],
            position=case["initial"]["q"][k],
        )
    return arm.output("poses", "joints", "reactions", "energy").spec()


@pytest.mark.parametrize("name", ["ur5", "panda7", "pendulum5", "solo12_fixedbase"])
def test_a_robot_follows_pinocchio(name, fmu_of):
    case, theirs = case_of(f"robots/{name}"), solution_of(f"robots/{name}")
    spec = robot(case)
    joints = case["joint_names"]
    inputs = renamed(theirs, {f"{j}.tau": f"tau_{j}" for j in joints})
    names = {}
    for j in joints:
        names |= {f"{j}.q": f"q_{j}", f"{j}.qd": f"v_{j}", f"{j}.qdd": f"a_{j}"}
    last = f"{joints[-1]}_link"
    names |= {f"{last}.r.{c}": f"lastjoint_p{c}" for c in "xyz"}
    names |= {f"{last}.quat.{c}": f"lastjoint_q{c}" for c in "wxyz"}
    reference = renamed(theirs, names)
    # sensitivity to the start is at most 387 (in the JSON): 1e-9 stays below 1e-6 of range
    found = validate_fmu(fmu_of(spec), reference=reference, inputs=inputs, tolerance=1e-6)
    assert found.failures == []

    wrench = base_wrench(found.run.trajectory, case, inputs)
    expected = renamed(theirs, {n: n for n in theirs.names if n.startswith("base_wrench")})
    names = dict(zip(wrench.names, expected.names, strict=True))
    for error in compare(wrench, renamed(expected, names)):
        assert error.max_relative <= 1e-6, error.name


def base_wrench(result, case, inputs):
    """What the first joint transmits, about the world's origin, put together from our outputs.

    Our reaction acts at the joint point and leaves the drive out; the reference moves it to the
    origin and leaves the drive in.
    """
    first = case["reduced_model"][0]
    joint = first["joint"]
    force = np.stack([result.column(f"{joint}.force.{c}") for c in "xyz"], axis=1)
    torque = np.stack([result.column(f"{joint}.torque.{c}") for c in "xyz"], axis=1)
    axis = np.array(first["placement_R"]) @ AXES[first["type"][-1]]  # fixed in the world
    torque = torque + np.outer(inputs.column(f"{joint}.tau"), axis)
    moment = torque + np.cross(np.array(first["placement_xyz"]), force)
    names = tuple(f"force.{c}" for c in "xyz") + tuple(f"moment.{c}" for c in "xyz")
    return Trajectory(result.time, names, np.hstack([force, moment]))


def test_the_pendulum_follows_elliptic_functions(fmu_of):
    case = case_of("closed_form/pendulum_rod_120deg")
    p = case["parameters"]
    rod = Mechanism("rod", gravity=[0, -p["g"], 0])
    half = p["length"] / 2
    inertia = {"shape": "rod", "length": p["length"], "axis": [0, 1, 0]}
    rod.body("rod", mass=p["mass"], com=[0, -half, 0], inertia=inertia)
    start = np.radians(case["initial"]["theta0_deg"])
    rod.joint("pivot", "revolute", "ground", "rod", point=[0, 0, 0], axis=[0, 0, 1], position=start)
    theirs = solution_of("closed_form/pendulum_rod_120deg")
    names = {
        "pivot.q": "theta",
        "pivot.qd": "thetadot",
        "pivot.qdd": "thetaddot",
        "pivot.force.x": "pivot_force_x",
        "pivot.force.y": "pivot_force_y",
    }
    found = validate_fmu(fmu_of(rod.spec()), reference=renamed(theirs, names), tolerance=1e-6)
    assert found.failures == []


def test_our_closed_form_of_the_pendulum_is_the_published_one():
    theirs = solution_of("closed_form/pendulum_rod_120deg")
    ours = swinging_rod(theirs.time, mass=2.0, length=1.5, theta_0=np.radians(120.0))
    # elliptic functions of two libraries
    assert np.allclose(np.stack(ours, axis=1), theirs.values, rtol=0, atol=1e-11)


def test_the_double_pendulum_of_point_masses_follows_its_reference(fmu_of):
    """Both rods horizontal at the start. Over these 5 s errors grow by a factor of 8 only."""
    pair = Mechanism("pair", gravity=[0, -9.81, 0])
    for k in (1, 2):
        pair.body(f"mass{k}", mass=1.0, com=[k, 0, 0], inertia={"shape": "point"})
    hinge = {"type": "revolute", "axis": [0, 0, 1]}
    pair.joint("upper", parent="ground", child="mass1", point=[0, 0, 0], **hinge)
    pair.joint("lower", parent="mass1", child="mass2", point=[1, 0, 0], **hinge)
    theirs = solution_of("closed_form/double_pendulum_pointmass")
    right = np.pi / 2  # theirs count from hanging, the second angle absolutely
    first, second = theirs.column("theta1"), theirs.column("theta2_abs")
    rates = theirs.column("theta1dot"), theirs.column("theta2dot_abs")
    values = [first - right, second - first, rates[0], rates[1] - rates[0]]
    names = ("upper.q", "lower.q", "upper.qd", "lower.qd")
    reference = Trajectory(theirs.time, names, np.stack(values, axis=1))
    found = validate_fmu(fmu_of(pair.spec()), reference=reference, tolerance=1e-6)
    assert found.failures == []
