"""Reference cases with closed loops and constraints, through the native FMU."""

import time
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.library import library
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.runner import Fmu
from tests.cases import case_of, solution_of
from tests.fmu.ctypes_fmu import OK, Instance, Library
from tests.fmu.exchange import Exchange
from tests.models import adams, modelica, slider_crank
from tests.models.drawn_world import (
    OUTPUTS,
    assert_close,
    mechanism,
    quaternions,
    run,
    vectors,
)


def reactions(ours, theirs, names, *, in_plane=None):
    """Pairs of forces and torques; of a plane mechanism, what acts in the plane."""
    pairs = {}
    for name in names:
        for key, column in (("force", "f"), ("torque", "t")):
            expected = vectors(theirs, f"{name}.reac_{column}")
            found = vectors(ours, f"{name}.{key}.")
            if in_plane is not None:
                keep = np.array([c != in_plane for c in "xyz"], dtype=float)
                keep = keep if key == "force" else 0.0 * keep
                expected, found = expected * keep, found * keep
            pairs[f"{name} {key}"] = found, expected
    return pairs


def bodies(ours, theirs, names):
    pairs = {}
    for name in names:
        pairs[f"{name} com"] = vectors(ours, f"{name}.com."), vectors(theirs, f"{name}.com_")
        pairs[f"{name} quat"] = quaternions(ours, f"{name}.quat."), quaternions(theirs, f"{name}.q")
    return pairs


# --- MSC ADAMS through Project Chrono ---


@pytest.mark.parametrize("name", adams.OTHERS)
def test_rods_and_springs_follow_their_cases(name, fmu_of):
    case = case_of(f"adams_chrono/{name}_Case01")
    theirs = solution_of(f"adams_chrono/{name}_Case01_hiacc")
    ours = run(fmu_of, mechanism(name, case["model_AWD"]).spec(), theirs.time)
    found = adams.motion(name, case, ours)
    pairs = {what: (one, adams.told(theirs, what)) for what, one in found.items()}
    quat, expected = pairs["quaternion"]  # q and -q are one rotation
    pairs["quaternion"] = quat * np.sign(np.sum(quat * expected, axis=1))[:, None], expected
    assert_close(theirs.time, pairs, 1e-6)


# --- Examples of the Modelica library ---


def test_the_spatial_four_bar_of_modelica_is_followed_with_reactions(fmu_of):
    case, theirs = case_of("msl/Fourbar1"), solution_of("msl/Fourbar1_hiacc")
    ours = run(fmu_of, mechanism("Fourbar1", case["model_AWD"]).spec(), theirs.time)
    pairs = bodies(ours, theirs, case["model_AWD"]["bodies"])
    pairs |= reactions(ours, theirs, ["j1", "j2", "u", "sph"])
    assert_close(theirs.time, pairs, 1e-6)


PLANAR = {
    "PlanarFourbar": ("revolute1 revolute2 revolute3", "revolute4cut", "y"),
    "Engine1a": ("bearing b1 cylinder", "b2", "x"),
}


@pytest.mark.parametrize("pins", ["point_on_line", "revolute"])
@pytest.mark.parametrize("name", PLANAR)
def test_a_plane_loop_of_modelica_is_followed_with_reactions(name, pins, fmu_of):
    """Closed by a pin of two rows all reactions are unique, by a hinge those in the plane."""
    case, theirs = case_of(f"msl/{name}"), solution_of(f"msl/{name}_hiacc")
    joints, closing, across = PLANAR[name]
    spec = mechanism(name, case["model_AWD"], pins=pins).spec()
    ours = run(fmu_of, spec, theirs.time)
    pairs = bodies(ours, theirs, case["model_AWD"]["bodies"])
    if pins == "revolute":
        pairs |= reactions(ours, theirs, [*joints.split(), closing], in_plane=across)
    else:
        pairs |= reactions(ours, theirs, joints.split())
    assert_close(theirs.time, pairs, 1e-6)


@pytest.mark.parametrize("name", ["RevoluteConstraint", "UniversalConstraint"])
@pytest.mark.parametrize("as_cut", [False, True])
def test_a_joint_as_constraint_of_modelica_is_the_joint(name, as_cut, fmu_of):
    """As a joint of the tree; and as rows on a body that a free joint carries."""
    case, theirs = case_of(f"msl/{name}"), solution_of(f"msl/{name}_hiacc")
    spec = modelica.joint_as_constraint(name, case, as_cut=as_cut)
    ours = run(fmu_of, spec, theirs.time)
    pairs = bodies(ours, theirs, ["body"]) | reactions(ours, theirs, ["joint"])
    assert_close(theirs.time, pairs, 1e-6)


def test_a_pendulum_with_spring_and_damper_follows_modelica(fmu_of):
    world = case_of("msl/PendulumWithSpringDamper")["model_AWD"]
    theirs = solution_of("msl/PendulumWithSpringDamper_hiacc")
    ours = run(fmu_of, mechanism("pendulum", world).spec(), theirs.time)
    pairs = bodies(ours, theirs, ["body1"]) | reactions(ours, theirs, ["plane"])
    # the multiplier acts on the child, the ground; the reference tells what acts on the body
    n = Rotation.from_quat(np.roll(quaternions(ours, "body1.quat."), -1, axis=1)).apply([0, 1, 0])
    on_body = -ours.column("radial.lambda[1]")[:, None] * n
    pairs["radial force"] = on_body, vectors(theirs, "radial.reac_f")
    assert_close(theirs.time, pairs, 1e-6)


def test_cut_forces_at_rest_have_the_signs_of_modelica(fmu_of):
    """The sensor counts what acts on its frame a: the opposite of our force on the child."""
    values = case_of("msl/static_cut_forces")["values"]["CutForceAndTorque1"]
    it = Mechanism("cut", gravity=[0, -9.80665, 0])
    # the frame turned by +90 degrees about z; the arm (0, -1, 0) in it points along the world's x
    it.body("arm", mass=1, com=[1, 0, 0.2], inertia=np.eye(3))
    it.joint("sensor", "rigid", "ground", "arm", point=[0, 0, 0.2])
    ours = run(fmu_of, it.output(*OUTPUTS).spec(), np.array([0.0, 0.1]))
    force, torque = vectors(ours, "sensor.force.")[-1], vectors(ours, "sensor.torque.")[-1]
    world = [values[f"cutForce2a.force[{k}]"] for k in (1, 2, 3)]
    moment = [values[f"cutForce2a.torque[{k}]"] for k in (1, 2, 3)]
    assert np.allclose(force, -np.array(world), atol=1e-12)
    assert np.allclose(torque, -np.array(moment), atol=1e-12)


def test_a_wheel_set_is_pulled_as_in_modelica(fmu_of):
    case = case_of("msl/RollingWheelSetPulling")
    theirs = solution_of("msl/RollingWheelSetPulling_hiacc")
    spec, inputs = modelica.pulled_wheel_set(case)
    ours = run(fmu_of, spec, theirs.time, inputs=inputs, interpolate=True)
    for name, column in modelica.WHEELS.items():
        one, other = ours.column(column), theirs.column(name)
        assert np.abs(one - other).max() <= 1e-6 * np.ptp(other), name


# --- Closed loops ---


@pytest.mark.parametrize("pins", ["point_on_line", "revolute"])
def test_the_four_bar_of_drake_swings(pins, fmu_of):
    name = "closed_loop/drake_four_bar_passive"
    case, theirs = case_of(name), solution_of(name)
    spec = mechanism("drake", case["model_AWD"], pins=pins).spec()
    ours = run(fmu_of, spec, theirs.time)
    joints = ["WA", "AB", "WC"] + (["BC"] if pins == "revolute" else [])
    pairs = {}
    for name in joints:
        keep = np.array([1.0, 0.0, 1.0])
        expected = vectors(theirs, f"{name}.reac_f") * keep
        pairs[name] = vectors(ours, f"{name}.force.") * keep, expected
    assert_close(theirs.time, pairs, 1e-6)
    qa = ours.column("WA.q") - ours.column("WA.q")[0]
    assert np.abs(qa - (theirs.column("qA") - theirs.column("qA")[0])).max() <= 1e-6 * np.ptp(qa)


@pytest.mark.parametrize(
    ("name", "inputs", "angle", "joints"),
    [
        ("five_bar_2dof", {"m1.tau": "u_tau1", "m2.tau": "u_tau2"}, ("m1.q", "q1"), "m1 m2 e1 e2"),
        (
            "peaucellier",
            {"jQ.tau": "u_tau_crank"},
            ("jQ.q", "crank_angle"),
            "jQ jOA jOC jPA jPC jAS jCS",
        ),
    ],
)
def test_a_driven_linkage_follows_its_reference(name, inputs, angle, joints, fmu_of):
    case, theirs = case_of(f"closed_loop/{name}"), solution_of(f"closed_loop/{name}")
    drives = [key.partition(".")[0] for key in inputs]
    spec = mechanism(name, case["model_AWD"], drives=drives).spec()
    values = np.stack([theirs.column(column) for column in inputs.values()], axis=1)
    ours = run(fmu_of, spec, theirs.time, inputs=Trajectory(theirs.time, tuple(inputs), values))
    assert_close(theirs.time, reactions(ours, theirs, joints.split()), 1e-6)
    one, other = ours.column(angle[0]), theirs.column(angle[1])
    assert np.abs((one - one[0]) - (other - other[0])).max() <= 1e-6 * np.ptp(other)


# --- Benchmarks ---


def n_four_bar(n):
    """IFToMM A02: n parallelograms side by side; singular whenever all links lie flat."""
    it = Mechanism("n_four_bar", gravity=[0, -9.81, 0])
    link = {"mass": 1, "inertia": {"shape": "rod", "length": 1, "axis": [0, 1, 0]}}
    bar = {"mass": 1, "inertia": {"shape": "rod", "length": 1, "axis": [1, 0, 0]}}
    for i in range(n + 1):
        it.body(f"link{i}", com=[i, 0.5, 0], **link)
        it.joint(
            f"A{i}",
            "revolute",
            "ground",
            f"link{i}",
            point=[i, 0, 0],
            axis=[0, 0, 1],
            velocity=-1.0,
            drive="none",
        )
    for i in range(n):
        it.body(f"bar{i}", com=[i + 0.5, 1, 0], **bar)
        ends = {"axis": [0, 0, 1], "drive": "none"}
        it.joint(f"B{i}", "revolute", f"link{i}", f"bar{i}", point=[i, 1, 0], velocity=1.0, **ends)
        it.joint(f"C{i}", "revolute", f"bar{i}", f"link{i + 1}", point=[i + 1, 1, 0], **ends)
    tip = [{"name": "tip", "body": "link0", "point": [0, 1, 0]}]
    return it.output("energy", "joints", "quality", points=tip)


def test_parallelograms_pass_their_singular_positions(fmu_of):
    """A02 with two loops: 1e-3 over 10 s and energy to 1e-6 are asked for."""
    theirs = solution_of("iftomm/A02_N2_fourbar")
    times = theirs.time[theirs.time <= 10.0 + 1e-9]
    ours = run(fmu_of, n_four_bar(2).spec(), times)
    for c in "xy":
        assert (
            np.abs(ours.column(f"tip.r.{c}") - theirs.column(f"B0_{c}")[: len(times)]).max() < 1e-3
        )
    energy = ours.column("energy.kinetic") + ours.column("energy.potential")
    assert np.abs(energy - energy[0]).max() <= 1e-6 * abs(energy[0])


def parallelogram_angle(n, times):
    """The angle of n parallelograms that move as one, by Lagrange's equation of one freedom.

    n + 1 rods turn, n bars go with their ends: T = ((n + 1) / 3 + n) q'^2 / 2 and
    V = g ((n + 1) / 2 + n) cos q, of unit masses and lengths. By SciPy at 1e-13.
    """
    pull = 9.81 * ((n + 1) / 2 + n) / ((n + 1) / 3 + n)
    return solve_ivp(
        lambda _, y: [y[1], pull * np.sin(y[0])],
        (0.0, times[-1]),
        [0.0, -1.0],
        method="DOP853",
        rtol=1e-13,
        atol=1e-13,
        t_eval=times,
    ).y[0]


def test_the_equation_of_one_freedom_is_that_of_the_benchmark():
    theirs = solution_of("iftomm/A02_N2_fourbar")
    angle = parallelogram_angle(2, theirs.time)
    assert np.abs(theirs.column("B0_x") + np.sin(angle)).max() < 1e-3  # what it is published to
    assert np.abs(theirs.column("B0_y") - np.cos(angle)).max() < 1e-3


@pytest.mark.parametrize("n", [10, pytest.param(40, marks=pytest.mark.slow)])
def test_many_parallelograms_follow_their_one_freedom_through_singular_positions(n, fmu_of):
    """A02 over 20 s: all lie flat twice a turn; 1e-3 is asked for."""
    times = np.linspace(0.0, 20.0, 201)
    path = fmu_of(n_four_bar(n).spec())
    begin = time.process_time()
    with Fmu(path) as fmu:
        ours = fmu.run(times, tolerance=1e-8).trajectory
    took = time.process_time() - begin
    angle = parallelogram_angle(n, times)
    for k in range(n + 1):
        assert np.abs(ours.column(f"A{k}.q") - angle).max() < 1e-3, k
    energy = ours.column("energy.kinetic") + ours.column("energy.potential")
    assert np.abs(energy - energy[0]).max() <= 1e-6 * abs(energy[0])
    assert took < times[-1]  # faster than it moves, outputs and reading them included


@pytest.mark.parametrize("pins", ["point_on_line", "revolute"])
def test_andrews_squeezer_arrives_where_the_test_set_says(pins, fmu_of):
    """Published at t = 0.03, good to about 9 digits."""
    case = case_of("ivp_testset/andrews")
    it = mechanism("andrews", case["model_AWD"], pins=pins, drives=["O"])
    torque = case["model_AWD"]["applied"][0]["torque_world"][2]
    times = np.linspace(0.0, 0.03, 31)
    with Fmu(fmu_of(it.spec())) as fmu:
        ours = fmu.run(times, tolerance=1e-11, settings={"O.tau": torque}).trajectory
    # beta turns K1, Theta K2 against K1, gamma K3: counted from the start
    y = case["reference_at_0_03"]["y"]
    for joint, k in (("O", 0), ("F", 1), ("B", 2)):
        turned = y[k] - case["y0_q"][k]
        assert abs(ours.column(f"{joint}.q")[-1] - turned) < 1e-7
        rate = y[k + 7]
        assert abs(ours.column(f"{joint}.qd")[-1] - rate) < 1e-6 * max(abs(rate), 100.0)


def test_a_finer_tolerance_brings_andrews_squeezer_nearer(fmu_of, tmp_path):
    """Another integrator at 1e-13, on the same equations, says where it arrives."""
    path, torque, stop = fmu_of(read_model(library()["andrews_squeezer"])), {"O.tau": 0.033}, 0.03
    code = Library(path, tmp_path)
    exchange = Exchange(code).run(torque)

    def rates(_, x):
        exchange.x = x
        return exchange.derivatives()

    n_q, start = len(coordinates(exchange)), exchange.x
    exact = solve_ivp(rates, (0.0, stop), start, "DOP853", rtol=1e-13, atol=1e-13).y[:n_q, -1]
    errors = []
    for tolerance in (1e-8, 1e-9, 1e-10, 1e-11):
        it = Instance(code).start(torque, tolerance=tolerance)
        assert it.step(0.0, stop) == OK
        errors.append(np.abs(np.array(it.get(coordinates(exchange))) - exact).max())
        it.free()
    exchange.free()
    # to a tenth each time, as the tolerance; at 1e-13 the other integrator is good for 1e-12
    assert all(fine < coarse / 4 for coarse, fine in pairwise(errors)), errors


def coordinates(exchange):
    """Of the states, those that come first."""
    return [name for name in exchange.states if name.endswith(".q")]


def test_the_slider_crank_of_sundials_follows_its_equations(fmu_of):
    case, times = case_of("literature/sundials_slider_crank"), np.linspace(0.0, 10.0, 101)
    push = {"push.force.x": case["parameters"]["F"]}
    ours = run(fmu_of, slider_crank.drawn(case), times, settings=push)
    expected = slider_crank.solved(case, times)
    for name, one in slider_crank.angles(case, ours).items():
        assert np.abs(one - expected[name]).max() <= 1e-6 * np.ptp(expected[name]), name
